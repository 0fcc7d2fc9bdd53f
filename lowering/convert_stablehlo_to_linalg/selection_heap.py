"""A selection (`selection.py`) that holds its elements in a heap, the last of them in order at its root.

    for row:
      heap = x[row][0 .. k], as a heap
      for block of x[row][k ..]: ...
        heap[0] = element; sift it down
      sort heap

Knuth, "The Art of Computer Programming", volume 3, 5.2.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from .arithmetic import Index, Number, least, materialized
from .builder import Scalars
from .loops import Variable, loop
from .selection import Selection


class HeapSelection(Selection):
    """The first elements of every row, any number of them."""

    starts_full = True

    def start(self, row: Sequence[Index]) -> None:
        with loop(0, self.count, *self.held) as k:
            self.put(k, self.entry(row, k))
        if self.count > 1:
            with loop(0, self.count // 2, *self.held) as step:
                position = self.count // 2 - 1 - step
                self._sift(position, self.get(position), self.count)

    def replace_last(self, entry: Scalars) -> None:
        self._sift(0, entry, self.count)

    def finish(self) -> None:
        if self.count > 1:
            with loop(0, self.count - 1, *self.held) as step:
                last = self.count - 1 - step
                displaced = self.get(last)
                self.put(last, self.get(0))
                self._sift(0, displaced, last)

    def position(self, k: Number) -> Number:
        return k

    def _sift(self, position: Index, entry: Scalars, size: Index) -> None:
        """Put `entry` at `position` or below, where later entries are: in a heap of `size` entries.

        As many steps as a heap of `count` has levels, without branches: an entry that is where it belongs stays there.
        """
        place = Variable(materialized(self.ctx, position))
        levels = self.count.bit_length() - 1
        last = size - 1
        if levels:
            with loop(0, levels, place, *self.held):
                left = place.now * 2 + 1
                children = [materialized(self.ctx, least(child, last)) for child in (left, left + 1)]
                first, second = (self.get(child) for child in children)
                second_is_later = self.precedes(first, second)
                child = second_is_later.select(children[1], children[0])
                later = second_is_later.choose(second, first)
                is_inside = left.compare("slt", size)
                moves = is_inside & self.precedes(entry, later)
                self.put(place.now, moves.choose(later, entry))
                place.now = moves.select(child, place.now)
        self.put(place.now, entry)
