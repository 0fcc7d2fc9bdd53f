"""Two levels side by side: which lines stay, which become others, which go and which come."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple


class Run(IntEnum):
    """What happens to lines that follow each other."""

    KEEP = 0
    CHANGE = 1
    DELETE = 2
    INSERT = 3


class Edge(NamedTuple):
    """That a line comes from a line of the level before."""

    line: int
    kind: int
    """A `Kind`."""


Edges = Sequence[Sequence[Edge]]
"""By line, from the surest on."""

Pair = tuple[int, int]
"""A line before and a line behind."""


def align(before: Sequence[str], after: Sequence[str], edges: Edges, guess: int) -> list[tuple[Run, int]]:
    """Runs of lines, from the top. `edges` are those of `after`. Lines that are kept come from each other, unless
    neither has an op; what is only guessed (the kind `guess`) is a change, even where it reads the same.

    Lines of one op pair up where their order stays; lines of no op, such as braces, where lines around them do.
    """
    return _merged(_Alignment(before, after, edges, guess).runs())


class _Alignment:
    def __init__(self, before: Sequence[str], after: Sequence[str], edges: Edges, guess: int) -> None:
        self.before, self.after, self.edges, self.guess = before, after, edges, guess
        same = [(self._same(line), line) for line in range(len(after))]
        self.anchors = _rising([pair for pair in same if pair[0] >= 0])
        self.changed = self._partners()

    def _partners(self) -> list[Pair]:
        """For each line before, of those that come from it first of all, the one that is surest, then outermost, then
        last: the op that computes what it computed.
        """
        best: dict[int, tuple[int, int, int]] = {}
        for line, of_line in enumerate(self.edges):
            if of_line:
                before, kind = of_line[0]
                text = self.after[line]
                rank = kind, len(text) - len(text.lstrip()), -line
                if before not in best or rank < best[before]:
                    best[before] = rank
        return sorted(((before, -rank[2]) for before, rank in best.items()), key=lambda pair: pair[1])

    def _same(self, line: int) -> int:
        """The line before that this one is; -1 if there is none."""
        for edge in self.edges[line]:
            if edge.kind < self.guess and self.before[edge.line] == self.after[line]:
                return edge.line
        return -1

    def _step(self, i: int, j: int) -> Run | None:
        """What two lines that read the same are to each other; None for lines that do not belong together."""
        if self.before[i] != self.after[j]:
            return None
        if not self.edges[j]:
            return Run.KEEP
        return next((Run.KEEP if e.kind < self.guess else Run.CHANGE for e in self.edges[j] if e.line == i), None)

    def runs(self) -> Iterator[tuple[Run, int]]:
        i = j = position = 0
        for stop_i, stop_j in (*self.anchors, (len(self.before), len(self.after))):
            inside: list[Pair] = []
            while position < len(self.changed) and self.changed[position][1] < stop_j:
                if i <= self.changed[position][0] < stop_i and self.changed[position][1] >= j:
                    inside.append(self.changed[position])
                position += 1
            yield from self._gap((i, stop_i), (j, stop_j), inside)
            if stop_i < len(self.before):
                yield Run.KEEP, 1
            i, j = stop_i + 1, stop_j + 1

    def _gap(self, of_before: Pair, of_after: Pair, changed: Sequence[Pair]) -> Iterator[tuple[Run, int]]:
        """Between two lines that stay: what reads the same at both ends is the same, and between is what `changed`
        pairs up.
        """
        (i, stop_i), (j, stop_j) = of_before, of_after
        while i < stop_i and j < stop_j and (run := self._step(i, j)) is not None:
            yield run, 1
            i, j = i + 1, j + 1
        tail: list[Run] = []
        while stop_i > i and stop_j > j and (run := self._step(stop_i - 1, stop_j - 1)) is not None:
            tail.append(run)
            stop_i, stop_j = stop_i - 1, stop_j - 1
        for at_i, at_j in _rising([(a, b) for a, b in changed if i <= a < stop_i and j <= b < stop_j]):
            yield from self._gap((i, at_i), (j, at_j), ())
            yield Run.CHANGE, 1
            i, j = at_i + 1, at_j + 1
        if changed:
            yield from self._gap((i, stop_i), (j, stop_j), ())
        else:
            yield Run.DELETE, stop_i - i
            yield Run.INSERT, stop_j - j
        for run in reversed(tail):
            yield run, 1


def _rising(pairs: Sequence[Pair]) -> list[Pair]:
    """As many of `pairs`, which rise in the second number, as rise strictly in the first one too."""
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for number, (first, _) in enumerate(pairs):
        place = bisect_left(tails, first)
        previous.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [first]
        ends[place : place + 1] = [number]
    chosen: list[Pair] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = previous[number]
    return chosen[::-1]


def _merged(runs: Iterator[tuple[Run, int]]) -> list[tuple[Run, int]]:
    merged: list[tuple[Run, int]] = []
    for run, length in runs:
        if not length:
            continue
        if merged and merged[-1][0] is run:
            merged[-1] = run, merged[-1][1] + length
        else:
            merged.append((run, length))
    return merged
