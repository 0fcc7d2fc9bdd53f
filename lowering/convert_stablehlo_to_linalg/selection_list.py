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

from .arithmetic import Index, Number
from .builder import Scalars
from .loops import loop
from .selection import Selection

_ALL = (1 << 64) - 1
_GREATEST, _LEAST = (1 << 63) - 1, -(1 << 63)


class ListSelection(Selection):
    """The first few elements of every row."""

    starts_full = False

    def start(self, row: Sequence[Index]) -> None:
        after, before = ((_ALL,), (0,)) if self.is_packed else ((_ALL, _GREATEST), (0, _LEAST))
        nothing, end = (
            [Number(self.ctx, self.ctx.constant(i64, number)) for number in entry] for entry in (after, before)
        )
        with loop(0, self.count, *self.held) as k:
            self.put(k, nothing)
        self.put(self.count, end)

    def replace_last(self, entry: Scalars) -> None:
        with loop(0, self.count, *self.held) as k:
            here, next = self.get(k), self.get(k + 1)
            self.put(k, self._between(here, next, entry))

    def _between(self, here: Scalars, next: Scalars, entry: Scalars) -> Scalars:
        """The earlier of `here` and the later of `next`, which comes before it, and `entry`."""
        if self.is_packed:
            return (here[0].apply(arith.MinUIOp, next[0].apply(arith.MaxUIOp, entry[0])),)
        before_next, before_here = self.precedes(entry, next), self.precedes(entry, here)
        triples = zip(here, next, entry, strict=True)
        return [before_next.select(n, before_here.select(e, h)) for h, n, e in triples]

    def position(self, k: Number) -> Number:
        return self.count - 1 - k
