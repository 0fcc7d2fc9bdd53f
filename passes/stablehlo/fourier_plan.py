"""How a discrete Fourier transform of some length is taken apart, and the matrices that do it.

A transform of length `n = r * m` is `m` transforms of length `r`, a multiplication by powers of the `n`-th root of
unity, and `r` transforms of length `m` (Cooley and Tukey, 1965). A transform of one of the small lengths is a product
with its matrix: many more multiplications than a fast transform has, but at the speed of matrix products, and one
passage over memory where radix 2 has five. What is left when a large prime divides the length becomes a convolution
(Bluestein, 1970), by transforms of a longer, smooth length.

Everything is computed in double precision, with angles reduced by exact integer arithmetic.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...cost_model import FOURIER_PASSAGE, LARGEST_FOURIER_MATRIX

Matrix = NDArray[np.float64]


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
