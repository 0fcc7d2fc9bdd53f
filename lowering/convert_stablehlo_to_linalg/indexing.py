"""Ops whose indices are values: `gather`, `dynamic_slice`, `dynamic_update_slice`, `scatter`.

Reads are generics over the result with a `tensor.extract` at clamped indices; index vectors and
start indices are operands, one per component, so that only the indexed tensor is captured. Where
components are concatenated to index vectors, each is read from its own tensor.
`dynamic_update_slice` is a `tensor.insert_slice` at clamped offsets. `scatter` is a nest of loops
that carries the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from xdsl.ir import SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.shapes import shape_of
from .arithmetic import Index, Number, greatest, least, materialized
from .attributes import (
    affine_map,
    constant_expression,
    dimension,
    element_of,
    is_unsigned,
    projection,
    result_type,
    slice_map,
)
from .builder import Access, Lowered, Lowering, Scalars, Splat
from .indices import clamped, index_components, to_index
from .loops import Array, elements_at, kernel_loops, loops, set_elements, when
from .reduction import promoted
from .regions import inline


def lower_gather(ctx: Lowering, op: stablehlo.GatherOp) -> Sequence[Lowered]:
    """A `tensor.extract` at the start index, clamped so that the slice fits, plus the offset in the
    slice.
    """
    numbers, slice_sizes = op.dimension_numbers, op.slice_sizes.get_values()
    operand, type, vector = ctx.array(op.operands[0]), result_type(op), numbers.index_vector_dim
    shape, index_type, index_rank = operand.shape, element_of(op.operands[1]), len(shape_of(op.operands[1]))
    rank = len(type.shape.data)
    batch = [dim for dim in range(rank) if dim not in numbers.offset_dims]
    limits = [size - extent for size, extent in zip(shape, slice_sizes, strict=True)]
    inputs: list[Access] = []
    indexed: list[int] = []
    for component, dim in zip(index_components(ctx, op.operands[1], vector), numbers.start_index_map, strict=True):
        if limits[dim]:
            expressions = [dimension(loop) for loop in batch]
            if vector < index_rank:
                expressions.insert(vector, constant_expression(component.position))
            inputs.append((component.tensor, affine_map(rank, expressions)))
            indexed.append(dim)
    windowed = _windowed_dims(len(shape), (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims))
    loop_of = {dim: loop for dim, loop in zip(windowed, numbers.offset_dims, strict=True) if slice_sizes[dim] != 1}
    for dim, start_dim in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        loop_of[dim] = batch[start_dim - (start_dim > vector)]

    def body(args: Scalars) -> Number:
        starts = {dim: clamped(arg.read_as(index_type), limits[dim]) for dim, arg in zip(indexed, args, strict=True)}
        return operand[
            [starts.get(dim, 0) + (ctx.loop_index(loop_of[dim]) if dim in loop_of else 0) for dim in range(len(shape))]
        ]

    return (ctx.elementwise(inputs, type, body),)


def _windowed_dims(rank: int, excluded: Sequence[int]) -> list[int]:
    return [dim for dim in range(rank) if dim not in excluded]


def lower_dynamic_slice(ctx: Lowering, op: stablehlo.DynamicSliceOp) -> Sequence[Lowered]:
    """A `tensor.extract` at the clamped start index plus the loop index; a slice if all starts are
    known.
    """
    source, type = ctx.lowered(op.operands[0]), result_type(op)
    if isinstance(source, Splat):
        return (Splat(source.number, type),)
    operand, sizes = Array(ctx, source), op.slice_sizes.get_values()
    rank = len(sizes)
    limits = [size - extent for size, extent in zip(operand.shape, sizes, strict=True)]
    starts = _starts(ctx, op.operands[1:], limits)
    unknown = {dim: value for dim, value in enumerate(op.operands[1:]) if starts[dim] is None}
    if not unknown:
        known = [start or 0 for start in starts]
        return (ctx.moved(source, slice_map(operand.shape, known, (1,) * rank, sizes), type),)

    def body(args: Scalars) -> Number:
        at: list[Any] = list(starts)
        for (dim, value), arg in zip(unknown.items(), args, strict=True):
            at[dim] = clamped(arg.read_as(element_of(value)), limits[dim])
        return operand[[at[dim] if sizes[dim] == 1 else at[dim] + ctx.loop_index(dim) for dim in range(rank)]]

    inputs = [(ctx.lowered(value), projection(rank, ())) for value in unknown.values()]
    return (ctx.elementwise(inputs, type, body),)


def _starts(ctx: Lowering, values: Sequence[SSAValue], limits: Sequence[int]) -> list[int | None]:
    """The start indices that are known, clamped; None for others."""
    starts: list[int | None] = []
    for value, limit in zip(values, limits, strict=True):
        lowered, element = ctx.lowered(value), element_of(value)
        number = 0
        if limit and not isinstance(lowered, Splat):
            starts.append(None)
            continue
        if isinstance(lowered, Splat):
            number = int(lowered.number.real)
            if is_unsigned(element) and number < 0:
                number += 1 << element_bits(element)
        starts.append(min(max(number, 0), limit))
    return starts


def lower_dynamic_update_slice(ctx: Lowering, op: stablehlo.DynamicUpdateSliceOp) -> Sequence[Lowered]:
    """`tensor.insert_slice` at clamped offsets."""
    update, shape = op.operands[1], shape_of(op.operands[0])
    if 0 in shape_of(update):
        return (ctx.lowered(op.operands[0]),)
    limits = [size - extent for size, extent in zip(shape, shape_of(update), strict=True)]
    offsets = [
        clamped(ctx.number(value), limit) if start is None else start
        for value, limit, start in zip(op.operands[2:], limits, _starts(ctx, op.operands[2:], limits), strict=True)
    ]
    operand = ctx.tensor(op.operands[0])
    return (ctx.insert_slice(ctx.tensor(update), operand, offsets),)


def lower_scatter(ctx: Lowering, op: stablehlo.ScatterOp) -> Sequence[Lowered]:
    """Loops over index vectors around loops over the update window, clipped to what falls into the
    result.

    The loops carry the results. An index vector that misses in a dimension of which the window
    covers one element skips its window under an `scf.if`.
    """
    numbers, vector = op.scatter_dimension_numbers, op.scatter_dimension_numbers.index_vector_dim
    results = [Array(ctx, promoted(ctx, *pair)) for pair in zip(op.inputs, op.results, strict=True)]
    updates = [Array(ctx, promoted(ctx, *pair)) for pair in zip(op.updates, op.results, strict=True)]
    components = index_components(ctx, op.scatter_indices, vector)
    index_type, index_rank = element_of(op.scatter_indices), len(shape_of(op.scatter_indices))
    shape, update_shape = shape_of(op.inputs[0]), shape_of(op.updates[0])
    batch_dims = _windowed_dims(len(update_shape), numbers.update_window_dims)
    windowed = _windowed_dims(len(shape), (*numbers.inserted_window_dims, *numbers.input_batching_dims))
    window_of = dict(zip(windowed, numbers.update_window_dims, strict=True))
    """Result dimension to the update dimension that runs along it."""
    extents = [update_shape[window_of[dim]] if dim in window_of else 1 for dim in range(len(shape))]

    def starts(batch: Sequence[Index]) -> dict[int, Index]:
        """Start of the window in each dimension that an index vector or a batch index moves."""
        start: dict[int, Index] = {}
        for component, dim in zip(components, numbers.scatter_dims_to_operand_dims, strict=True):
            at = list(batch)
            if vector < index_rank:
                at.insert(vector, component.position)
            source = component.tensor
            index = ctx.scalar_of(source) if isinstance(source, Splat) else Array(ctx, source)[at]
            start[dim] = to_index(index.read_as(index_type))
        for dim, index_dim in zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
            start[dim] = batch[index_dim - (index_dim > vector)]
        return start

    with kernel_loops([update_shape[dim] for dim in batch_dims], *results) as batch, ExitStack() as stack:
        start = starts(batch)
        inside: Number | None = None
        for dim in numbers.scatter_dims_to_operand_dims:
            if extents[dim] == 1:
                below = materialized(ctx, start[dim]).compare("ult", shape[dim])
                inside = below if inside is None else inside & below
        if inside is not None:
            stack.enter_context(when(inside, *results))
        bounds: list[tuple[Index, Index]] = []
        for dim in windowed:
            first, last = 0, extents[dim]
            if last != 1 and dim in start:
                first, last = greatest(0 - start[dim], 0), least(shape[dim] - start[dim], last)
            bounds.append((first, last))
        with loops(bounds, *results) as window:
            offsets = dict(zip(windowed, window, strict=True))
            update_at: list[Index] = [0] * len(update_shape)
            for dim, index in (*zip(batch_dims, batch, strict=True), *((window_of[d], i) for d, i in offsets.items())):
                update_at[dim] = index
            at = [start.get(dim, 0) + offsets.get(dim, 0) for dim in range(len(shape))]
            old, new = elements_at(results, at), elements_at(updates, update_at)
            set_elements(results, at, inline(ctx, op.update_computation, (*old, *new)))
    return [result.value for result in results]
