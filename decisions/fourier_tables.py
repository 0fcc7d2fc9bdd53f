"""The numbers of a discrete Fourier transform: its stages, its roots of unity, its matrices.

A transform of length `n = r * m` is `m` transforms of length `r`, a multiplication by powers of the `n`-th root of
unity, and `r` transforms of length `m` (Cooley and Tukey, 1965). Where all prime factors are small, that is a kernel of
its own, with straight-line code for each factor (`stage_radices`). Otherwise a transform of a factor is a product with
its matrix (`Fourier.radices`), and what is left when a large prime divides the length becomes a convolution (Bluestein,
1970), by transforms of a longer, smooth length.

Everything is computed in double precision, with angles reduced by exact integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

STAGE_RADICES = (8, 4, 2, 3, 5, 7, 11, 13)
"""The factors that have straight-line code, best first. 8 complex numbers and what computes with them fit into 32
registers; the code for a prime `p` has `p * p` multiplications.
"""


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
