"""Instructions that compute each element from the elements at the same place."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptPropertyDef

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from ....dialects.stablehlo.element_types import ElementKind, element_kind
from ....dialects.stablehlo.traits import Elementwise, ops_with
from .mixed_precision import computed_in
from .site import HANDLERS, Handler, HloValue, Site, pack

_OF_CHLO: tuple[type[IRDLOperation], ...] = (
    chlo.AcosOp,
    chlo.AcoshOp,
    chlo.AsinOp,
    chlo.AsinhOp,
    chlo.AtanOp,
    chlo.AtanhOp,
    chlo.CoshOp,
    chlo.ErfOp,
    chlo.MulhiOp,
    chlo.SinhOp,
)
"""The functions of chlo that HLO has opcodes for."""

_QUANTIZED = (stablehlo.UniformDequantizeOp, stablehlo.UniformQuantizeOp)
"""HLO has no quantised types."""


def opcode(op_type: type[Operation]) -> str:
    """What HLO calls an op that both have: `round-nearest-even` for `stablehlo.round_nearest_even`."""
    return op_type.name.partition(".")[2].replace("_", "-")


def _needs_operands_only(op_type: type[IRDLOperation]) -> bool:
    definition = op_type.get_irdl_definition()
    return not definition.regions and all(isinstance(p, OptPropertyDef) for p in definition.properties.values())


PLAIN: dict[str, type[IRDLOperation]] = {
    opcode(op_type): op_type
    for op_type in (*ops_with(Elementwise, stablehlo.OPS), *_OF_CHLO)
    if _needs_operands_only(op_type) and op_type not in _QUANTIZED
}
"""Opcodes without attributes: elementwise ops by their own names."""


def _plain(op_type: type[IRDLOperation]) -> Handler:
    arity = len(op_type.get_irdl_definition().operands)
    return lambda site: site.emit(op_type, site.tensors(arity))


def _copy(site: Site) -> HloValue:
    """Layouts are no part of a value, so a copy is the value itself; one of another precision is converted."""
    (value,) = site.values(1)
    site.assume(site.operand_shape(0))
    if isinstance(value, SSAValue) and computed_in(stablehlo.ReshapeOp, [value], site.types(), ()) is not None:
        return site.emit(stablehlo.ConvertOp, [value])
    if site.types() != site.types(site.operand_shape(0)):
        site.error("operand and result differ in type")
    return value


def _select(site: Site) -> HloValue:
    """Of two tuples it is that of their elements."""
    predicate, *cases = site.values(3)
    if not isinstance(predicate, SSAValue):
        site.error("operand 0 is a tuple")
    if all(isinstance(case, SSAValue) for case in cases):
        return site.emit(stablehlo.SelectOp, site.tensors(3))
    site.assume(site.operand_shape(1))
    columns = [site.leaves(case, site.operand_shape(index)) for index, case in enumerate(cases, 1)]
    if not all([leaf.type for leaf in column] == site.types() for column in columns):
        site.error("the operands and the result differ in shape")
    chosen = [site.new(stablehlo.SelectOp(predicate, *pair)) for pair in zip(*columns, strict=True)]
    return pack(site.shape, iter(chosen))


def _compare(site: Site) -> HloValue:
    direction = site.member(ComparisonDirection, site.word("direction"))
    order = site.member(ComparisonType, site.word("type")) if site.has("type") else _comparison_type(site)
    properties: dict[str, Attribute] = {
        "comparison_direction": ComparisonDirectionAttr(direction),
        "compare_type": ComparisonTypeAttr(order),
    }
    return site.emit(stablehlo.CompareOp, site.tensors(2), properties)


def _comparison_type(site: Site) -> ComparisonType:
    """The order that the element type has by itself."""
    kind = element_kind(site.array_shape(0).element_type)
    if kind in ElementKind.FLOAT | ElementKind.COMPLEX:
        return ComparisonType.FLOAT
    return ComparisonType.SIGNED if kind is ElementKind.SIGNED else ComparisonType.UNSIGNED


def _reduce_precision(site: Site) -> HloValue:
    bits = {name: site.integer(name) for name in ("exponent_bits", "mantissa_bits")}
    for name, count in bits.items():
        if not 0 <= count < 64:
            site.error(f"{name}={count}: no float has so many bits")
    properties = {name: IntegerAttr(count, i32) for name, count in bits.items()}
    return site.emit(stablehlo.ReducePrecisionOp, site.tensors(1), properties)


def _stochastic_convert(site: Site) -> HloValue:
    site.unsupported("has no counterpart in StableHLO")


HANDLERS.update({name: _plain(op_type) for name, op_type in PLAIN.items()})
HANDLERS.update(
    {
        "compare": _compare,
        "copy": _copy,
        "domain": _copy,
        "reduce-precision": _reduce_precision,
        "select": _select,
        "stochastic-convert": _stochastic_convert,
        "tuple-select": _select,
    }
)
