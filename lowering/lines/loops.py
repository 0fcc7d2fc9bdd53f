"""The loops of a schedule around a scan or a sort, as `scf.for`, `affine.parallel` and copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, SSAValue

from ...dialects.editing import append, clone
from ...dialects.schedule.tree import UNROLL, VECTOR, Compute, Loop, Range, Tree
from ...dialects.schedule.tree import Index as Sum
from ...dialects.xrt_names import LANES
from ...ir.affine_builder import AffineBuilder
from ...ir.schedule_errors import refuse
from ..convert_stablehlo_to_linalg.arithmetic import Index, Number, least
from ..convert_stablehlo_to_linalg.builder import Lowering, Scalars
from ..convert_stablehlo_to_linalg.loops import Carried, loop

Body = Callable[[], None]
_numbers = range


class LoopWriter:
    """Writes loops where `ctx` stands. `values` has the variables of those around, `trips` the numbers of their trips.

    The last block of a loop over blocks that is shorter than the others is written behind it.
    """

    def __init__(self, ctx: Lowering) -> None:
        self.ctx = ctx
        self.values: dict[str, Index] = {}
        self.trips: dict[str, Index] = {}
        self.sizes: dict[str, Index] = {}
        """How long the present block is that begins at a variable."""
        self.rests: set[str] = set()
        """The loops whose last, shorter block is being written."""

    def value(self, index: Sum) -> Index:
        """An index of the schedule."""
        total: Index = index.constant
        for digit in index.digits:
            part = self.values[digit.of] if isinstance(digit.of, str) else self.value(digit.of)
            if isinstance(part, int):
                part = part // digit.divisor
                part = part % digit.modulus if digit.modulus else part
            else:
                part = part if digit.divisor == 1 else part.apply(arith.DivUIOp, digit.divisor)
                part = part.apply(arith.RemUIOp, digit.modulus) if digit.modulus else part
            part = part * digit.factor
            total = part if isinstance(total, int) and total == 0 else total + part
        return total

    def run(
        self, loop: Loop, range: Range, body: Body, changed: Sequence[Carried], first: int = 0, copies: int = 1
    ) -> None:
        """The trips of one range of a loop, from `first` on; `changed` is what changes in them. So many `copies` of the
        body are written, one behind the other, where that comes out even.
        """
        trips, rest = range.trips, 0
        start: Index = range.start.constant
        if trips is None:
            (block,) = range.start.loops()
            start, count = self.values[block], self.sizes[block]
        else:
            rest = (range.end - range.start.constant) % range.step
            count = trips - (rest > 0)
            self.sizes[range.name] = range.step
        if loop.kind == UNROLL:
            assert isinstance(count, int)
            for trip in _numbers(first, count):
                self._trip(range, start, trip, body)
        else:
            self._counted(loop, range, start, (first, count), body, changed, copies)
        if rest and trips is not None:
            self.sizes[range.name] = rest
            self.rests.add(range.name)
            self._trip(range, start, trips - 1, body)
            self.rests.discard(range.name)

    def _counted(
        self,
        around: Loop,
        range: Range,
        start: Index,
        bounds: tuple[int, Index],
        body: Body,
        changed: Sequence[Carried],
        copies: int,
    ) -> None:
        first, count = bounds
        if isinstance(count, int) and count - first <= 1:
            if count > first:
                self._trip(range, start, first, body)
            return
        if copies > 1 and first == 0 and isinstance(count, int) and count % copies == 0:
            self._copied(range, start, count, body, changed, copies)
            return
        attributes = {LANES: IntegerAttr(around.side, i64)} if around.kind == VECTOR else None
        with loop(first, count, *changed, attributes=attributes) as trip:
            self._trip(range, start, trip, body)

    def _copied(
        self, range: Range, start: Index, count: int, body: Body, changed: Sequence[Carried], copies: int
    ) -> None:
        """A loop of `count` trips, so many `copies` of which follow each other in its body."""
        if count == copies:
            for copy in _numbers(0, copies):
                self._trip(range, start, copy, body)
            return
        with loop(0, count // copies, *changed) as number:
            trip = number * copies
            for copy in _numbers(0, copies):
                self._trip(range, start, trip + copy, body)

    def _trip(self, range: Range, start: Index, trip: Index, body: Body) -> None:
        step = trip * range.step
        self.values[range.name] = step if isinstance(start, int) and start == 0 else start + step
        self.trips[range.name] = trip
        body()

    def parallel(self, loop: Loop, body: Body) -> None:
        """All ranges of a parallel loop."""
        counts = [range.trips or 0 for range in loop.ranges]
        builder = AffineBuilder(self.ctx.block)
        with builder.parallel(counts) as variables, self.ctx.into(builder.block):
            for range, variable in zip(loop.ranges, variables, strict=True):
                trip = 0 if variable is None else Number(self.ctx, variable)
                value = trip * range.step
                start = range.start.constant
                value = value if start == 0 else value + start
                self.values[range.name], self.trips[range.name] = value, trip
                rest = (range.end - start) % range.step
                self.sizes[range.name] = least(range.step, range.end - value) if rest else range.step
            body()


def combinations(ranges: Sequence[Range]) -> list[tuple[int, ...]]:
    """The numbers of the trips of all copies that unrolled loops make."""
    return list(product(*(_numbers(range.trips or 0) for range in ranges)))


def most_trips(each: Range, around: Sequence[Range]) -> int:
    """How many trips a loop has at most, of those `around` it one may be over blocks."""
    if each.trips is not None:
        return each.trips
    (block,) = each.start.loops()
    return next(other.step for other in around if other.name == block)


def only_compute(tree: Tree, what: str) -> tuple[Compute, tuple[Loop, ...]]:
    """Where the one op of a kernel, a scan or a sort, is computed. Raises `ScheduleError`."""
    for node, _ in tree.walk():
        if not isinstance(node, Loop | Compute):
            refuse(node, f"there is nothing of the kind in a {what}")
    (compute, loops), *others = [(node, loops) for node, loops in tree.walk() if isinstance(node, Compute)]
    for other, _ in others:
        refuse(other, f"a {what} is computed in one place")
    if compute.after:
        refuse(compute, f"a {what} is in no last trip alone")
    return compute, loops


def check_vector(loop: Loop, last: Sum) -> None:
    """Whether the elements of a `vector` are neighbours, where `last` is the index of the last dimension. Raises
    `ScheduleError`.
    """
    (range,) = loop.ranges
    digits = [(digit.factor, digit.divisor, digit.modulus) for digit in last.digits if digit.of == range.name]
    if digits != [(1, 1, 0)] or range.step != 1:
        refuse(loop, "elements of a vector are neighbours in memory")


def inline_block(ctx: Lowering, block: Block, arguments: Scalars) -> list[Number]:
    """What a block of scalars yields for `arguments`, computed at the current block."""
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, (each.value for each in arguments), strict=True))
    last = block.last_op
    for op in block.ops:
        if op is not last:
            append(ctx.block, clone(op, values))
    assert last is not None
    return [Number(ctx, values.get(value, value)) for value in last.operands]
