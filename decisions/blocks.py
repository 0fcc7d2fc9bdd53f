"""How a contraction is cut into blocks of pieces for caches and threads: arithmetic on sizes and bytes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from .divisors import divides_well, largest_divisor, near_divisor


def cut_chain(sizes: Sequence[int], limit: int) -> tuple[int, int]:
    """How to cut a reduction over dimensions of `sizes` (outermost first) into chains of about `limit` steps.

    Returns `(outer, chunk)`: the first `outer` dimensions are stepped through outside a chain, and of the next one
    `chunk` steps are in it (its size if it is not cut).
    """
    outer = next(i for i in range(len(sizes)) if i == len(sizes) - 1 or prod(sizes[i + 1 :]) <= limit)
    return outer, near_divisor(sizes[outer], max(1, limit // prod(sizes[outer + 1 :])))


def block_reduction(sizes: Sequence[int], row_bytes: int, l2_bytes: int) -> tuple[int, int]:
    """How to cut a reduction over dimensions of `sizes` (outermost first) so that a panel stays in the L2 cache.

    `row_bytes`: bytes of a panel per step. Returns `(outer, chunk)`: the first `outer` dimensions are looped over
    outside the tiles, and of the next one `chunk` steps at a time (its size if it is not cut).
    """
    steps = max(1, l2_bytes // 4 // row_bytes)
    if prod(sizes) * row_bytes <= l2_bytes // 2:
        return 0, sizes[0]
    outer = 0
    while outer + 1 < len(sizes) and prod(sizes[outer:]) > steps:
        outer += 1
    rest = prod(sizes[outer + 1 :])
    chunk = largest_divisor(sizes[outer], max(1, steps // rest))
    if chunk * rest * 4 < steps:
        chunk = sizes[outer]
    return outer, chunk


def chunk_steps(steps: int, step_bytes: int, l2_bytes: int) -> int:
    """How many of the `steps` of a reduction to do at a time, so that several panels of `step_bytes` bytes a step stay
    in the L2 cache."""
    return largest_divisor(steps, l2_bytes // 8 // step_bytes)


def pieces_per_block(pieces: int, piece_bytes: int, cache_bytes: int, exact: bool = False) -> int:
    """How many pieces to group so that a block takes at most `cache_bytes`, and the blocks little more than `pieces`.

    With `exact` the blocks hold exactly `pieces`.
    """
    limit = max(1, min(pieces, cache_bytes // max(1, piece_bytes)))
    if exact:
        return largest_divisor(pieces, limit)
    return min(range(limit, limit // 2, -1), key=lambda size: -(-pieces // size) * size)


def pieces_for_threads(pieces: int, per_block: int, outer: int, threads: int, exact: bool = False) -> int:
    """How many pieces per block, at most `per_block`, in the fewest blocks that suit `threads`, `outer` times over.

    Blocks may hold a sixth more pieces than there are, or, with `exact`, none; no more than so many blocks need.
    """
    for size in range(per_block, 0, -1):
        blocks = -(-pieces // size)
        surplus = blocks * size - pieces
        if divides_well(outer * blocks, threads) and (surplus == 0 if exact else surplus * 6 <= pieces):
            return -(-pieces // blocks)
    return 1


def packing_splits(pieces: int, steps: int, threads: int) -> int:
    """Into how many parts to cut the `steps` of a reduction, so that `threads` threads pack `pieces` panels evenly."""
    splits = (count for count in range(1, min(steps, 8 * threads) + 1) if steps % count == 0)
    return next((count for count in splits if divides_well(pieces * count, threads)), 1)


def parallel_prefix(counts: Sequence[int], threads: int) -> int:
    """How many of the outermost loops with trip counts `counts` to run in parallel (0: none suits)."""
    total = 1
    for index, count in enumerate(counts):
        total *= count
        if divides_well(total, threads):
            return index + 1
    return len(counts) if total > 1 else 0
