"""Writes the loops of a scan as its schedule says.

Totals of lines that a loop along them goes through together are in a buffer; the first trip of that loop is written in
front of it, as it starts from the init value instead. In a chain

    part = part + element;  output = before + part

and at its end `total`, the sum of all chains, is carried on with the errors of its additions: `before` is their sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, sub
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr

from ...dialects.linalg_ext import ScanOp
from ...dialects.schedule.tree import CHAIN, FOR, PARALLEL, UNROLL, Loop, Range
from ...ir.compensated_sums import two_sum, with_error
from ..convert_stablehlo_to_linalg.arithmetic import Index, Number
from ..convert_stablehlo_to_linalg.builder import Lowering, Scalars
from ..convert_stablehlo_to_linalg.loops import Buffer, Carried, Variable
from .loops import Body, LoopWriter, combinations, inline_block
from .scans import ScanPlan, shape_of

Place = tuple[Index, ...]
"""Which of the lines inside: the trips of the loops over these."""


class ScanLoops:
    """One scan, on memrefs."""

    def __init__(self, ctx: Lowering, op: ScanOp, plan: ScanPlan) -> None:
        self.ctx, self.op, self.plan = ctx, op, plan
        self.input, self.output = Buffer(ctx, op.input), Buffer(ctx, op.output)
        self.loops = LoopWriter(ctx)
        init = cast("IntegerAttr[Any] | FloatAttr", op.init)
        self.init = Number(ctx, ctx.constant(init.type, init.value.data))
        self.start = [self.init]
        """What is carried on in front of a line: a total; or part, before, total and error."""
        if plan.chain is not None:
            self.nothing = self.init.constant(-0.0)  # what is added to it keeps its sign
            self.start = [self.nothing, self.init, self.init, self.nothing]
        inside = plan.lines_inside(plan.first)
        self.inside = [(loop, range) for loop, range in inside if plan.most_trips(range) > 1]
        self.in_registers = all(loop.kind == UNROLL for loop, _ in self.inside)
        self.variables: dict[Place, list[Variable]] = {}
        self.buffers: list[Buffer] = []
        self.starting = False
        """Whether the first element of lines is computed."""
        around = [number for number in range(plan.first) if plan.loops[number][0].kind == PARALLEL]
        self.allocated_at = around[-1] + 1 if around else 0

    def write(self) -> None:
        """All loops."""
        self._level(0)

    def _level(self, number: int) -> None:
        """The loops from this number on."""
        plan, loops = self.plan, self.loops
        if number == self.allocated_at and not self.in_registers:
            shape = [plan.most_trips(range) for _, range in self.inside]
            self.buffers = [Buffer.new(self.ctx, start.type, shape) for start in self.start]
        if number == plan.first and not self._begin():
            return
        if number == len(plan.loops):
            self._element()
            return
        loop, each = plan.loops[number]
        if loop.kind == PARALLEL:
            loops.parallel(loop, lambda: self._level(number + len(loop.ranges)))
            return
        first = int(number == plan.first and self._starts_apart())
        is_innermost = number + 1 == len(plan.loops)
        copies = plan.copies if loop.kind == CHAIN and is_innermost else 1
        loops.run(loop, each, lambda: self._level(number + 1), self._changed(number), first, copies)
        if loop.kind == CHAIN and not loops.rests & plan.along:
            self._over_lines(number + 1, self._end_chain)

    def _changed(self, number: int) -> Sequence[Carried]:
        """What changes in the loop `number`."""
        if number < self.plan.first or not self.in_registers:
            return (self.output,)
        chain = self.plan.chain
        carried = list(self.variables.values())
        if chain is not None and number >= chain:
            carried = [line[:1] for line in carried]
        return (self.output, *(each for line in carried for each in line))

    # What is carried

    def _starts_apart(self) -> bool:
        """Whether the first elements of lines are computed in front of the only loop along them."""
        plan = self.plan
        return (
            not self.in_registers
            and len(plan.along) == 1
            and plan.chain is None
            and plan.loops[plan.first][0].kind == FOR
            and plan.loops[plan.first][1].trips is not None
        )

    def _begin(self) -> bool:
        """Gives the lines inside what they start from, or their first elements; whether there are more."""
        plan, loops = self.plan, self.loops
        if self.in_registers:
            places: Sequence[Place] = combinations([range for _, range in self.inside])
            self.variables = {place: [Variable(number) for number in self.start] for place in places}
        elif self._starts_apart():
            _, range = plan.loops[plan.first]
            self.starting = True
            loops.values[range.name] = loops.trips[range.name] = 0
            self._level(plan.first + 1)
            self.starting = False
            return (range.trips or 0) > 1
        else:
            self._over_lines(plan.first, lambda: self._carry(self.start))
        return True

    def _place(self) -> Place:
        return tuple(self.loops.trips[range.name] for _, range in self.inside)

    def _carried(self) -> Scalars:
        if self.starting:
            return self.start
        place = self._place()
        if self.in_registers:
            return [variable.now for variable in self.variables[place]]
        return [buffer[place] for buffer in self.buffers]

    def _carry(self, numbers: Scalars) -> None:
        """Carry on `numbers`; what is behind them stays."""
        place = self._place()
        if self.in_registers:
            for variable, number in zip(self.variables[place], numbers, strict=False):
                variable.now = number
        else:
            for buffer, number in zip(self.buffers, numbers, strict=False):
                buffer[place] = number

    # What is computed

    def _element(self) -> None:
        at = [self.loops.value(index) for index in self.plan.at]
        if self.op.reverse is not None:
            at[self.op.dim] = shape_of(self.op)[self.op.dim] - 1 - at[self.op.dim]
        first, *others = self._carried()
        element = self.input[at]
        if others:
            part = first + element
            self.output[at] = others[0] + part
            self._carry([part])
            return
        (total,) = inline_block(self.ctx, self.op.combiner.block, (first, element))
        self.output[at] = total.resized(self.output.element)
        self._carry([total])

    def _end_chain(self) -> None:
        part, _, total, error = self._carried()
        total, lost = two_sum(total, part, add, sub)
        error = self._with_error(error, lost)
        self._carry([self.nothing, self._with_error(total, error), total, error])

    def _with_error(self, total: Number, error: Number) -> Number:
        return with_error(total, error, add, lambda e: e.compare("one", 0.0), Number.select)

    def _over_lines(self, number: int, body: Body) -> None:
        """`body` for every line in the loops from `number` on."""
        if self.in_registers:
            ranges = [range for _, range in self.inside]
            for place in combinations(ranges):
                self.loops.trips.update({range.name: trip for range, trip in zip(ranges, place, strict=True)})
                body()
            return
        self._nest(self.plan.lines_inside(number), body)

    def _nest(self, loops: Sequence[tuple[Loop, Range]], body: Body) -> None:
        if not loops:
            body()
            return
        (loop, each), *others = loops
        if loop.kind == PARALLEL:
            behind = [other for other in others if other[0] is not loop]
            self.loops.parallel(loop, lambda: self._nest(behind, body))
        else:
            self.loops.run(loop, each, lambda: self._nest(others, body), (self.output,))
