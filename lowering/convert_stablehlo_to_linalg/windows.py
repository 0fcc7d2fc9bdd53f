"""`reduce_window` and `select_and_scatter`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, TensorType, i1
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from .arithmetic import compare_int, select
from .attributes import (
    AnyTensor,
    affine_map,
    dimension,
    element_of,
    ints,
    iterators,
    projection,
    scaled,
    shape_of,
    values_or,
)
from .builder import Index, Lowered, Lowering
from .data_movement import Padding, pad, result_type
from .reduction import initial, promoted, reduce_along
from .regions import inline
from .scans import lower_scan, scan_of


def lower_reduce_window(ctx: Lowering, op: stablehlo.ReduceWindowOp) -> Sequence[Lowered]:
    """A reduction over window positions of the operands padded with the init values.

    Loops: the result's dimensions, then the window dimensions whose size is not 1. A `tensor.empty`
    of the window's shape gives those loops their bounds, as in upstream's pooling ops.
    """
    scan = scan_of(ctx, op)
    if scan is not None:
        return lower_scan(ctx, op, scan)
    rank = len(shape_of(op.inputs[0]))
    window = ints(op.window_dimensions)
    strides = values_or(op.window_strides, 1, rank)
    dilations = values_or(op.window_dilations, 1, rank)
    padding = window_padding(op, rank)
    varying = [dim for dim in range(rank) if window[dim] != 1]
    loops = rank + len(varying)
    loop_of = {dim: rank + i for i, dim in enumerate(varying)}
    expressions = [
        scaled(dim, strides[dim]) + scaled(loop_of[dim], dilations[dim])
        if dim in loop_of
        else scaled(dim, strides[dim])
        for dim in range(rank)
    ]
    map = affine_map(loops, expressions)
    inputs = [
        (pad(ctx, ctx.tensor(operand), ctx.lowered(value), padding), map)
        for operand, value in zip(op.inputs, op.init_values, strict=True)
    ]
    shape_operands: list[tuple[SSAValue, AffineMapAttr]] = []
    if varying:
        element = element_of(inputs[0][0])
        bounds: AnyTensor = TensorType(element, [window[dim] for dim in varying])
        window_loops = [dimension(loop_of[dim]) for dim in varying]
        shape_operands.append((ctx.empty(bounds), affine_map(loops, window_loops)))
    return reduce_along(
        ctx,
        op,
        inputs,
        projection(loops, tuple(range(rank))),
        iterators(rank, len(varying)),
        shape_operands,
    )


def window_padding(op: Any, rank: int) -> list[Padding]:
    """Edge padding and, from `base_dilations`, interior padding of each dimension."""
    edges = [0] * (2 * rank) if op.padding is None else list(ints(op.padding))
    dilations = values_or(op.base_dilations, 1, rank)
    return [(edges[2 * dim], edges[2 * dim + 1], dilations[dim] - 1) for dim in range(rank)]


def lower_select_and_scatter(ctx: Lowering, op: stablehlo.SelectAndScatterOp) -> Sequence[Lowered]:
    """For every element of the source, a loop nest over its window finds the selected element of
    the operand; the source element is combined with the result there, in the type of the result.

    Windows are clipped to the operand: padding is never selected. A window without elements
    scatters nothing.
    """
    return _SelectAndScatter(ctx, op).lower()


class _SelectAndScatter:
    """One `select_and_scatter`, with the attributes decoded."""

    def __init__(self, ctx: Lowering, op: stablehlo.SelectAndScatterOp):
        self.ctx, self.op = ctx, op
        self.operand, self.source = ctx.tensor(op.operands[0]), promoted(ctx, op.operands[1], op.results[0])
        self.shape, self.source_shape = shape_of(self.operand), shape_of(self.source)
        rank = len(self.shape)
        self.window = values_or(op.window_dimensions, 1, rank)
        self.strides = values_or(op.window_strides, 1, rank)
        self.low = [0] * rank if op.padding is None else list(ints(op.padding))[::2]

    def lower(self) -> Sequence[Lowered]:
        ctx = self.ctx
        result = initial(ctx, self.op.operands[2], result_type(self.op))
        bounds = [(0, size) for size in self.source_shape]
        return ctx.kernel_loops(bounds, (result,), self._source_element)

    def _clipped(self, dim: int, position: Index) -> tuple[Index, Index]:
        """The part of the operand's dimension `dim` that the window at a source position covers."""
        ctx, size, window = self.ctx, self.shape[dim], self.window[dim]
        start = ctx.subtract(ctx.multiply(position, self.strides[dim]), self.low[dim])
        stop = ctx.add(start, window)
        positions = range(self.source_shape[dim])
        first = min((p * self.strides[dim] - self.low[dim] for p in positions), default=0)
        last = max((p * self.strides[dim] - self.low[dim] for p in positions), default=0)
        lower = start if first >= 0 else ctx.maximum(start, 0)
        upper = stop if last + window <= size else ctx.minimum(stop, size)
        return lower, upper

    def _may_be_empty(self) -> bool:
        """Whether some window lies in the padding altogether, or there is no element to lie in it."""
        for dim, size in enumerate(self.shape):
            for position in range(self.source_shape[dim]):
                start = position * self.strides[dim] - self.low[dim]
                if max(start, 0) >= min(start + self.window[dim], size):
                    return True
        return False

    def _source_element(self, position: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        ctx = self.ctx
        bounds = [self._clipped(dim, index) for dim, index in enumerate(position)]
        if not self._may_be_empty():
            return self._select_and_combine(position, bounds, state)
        nonempty: SSAValue = ctx.constant(i1, 1)
        for lower, upper in bounds:
            covers = compare_int(ctx, "slt", ctx.as_index(lower), ctx.as_index(upper))
            nonempty = ctx.scalar(arith.AndIOp, (nonempty, covers), i1)
        return ctx.when(
            nonempty,
            [value.type for value in state],
            lambda: self._select_and_combine(position, bounds, state),
            lambda: state,
        )

    def _select_and_combine(
        self,
        position: Sequence[Index],
        bounds: Sequence[tuple[Index, Index]],
        state: Sequence[SSAValue],
    ) -> Sequence[SSAValue]:
        ctx = self.ctx
        searched = [dim for dim in range(len(bounds)) if self.window[dim] != 1]
        first: list[Index] = [lower for lower, _ in bounds]

        def index(moving: Sequence[Index]) -> list[Index]:
            at = list(first)
            for dim, value in zip(searched, moving, strict=True):
                at[dim] = value
            return at

        def better(moving: Sequence[Index], best: Sequence[SSAValue]) -> Sequence[SSAValue]:
            value = ctx.extract(self.operand, index(moving))
            (keeps,) = inline(ctx, self.op.select, (best[0], value))
            candidates = (value, *(ctx.as_index(at) for at in moving))
            return [select(ctx, keeps, old, new) for old, new in zip(best, candidates, strict=True)]

        start = (
            ctx.extract(self.operand, first),
            *(ctx.as_index(first[dim]) for dim in searched),
        )
        _, *selected = ctx.loops([bounds[dim] for dim in searched], start, better)
        at = index(selected)
        source = ctx.extract(self.source, position)
        old = ctx.extract(state[0], at)
        (combined,) = inline(ctx, self.op.scatter, (old, source))
        return (ctx.insert(combined, state[0], at),)


WINDOWS: dict[type[Operation], Any] = {
    stablehlo.ReduceWindowOp: lower_reduce_window,
    stablehlo.SelectAndScatterOp: lower_select_and_scatter,
}
"""Op type to lowering for the ops on windows."""
