"""Custom calls: target, configuration, layouts and aliases go over as they are."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.attributes import OutputOperandAliasAttr
from ....dialects.stablehlo.control_flow import tuple_type
from ....dialects.stablehlo.layouts import layout_attribute
from ....dialects.stablehlo.syntax import bool_attr
from .. import attribute_values
from ..shapes import ArrayShape, Shape, TupleShape, leaves, show
from .functions import function_named, parse_dictionary
from .site import HANDLERS, HloValue, Site, pack

API_VERSIONS = {
    "API_VERSION_UNSPECIFIED": 0,
    "API_VERSION_ORIGINAL": 1,
    "API_VERSION_STATUS_RETURNING": 2,
    "API_VERSION_STATUS_RETURNING_UNIFIED": 3,
    "API_VERSION_TYPED_FFI": 4,
}


_BUFFER_CALLS = ("Pin", "Unpin")
"""Calls that make a buffer of an array, and an array of a buffer: values here."""


def layout_attr(shape: Shape) -> Attribute:
    """`dense<[0, 1]> : tensor<2xindex>`"""
    return layout_attribute(shape.minor_to_major if isinstance(shape, ArrayShape) else ())


def is_row_major(shape: Shape) -> bool:
    return not isinstance(shape, ArrayShape) or sorted(shape.minor_to_major)[::-1] == list(shape.minor_to_major)


def _layouts(site: Site, properties: dict[str, Attribute | None]) -> None:
    if not site.has("operand_layout_constraints"):
        return
    constraints = site.read("operand_layout_constraints", attribute_values.shapes)
    for constraint in constraints:
        if isinstance(constraint, TupleShape) and not all(map(is_row_major, leaves(constraint))):
            site.unsupported(f"the layouts in a tuple have no counterpart in StableHLO, got {show(constraint)}")
    properties["operand_layouts"] = ArrayAttr(map(layout_attr, constraints))
    results = list(leaves(site.shape))
    properties["result_layouts"] = ArrayAttr(map(layout_attr, results))


def _backend_config(site: Site, version: int) -> Attribute | None:
    """The dictionary of a typed call, or else text."""
    if not site.has("backend_config"):
        return None
    text = site.text("backend_config")
    if text.startswith(('"', "'")):
        text = site.string("backend_config")
        typed = None
    else:
        typed = parse_dictionary(text)
    if version == 4:
        typed = parse_dictionary(text) if text else DictionaryAttr({})
        return typed or StringAttr(text)
    return StringAttr(text)


def frontend_attributes(site: Site) -> dict[str, Attribute]:
    """What a frontend noted on the instruction, under the names upstream gives it."""
    found: dict[str, Attribute] = {}
    entries = site.read("frontend_attributes", attribute_values.dictionary, {})
    if entries:
        found["mhlo.frontend_attributes"] = DictionaryAttr({key: StringAttr(text) for key, text in entries.items()})
    if site.has("sharding"):
        found["mhlo.sharding"] = StringAttr(site.text("sharding"))
    return found


def _operands(site: Site) -> list[SSAValue]:
    """A tuple is passed as a tuple."""
    operands: list[SSAValue] = []
    for value in site.values():
        operands.append(value if isinstance(value, SSAValue) else _materialize(site, value))
    return operands


def _materialize(site: Site, value: HloValue) -> SSAValue:
    if isinstance(value, SSAValue):
        return value
    if value is None:
        site.unsupported("takes the context of an asynchronous instruction as a value")
    return site.new(stablehlo.TupleOp(*(_materialize(site, element) for element in value)))


def _called(site: Site) -> Attribute | None:
    if site.has("to_apply"):
        computations = [site.computation("to_apply")]
    else:
        parse = site.program.computations_at
        computations = site.read("called_computations", parse, [])
    pos = site.instruction.pos
    symbols = [function_named(site.program, computation, pos).sym_name for computation in computations]
    return ArrayAttr(map(SymbolRefAttr, symbols)) if symbols else None


def _custom_call(site: Site) -> HloValue:
    target = site.string("custom_call_target")
    if target == "TopK" and (result := _top_k(site)) is not None:
        return result
    if target in _BUFFER_CALLS and len(site.instruction.operands) == 1:
        (value,) = site.values(1)
        return value
    name = site.word("api_version", "API_VERSION_ORIGINAL")
    if name not in API_VERSIONS:
        site.error(f"unknown api_version '{name}'")
    version = API_VERSIONS[name]
    aliases = [
        OutputOperandAliasAttr(alias) for alias in site.read("output_to_operand_aliasing", attribute_values.aliases, [])
    ]
    properties: dict[str, Attribute | None] = {
        "call_target_name": StringAttr(target),
        "has_side_effect": bool_attr(site.flag("custom_call_has_side_effect")),
        "backend_config": _backend_config(site, version),
        "api_version": IntegerAttr(version, i32),
        "called_computations": _called(site),
        "output_operand_aliases": ArrayAttr(aliases) if aliases else None,
    }
    _layouts(site, properties)
    types = site.types()
    if len(types) == 1 and isinstance(site.shape, TupleShape):
        return _one_in_a_tuple(site, types[0], properties)
    return site.emit(stablehlo.CustomCallOp, _operands(site), properties, attributes=frontend_attributes(site))


def _one_in_a_tuple(site: Site, type: Attribute, properties: Mapping[str, Attribute | None]) -> HloValue:
    """A tuple of one array: unlike several results, one result alone is not taken for a tuple."""
    results, notes = [tuple_type([type])], frontend_attributes(site)
    op = site.create(stablehlo.CustomCallOp, _operands(site), results, properties, attributes=notes)
    element = site.new(stablehlo.GetTupleElementOp(op.results[0], 0))
    return pack(site.shape, iter((element,)))


def _top_k(site: Site) -> HloValue:
    """XLA's own call for the largest elements of each row, where its shapes say that it is that."""
    shape = site.shape
    if len(site.instruction.operands) != 1 or not isinstance(shape, TupleShape) or len(shape.elements) != 2:
        return None
    values, indices = shape.elements
    if not isinstance(values, ArrayShape) or not values.dims:
        return None
    if not isinstance(indices, ArrayShape) or indices.element != "s32":
        return None
    op = site.create(chlo.TopKOp, site.tensors(1), site.types(), {"k": IntegerAttr(values.dims[-1], i64)})
    return pack(shape, iter(op.results))


HANDLERS["custom-call"] = _custom_call
