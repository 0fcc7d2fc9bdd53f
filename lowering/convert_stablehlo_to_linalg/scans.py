"""`reduce_window` whose windows are all prefixes, or all suffixes, of one dimension: a cumulative sum and its like.

Each result is the one before it combined with one more element: linear work, where windows repeat everything. Sums and
products of 16-bit floats are carried with the digits they are accumulated in, and rounded where they are stored. Long
sums of longer floats are chains of some additions each, before which what all earlier chains have added up is carried
with its errors (`ir/compensated_sums.py`): chains wait for each other for one addition only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from operator import add, sub
from typing import Any, NamedTuple, Self, cast

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo.fold_elementwise import extremes
from ...dialects.stablehlo.shapes import shape_of
from ...errors import UnsupportedError
from ...ir.compensated_sums import two_sum, with_error
from .arithmetic import ADD, MULTIPLY, Index, Number
from .attributes import (
    accumulator,
    element_of,
    is_float,
    is_integer,
    signless,
)
from .builder import Lowered, Lowering, Scalars, Splat
from .loops import Array, Variable, kernel_loops, loop, loops
from .reduction import widened_combiner
from .regions import inline, only_op


class Scan(NamedTuple):
    """A running combination along dimension `dim`, from the last element on if `reverse`."""

    dim: int
    reverse: bool


def scan_of(ctx: Lowering, op: Any) -> Scan | None:
    """How the `reduce_window` `op` is a scan, None if it is none.

    The padding then holds init values and every window all elements on one side, so the init value has to be neutral.
    """
    shape = shape_of(op.inputs[0])
    window, *steps, padding = op.window
    varying = [dim for dim, size in enumerate(window) if size != 1]
    if len(op.inputs) != 1 or len(varying) != 1 or 0 in shape:
        return None
    if any(step != 1 for values in steps for step in values):
        return None
    (dim,) = varying
    edges = padding[dim]
    overhang = window[dim] - 1
    if any(any(edge) for other, edge in enumerate(padding) if other != dim):
        return None
    if window[dim] < shape[dim] or edges not in ((overhang, 0), (0, overhang)):
        return None
    init = ctx.lowered(op.init_values[0])
    if isinstance(init, SSAValue) or isinstance(init.number, complex):
        return None
    element = element_of(op.inputs[0])
    if element != element_of(op.results[0]):
        return None
    combiner = only_op(op.body)
    is_neutral = _seems_neutral(op) if combiner is None else _is_neutral(init.number, combiner, element)
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


def _is_neutral(value: float, combiner: Operation, element: Attribute) -> bool:
    """Whether combining with `value` changes nothing."""
    low, high, ones = float("-inf"), float("inf"), None
    if is_integer(element):
        ones = (1 << element.bitwidth) - 1
        low, high = (bound & ones for bound in extremes(element))
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


Step = Callable[[Sequence[Index], Scalars], Scalars]
"""Writes the result at an index, from what is carried; what that is then, as far as it changes."""


def lower_scan(ctx: Lowering, op: Any, scan: Scan) -> Sequence[Lowered]:
    """A loop along the dimension between loops over those before and after it, which carries what is accumulated."""
    operand, element, init = ctx.array(op.inputs[0]), element_of(op.results[0]), ctx.lowered(op.init_values[0])
    assert isinstance(init, Splat)
    widened = widened_combiner(op)
    widened = widened if widened in (ADD, MULTIPLY) else None
    wide = element if widened is None else accumulator(element)
    start = Number(ctx, ctx.constant(signless(wide), init.number), wide)
    is_sum = isinstance(only_op(op.body), stablehlo.AddOp) and isinstance(element, Float32Type | Float64Type)
    sums = ctx.model.sums
    chain = sums.scan_chain_of_rows if operand.shape[scan.dim + 1 :] else sums.scan_chain
    if is_sum and operand.shape[scan.dim] > chain:
        return _long_sums(operand, start, scan, chain)
    result = Array.new(ctx, element, operand.shape)

    def step(at: Sequence[Index], previous: Scalars) -> Scalars:
        if widened is None:
            (total,) = inline(ctx, op.body, (*previous, operand[at]))
        else:
            total = previous[0].combine(widened, operand[at].resized(wide))
        result[at] = total if widened is None else total.resized(element)
        return (total,)

    with _Lines(result, scan, [start]) as lines:
        lines.run(lines.begin(step), operand.shape[scan.dim], step)
    return (result.value,)


def _long_sums(operand: Array, init: Number, scan: Scan, chain: int) -> Sequence[Lowered]:
    """Sums in chains of so many additions: a result is what its chain has added up, and the sum of all chains before,
    which is carried with the errors of its additions.
    """
    count = operand.shape[scan.dim]
    result = Array.new(init.ctx, init.type, operand.shape)
    nothing = init.constant(-0.0)  # what is added to it keeps its sign

    def add_errors(total: Number, error: Number) -> Number:
        return with_error(total, error, add, lambda e: e.compare("one", 0.0), Number.select)

    def step(at: Sequence[Index], previous: Scalars) -> Scalars:
        part, before, *_ = previous
        part = part + operand[at]
        result[at] = before + part
        return (part,)

    def end(at: Sequence[Index], previous: Scalars) -> Scalars:
        part, _, total, error = previous
        total, lost = two_sum(total, part, add, sub)
        error = add_errors(error, lost)
        return nothing, add_errors(total, error), total, error

    with _Lines(result, scan, [nothing, init, init, nothing]) as lines:
        lines.begin(lambda _, start: start)
        with loop(0, count // chain, *lines.carried()) as number:
            first = number * chain
            with loop(0, chain, *lines.carried(1)) as k:
                lines.do(first + k, step, changed=1)
            lines.do(0, end)
        lines.run(count // chain * chain, count, step, 1)
    return (result.value,)


class _Lines:
    """The lines of an array along the dimension of a scan. What each of them carries on, `start` at first, is in
    registers, or where there are dimensions behind that of the scan, in tensors.
    """

    def __init__(self, result: Array, scan: Scan, start: Scalars) -> None:
        shape = result.shape
        self._before, self._after = shape[: scan.dim], shape[scan.dim + 1 :]
        self._last = shape[scan.dim] - 1 if scan.reverse else None
        self._result, self._start = result, start
        self._totals: Sequence[Variable | Array] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if self._after:
            self._totals = [Array.new(number.ctx, number.type, self._after) for number in self._start]
        self._outer = self._stack.enter_context(kernel_loops(self._before, self._result, *self._totals))
        if not self._after:
            self._totals = [Variable(number) for number in self._start]
        return self

    def __exit__(self, *raised: Any) -> None:
        self._stack.__exit__(*raised)

    def carried(self, changed: int | None = None) -> Sequence[Variable | Array]:
        """What loops along the lines change: all that is carried on, or so many of it."""
        return self._result, *self._totals[:changed]

    def begin(self, step: Step) -> int:
        """Give tensors what is carried behind `step` at the first index; the index to go on with."""
        if not self._after:
            return 0
        self.do(0, step, self._start)
        return 1

    def run(self, lower: Index, upper: Index, step: Step, changed: int | None = None) -> None:
        """`step` at the indices from `lower` up to `upper`."""
        with loop(lower, upper, *self.carried(changed)) as k:
            self.do(k, step, changed=changed)

    def do(self, k: Index, step: Step, previous: Scalars | None = None, changed: int | None = None) -> None:
        """`step` at the index `k` of all lines, which have carried on `previous`."""
        along = k if self._last is None else self._last - k
        with loops([(0, extent) for extent in self._after], *self.carried(changed)) as inner:
            now = [total[inner] if isinstance(total, Array) else total.now for total in self._totals]
            numbers = step([*self._outer, along, *inner], previous or now)
            for total, number in zip(self._totals[:changed], numbers, strict=True):
                if isinstance(total, Array):
                    total[inner] = number
                else:
                    total.now = number
