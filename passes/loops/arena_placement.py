"""Offsets in one arena for buffers whose live ranges are known.

`place` goes by decreasing size, and gives each buffer the best fitting gap among those alive with it (Pisarchyk and
Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020). What is occupied meanwhile is looked up in a
segment tree over time, whose nodes hold unions of intervals of the arena: many buffers side by side are one interval.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

ALIGNMENT = 64
"""Buffers start at a cache line, which is also the widest vector."""


def round_up(size: int, alignment: int) -> int:
    """The next multiple of `alignment`."""
    return -(-size // alignment) * alignment


@dataclass(eq=False)
class LiveRange:
    """A buffer of `size` bytes needed from op number `start` to `end`, both included."""

    size: int
    start: int
    end: int
    offset: int = 0


def place(ranges: list[LiveRange]) -> int:
    """Gives every range an offset so that ranges alive together do not overlap; returns the total size."""
    starts = sorted({live.start for live in ranges})
    occupied = _OccupiedOverTime(len(starts))
    total = 0
    for current in sorted(ranges, key=lambda live: (-live.size, live.start)):
        # Ranges meet where one of them starts: between two starts nothing changes that matters.
        first, last = bisect_left(starts, current.start), bisect_right(starts, current.end) - 1
        current.offset = _best_fit(occupied.between(first, last), current.size)
        end = current.offset + round_up(current.size, ALIGNMENT)
        occupied.add(first, last, current.offset, end)
        total = max(total, end)
    return total


def _best_fit(occupied: list[tuple[int, int]], size: int) -> int:
    """The start of the smallest gap of `size` in front of or between intervals, in the order of their starts; else the
    end of all.
    """
    best: int | None = None
    best_gap = position = 0
    for start, end in occupied:
        gap = start - position
        if gap >= size and (best is None or gap < best_gap):
            best, best_gap = position, gap
        position = max(position, end)
    return position if best is None else best


class _Union:
    """A union of intervals, in which those that meet are one."""

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._starts, self._ends, strict=True)

    def add(self, start: int, end: int) -> bool:
        """Whether the interval was not a part of it yet."""
        first, behind = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < behind:
            if self._starts[first] <= start and end <= self._ends[first]:
                return False
            start, end = min(start, self._starts[first]), max(end, self._ends[behind - 1])
        self._starts[first:behind] = [start]
        self._ends[first:behind] = [end]
        return True


class _OccupiedOverTime:
    """A segment tree over `count` times. Node 1 is its root, the children of node n are 2n and 2n + 1."""

    def __init__(self, count: int) -> None:
        self._count = 1 << max(count - 1, 0).bit_length()
        self._always = defaultdict[int, _Union](_Union)
        """By node what is occupied during all of its times by buffers of which it is one of the fewest nodes."""
        self._ever = defaultdict[int, _Union](_Union)
        """By node what is occupied at some of its times, but for what is `_always` so at nodes above."""

    def add(self, first: int, last: int, start: int, end: int) -> None:
        """Occupies the interval of the arena at the times from `first` to `last`."""
        for node in self._nodes(first, last):
            self._always[node].add(start, end)
            # Where it is no news, it is none further up.
            while node and self._ever[node].add(start, end):
                node >>= 1

    def between(self, first: int, last: int) -> list[tuple[int, int]]:
        """The intervals that are occupied at any of the times from `first` to `last`, sorted; they may overlap."""
        intervals: list[tuple[int, int]] = []
        above: set[int] = set()
        for node in self._nodes(first, last):
            intervals += self._ever.get(node, ())
            while (node := node >> 1) and node not in above:
                above.add(node)
                intervals += self._always.get(node, ())
        intervals.sort()
        return intervals

    def _nodes(self, first: int, last: int) -> list[int]:
        """The fewest nodes that cover the times from `first` to `last`."""
        nodes: list[int] = []
        low, high = first + self._count, last + self._count + 1
        while low < high:
            if low & 1:
                nodes.append(low)
                low += 1
            if high & 1:
                high -= 1
                nodes.append(high)
            low >>= 1
            high >>= 1
        return nodes
