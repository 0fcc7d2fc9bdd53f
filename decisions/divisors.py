"""Divisors near a wanted size, and neighbours in groups: arithmetic that several decisions share."""

from __future__ import annotations


def tile_size(extent: int, preferred: int) -> int:
    """The largest divisor of `extent` between half of `preferred` and `preferred` (no remainder loop), else
    `preferred`."""
    size = largest_divisor(extent, preferred)
    return size if size > preferred // 2 else preferred


def largest_divisor(number: int, limit: int) -> int:
    """The largest divisor of `number` that is at most `limit` (at least 1)."""
    return next(d for d in range(max(1, min(number, limit)), 0, -1) if number % d == 0)


def near_divisor(number: int, limit: int) -> int:
    """The largest divisor of `number` up to `limit`; where that is less than half of it, the next one up to twice as
    much, if there is one."""
    divisor = largest_divisor(number, limit)
    if divisor * 2 >= min(number, limit):
        return divisor
    return next((d for d in range(limit + 1, 2 * limit + 1) if number % d == 0), divisor)


def divides_well(count: int, threads: int) -> bool:
    """Whether `count` equal pieces keep `threads` threads busy under static scheduling."""
    return count % threads == 0 or count >= 8 * threads


def vector_groups(vectors: int) -> list[tuple[int, int]]:
    """Neighbouring vectors joined to wide ones, as the first vector and how many: a power of two.

    LLVM splits wide vectors again, into the code that single ones would have given, so the choice is one of compile
    time: every level handles a fraction of the ops.
    """
    groups: list[tuple[int, int]] = []
    first = 0
    while first < vectors:
        count = 1 << (vectors - first).bit_length() - 1
        groups.append((first, count))
        first += count
    return groups
