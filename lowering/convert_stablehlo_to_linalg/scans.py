"""`reduce_window` whose windows are all prefixes, or all suffixes, of one dimension: a cumulative sum and its like.

Each result is the one before it combined with one more element: linear work, where windows repeat everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from .attributes import bits_of, element_of, ints, is_integer, is_unsigned, shape_of, values_or
from .builder import Index, Lowered, Lowering
from .data_movement import result_type
from .regions import inline, only_op
from .scalars import accumulator


class Scan(NamedTuple):
    """A running combination along dimension `dim`, from the last element on if `reverse`."""

    dim: int
    reverse: bool


def scan_of(ctx: Lowering, op: Any) -> Scan | None:
    """How the `reduce_window` `op` is a scan, None if it is none.

    The padding then holds init values and every window all elements on one side, so the init value has to be neutral.
    Sums of 16-bit floats are no scan: they are accumulated in more digits than the results have.
    """
    shape = shape_of(op.inputs[0])
    rank = len(shape)
    window = ints(op.window_dimensions)
    varying = [dim for dim in range(rank) if window[dim] != 1]
    if len(op.inputs) != 1 or len(varying) != 1 or 0 in shape:
        return None
    steps = (op.window_strides, op.window_dilations, op.base_dilations)
    if any(step != 1 for attribute in steps for step in values_or(attribute, 1, rank)):
        return None
    (dim,) = varying
    padding = ints(op.padding) if op.padding is not None else (0,) * (2 * rank)
    edges = padding[2 * dim : 2 * dim + 2]
    elsewhere = padding[: 2 * dim] + padding[2 * dim + 2 :]
    overhang = window[dim] - 1
    if any(elsewhere) or window[dim] < shape[dim] or edges not in ((overhang, 0), (0, overhang)):
        return None
    init = ctx.lowered(op.init_values[0])
    combiner = only_op(op.body)
    if combiner is None or isinstance(init, SSAValue) or not isinstance(init.value, IntegerAttr | FloatAttr):
        return None
    element = element_of(op.inputs[0])
    if element != element_of(op.results[0]):
        return None
    sums = isinstance(combiner, stablehlo.AddOp | stablehlo.MulOp)
    if sums and accumulator(element) != element:
        return None
    return Scan(dim, edges[0] == 0) if _is_neutral(init.value, combiner, element) else None


def _is_neutral(init: IntegerAttr | FloatAttr, combiner: Operation, element: Attribute) -> bool:
    """Whether combining with `init` changes nothing."""
    value: float = init.value.data
    low, high, ones = float("-inf"), float("inf"), None
    if is_integer(element):
        bits = bits_of(element)
        ones = (1 << bits) - 1
        unsigned = is_unsigned(element) or bits == 1
        low, high = (0, ones) if unsigned else (1 << (bits - 1), ones >> 1)
        value = int(value) & ones
    neutral: dict[type[Operation], float | None] = {
        stablehlo.AddOp: 0,
        stablehlo.MulOp: 1,
        stablehlo.MaxOp: low,
        stablehlo.MinOp: high,
        stablehlo.AndOp: ones,
        stablehlo.OrOp: 0,
        stablehlo.XorOp: 0,
    }
    return value == neutral.get(type(combiner))


def lower_scan(ctx: Lowering, op: Any, scan: Scan) -> Sequence[Lowered]:
    """A loop along the dimension between loops over those before and after it; the results are what it carries."""
    operand, shape = ctx.tensor(op.inputs[0]), shape_of(op.inputs[0])
    size = shape[scan.dim]
    init = ctx.lowered(op.init_values[0])
    before = [(0, extent) for extent in shape[: scan.dim]]
    after: list[tuple[Index, Index]] = [(0, extent) for extent in shape[scan.dim + 1 :]]

    def row(outer: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        def position(k: Index, inner: Sequence[Index]) -> list[Index]:
            along = ctx.subtract(size - 1, k) if scan.reverse else k
            return [*outer, along, *inner]

        def combine(
            previous: SSAValue, k: Index, inner: Sequence[Index], state: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            at = position(k, inner)
            (combined,) = inline(ctx, op.body, (previous, ctx.extract(operand, at)))
            return (ctx.insert(combined, state[0], at),)

        def first(inner: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return combine(ctx.scalar_of(init), 0, inner, state)

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            def one(inner: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
                previous = ctx.extract(state[0], position(ctx.subtract(k, 1), inner))
                return combine(previous, k, inner, state)

            return ctx.loops(after, state, one)

        return ctx.loop(1, size, ctx.loops(after, state, first), step)

    return ctx.kernel_loops(before, (ctx.empty(result_type(op)),), row)
