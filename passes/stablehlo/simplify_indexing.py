"""Patterns of `stablehlo-simplify` for ops that read or write at indices given by values.

Where the index is constant a `slice` says the same without arithmetic at run time. `gather` and
`dynamic_slice` clamp their indices, `scatter` drops updates that do not fit: a scatter becomes a
`dynamic_update_slice` (which clamps) only where the index is a constant that needs no clamping.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Block, SSAValue

from ...dialects import stablehlo
from ...dialects.dense import dense_values
from ...dialects.stablehlo.attributes import (
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
)
from ...dialects.stablehlo.fold_rules import constant_of
from ...dialects.stablehlo.shapes import shape_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import PatternBuilder, tensor
from ...ir.tensors import Tensor, ints
from .integer_ranges import compare, range_of


def constant_values(value: SSAValue) -> Sequence[int] | None:
    """The elements of an integer constant in row-major order; None for other values."""
    constant = constant_of(value)
    return None if constant is None else dense_values(constant)


def _clamp(starts: Sequence[int], shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    return [min(max(start, 0), dim - size) for start, dim, size in zip(starts, shape, sizes, strict=True)]


def _places(rank: int, dims: Sequence[int], values: Sequence[int]) -> list[int]:
    """An index vector, whose values are along `dims`, for all dimensions."""
    found = dict(zip(dims, values, strict=True))
    return [found.get(dim, 0) for dim in range(rank)]


# indices that are computed


@pattern
def compare_of_known_ranges(op: stablehlo.CompareOp, rewriter: Rewriter) -> Replacement:
    """Whether an index that starts from `iota` is negative, as JAX asks of every index."""
    ranges = [range_of(operand) for operand in op.operands]
    if ranges[0] is None or ranges[1] is None:
        return None
    result = compare(op.comparison_direction.data.value, ranges[0], ranges[1])
    shape = shape_of(op.results[0])
    return None if result is None or 0 in shape else PatternBuilder(rewriter).splat(i1, shape, int(result)).value


# dynamic_slice


@pattern
def dynamic_slice_to_slice(op: stablehlo.DynamicSliceOp, rewriter: Rewriter) -> Replacement:
    """The start indices are constants."""
    operand, *indices = op.operands
    starts: list[int] = []
    for index in indices:
        if (values := constant_values(index)) is None:
            return None
        starts.append(values[0])
    sizes = ints(op, "slice_sizes")
    return tensor(operand, rewriter).window(_clamp(starts, shape_of(operand), sizes), sizes).value


# gather


@pattern
def gather_of_one(op: stablehlo.GatherOp, rewriter: Rewriter) -> Replacement:
    """A gather at one index vector: a slice, dynamic unless the index is constant."""
    operand, indices = op.operands
    numbers = cast(GatherDimensionNumbersAttr, op.properties["dimension_numbers"])
    index_shape = shape_of(indices)
    depth = numbers.index_vector_dim
    length = index_shape[depth] if depth < len(index_shape) else 1
    if prod(index_shape) != length or not length:
        return None
    sizes, shape = ints(op, "slice_sizes"), shape_of(operand)
    if 0 in sizes:
        return None
    x, dims = tensor(operand, rewriter), numbers.start_index_map
    constants = constant_values(indices)
    if constants is not None:
        x = x.window(_clamp(_places(len(shape), dims, constants), shape, sizes), sizes)
    elif sizes != shape:
        vector = Tensor(x.builder, indices).reshape((len(dims),))
        zero = x.builder.splat(vector.element_type, (), 0)
        starts = dict.fromkeys(range(len(sizes)), zero) | {dim: vector.at(place) for place, dim in enumerate(dims)}
        x = x.dynamic_slice(starts, dict(enumerate(sizes)))
    return x.reshape(shape_of(op.results[0])).value


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
    if prod(sizes) != prod(update_shape):
        return None
    starts = _places(len(shape), numbers.scatter_dims_to_operand_dims, constants)
    if starts != _clamp(starts, shape, sizes):
        return None
    x = tensor(operand, rewriter)
    update = Tensor(x.builder, updates).reshape(sizes)
    index_type = i32 if max(starts, default=0) < 2**31 else i64
    return x.updated(update, {dim: x.builder.splat(index_type, (), at) for dim, at in enumerate(starts)}).value


def _returns_update(block: Block) -> bool:
    """Whether a combiner of two arguments returns the second, the update."""
    terminator = block.last_op
    return (
        terminator is not None and terminator is block.first_op and tuple(terminator.operands) == tuple(block.args[1:])
    )
