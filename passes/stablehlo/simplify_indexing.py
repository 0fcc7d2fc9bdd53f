"""Patterns of `stablehlo-simplify` for ops that read or write at indices given by values.

Where the index is constant a `slice` says the same without arithmetic at run time. `gather` and
`dynamic_slice` clamp their indices, `scatter` drops updates that do not fit: a scatter becomes a
`dynamic_update_slice` (which clamps) only where the index is a constant that needs no clamping.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import stablehlo
from ...dialects.dense import dense_values
from ...dialects.stablehlo.attributes import (
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
)
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from .integer_ranges import compare, range_of
from .rewriting import int_array, ints, reshape, splat
from .simplify_shapes import emit_slice


def constant_values(value: SSAValue) -> Sequence[int] | None:
    """The elements of an integer constant in row-major order; None for other values."""
    owner = value.owner
    if type(owner) is not stablehlo.ConstantOp:
        return None
    return dense_values(cast(Any, owner.properties["value"]))


def _constant_scalars(values: Sequence[SSAValue]) -> list[int] | None:
    scalars: list[int] = []
    for value in values:
        if (elements := constant_values(value)) is None:
            return None
        scalars.append(elements[0])
    return scalars


def _clamp(starts: Sequence[int], shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    return [min(max(start, 0), dim - size) for start, dim, size in zip(starts, shape, sizes, strict=True)]


# indices that are computed


@pattern
def compare_of_known_ranges(op: stablehlo.CompareOp, rewriter: Rewriter) -> Replacement:
    """Whether an index that starts from `iota` is negative, as JAX asks of every index."""
    ranges = [range_of(operand) for operand in op.operands]
    if ranges[0] is None or ranges[1] is None:
        return None
    result = compare(op.comparison_direction.data.value, ranges[0], ranges[1])
    type = cast("TensorType[Attribute]", op.results[0].type)
    return None if result is None or 0 in type.get_shape() else splat(rewriter, type, int(result))


# dynamic_slice


@pattern
def dynamic_slice_to_slice(op: stablehlo.DynamicSliceOp, rewriter: Rewriter) -> Replacement:
    """The start indices are constants."""
    operand, *indices = op.operands
    shape, sizes = shape_of(operand), ints(op, "slice_sizes")
    if (starts := _constant_scalars(indices)) is None:
        return None
    strides = [1] * len(sizes)
    return emit_slice(operand, _clamp(starts, shape, sizes), sizes, strides, rewriter)


# gather


@pattern
def gather_of_one(op: stablehlo.GatherOp, rewriter: Rewriter) -> Replacement:
    """A gather at one index vector: a slice, dynamic unless the index is constant."""
    operand, indices = op.operands
    numbers = cast(GatherDimensionNumbersAttr, op.properties["dimension_numbers"])
    index_shape = shape_of(indices)
    depth = numbers.index_vector_dim
    length = index_shape[depth] if depth < len(index_shape) else 1
    if _product(index_shape) != length or not length:
        return None
    sizes, shape = ints(op, "slice_sizes"), shape_of(operand)
    if 0 in sizes:
        return None
    constants = constant_values(indices)
    if constants is not None:
        starts = [0] * len(shape)
        for position, dim in enumerate(numbers.start_index_map):
            starts[dim] = constants[position]
        window = emit_slice(operand, _clamp(starts, shape, sizes), sizes, [1] * len(sizes), rewriter)
    elif sizes == shape:
        window = operand
    else:
        window = _dynamic_slice(operand, indices, numbers.start_index_map, sizes, rewriter)
    return reshape(rewriter, window, shape_of(op.results[0]))


def _dynamic_slice(
    operand: SSAValue,
    indices: SSAValue,
    start_index_map: Sequence[int],
    sizes: Sequence[int],
    rewriter: Rewriter,
) -> SSAValue:
    """The slice of `sizes` at the one index vector in `indices`."""
    index_type = element_type_of(indices)
    vector = reshape(rewriter, indices, (len(start_index_map),))
    zero = splat(rewriter, TensorType(index_type, ()), 0)
    starts = [zero] * len(sizes)
    for position, dim in enumerate(start_index_map):
        element = emit_slice(vector, (position,), (1,), (1,), rewriter)
        starts[dim] = reshape(rewriter, element, ())
    return rewriter.emit(
        stablehlo.DynamicSliceOp,
        (operand, *starts),
        TensorType(element_type_of(operand), sizes),
        {"slice_sizes": int_array(sizes)},
    )


def _product(values: Sequence[int]) -> int:
    result = 1
    for value in values:
        result *= value
    return result


# scatter


@pattern
def scatter_of_window(op: stablehlo.ScatterOp, rewriter: Rewriter) -> Replacement:
    """One window at a constant index inside the operand, written as it is: an update of a slice."""
    if len(op.operands) != 3 or not _returns_update(op.regions[0].block):
        return None
    operand, indices, updates = op.operands
    numbers = cast(ScatterDimensionNumbersAttr, op.properties["scatter_dimension_numbers"])
    if (constants := constant_values(indices)) is None:
        return None
    shape, update_shape = shape_of(operand), shape_of(updates)
    if len(constants) != len(numbers.scatter_dims_to_operand_dims) or 0 in update_shape:
        return None
    absent = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
    extents = iter([update_shape[dim] for dim in numbers.update_window_dims])
    sizes = [1 if dim in absent else next(extents) for dim in range(len(shape))]
    if _product(sizes) != _product(update_shape):
        return None
    starts = [0] * len(shape)
    for position, dim in enumerate(numbers.scatter_dims_to_operand_dims):
        starts[dim] = constants[position]
    if starts != _clamp(starts, shape, sizes):
        return None
    scalar = TensorType[Attribute](i32 if max(starts, default=0) < 2**31 else i64, ())
    return rewriter.emit(
        stablehlo.DynamicUpdateSliceOp,
        (
            operand,
            reshape(rewriter, updates, sizes),
            *(splat(rewriter, scalar, start) for start in starts),
        ),
        operand.type,
    )


def _returns_update(block: Block) -> bool:
    """Whether a combiner of two arguments returns the second, the update."""
    terminator = block.last_op
    return (
        terminator is not None and terminator is block.first_op and tuple(terminator.operands) == tuple(block.args[1:])
    )
