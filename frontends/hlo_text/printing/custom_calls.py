"""Custom calls."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, DictionaryAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import OutputOperandAliasAttr
from ....dialects.stablehlo.tuples import is_tuple_result, result_elements
from ..cursor import escape
from ..reading.custom_calls import API_VERSIONS
from ..shapes import ArrayShape, Layout, Shape, from_type, show, with_layouts
from .computation import PRINTERS, Site, tuple_text
from .values import flag

TYPED_FFI = 4

_VERSION_NAMES = {number: name for name, number in API_VERSIONS.items()}


def _config(op: stablehlo.CustomCallOp) -> tuple[int, list[str]]:
    """The version of the interface and the configuration; a dictionary belongs to the typed interface."""
    version = op.api_version.value.data
    for config in (op.attributes.get("mhlo.backend_config"), op.backend_config):
        if isinstance(config, DictionaryAttr):
            return TYPED_FFI, [f"backend_config={config}"]
    if isinstance(op.backend_config, StringAttr) and op.backend_config.data:
        return version, [f'backend_config="{escape(op.backend_config.data)}"']
    return version, []


def _shapes(types: Sequence[Attribute], layouts: ArrayAttr[Attribute] | None) -> list[str]:
    """The shapes of `types` with these layouts, or else with row-major ones."""
    shapes = [from_type(type) for type in types]
    if layouts is not None:
        shapes = [_with_layout(shape, layout) for shape, layout in zip(shapes, layouts.data, strict=True)]
    return [show(with_layouts(shape)) for shape in shapes]


def _with_layout(shape: Shape, layout: Attribute) -> Shape:
    if not isinstance(shape, ArrayShape) or not isinstance(layout, DenseIntOrFPElementsAttr):
        return shape
    order = tuple(map(int, layout.get_values()))
    return shape._replace(layout=Layout(order)) if len(order) == len(shape.dims) > 0 else shape


def _aliases(op: stablehlo.CustomCallOp) -> list[str]:
    entries: list[str] = []
    for alias in op.output_operand_aliases or ():
        assert isinstance(alias, OutputOperandAliasAttr)
        output = ",".join(map(str, alias.output_tuple_indices))
        operand = ",".join(map(str, alias.operand_tuple_indices))
        entries.append(f"{{{output}}}: ({alias.operand_index}, {{{operand}}})")
    return [f"output_to_operand_aliasing={{{', '.join(entries)}}}"] if entries else []


def _custom_call(site: Site) -> None:
    op = site.op
    assert isinstance(op, stablehlo.CustomCallOp)
    version, config = _config(op)
    attributes = [
        f'custom_call_target="{escape(op.call_target_name.data)}"',
        *flag("custom_call_has_side_effect", op.has_side_effect),
    ]
    results = [site.shape(result) for result in op.results]
    if op.operand_layouts is not None or op.result_layouts is not None:
        results = _shapes(result_elements(op.result_types), op.result_layouts)
        if is_tuple_result(op.result_types):
            results = [tuple_text(results)]
        constraints = _shapes(op.operand_types, op.operand_layouts)
        attributes.append(f"operand_layout_constraints={{{', '.join(constraints)}}}")
    called = [
        f"%{site.program.function(symbol.root_reference.data, op)}"
        for symbol in op.called_computations or ()
        if isinstance(symbol, SymbolRefAttr)
    ]
    if called:
        attributes.append(f"called_computations={{{', '.join(called)}}}")
    attributes += _aliases(op)
    if version != 1:
        attributes.append(f"api_version={_VERSION_NAMES.get(version, version)}")
    shape = results[0] if len(results) == 1 else tuple_text(results)
    name = site.emit("custom-call", site.operands(), [*attributes, *site.notes(), *config], shape)
    if len(results) == 1:
        site.alias(op.results[0], name)
    else:
        site.take_apart(name, op.results, results)


PRINTERS[stablehlo.CustomCallOp] = _custom_call
