"""A selection (`selection.py`) that holds its elements in a sorted list, the last of them first.

    for row:
      list[0 .. k] = what comes after everything; list[k] = what comes before everything
      for block of x[row]: ...
        for j in 0 .. k:
          list[j] = the earlier of list[j] and the later of list[j + 1] and element

An element takes the place between those around it as a whole vector of them does, and the list is in order at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from .arithmetic import select
from .builder import Index
from .selection import Selection, State

_ALL = (1 << 64) - 1
_GREATEST, _LEAST = (1 << 63) - 1, -(1 << 63)


class ListSelection(Selection):
    """The first few elements of every row."""

    @property
    def capacity(self) -> int:
        return self.count + 1

    @property
    def entered(self) -> int:
        return 0

    def start(self, row: Sequence[Index], held: State) -> State:
        ctx = self.ctx
        after, before = ((_ALL,), (0,)) if self.is_packed else ((_ALL, _GREATEST), (0, _LEAST))
        nothing, end = ([ctx.constant(i64, number) for number in entry] for entry in (after, before))
        held = ctx.loop(0, self.count, held, lambda k, held: self.put(held, k, nothing))
        return self.put(held, self.count, end)

    def replace_last(self, held: State, entry: State) -> State:
        ctx = self.ctx

        def step(k: SSAValue, held: State) -> State:
            here, next = self.get(held, k), self.get(held, ctx.add(k, 1))
            return self.put(held, k, self._between(here, next, entry))

        return ctx.loop(0, self.count, held, step)

    def _between(self, here: State, next: State, entry: State) -> State:
        """The earlier of `here` and the later of `next`, which comes before it, and `entry`."""
        ctx = self.ctx
        if self.is_packed:
            later = ctx.scalar(arith.MaxUIOp, (next[0], entry[0]), i64)
            return (ctx.scalar(arith.MinUIOp, (here[0], later), i64),)
        before_next, before_here = self.precedes(entry, next), self.precedes(entry, here)
        return [
            select(ctx, before_next, n, select(ctx, before_here, e, h))
            for h, n, e in zip(here, next, entry, strict=True)
        ]

    def finish(self, held: State) -> State:
        return held

    def position(self, k: SSAValue) -> SSAValue:
        return self.ctx.as_index(self.ctx.subtract(self.count - 1, k))
