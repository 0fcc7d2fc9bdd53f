"""Where a sequence of numbers repeats itself: stretches in which each number is the one a period before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....decisions.search import LAYER_PERIODS, LAYER_SEARCHES, LAYER_WINDOW

_Numbers = NDArray[np.int64]
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Stretch(NamedTuple):
    """The numbers from `start` up to `end`: each is equal to the one `period` before, if that is in the stretch."""

    start: int
    end: int
    period: int


def stretches(numbers: Sequence[int], shortest: int) -> list[Stretch]:
    """Stretches of `numbers`, none in another, with periods of at least `shortest` and at least two of them.

    The period of which most numbers are repetitions comes first; what is left is looked through again.

    >>> stretches([7, *[1, 2, 3, 4] * 8, 9], 4)
    [Stretch(start=1, end=33, period=4)]
    """
    sequence = np.array(numbers, dtype=np.int64)
    found: list[Stretch] = []
    for _ in range(LAYER_SEARCHES):
        new = _longest(sequence, shortest)
        if not new:
            break
        for start, end, _ in new:
            sequence[start:end] = -1 - np.arange(start, end)
        found += new
    return sorted(found)


def _longest(sequence: _Numbers, shortest: int) -> list[Stretch]:
    """The stretches of one period, that of which most numbers are repetitions."""
    best: list[Stretch] = []
    repeated = 0
    for period in _periods(sequence, shortest):
        found: list[Stretch] = []
        for start, end in _runs(sequence[period:] == sequence[:-period]):
            start = max(start, found[-1].end if found else 0)
            if end - start >= period:
                found.append(Stretch(start, end + period, period))
        count = sum(end - start - period for start, end, _ in found)
        if count > repeated:
            best, repeated = found, count
    return best


def _periods(sequence: _Numbers, shortest: int) -> list[int]:
    """Distances at which windows are met again, the most frequent ones first."""
    if len(sequence) <= LAYER_WINDOW:
        return []
    hashes = _hashes(sequence.astype(np.uint64))
    order = np.argsort(hashes, kind="stable")
    again = hashes[order[1:]] == hashes[order[:-1]]
    distances: NDArray[Any] = (order[1:] - order[:-1])[again]
    periods, counts = np.unique(distances[distances >= shortest], return_counts=True)
    return periods[np.argsort(-counts, kind="stable")][:LAYER_PERIODS].tolist()


def _hashes(sequence: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Of the window that begins at each place."""
    length = len(sequence) - LAYER_WINDOW + 1
    hashes = np.zeros(length, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for offset in range(LAYER_WINDOW):
            hashes = hashes * _MULTIPLIER + sequence[offset : offset + length]
    return hashes


def _runs(equal: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where runs of True begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], equal, [False])).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
