"""`reduce_window` and `select_and_scatter`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from xdsl.dialects.builtin import AffineMapAttr, TensorType, i1
from xdsl.ir import SSAValue

from ...dialects import stablehlo
from .arithmetic import Index, Number, greatest, least, materialized
from .attributes import (
    AnyTensor,
    affine_map,
    dimension,
    element_of,
    leading,
    result_type,
    scaled,
)
from .builder import Lowered, Lowering
from .data_movement import pad
from .loops import Array, Variable, kernel_loops, loops, when
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
    window, strides, base_dilations, dilations, edges = op.window
    rank = len(window)
    padding = [(*edge, dilation - 1) for edge, dilation in zip(edges, base_dilations, strict=True)]
    varying = [dim for dim in range(rank) if window[dim] != 1]
    loop_count = rank + len(varying)
    expressions = [scaled(dimension(dim), strides[dim]) for dim in range(rank)]
    for loop, dim in enumerate(varying, rank):
        expressions[dim] += scaled(dimension(loop), dilations[dim])
    map = affine_map(loop_count, expressions)
    inputs = [
        (pad(ctx, ctx.tensor(operand), ctx.lowered(value), padding), map)
        for operand, value in zip(op.inputs, op.init_values, strict=True)
    ]
    shape_operands: list[tuple[SSAValue, AffineMapAttr]] = []
    if varying:
        bounds: AnyTensor = TensorType(element_of(inputs[0][0]), [window[dim] for dim in varying])
        window_loops = [dimension(loop) for loop in range(rank, loop_count)]
        shape_operands.append((ctx.empty(bounds), affine_map(loop_count, window_loops)))
    return reduce_along(ctx, op, inputs, leading(loop_count, rank), shape_operands)


class _Windows(NamedTuple):
    """The windows along one dimension of an operand of `size`."""

    size: int
    positions: int
    window: int
    stride: int
    low: int

    def starts(self) -> list[int]:
        return [position * self.stride - self.low for position in range(self.positions)]

    def clipped(self, position: Index) -> tuple[Index, Index]:
        """The part of the dimension that the window at a position covers."""
        start = position * self.stride - self.low
        stop = start + self.window
        starts = self.starts()
        lower = start if min(starts, default=0) >= 0 else greatest(start, 0)
        upper = stop if max(starts, default=0) + self.window <= self.size else least(stop, self.size)
        return lower, upper

    def may_be_empty(self) -> bool:
        """Whether some window lies in the padding altogether, or there is no element to lie in it."""
        return any(max(start, 0) >= min(start + self.window, self.size) for start in self.starts())


def _replaced(at: Sequence[Index], dims: Sequence[int], places: Sequence[Index]) -> list[Index]:
    """`at` with other places in some dimensions."""
    moved = dict(zip(dims, places, strict=True))
    return [moved.get(dim, index) for dim, index in enumerate(at)]


def lower_select_and_scatter(ctx: Lowering, op: stablehlo.SelectAndScatterOp) -> Sequence[Lowered]:
    """For every element of the source, a loop nest over its window finds the selected element of
    the operand; the source element is combined with the result there, in the type of the result.

    Windows are clipped to the operand: padding is never selected. A window without elements
    scatters nothing.
    """
    operand = ctx.array(op.operands[0])
    source = Array(ctx, promoted(ctx, op.operands[1], op.results[0]))
    sizes, strides, *_, edges = op.window
    lows = (low for low, _ in edges)
    windows = [_Windows(*each) for each in zip(operand.shape, source.shape, sizes, strides, lows, strict=True)]
    searched = [dim for dim, size in enumerate(sizes) if size != 1]
    result = Array(ctx, initial(ctx, op.operands[2], result_type(op)))
    with kernel_loops(source.shape, result) as position, ExitStack() as stack:
        bounds = [each.clipped(index) for each, index in zip(windows, position, strict=True)]
        if any(each.may_be_empty() for each in windows):
            is_filled = Number(ctx, ctx.constant(i1, 1))
            for lower, upper in bounds:
                is_filled &= materialized(ctx, lower).compare("slt", upper)
            stack.enter_context(when(is_filled, result))
        at = [lower for lower, _ in bounds]
        best = Variable(operand[at])
        places = [Variable(materialized(ctx, at[dim])) for dim in searched]
        with loops([bounds[dim] for dim in searched], best, *places) as moving:
            value = operand[_replaced(at, searched, moving)]
            (keeps,) = inline(ctx, op.select, (best.now, value))
            candidates = (value, *(materialized(ctx, index) for index in moving))
            for variable, candidate in zip((best, *places), candidates, strict=True):
                variable.now = keeps.select(variable.now, candidate)
        at = _replaced(at, searched, [place.now for place in places])
        element = source[position]
        (result[at],) = inline(ctx, op.scatter, (result[at], element))
    return (result.value,)
