"""Where a search for schedules looks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tuning:
    """Numbers of the schedules that are drawn near another one. More of each: more to find, and a longer search."""

    tile_sizes: tuple[int, ...] = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
    """Trips of tiles: vectors and what fits into registers, then rows of pages and blocks of caches."""

    jammed: tuple[int, ...] = (2, 3, 4, 6, 8)
    """How many trips of an outer loop go side by side: accumulators that registers hold."""

    lanes: tuple[int, ...] = (4, 8, 16, 32, 64, 128)
    """Elements of vectors. With 64 f32 random numbers take 0.57 of the time that vectors of one register take, and
    twice as long to compile."""

    most_copies: int = 64
    """Of the body of loops that are unrolled, one in the other: more is code that no decoder keeps up with."""

    tries: int = 16
    """How many changes of a schedule are drawn until one is legal."""

    changes: int = 4
    """Most changes of one schedule for tests."""

    most_rows: int = 14
    """Of a tile of a contraction, where registers hold more."""

    most_vectors: int = 6
    """Of a row of such a tile."""

    block_factors: tuple[float, ...] = (0.25, 0.5, 2.0, 4.0)
    """By which the blocks of a contraction are made smaller or larger."""

    fewest_chunk_steps: int = 8
    """Of a chunk of the reduction: sums that go to memory more often are no use."""
