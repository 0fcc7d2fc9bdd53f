"""How a discrete Fourier transform of some length is taken apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Fourier:
    """Numbers of Fourier transforms. `fourier_tables.py` has the mathematics."""

    passage: int = 16
    """What one more passage over memory costs, in multiplications per element: each factor of the length is a matrix
    product, and a multiplication and transposition of what it leaves. Higher: fewer and larger factors."""

    kernel_length: int = 2048
    """The longest transform, in complex numbers, that is one kernel: with as many lines as a vector has lanes, and
    twice, since every stage reads one copy and writes the other, it takes half of a second-level cache of a megabyte.
    Higher: scratch leaves that cache."""

    lines: int = 8
    """Lines that fill enough lanes of a vector. Higher: more transforms are taken apart into two passes."""

    split_length: int = 256
    """From this length on a transform of few lines is two passes of shorter ones, each of which then has lines for all
    lanes of a vector. Lower: more passes over memory for short transforms."""

    shared_radix: int = 4
    """The least factor whose stages share a function. The code for smaller ones is no longer than what a call and
    symbols in place of constants add. Higher: more code, fewer calls."""

    transposed_square: int = 4
    """Side of the squares that are transposed in registers. Higher: fewer shuffles per number, but more code: with 16,
    LLVM takes twice the time for a short transform."""

    largest_matrix: int = 128
    """The largest factor of the length that is a matrix. A product with one of this size takes as long as the two
    transforms, of up to four times the length, that replace a transform of prime length."""

    def worth_half_length(self, length: int) -> bool:
        """Whether the transform of a real signal is one of half the length, at the price of two more passages over
        memory: in half the time where the whole length takes several kernels, in 0.7 to 1.0 where it is one, which
        compiles faster."""
        return length % 2 == 0 and length > self.kernel_length

    def radices(self, length: int) -> tuple[int, ...] | None:
        """The factors of `length` that make the cheapest transform; None where some prime factor is too large.

        A factor `r` costs `r` multiplications per element and one passage over memory.
        """
        return _cheapest(length, self.largest_matrix, self.passage)


@cache
def _cheapest(length: int, largest: int, passage: int) -> tuple[int, ...] | None:
    if length <= 1:
        return (1,)
    best: tuple[int, ...] | None = None
    for first in range(min(length, largest), 1, -1):
        if length % first:
            continue
        rest: tuple[int, ...] | None = () if first == length else _cheapest(length // first, largest, passage)
        if rest is not None and (best is None or _cost((first, *rest), passage) < _cost(best, passage)):
            best = (first, *rest)
    return best


def _cost(factors: tuple[int, ...], passage: int) -> int:
    return sum(factor + passage for factor in factors)
