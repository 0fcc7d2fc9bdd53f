"""How a discrete Fourier transform of some length is taken apart, and the numbers that do it. No IR here.

A transform of length `n = r * m` is `m` transforms of length `r`, a multiplication by powers of the `n`-th root of
unity, and `r` transforms of length `m` (Cooley and Tukey, 1965). Where all prime factors are small, that is a kernel of
its own, with straight-line code for each factor (`stage_radices`). Otherwise a transform of a factor is a product with
its matrix (`radices`), and what is left when a large prime divides the length becomes a convolution (Bluestein, 1970),
by transforms of a longer, smooth length.

Everything is computed in double precision, with angles reduced by exact integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

FOURIER_PASSAGE = 16
"""What one more passage over memory costs a Fourier transform, in multiplications per element: each factor of the
length is a matrix product, and a multiplication and transposition of what it leaves."""

FOURIER_KERNEL_LENGTH = 2048
"""The longest Fourier transform that is one kernel: with as many lines as a vector has lanes, and twice, since every
stage reads one copy and writes the other, it takes half of a second-level cache of a megabyte."""

FOURIER_LINES = 8
"""Lines that fill enough lanes of a vector."""

FOURIER_SPLIT_LENGTH = 256
"""From this length on a transform of few lines is two passes of shorter ones, each of which then has lines for all
lanes of a vector."""


def worth_half_length(length: int) -> bool:
    """Whether the transform of a real signal is one of half the length, at the price of two more passages over memory:
    in half the time where the whole length takes several kernels, in 0.7 to 1.0 where it is one, which compiles faster.
    """
    return length % 2 == 0 and length > FOURIER_KERNEL_LENGTH


SHARED_RADIX = 4
"""The least factor of a Fourier transform whose stages share a function. The code for smaller ones is no longer than
what a call and symbols in place of constants add."""

LARGEST_FOURIER_MATRIX = 128
"""The largest factor of the length of a Fourier transform that is a matrix. A product with one of this size takes as
long as the two transforms, of up to four times the length, that replace a transform of prime length."""

STAGE_RADICES = (8, 4, 2, 3, 5, 7, 11, 13)
"""The factors that have straight-line code, best first. 8 complex numbers and what computes with them fit into 32
registers; the code for a prime `p` has `p * p` multiplications.
"""


@cache
def radices(length: int) -> tuple[int, ...] | None:
    """The factors of `length` that make the cheapest transform; None where some prime factor is too large.

    A factor `r` costs `r` multiplications per element and one passage over memory.
    """
    if length <= 1:
        return (1,)
    best: tuple[int, ...] | None = None
    for first in range(min(length, LARGEST_FOURIER_MATRIX), 1, -1):
        if length % first:
            continue
        rest: tuple[int, ...] | None = () if first == length else radices(length // first)
        if rest is not None and (best is None or _cost((first, *rest)) < _cost(best)):
            best = (first, *rest)
    return best


def stage_radices(length: int) -> tuple[int, ...] | None:
    """The factors of `length`, each of which has straight-line code, in the order of the stages; None where there are
    no such factors.
    """
    if length == 1:
        return (1,)
    factors: list[int] = []
    for radix in STAGE_RADICES:
        while length % radix == 0:
            factors.append(radix)
            length //= radix
    return tuple(factors) if length == 1 else None


def stage_roots(factors: Sequence[int]) -> Matrix:
    """What the stages of a forward transform multiply with, as rows of real and imaginary part.

    For every stage but the last, with `r` its factor and `m` the product of those behind it, and for every `p < m`: the
    powers `j * p` of the conjugate root of unity of order `r * m`, `0 < j < r`.
    """
    tables: list[NDArray[np.complex128]] = []
    for stage, radix in enumerate(factors[:-1]):
        rest = prod(factors[stage + 1 :])
        tables.append(twiddles(radix, rest, -1)[:, 1:].reshape(-1))
    flat = np.concatenate(tables) if tables else np.ones(1, np.complex128)
    return np.stack([flat.real, flat.imag], 1)


def halves(length: int) -> tuple[int, int]:
    """`length` as a product of two factors near its square root."""
    smaller = max(divisor for divisor in range(1, isqrt(length) + 1) if length % divisor == 0)
    return length // smaller, smaller


def _cost(factors: tuple[int, ...]) -> int:
    return sum(factor + FOURIER_PASSAGE for factor in factors)


def convolution_length(length: int) -> int:
    """The least length with small prime factors for a convolution of `length` elements with their chirp."""
    size = 2 * length - 1
    while not _is_smooth(size):
        size += 1
    return size


def _is_smooth(number: int) -> bool:
    for prime in (2, 3, 5):
        while number % prime == 0:
            number //= prime
    return number == 1


def roots(numerators: NDArray[np.int64], length: int, sign: int) -> NDArray[np.complex128]:
    """exp(sign * 2 pi i * k / length) for each k."""
    # The exact eighth of the circle keeps sines and cosines of simple fractions exact.
    eighths = 8 * (numerators % length)
    octant, rest = eighths // length, eighths % length
    odd = octant % 2 == 1
    angle = np.pi / 4 * np.where(odd, length - rest, rest) / length
    cosine, sine = np.cos(angle), np.sin(angle)
    cosine, sine = np.where(odd, sine, cosine), np.where(odd, cosine, sine)
    quarter = octant // 2
    real = np.choose(quarter, [cosine, -sine, -cosine, sine])
    imaginary = np.choose(quarter, [sine, cosine, -sine, -cosine])
    return real + 1j * sign * imaginary


def matrix(length: int, sign: int, inputs: int, columns: int, outputs: int, scale: float) -> Matrix:
    """The transform as a real matrix of shape (inputs, length, outputs, columns), times `scale`.

    Complex numbers are real and imaginary parts; `inputs` and `outputs` are 1 where only the real parts are there or
    wanted. `columns` says how many of the results are wanted.
    """
    powers = scale * roots(np.outer(np.arange(length), np.arange(columns)), length, sign)
    real, imaginary = powers.real, powers.imag
    full = np.stack([np.stack([real, imaginary], 1), np.stack([-imaginary, real], 1)])
    return full[:inputs, :, :outputs]


def twiddles(radix: int, rest: int, sign: int) -> NDArray[np.complex128]:
    """The factors between transforms of length `radix` and of length `rest`, of shape (rest, radix)."""
    return roots(np.outer(np.arange(rest), np.arange(radix)), radix * rest, sign)


def chirp(length: int, sign: int) -> NDArray[np.complex128]:
    """exp(sign * pi i * j^2 / length) for j below `length`."""
    j = np.arange(length, dtype=np.int64)
    return roots(j * j % (2 * length), 2 * length, sign)


def chirp_spectrum(length: int, size: int, sign: int) -> NDArray[np.complex128]:
    """The transform, of length `size`, of the conjugate chirp laid around zero."""
    conjugate = chirp(length, -sign)
    around = np.zeros(size, np.complex128)
    around[:length] = conjugate
    around[size - length + 1 :] = conjugate[:0:-1]
    return np.fft.fft(around)
