"""Offsets in one arena for buffers whose live ranges are known.

`place` goes by decreasing size, and gives each buffer the best fitting gap among those alive with it (Pisarchyk and
Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    placed = np.empty((4, len(ranges)), np.int64)
    total = 0
    for count, current in enumerate(sorted(ranges, key=lambda live: (-live.size, live.start))):
        first, last, begins, ends = placed[:, :count]
        alive = (first <= current.end) & (last >= current.start)
        current.offset = _best_fit(begins[alive], ends[alive], current.size)
        end = current.offset + round_up(current.size, ALIGNMENT)
        placed[:, count] = current.start, current.end, current.offset, end
        total = max(total, end)
    return total


def _best_fit(begins: NDArray[np.int64], ends: NDArray[np.int64], size: int) -> int:
    """The start of the smallest gap of `size` in front of or between intervals of the arena; else the end of all."""
    order = np.lexsort((ends, begins))
    behind = np.maximum.accumulate(np.concatenate(([0], ends[order])))
    gaps = begins[order] - behind[:-1]
    fitting = np.flatnonzero(gaps >= size)
    return int(behind[fitting[np.argmin(gaps[fitting])]] if fitting.size else behind[-1])
