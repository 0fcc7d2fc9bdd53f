"""`reduce_window` whose windows are all prefixes, or all suffixes, of one dimension: a cumulative sum and its like.

Each result is the one before it combined with one more element: linear work, where windows repeat everything. Sums and
products of 16-bit floats are carried with the digits they are accumulated in, and rounded where they are stored. Sums
of longer floats are carried with the errors of all additions before, which are added where they are stored
(`ir/compensated_sums.py`): the chain of additions that have to wait for each other is no longer for that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...errors import UnsupportedError
from ...ir.compensated_sums import two_sum, with_error
from .arithmetic import compare_float, select
from .attributes import (
    element_of,
    ints,
    is_float,
    is_integer,
    is_unsigned,
    scalar_number,
    shape_of,
    values_or,
)
from .builder import Index, Lowered, Lowering, Splat
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
    if isinstance(init, SSAValue) or not isinstance(init.value, IntegerAttr | FloatAttr):
        return None
    element = element_of(op.inputs[0])
    if element != element_of(op.results[0]):
        return None
    combiner = only_op(op.body)
    is_neutral = _seems_neutral(op) if combiner is None else _is_neutral(init.value, combiner, element)
    return Scan(dim, edges[0] == 0) if is_neutral else None


NUMBERS = (0.0, 1.0, -1.0, 0.75, -2.5, 20.0, -20.0)
"""What is combined with an init value to see whether it is neutral."""


def _seems_neutral(op: Any) -> bool:
    """Whether combining with the init value changes none of some numbers, and not that value, on either side.

    A reduction gives the same on all implementations only where its init value is neutral and its body associative;
    what is looked for here are bodies of which the reference computes something else.
    """
    constant = op.init_values[0].owner
    if not isinstance(constant, stablehlo.ConstantOp) or not is_float(element_of(op.inputs[0])):
        return False
    inside = {*op.body.block.args, *(result for nested in op.body.walk() for result in nested.results)}
    if any(operand not in inside for nested in op.body.block.ops for operand in nested.operands):
        return False
    from ...reference.arrays import dense_array
    from ...reference.interpreter import Interpreter

    init = dense_array(constant.value)
    numbers = [init, *(np.full_like(init, number) for number in NUMBERS)]
    pairs = [pair for number in numbers for pair in ((init, number), (number, init))]
    try:
        results = [Interpreter().run_region(op.body, pair)[0] for pair in pairs]
    except UnsupportedError:
        return False
    return all(np.array_equal(cast(Any, result), numbers[k // 2]) for k, result in enumerate(results))


def _is_neutral(init: IntegerAttr | FloatAttr, combiner: Operation, element: Attribute) -> bool:
    """Whether combining with `init` changes nothing."""
    value: float = init.value.data
    low, high, ones = float("-inf"), float("inf"), None
    if is_integer(element):
        bits = element_bits(element)
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
    """A loop along the dimension between loops over those before and after it, which carries what is accumulated."""
    return _Scan(ctx, op, scan).lower()


class _Scan:
    """One scan. Where there are dimensions behind its own, all that is carried for them is a tensor."""

    def __init__(self, ctx: Lowering, op: Any, scan: Scan):
        self.ctx, self.op, self.scan = ctx, op, scan
        self.operand, self.shape = ctx.tensor(op.inputs[0]), shape_of(op.inputs[0])
        self.type = result_type(op)
        self.element: Attribute = self.type.element_type
        combiner = only_op(op.body)
        wide: type[Operation] | None = None
        if accumulator(self.element) != self.element:
            wide = arith.AddfOp if isinstance(combiner, stablehlo.AddOp) else wide
            wide = arith.MulfOp if isinstance(combiner, stablehlo.MulOp) else wide
        self.widened = wide
        self.has_error = isinstance(combiner, stablehlo.AddOp) and isinstance(self.element, Float32Type | Float64Type)
        self.accumulated = self.element if wide is None else accumulator(self.element)
        init = ctx.lowered(op.init_values[0])
        assert isinstance(init, Splat)
        self.init = ctx.constant(self.accumulated, scalar_number(init.value))
        self.after: list[tuple[Index, Index]] = [(0, extent) for extent in self.shape[scan.dim + 1 :]]

    @property
    def carried(self) -> list[SSAValue]:
        """What the first element is combined with."""
        return [self.init, self.ctx.constant(self.accumulated, 0.0)] if self.has_error else [self.init]

    def lower(self) -> Sequence[Lowered]:
        ctx = self.ctx
        state = [ctx.empty(self.type)]
        if self.after:
            type = TensorType(self.accumulated, self.shape[self.scan.dim + 1 :])
            state += [ctx.empty(type) for _ in self.carried]
        before = [(0, extent) for extent in self.shape[: self.scan.dim]]
        return ctx.kernel_loops(before, state, self._tensors if self.after else self._scalars)[:1]

    def _step(self, previous: Sequence[SSAValue], at: Sequence[Index], result: SSAValue) -> list[SSAValue]:
        """The results with that of the element `at`, and what is carried on, `previous` combined with the element."""
        ctx = self.ctx
        value = ctx.extract(self.operand, at)
        if self.has_error:
            total, error = previous
            total, lost = two_sum(total, value, self._add, self._subtract)
            error = self._add(error, lost)
            value = with_error(total, error, self._add, self._is_nonzero, partial(select, ctx))
            return [ctx.insert(value, result, at), total, error]
        if self.widened is None:
            (combined,) = inline(ctx, self.op.body, (*previous, value))
            return [ctx.insert(combined, result, at), combined]
        wide = ctx.scalar(arith.ExtFOp, (value,), self.accumulated)
        combined = ctx.scalar(self.widened, (*previous, wide), self.accumulated)
        return [ctx.insert(ctx.scalar(arith.TruncFOp, (combined,), self.element), result, at), combined]

    def _add(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.ctx.scalar(arith.AddfOp, (lhs, rhs), self.element)

    def _subtract(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.ctx.scalar(arith.SubfOp, (lhs, rhs), self.element)

    def _is_nonzero(self, value: SSAValue) -> SSAValue:
        return compare_float(self.ctx, "one", value, self.ctx.constant(self.element, 0.0))

    def _at(self, outer: Sequence[Index], k: Index, inner: Sequence[Index] = ()) -> list[Index]:
        along = self.ctx.subtract(self.shape[self.scan.dim] - 1, k) if self.scan.reverse else k
        return [*outer, along, *inner]

    def _scalars(self, outer: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            result, *carried = state
            return self._step(carried, self._at(outer, k), result)

        return self.ctx.loop(0, self.shape[self.scan.dim], (*state, *self.carried), step)[:1]

    def _tensors(self, outer: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        ctx = self.ctx

        def first(inner: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            return store(self._step(self.carried, self._at(outer, 0, inner), state[0]), inner, state)

        def store(step: Sequence[SSAValue], inner: Sequence[Index], state: Sequence[SSAValue]) -> list[SSAValue]:
            result, *carried = step
            return [result, *ctx.insert_each(carried, state[1:], inner)]

        def step(k: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
            def one(inner: Sequence[Index], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
                previous = ctx.extract_each(state[1:], inner)
                return store(self._step(previous, self._at(outer, k, inner), state[0]), inner, state)

            return ctx.loops(self.after, state, one)

        return ctx.loop(1, self.shape[self.scan.dim], ctx.loops(self.after, state, first), step)
