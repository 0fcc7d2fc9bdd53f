"""Sort by any comparator (StableHLO specification, section of that name).

Where the comparator is a strict weak order there is one stable result. Any other comparator, `LE` or `LT` on NaN for
instance, gets the permutation that one fixed merge sort arrives at, the same in native code: of the `n` elements of a
row the first `ceil(n / 2)` and the others are sorted as two runs, each by merging neighbours of 1, 2, 4, ... elements,
and merged at last. A merge takes the head of its right part where `comparator(right, left)` holds, else that of the
left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .arrays import Array
from .registry import Call, reference

Less = Callable[..., Array]
"""Takes two values of each operand, those of one next to each other."""


@reference("stablehlo.sort")
def sort(call: Call, *operands: Array) -> tuple[Array, ...]:
    """By the comparator region, always stable."""
    return sort_by(lambda *pairs: call.run_batched(0, *pairs)[0], call.int("dimension", -1), operands)


def sort_by(less: Less, dimension: int, operands: Sequence[Array]) -> tuple[Array, ...]:
    """Stable merge sort of `operands` together, all slices along `dimension` at once. Always a permutation."""
    if operands[0].size == 0:
        return tuple(operands)
    dimension %= operands[0].ndim
    moved = [np.moveaxis(o, dimension, 0) for o in operands]
    size = moved[0].shape[0]
    columns = [m.reshape(size, -1) for m in moved]
    run, width = -(-size // 2), 1
    while width < run:
        columns = _merged(less, columns, _Blocks.of_runs(size, run, width))
        width *= 2
    columns = _merged(less, columns, _Blocks.whole(size, run))
    return tuple(np.moveaxis(c.reshape(m.shape), 0, dimension) for c, m in zip(columns, moved, strict=True))


class _Blocks(NamedTuple):
    """What one pass merges, for every row: in which block it lies. Parts are `start..middle` and `middle..end`."""

    start: Array
    middle: Array
    end: Array

    @staticmethod
    def of_runs(size: int, run: int, width: int) -> _Blocks:
        """Pairs of neighbours of `width` rows in the two runs."""
        row = np.arange(size, dtype=np.int64)[:, None]
        begin, limit = np.where(row < run, 0, run), np.where(row < run, run, size)
        start = begin + (row - begin) // (2 * width) * (2 * width)
        return _Blocks(start, np.minimum(start + width, limit), np.minimum(start + 2 * width, limit))

    @staticmethod
    def whole(size: int, run: int) -> _Blocks:
        """The two runs."""
        return _Blocks(*(np.full((size, 1), row, np.int64) for row in (0, run, size)))


def _merged(less: Less, columns: list[Array], blocks: _Blocks) -> list[Array]:
    """The columns after a pass."""
    lane = np.arange(columns[0].shape[1], dtype=np.int64)[None, :]
    source = _ranked(less, columns, blocks, lane)
    if source is None or not _is_merge(less, columns, blocks, lane, source):
        source = _stepwise(less, columns, blocks, lane)
    return [column[source, lane] for column in columns]


def _ranked(less: Less, columns: list[Array], blocks: _Blocks, lane: Array) -> Array | None:
    """The row that comes to each place: every element finds its rank in the other part of its block by bisection.

    None if two elements claim one place, which a strict weak order excludes.
    """
    start, middle, end = blocks
    rows, lanes = columns[0].shape
    row = np.arange(rows, dtype=np.int64)[:, None]
    is_left = row < middle
    low = np.broadcast_to(np.where(is_left, middle, start), (rows, lanes))
    high = np.broadcast_to(np.where(is_left, end, middle), (rows, lanes))
    for _ in range(int(np.max(high - low)).bit_length()):
        probe = np.minimum((low + high) // 2, rows - 1)
        found = [c[probe, lane] for c in columns]
        pairs: list[Array] = []
        for own, other in zip(columns, found, strict=True):
            pairs += [np.where(is_left, other, own), np.where(is_left, own, other)]
        # Of equal elements that of the left part is first.
        before = less(*pairs).astype(bool) == is_left
        open_ = low < high
        low, high = np.where(open_ & before, probe + 1, low), np.where(open_ & ~before, probe, high)
    target = np.where(is_left, row + low - middle, row - middle + low)
    source = np.full((rows, lanes), -1, np.int64)
    source[target, np.broadcast_to(lane, target.shape)] = np.broadcast_to(row, target.shape)
    return source if (source >= 0).all() else None


def _is_merge(less: Less, columns: list[Array], blocks: _Blocks, lane: Array, source: Array) -> bool:
    """Whether a merge that compares the heads of both parts comes to `source`: each of its steps does."""
    start, middle, end = blocks
    row = np.arange(len(source), dtype=np.int64)[:, None]
    is_right = source >= middle
    taken = np.cumsum(is_right, 0) - is_right
    taken -= np.take_along_axis(taken, np.broadcast_to(start, source.shape), 0)
    left, right = row - taken, middle + taken
    is_open = (left < middle) & (right < end)
    return bool((~is_open | (_right_is_less(less, columns, lane, left, right) == is_right)).all())


def _stepwise(less: Less, columns: list[Array], blocks: _Blocks, lane: Array) -> Array:
    """The row that comes to each place by a merge one step after the other, in all blocks at once."""
    start, middle, end = (np.unique(np.concatenate(blocks, 1), axis=0)[:, part, None] for part in range(3))
    source = np.empty(columns[0].shape, np.int64)
    left = np.broadcast_to(start, (len(start), lane.shape[1]))
    for step in range(int(np.max(end - start))):
        is_inside = (start + step < end)[:, 0]
        right = middle + step - (left - start)
        less_right = _right_is_less(less, columns, lane, left, right)
        takes_right = (right < end) & ((left >= middle) | less_right)
        source[start[is_inside, 0] + step] = np.where(takes_right, right, left)[is_inside]
        left = np.where(takes_right | ~is_inside[:, None], left, left + 1)
    return source


def _right_is_less(less: Less, columns: list[Array], lane: Array, left: Array, right: Array) -> Array:
    """The comparator on rows `right` and `left`; on any others past the last row."""
    last = len(columns[0]) - 1
    pairs = [c[np.minimum(row, last), lane] for c in columns for row in (right, left)]
    return less(*pairs).astype(bool)
