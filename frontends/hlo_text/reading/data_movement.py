"""Instructions that make up, rearrange and cut elements."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from ....dialects.stablehlo.syntax import i64_array
from ....reference.arrays import bit_width, dtype_of
from .. import attribute_values, literals
from ..shapes import ArrayShape, Shape, TupleShape, to_type
from .site import HANDLERS, HloValue, Site


def _constant(site: Site) -> HloValue:
    literal = site.instruction.literal
    assert literal is not None
    cursor = site.program.cursor(literal)
    if isinstance(site.shape, TupleShape):
        return _constant_tuple(site, site.shape, literal.start, literal.end)
    shape = site.array_shape()
    value = literals.parse_literal(cursor, literal.end, shape, site.program.fill_elided)
    return site.emit(stablehlo.ConstantOp, (), {"value": value})


def _constant_tuple(site: Site, shape: Shape, start: int, end: int) -> HloValue:
    """`( 1, {2, 3} )`: each element is a literal of its own."""
    cursor = site.program.hlo.cursor.copy(start)
    if isinstance(shape, ArrayShape):
        value = literals.parse_literal(cursor, end, shape, site.program.fill_elided)
        return site.create(stablehlo.ConstantOp, (), site.types(shape), {"value": value}).results[0]
    if not isinstance(shape, TupleShape):
        site.error("a constant that is neither an array nor a tuple")
    cursor.expect("(", "before the elements of a tuple")
    elements: list[HloValue] = []
    for index, element in enumerate(shape.elements):
        if index:
            cursor.expect(",", "between the elements of a tuple")
        cursor.skip()
        first = cursor.pos
        cursor.skip_value()
        elements.append(_constant_tuple(site, element, first, cursor.pos))
    cursor.expect(")", "after the elements of a tuple")
    return tuple(elements)


def _iota(site: Site) -> HloValue:
    site.values(0)
    return site.emit(stablehlo.IotaOp, (), {"iota_dimension": IntegerAttr(site.integer("iota_dimension"), i64)})


def _broadcast(site: Site) -> HloValue:
    operands = site.tensors(1)
    default = None if site.array_shape(0).dims else ()
    dims = site.integers("dimensions") if default is None else site.integers("dimensions", ())
    return site.emit(stablehlo.BroadcastInDimOp, operands, {"broadcast_dimensions": i64_array(dims)})


def _reshape(site: Site) -> HloValue:
    return site.emit(stablehlo.ReshapeOp, site.tensors(1))


def _transpose(site: Site) -> HloValue:
    permutation = i64_array(site.integers("dimensions"))
    return site.emit(stablehlo.TransposeOp, site.tensors(1), {"permutation": permutation})


def _reverse(site: Site) -> HloValue:
    return site.emit(stablehlo.ReverseOp, site.tensors(1), {"dimensions": i64_array(site.integers("dimensions"))})


def _concatenate(site: Site) -> HloValue:
    return site.emit(stablehlo.ConcatenateOp, site.tensors(), {"dimension": site.dimension()})


def _slice(site: Site) -> HloValue:
    ranges = site.read("slice", attribute_values.slice_ranges)
    if any(stride <= 0 for _, _, stride in ranges):
        site.error("the strides of a slice must be positive")
    names = ("start_indices", "limit_indices", "strides")
    properties = {name: i64_array([entry[index] for entry in ranges]) for index, name in enumerate(names)}
    return site.emit(stablehlo.SliceOp, site.tensors(1), properties)


def _pad(site: Site) -> HloValue:
    entries = [(*entry, 0)[:3] for entry in site.read("padding", attribute_values.padding)]
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    properties = {name: i64_array([entry[index] for entry in entries]) for index, name in enumerate(names)}
    return site.emit(stablehlo.PadOp, site.tensors(2), properties)


def _dynamic_slice(site: Site) -> HloValue:
    operand, *starts = site.tensors(least=1)
    sizes = i64_array(site.integers("dynamic_slice_sizes"))
    return site.emit(stablehlo.DynamicSliceOp, [operand, *_start_indices(site, 1, starts)], {"slice_sizes": sizes})


def _dynamic_update_slice(site: Site) -> HloValue:
    operands = site.tensors(least=2)
    return site.emit(stablehlo.DynamicUpdateSliceOp, [*operands[:2], *_start_indices(site, 2, operands[2:])])


def _start_indices(site: Site, first: int, starts: list[SSAValue]) -> list[SSAValue]:
    """Start indices one by one; older texts have a vector of them."""
    if len(starts) != 1 or not (shape := site.array_shape(first)).dims:
        return starts
    if len(shape.dims) != 1:
        site.error(f"start indices of shape {list(shape.dims)}; expected scalars, or a vector of them")
    scalars: list[SSAValue] = []
    for index in range(shape.dims[0]):
        element = site.new(stablehlo.SliceOp(starts[0], [index], [index + 1]))
        scalars.append(site.new(stablehlo.ReshapeOp(element, ())))
    return scalars


def _bitcast_convert(site: Site) -> HloValue:
    """A truth value has 8 bits in XLA, 0 or 1."""
    (value,) = site.tensors(1)
    shape, result = site.array_shape(0), site.array_shape()
    if shape.element == result.element == "pred":
        return site.emit(stablehlo.BitcastConvertOp, [value])
    if shape.element == "pred":
        value = _converted(site, stablehlo.ConvertOp, value, shape._replace(element="u8"))
    if result.element == "pred":
        value = _converted(site, stablehlo.BitcastConvertOp, value, result._replace(element="u8"))
        return site.emit(stablehlo.ConvertOp, [value])
    return _converted(site, stablehlo.BitcastConvertOp, value, result)


def _converted(site: Site, op_type: type[Operation], value: SSAValue, shape: ArrayShape) -> SSAValue:
    type = to_type(shape)
    return value if value.type == type else site.create(op_type, [value], [type]).results[0]


def _bitcast(site: Site) -> HloValue:
    """The same memory seen with another shape and layout: what lies in memory in row-major order of the physical
    dimensions is reshaped, and transposed from and to the layouts around that. Tiles mean nothing where the dimensions
    are the same but for those of size 1."""
    (value,) = site.tensors(1)
    before, after = site.array_shape(0), site.array_shape()
    if before[:3] == after[:3] and before.minor_to_major == after.minor_to_major:
        return value
    physical_before = [before.dims[dim] for dim in reversed(before.minor_to_major)]
    physical_after = [after.dims[dim] for dim in reversed(after.minor_to_major)]
    is_same = before.element == after.element and _without_ones(physical_before) == _without_ones(physical_after)
    for shape in (before, after):
        if shape.layout is not None and shape.layout.is_tiled and not is_same:
            site.unsupported(f"the layout {shape.layout} has tiles")
        if any(shape.dynamic):
            site.unsupported("the shape is dynamic")
    value = _transposed(site, value, before.minor_to_major[::-1])
    value = _with_element_type(site, value, physical_before, before, after)
    if prod(before.dims) * bit_width(dtype_of(before.element_type)) != prod(after.dims) * bit_width(
        dtype_of(after.element_type)
    ):
        site.error("operand and result differ in size")
    value = _reshaped(site, value, physical_after)
    order = after.minor_to_major[::-1]
    return _transposed(site, value, tuple(order.index(dim) for dim in range(len(order))))


def _without_ones(sizes: list[int]) -> list[int]:
    return [size for size in sizes if size != 1]


def _with_element_type(
    site: Site, value: SSAValue, physical: list[int], before: ArrayShape, after: ArrayShape
) -> SSAValue:
    """The same bits as elements of another type, as a vector if that is one of another width."""
    if before.element == after.element:
        return value
    old, new = (bit_width(dtype_of(shape.element_type)) for shape in (before, after))
    count = prod(before.dims)
    if old == new:
        shape = physical
    elif old > new and old % new == 0:
        value = _reshaped(site, value, [count])
        shape = [count, old // new]
    elif new > old and count * old % new == 0:
        value = _reshaped(site, value, [count * old // new, new // old])
        shape = [count * old // new]
    else:
        site.error("operand and result differ in size")
    type = TensorType(after.element_type, shape)
    return site.create(stablehlo.BitcastConvertOp, [value], [type]).results[0]


def _reshaped(site: Site, value: SSAValue, shape: list[int]) -> SSAValue:
    if list(shape_of(value)) == shape:
        return value
    return site.new(stablehlo.ReshapeOp(value, shape))


def _transposed(site: Site, value: SSAValue, permutation: tuple[int, ...]) -> SSAValue:
    if permutation == tuple(range(len(permutation))):
        return value
    return site.new(stablehlo.TransposeOp(value, permutation))


def _get_dimension_size(site: Site) -> HloValue:
    properties: dict[str, Attribute] = {"dimension": site.dimension()}
    return site.emit(stablehlo.GetDimensionSizeOp, site.tensors(1), properties)


def _set_dimension_size(site: Site) -> HloValue:
    return site.emit(stablehlo.SetDimensionSizeOp, site.tensors(2), {"dimension": site.dimension()})


def _dynamic_reshape(site: Site) -> HloValue:
    """The sizes come as scalars; StableHLO has them as a vector."""
    operand, *sizes = site.tensors(least=1)
    if not sizes:
        return site.emit(stablehlo.ReshapeOp, [operand])
    vector = [site.new(stablehlo.ReshapeOp(size, (1,))) for size in sizes]
    shape = site.new(stablehlo.ConcatenateOp(vector, 0)) if len(vector) > 1 else vector[0]
    return site.emit(stablehlo.DynamicReshapeOp, [operand, shape])


HANDLERS.update(
    {
        "bitcast": _bitcast,
        "bitcast-convert": _bitcast_convert,
        "broadcast": _broadcast,
        "concatenate": _concatenate,
        "constant": _constant,
        "dynamic-reshape": _dynamic_reshape,
        "dynamic-slice": _dynamic_slice,
        "dynamic-update-slice": _dynamic_update_slice,
        "get-dimension-size": _get_dimension_size,
        "iota": _iota,
        "pad": _pad,
        "reshape": _reshape,
        "reverse": _reverse,
        "set-dimension-size": _set_dimension_size,
        "slice": _slice,
        "transpose": _transpose,
    }
)
