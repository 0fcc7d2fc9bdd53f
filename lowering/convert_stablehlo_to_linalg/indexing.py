"""Ops whose indices are values: `gather`, `dynamic_slice`, `dynamic_update_slice`, `scatter`.

Reads are generics over the result with a `tensor.extract` at clamped indices; index vectors and
start indices are operands, one per component, so that only the indexed tensor is captured. Where
components are concatenated to index vectors, each is read from its own tensor.
`dynamic_update_slice` is a `tensor.insert_slice` at clamped offsets. `scatter` is a nest of loops
that carries the results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from .arithmetic import compare_int
from .attributes import (
    affine_map,
    constant_expression,
    dimension,
    element_of,
    ints,
    is_unsigned,
    projection,
    scalar_number,
    shape_of,
    slice_map,
)
from .builder import Index, Lowered, Lowering, Splat
from .data_movement import result_type
from .indices import Component, clamped, index_components, to_index
from .reduction import promoted
from .regions import inline


def _splat_index(value: Lowered, element: Attribute) -> int | None:
    """The index of a constant, read with its sign."""
    if not isinstance(value, Splat):
        return None
    number = int(scalar_number(value.value).real)
    if is_unsigned(element) and number < 0:
        number += 1 << element_bits(element)
    return number


def lower_gather(ctx: Lowering, op: stablehlo.GatherOp) -> Sequence[Lowered]:
    """A `tensor.extract` at the start index, clamped so that the slice fits, plus the offset in the
    slice.
    """
    numbers, slice_sizes = op.dimension_numbers, ints(op.slice_sizes)
    operand, type = ctx.tensor(op.operands[0]), result_type(op)
    element = element_of(op.operands[1])
    components = index_components(ctx, op.operands[1], numbers.index_vector_dim)
    rank = len(type.shape.data)
    batch = [dim for dim in range(rank) if dim not in numbers.offset_dims]
    shape = shape_of(operand)
    limits = [size - extent for size, extent in zip(shape, slice_sizes, strict=True)]
    inputs: list[tuple[Lowered, AffineMapAttr]] = []
    indexed: list[int] = []
    for component, dim in zip(components, numbers.start_index_map, strict=True):
        if limits[dim]:
            index_rank, position = len(shape_of(op.operands[1])), component.position
            map = index_component_map(rank, batch, index_rank, numbers.index_vector_dim, position)
            inputs.append((component.tensor, map))
            indexed.append(dim)
    windows = _windowed_dims(len(shape), (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims))
    offset_loop = dict(zip(windows, numbers.offset_dims, strict=True))
    batch_loop = {
        dim: batch[start_dim - (start_dim > numbers.index_vector_dim)]
        for dim, start_dim in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    }

    def body(args: Sequence[SSAValue]) -> SSAValue:
        start = {dim: clamped(ctx, arg, element, limits[dim]) for dim, arg in zip(indexed, args, strict=True)}
        indices: list[Index] = []
        for dim in range(len(shape)):
            index = start.get(dim, 0)
            loop = offset_loop.get(dim, batch_loop.get(dim))
            if loop is not None and (slice_sizes[dim] != 1 or dim in batch_loop):
                index = ctx.add(index, ctx.loop_index(loop))
            indices.append(index)
        return ctx.extract(operand, indices)

    return (ctx.elementwise(inputs, type, body),)


def index_component_map(
    rank: int, batch: Sequence[int], index_rank: int, index_vector_dim: int, component: int
) -> AffineMapAttr:
    """Where loops with batch loops `batch` find component `component` of their index vector."""
    expressions = [dimension(loop) for loop in batch]
    if index_vector_dim < index_rank:
        expressions.insert(index_vector_dim, constant_expression(component))
    return affine_map(rank, expressions)


def _windowed_dims(rank: int, excluded: Sequence[int]) -> list[int]:
    return [dim for dim in range(rank) if dim not in excluded]


def lower_dynamic_slice(ctx: Lowering, op: stablehlo.DynamicSliceOp) -> Sequence[Lowered]:
    """A `tensor.extract` at the clamped start index plus the loop index; a slice if all starts are
    known.
    """
    operand, type = ctx.lowered(op.operands[0]), result_type(op)
    if isinstance(operand, Splat):
        return (Splat(operand.value, type),)
    sizes = ints(op.slice_sizes)
    rank = len(sizes)
    limits = [size - extent for size, extent in zip(shape_of(operand), sizes, strict=True)]
    known, inputs, dims = _starts(ctx, op.operands[1:], limits, rank)
    if not inputs:
        starts = [known[dim] for dim in range(rank)]
        map = slice_map(shape_of(operand), starts, (1,) * rank, sizes)
        return (ctx.moved(operand, map, type),)

    def body(args: Sequence[SSAValue]) -> SSAValue:
        start: dict[int, Index] = dict(known)
        for dim, arg in zip(dims, args, strict=True):
            start[dim] = clamped(ctx, arg, element_of(op.operands[1 + dim]), limits[dim])
        indices = [start[dim] if sizes[dim] == 1 else ctx.add(start[dim], ctx.loop_index(dim)) for dim in range(rank)]
        return ctx.extract(operand, indices)

    return (ctx.elementwise(inputs, type, body),)


def _starts(
    ctx: Lowering, values: Sequence[SSAValue], limits: Sequence[int], rank: int
) -> tuple[dict[int, int], list[tuple[Lowered, AffineMapAttr]], list[int]]:
    """Known start indices by dimension, and the rank-0 operands and dimensions of the others."""
    known: dict[int, int] = {}
    inputs: list[tuple[Lowered, AffineMapAttr]] = []
    dims: list[int] = []
    for dim, value in enumerate(values):
        lowered = ctx.lowered(value)
        constant = _splat_index(lowered, element_of(value))
        if constant is not None or limits[dim] == 0:
            known[dim] = min(max(constant or 0, 0), limits[dim])
        else:
            inputs.append((lowered, projection(rank, ())))
            dims.append(dim)
    return known, inputs, dims


def lower_dynamic_update_slice(ctx: Lowering, op: stablehlo.DynamicUpdateSliceOp) -> Sequence[Lowered]:
    """`tensor.insert_slice` at clamped offsets."""
    update = op.operands[1]
    if 0 in shape_of(update):
        return (ctx.lowered(op.operands[0]),)
    shape = shape_of(op.operands[0])
    limits = [size - extent for size, extent in zip(shape, shape_of(update), strict=True)]
    known, _, _ = _starts(ctx, op.operands[2:], limits, len(limits))
    offsets: list[Index] = []
    for dim, value in enumerate(op.operands[2:]):
        if dim in known:
            offsets.append(known[dim])
        else:
            offsets.append(clamped(ctx, ctx.rank0(value), element_of(value), limits[dim]))
    operand = ctx.tensor(op.operands[0])
    return (ctx.insert_slice(ctx.tensor(update), operand, offsets),)


def lower_scatter(ctx: Lowering, op: stablehlo.ScatterOp) -> Sequence[Lowered]:
    """Loops over index vectors around loops over the update window, clipped to what falls into the
    result.

    The loops carry the results. An index vector that misses in a dimension of which the window
    covers one element skips its window under an `scf.if`.
    """
    return _Scatter(ctx, op).lower()


class _Scatter:
    """One scatter, with the dimension numbers decoded."""

    def __init__(self, ctx: Lowering, op: stablehlo.ScatterOp):
        self.ctx, self.op = ctx, op
        numbers = op.scatter_dimension_numbers
        self.numbers = numbers
        self.results = [promoted(ctx, *pair) for pair in zip(op.inputs, op.results, strict=True)]
        self.updates = [promoted(ctx, *pair) for pair in zip(op.updates, op.results, strict=True)]
        self.components = index_components(ctx, op.scatter_indices, numbers.index_vector_dim)
        self.shape = shape_of(op.inputs[0])
        self.update_shape = shape_of(op.updates[0])
        rank = len(self.update_shape)
        self.batch = [dim for dim in range(rank) if dim not in numbers.update_window_dims]
        windowed = _windowed_dims(len(self.shape), (*numbers.inserted_window_dims, *numbers.input_batching_dims))
        self.window_of = dict(zip(windowed, numbers.update_window_dims, strict=True))
        """Result dimension to the update dimension that runs along it."""

    def lower(self) -> Sequence[Lowered]:
        bounds = [(0, self.update_shape[dim]) for dim in self.batch]
        return self.ctx.kernel_loops(bounds, self.results, self._index_vector)

    def _extent(self, dim: int) -> int:
        """Elements of the result's dimension `dim` one window covers."""
        return self.update_shape[self.window_of[dim]] if dim in self.window_of else 1

    def _starts(self, batch: Sequence[Index]) -> dict[int, Index]:
        """Start of the window in each dimension that an index vector or a batch index moves."""
        ctx, numbers = self.ctx, self.numbers
        vector = numbers.index_vector_dim
        element = element_of(self.op.scatter_indices)
        start: dict[int, Index] = {}
        for component, dim in zip(self.components, numbers.scatter_dims_to_operand_dims, strict=True):
            at = list(batch)
            if vector < len(shape_of(self.op.scatter_indices)):
                at.insert(vector, component.position)
            start[dim] = to_index(ctx, self._component(component, at), element)
        for dim, index_dim in zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
            start[dim] = batch[index_dim - (index_dim > vector)]
        return start

    def _component(self, component: Component, at: Sequence[Index]) -> SSAValue:
        if isinstance(component.tensor, Splat):
            return self.ctx.attribute_constant(component.tensor.value)
        return self.ctx.extract(component.tensor, at)

    def _index_vector(self, batch: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        ctx = self.ctx
        start = self._starts(batch)
        checked = [dim for dim in self.numbers.scatter_dims_to_operand_dims if self._extent(dim) == 1]
        if not checked:
            return self._window(batch, start, state)
        inside: SSAValue | None = None
        for dim in checked:
            index, size = ctx.as_index(start[dim]), ctx.index(self.shape[dim])
            below = compare_int(ctx, "ult", index, size)
            inside = below if inside is None else ctx.scalar(arith.AndIOp, (inside, below), below.type)
        assert inside is not None
        return ctx.when(
            inside,
            [value.type for value in state],
            lambda: self._window(batch, start, state),
            lambda: state,
        )

    def _window(
        self, batch: Sequence[Index], start: Mapping[int, Index], state: Sequence[SSAValue]
    ) -> Sequence[SSAValue]:
        ctx = self.ctx
        window_dims = list(self.window_of)
        bounds: list[tuple[Index, Index]] = []
        for dim in window_dims:
            extent = self._extent(dim)
            if extent == 1 or dim not in start:
                bounds.append((0, extent))
            else:
                first = ctx.maximum(ctx.subtract(0, start[dim]), 0)
                last = ctx.minimum(ctx.subtract(self.shape[dim], start[dim]), extent)
                bounds.append((first, last))

        def element(window: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            at = dict(zip(window_dims, window, strict=True))
            update_index: list[Index] = [0] * len(self.update_shape)
            for dim, index in zip(self.batch, batch, strict=True):
                update_index[dim] = index
            for dim, index in at.items():
                update_index[self.window_of[dim]] = index
            target = [ctx.add(start.get(dim, 0), at.get(dim, 0)) for dim in range(len(self.shape))]
            old, new = ctx.extract_each(state, target), ctx.extract_each(self.updates, update_index)
            combined = inline(ctx, self.op.update_computation, (*old, *new))
            return ctx.insert_each(combined, state, target)

        return ctx.loops(bounds, state, element)


INDEXING: dict[type[Operation], Any] = {
    stablehlo.DynamicSliceOp: lower_dynamic_slice,
    stablehlo.DynamicUpdateSliceOp: lower_dynamic_update_slice,
    stablehlo.GatherOp: lower_gather,
    stablehlo.ScatterOp: lower_scatter,
}
"""Op type to lowering for the ops indexed by values."""
