"""Operations that move elements without computing with them.

Source: XLA's Operation Semantics, sections Broadcast, BroadcastInDim, Collapse, Concatenate, DynamicSlice,
DynamicUpdateSlice, Iota, Pad, Reshape, Rev, Slice, Transpose, GetDimensionSize, SetDimensionSize.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast, overload

from xdsl.ir import SSAValue

from ...dialects import stablehlo
from .arguments import AnyValue, Array, Index, Integers, Scalar, Size, Sizes, Value
from .bounded_sizes import of_one_size
from .configuration import PaddingConfig
from .core import XlaBuilder, XlaOp, require, same_elements
from .operators import operation
from .shapes import ArrayShape, ElementType, PrimitiveType, Shape


def check_dimensions(argument: str, dimensions: Sequence[int], rank: int) -> None:
    """Require distinct dimensions of an array of that rank."""
    require(
        all(0 <= d < rank for d in dimensions) and len(set(dimensions)) == len(dimensions),
        argument,
        f"expected distinct dimensions of an array of rank {rank}, got {list(dimensions)}",
    )


@operation("Broadcast")
def broadcast(operand: Array, broadcast_sizes: Sizes) -> XlaOp:
    """`Broadcast`: copies of an array along new dimensions on the left, which have these sizes."""
    shape = operand.shape
    places = [len(broadcast_sizes) + dimension for dimension in range(shape.rank)]
    sizes = [*broadcast_sizes, *shape.dimensions]
    return operand.builder.emit(stablehlo.BroadcastInDimOp(operand.value, places, sizes))


@operation("BroadcastInDim")
def broadcast_in_dim(operand: Array, out_dim_size: Sizes, broadcast_dimensions: Integers) -> XlaOp:
    """`BroadcastInDim`: an array repeated to sizes `out_dim_size`, where its dimensions are `broadcast_dimensions`.

    Dimensions of size 1 are repeated, others must have the size they get.
    """
    shape = operand.shape
    check_dimensions("broadcast_dimensions", broadcast_dimensions, len(out_dim_size))
    require(
        len(broadcast_dimensions) == shape.rank,
        "broadcast_dimensions",
        f"expected one for each dimension of {shape}, got {list(broadcast_dimensions)}",
    )
    for size, is_bound, place in zip(shape.dimensions, shape.dynamic, broadcast_dimensions, strict=True):
        fits = out_dim_size[place] == size or (size == 1 and not is_bound)
        require(fits, "out_dim_size", f"{list(out_dim_size)} does not fit {shape}")
    places, sizes = list(broadcast_dimensions), list(out_dim_size)
    return operand.builder.emit(stablehlo.BroadcastInDimOp(operand.value, places, sizes))


@overload
def reshape(operand: Array, new_sizes: Sizes) -> XlaOp: ...
@overload
def reshape(operand: Array, dimensions: Integers, new_sizes: Sizes) -> XlaOp: ...
@operation("Reshape")
def reshape(operand: XlaOp, dimensions: Any = None, new_sizes: Any = ()) -> XlaOp:
    """`Reshape(operand, new_sizes)`, `Reshape(operand, dimensions, new_sizes)`: the elements in another shape.

    They are taken in row-major order, or in the order in which the first of `dimensions` varies slowest.
    """
    shape = operand.shape
    if dimensions is not None:
        check_dimensions("dimensions", dimensions, shape.rank)
        require(len(dimensions) == shape.rank, "dimensions", f"{dimensions} for an array {shape}")
        operand = transpose(operand, dimensions)
    require(
        prod(new_sizes) == prod(shape.dimensions),
        "new_sizes",
        f"{new_sizes} for the elements of {shape}",
    )
    return operand.builder.emit(stablehlo.ReshapeOp(operand.value, new_sizes))


@operation("Collapse")
def collapse(operand: Array, dimensions: Integers) -> XlaOp:
    """`Collapse`: consecutive dimensions, in order, become one."""
    sizes = list(operand.shape.dimensions)
    if not dimensions:
        return operand
    first, last = dimensions[0], dimensions[-1]
    check_dimensions("dimensions", dimensions, len(sizes))
    require(
        list(dimensions) == list(range(first, last + 1)),
        "dimensions",
        f"expected consecutive dimensions in order, got {list(dimensions)}",
    )
    return reshape(operand, [*sizes[:first], prod(sizes[first : last + 1]), *sizes[last + 1 :]])


@operation("Transpose")
def transpose(operand: Array, permutation: Integers) -> XlaOp:
    """`Transpose`: dimension `permutation[i]` of the operand is dimension `i` of the result."""
    require(
        sorted(permutation) == list(range(operand.shape.rank)),
        "permutation",
        f"{list(permutation)} is no permutation of the dimensions of {operand.shape}",
    )
    return operand.builder.emit(stablehlo.TransposeOp(operand.value, list(permutation)))


@operation("Rev")
def rev(operand: Array, dimensions: Integers) -> XlaOp:
    """`Rev`: the elements in reverse order along `dimensions`."""
    check_dimensions("dimensions", dimensions, operand.shape.rank)
    return operand.builder.emit(stablehlo.ReverseOp(operand.value, list(dimensions)))


@operation("ConcatInDim", takes_builder=True)
def concat_in_dim(builder: XlaBuilder, operands: Sequence[Array], dimension: int) -> XlaOp:
    """`ConcatInDim`: arrays one after another along `dimension`; their other sizes are equal."""
    require(len(operands) > 0, "operands", "expected at least one array")
    first = operands[0].shape
    require(first.rank > 0, "operands", "scalars have no dimension along which to concatenate")
    require(0 <= dimension < first.rank, "dimension", f"{dimension} of arrays of rank {first.rank}")
    for number, operand in enumerate(operands):
        shape = operand.shape
        same = shape.rank == first.rank and all(
            a == b for d, (a, b) in enumerate(zip(shape.dimensions, first.dimensions, strict=True)) if d != dimension
        )
        require(
            same and shape.element_type is first.element_type,
            "operands",
            f"number {number} is {shape}, the first {first}",
        )
    sized = of_one_size([builder.wrap(operand) for operand in operands], except_for=dimension)
    return builder.emit(stablehlo.ConcatenateOp([operand.value for operand in sized], dimension))


@operation("Concatenate", takes_builder=True)
def concatenate(builder: XlaBuilder, operands: Sequence[Array], dimension: int) -> XlaOp:
    """`Concatenate`: what documents call `concat_in_dim`."""
    return concat_in_dim(builder, operands, dimension)


@operation("Slice")
def slice(
    operand: Array,
    start_indices: Integers,
    limit_indices: Integers,
    strides: Integers | None = None,
) -> XlaOp:
    """`Slice`: elements from `start_indices` to before `limit_indices`, every `strides`-th of them."""
    sizes = operand.shape.dimensions
    strides = [1] * len(sizes) if strides is None else list(strides)
    for name, values in (("start_indices", start_indices), ("limit_indices", limit_indices), ("strides", strides)):
        require(len(values) == len(sizes), name, f"expected {len(sizes)}, got {list(values)}")
    require(all(stride > 0 for stride in strides), "strides", f"expected positive ones, got {strides}")
    for size, start, limit in zip(sizes, start_indices, limit_indices, strict=True):
        require(0 <= start, "start_indices", f"{list(start_indices)} for {operand.shape}")
        require(start <= limit <= size, "limit_indices", f"{list(limit_indices)} for {operand.shape}")
    return operand.builder.emit(stablehlo.SliceOp(operand.value, list(start_indices), list(limit_indices), strides))


@operation("SliceInDim")
def slice_in_dim(operand: Array, start_index: int, limit_index: int, stride: int = 1, dimno: int = 0) -> XlaOp:
    """`SliceInDim`: a slice along one dimension, whole in the others."""
    check_dimensions("dimno", [dimno], operand.shape.rank)
    sizes = operand.shape.dimensions
    require(0 <= start_index, "start_index", f"{start_index} for {operand.shape}")
    require(start_index <= limit_index <= sizes[dimno], "limit_index", f"{limit_index} for {operand.shape}")
    require(stride > 0, "stride", f"expected a positive number, got {stride}")
    starts, limits, strides = [0] * len(sizes), list(sizes), [1] * len(sizes)
    starts[dimno], limits[dimno], strides[dimno] = start_index, limit_index, stride
    return slice(operand, starts, limits, strides)


def start_values(operand: XlaOp, start_indices: Any) -> list[SSAValue]:
    """Start indices as scalars: given one by one, or as an array of rank 1."""
    builder = operand.builder
    if isinstance(start_indices, XlaOp) and not start_indices.is_tuple:
        shape = start_indices.shape
        require(shape.rank == 1, "start_indices", f"expected scalars or an array of rank 1, got {shape}")
        count = shape.dimensions[0]
        scalars = [reshape(slice(start_indices, [i], [i + 1]), []) for i in range(count)]
    else:
        scalars = [_index(builder, value, "start_indices") for value in cast(Sequence[Any], start_indices)]
    require(
        len(scalars) == operand.shape.rank,
        "start_indices",
        f"expected {operand.shape.rank} for {operand.shape}, got {len(scalars)}",
    )
    for scalar in scalars:
        shape = scalar.shape
        integral = shape.element_type.is_signed_integer or shape.element_type.is_unsigned_integer
        require(shape.rank == 0 and integral, "start_indices", f"expected scalar integers, got {shape}")
    return [scalar.value for scalar in scalars]


def _index(builder: XlaBuilder, value: Any, argument: str) -> XlaOp:
    return value if isinstance(value, XlaOp) else builder.literal(value, PrimitiveType.S32, argument)


@operation("DynamicSlice")
def dynamic_slice(operand: Array, start_indices: Array | Sequence[Index], size_indices: Sizes) -> XlaOp:
    """`DynamicSlice`: a slice of sizes `size_indices` from where the program says, moved so that it lies inside.

    `start_indices` are scalars, one for each dimension, or an array of rank 1 of them.
    """
    sizes = operand.shape.dimensions
    require(
        len(size_indices) == len(sizes) and all(0 <= a <= b for a, b in zip(size_indices, sizes, strict=True)),
        "size_indices",
        f"{list(size_indices)} of {operand.shape}",
    )
    starts = start_values(operand, start_indices)
    return operand.builder.emit(stablehlo.DynamicSliceOp(operand.value, starts, list(size_indices)))


@operation("DynamicUpdateSlice")
def dynamic_update_slice(operand: Array, update: Array, start_indices: Array | Sequence[Index]) -> XlaOp:
    """`DynamicUpdateSlice`: `update` in place of a slice that begins where the program says, moved to lie inside."""
    shape, part = operand.shape, update.shape
    fits = part.rank == shape.rank and all(a <= b for a, b in zip(part.dimensions, shape.dimensions, strict=True))
    require(fits and part.element_type is shape.element_type, "update", f"{part} does not fit into {shape}")
    starts = start_values(operand, start_indices)
    return operand.builder.emit(stablehlo.DynamicUpdateSliceOp(operand.value, update.value, starts))


@operation("Pad")
def pad(operand: Array, padding_value: Value, padding_config: PaddingConfig) -> XlaOp:
    """`Pad`: `padding_value`, a scalar, around the elements and between them."""
    dimensions = list(padding_config.dimensions)
    value = operand.builder.wrap(padding_value, operand, "padding_value")
    same_elements("padding_value", value, "operand", operand)
    require(value.shape.rank == 0, "padding_value", f"expected a scalar, got {value.shape}")
    require(
        len(dimensions) == operand.shape.rank, "padding_config", f"{len(dimensions)} dimensions for {operand.shape}"
    )
    require(all(d.interior_padding >= 0 for d in dimensions), "padding_config", "negative padding between elements")
    for number, (d, size) in enumerate(zip(dimensions, operand.shape.dimensions, strict=True)):
        left = size + max(size - 1, 0) * d.interior_padding + d.edge_padding_low + d.edge_padding_high
        require(left >= 0, "padding_config", f"{left} elements left of dimension {number} of {operand.shape}")
    return operand.builder.emit(
        stablehlo.PadOp(
            operand.value,
            value.value,
            [d.edge_padding_low for d in dimensions],
            [d.edge_padding_high for d in dimensions],
            [d.interior_padding for d in dimensions],
        )
    )


@operation("PadInDim")
def pad_in_dim(operand: Array, padding_value: Value, dimno: int, pad_lo: int, pad_hi: int) -> XlaOp:
    """`PadInDim`: padding at the ends of one dimension."""
    check_dimensions("dimno", [dimno], operand.shape.rank)
    amounts = [(pad_lo, pad_hi) if d == dimno else (0, 0) for d in range(operand.shape.rank)]
    return pad(operand, padding_value, PaddingConfig.of(amounts))


@overload
def iota(builder: XlaBuilder, shape: ArrayShape, iota_dimension: int) -> XlaOp: ...
@overload
def iota(builder: XlaBuilder, type: ElementType, size: Size) -> XlaOp: ...
@operation("Iota", takes_builder=True)
def iota(builder: XlaBuilder, shape: Any = None, iota_dimension: Any = 0, type: Any = None, size: Any = 0) -> XlaOp:
    """`Iota(shape, iota_dimension)`, `Iota(type, size)`: the index along a dimension, for each element of a shape."""
    shape = Shape(type, (size,)) if shape is None else cast(Shape, shape)
    check_dimensions("iota_dimension", [iota_dimension], shape.rank)
    require(shape.is_static, "shape", f"expected static sizes, got {shape}")
    return builder.emit(stablehlo.IotaOp(iota_dimension, shape.type))


@operation("GetDimensionSize")
def get_dimension_size(operand: Array, dimension: int) -> XlaOp:
    """`GetDimensionSize`: the size of a dimension when the program runs, S32."""
    check_dimensions("dimension", [dimension], operand.shape.rank)
    return operand.builder.emit(stablehlo.GetDimensionSizeOp(operand.value, dimension))


@operation("SetDimensionSize")
def set_dimension_size(operand: Array, size: Index, dimension: int) -> XlaOp:
    """`SetDimensionSize`: the first `size` (an S32 scalar) elements along a dimension; later operations see no more.

    The size the operand has is the bound of the result's.
    """
    check_dimensions("dimension", [dimension], operand.shape.rank)
    if not isinstance(size, XlaOp):
        bound = operand.shape.dimensions[dimension]
        require(0 <= size <= bound, "size", f"expected 0 to {bound}, got {size}")
    value = _index(operand.builder, size, "size")
    require(value.shape == Shape(PrimitiveType.S32), "size", f"expected s32[], got {value.shape}")
    return operand.builder.emit(stablehlo.SetDimensionSizeOp(operand.value, value.value, dimension))


@operation("DynamicReshape")
def dynamic_reshape(
    operand: Array, dim_sizes: Sequence[Scalar], new_size_bounds: Sizes, dims_are_dynamic: Sequence[bool]
) -> XlaOp:
    """`DynamicReshape`: a reshape whose sizes are scalars of the program, with bounds that say how large they get."""
    require(len(dim_sizes) == len(new_size_bounds), "dim_sizes", f"{len(dim_sizes)} for {list(new_size_bounds)}")
    require(
        len(dims_are_dynamic) == len(new_size_bounds),
        "dims_are_dynamic",
        f"{len(dims_are_dynamic)} for {list(new_size_bounds)}",
    )
    builder = operand.builder
    sizes = concat_in_dim(builder, [reshape(size, [1]) for size in dim_sizes], 0)
    result = Shape.array(operand.shape.element_type, new_size_bounds, dims_are_dynamic)
    return builder.emit(stablehlo.DynamicReshapeOp(operand.value, sizes.value, result.type))


@operation("GetTupleElement")
def get_tuple_element(tuple_data: XlaOp, index: int) -> XlaOp:
    """`GetTupleElement`: element number `index` of a tuple."""
    require(tuple_data.is_tuple, "tuple_data", f"expected a tuple, got {tuple_data.shape}")
    count = len(tuple_data.elements)
    require(0 <= index < count, "index", f"{index} of a tuple of {count}")
    return tuple_data.elements[index]


@operation("Tuple", takes_builder=True)
def tuple(builder: XlaBuilder, elements: Sequence[AnyValue]) -> XlaOp:
    """`Tuple`: values as one."""
    builder._last = XlaOp(builder, None, [builder.wrap(e, argument="elements") for e in elements])  # pyright: ignore[reportPrivateUsage]
    return builder._last  # pyright: ignore[reportPrivateUsage]


@operation("OptimizationBarrier")
def optimization_barrier(operand: XlaOp) -> XlaOp:
    """`OptimizationBarrier`: the operand, after everything it is made of and before everything made of it."""
    leaves = operand.leaves
    results = operand.builder.emit(stablehlo.OptimizationBarrierOp(*leaves))
    values = iter(results.leaves)
    return operand.builder.assemble(operand.shape, values)
