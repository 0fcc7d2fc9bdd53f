"""Functions of complex numbers, at infinities and zeros as Annex G of the C standard has them.

Single precision is computed in double precision, and double precision in the extended one of the C library where there
is one. What NumPy takes from the C library (square root, exponential,
logarithm, trigonometric and hyperbolic functions) follows that annex already; here are those that it does not have or
that NumPy computes in another way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arrays import Array


def as_wide(value: Array) -> Array:
    """Complex numbers in the next higher precision."""
    return value.astype(np.complex128 if value.dtype == np.complex64 else np.clongdouble)


def from_parts(real: Array, imag: Array) -> Array:
    """The complex numbers with these parts, which NumPy's arithmetic would not all leave as they are."""
    dtype = np.clongdouble if np.longdouble in (real.dtype, imag.dtype) else np.complex128
    result: Any = np.empty(np.broadcast_shapes(real.shape, imag.shape), dtype)
    result.real, result.imag = real, imag
    return result


def in_double(function: Callable[..., Array]) -> Callable[..., Array]:
    """`function` in the next higher precision, its result in the dtype of the first operand."""
    return lambda *operands: function(*(as_wide(o) for o in operands)).astype(operands[0].dtype)


def parts(value: Array) -> tuple[Array, Array]:
    """Real and imaginary part."""
    return np.real(value), np.imag(value)


@in_double
def divide_complex(lhs: Array, rhs: Array) -> Array:
    """The quotient, scaled against overflow; infinite and zero operands as in Annex G, G.5.1."""
    left, right = _exponent(lhs), _exponent(rhs)
    a, b = (np.ldexp(part, -left) for part in parts(lhs))
    c, d = (np.ldexp(part, -right) for part in parts(rhs))
    norm = c * c + d * d
    x = np.ldexp((a * c + b * d) / norm, left - right)
    y = np.ldexp((b * c - a * d) / norm, left - right)
    lost = np.isnan(x) & np.isnan(y)
    for case, (re, im) in _recovered_quotients(*parts(lhs), *parts(rhs)):
        x, y = np.where(lost & case, re, x), np.where(lost & case, im, y)
        lost &= ~case
    return from_parts(x, y)


def _exponent(value: Array) -> Array:
    """That of the larger part; 0 for zeros, infinities and NaN."""
    larger = np.maximum(*map(np.abs, parts(value)))
    return np.where(np.isfinite(larger) & (larger != 0), np.frexp(larger)[1], 0)


def _recovered_quotients(a: Array, b: Array, c: Array, d: Array) -> list[tuple[Array, tuple[Array, Array]]]:
    """What (a + ib) / (c + id) is where the formula gives NaN: by zero, infinite by finite, finite by infinite."""
    by_zero = (c == 0) & (d == 0) & (~np.isnan(a) | ~np.isnan(b))
    infinite = np.copysign(np.inf, c)
    large = (np.isinf(a) | np.isinf(b)) & np.isfinite(c) & np.isfinite(d)
    a1, b1 = _box(a), _box(b)
    small = (np.isinf(c) | np.isinf(d)) & np.isfinite(a) & np.isfinite(b)
    c1, d1 = _box(c), _box(d)
    return [
        (by_zero, (infinite * a, infinite * b)),
        (large, (np.inf * (a1 * c + b1 * d), np.inf * (b1 * c - a1 * d))),
        (small, (0.0 * (a * c1 + b * d1), 0.0 * (b * c1 - a * d1))),
    ]


def _box(part: Array) -> Array:
    """Infinity as 1, all else as 0, with the sign kept."""
    return np.copysign(np.where(np.isinf(part), 1.0, 0.0), part)


@in_double
def log_plus_one_complex(operand: Array) -> Array:
    """log(1 + z), accurate near 0 and where |1 + z| is near 1."""
    real, imag = parts(operand)
    x, y = real.astype(np.longdouble), imag.astype(np.longdouble)
    near = np.log1p(x * (2 + x) + y * y) / 2
    far = np.log(np.hypot(1 + x, y))
    small = (np.abs(x) < 4) & (np.abs(y) < 4) & (np.abs(x + 1) + np.abs(y) > 0.5)
    return from_parts(np.where(small, near, far).astype(real.dtype), np.arctan2(imag, 1 + real))


@in_double
def exponential_minus_one_complex(operand: Array) -> Array:
    """exp(z) - 1, accurate near 0; infinite where the exponential is."""
    real, imag = parts(operand)
    x, y = real.astype(np.longdouble), imag.astype(np.longdouble)
    accurate = (np.expm1(x) * np.cos(y) - 2 * np.sin(y / 2) ** 2).astype(real.dtype)
    limit_real, limit_imag = parts(np.exp(operand))
    finite = np.isfinite(real) & np.isfinite(imag)
    flat = imag == 0
    new_real = np.where(flat, np.expm1(real), np.where(finite, accurate, limit_real - 1))
    return from_parts(new_real, np.where(flat, imag, limit_imag))


@in_double
def reciprocal_square_root_complex(operand: Array) -> Array:
    return divide_complex(np.ones_like(operand), np.sqrt(operand))


@in_double
def cube_root_complex(operand: Array) -> Array:
    """The principal root: the argument is divided by three."""
    real, imag = parts(operand)
    radius, angle = np.cbrt(np.abs(operand)), np.arctan2(imag, real) / 3
    positive = (imag == 0) & (real >= 0)
    return from_parts(radius * np.cos(angle), np.where(positive, imag, radius * np.sin(angle)))


@in_double
def logistic_complex(operand: Array) -> Array:
    """1 / (1 + exp(-z)), from sums that do not cancel near the poles; at an infinite real part 0 or 1."""
    x, y = parts(operand)
    wild = np.isinf(x) & ~np.isfinite(y)
    half = np.where(wild, 0.0, y) / 2
    size = -np.abs(x)
    power, less_one, sine, cosine = np.exp(size), np.expm1(size), np.sin(half), np.cos(half)
    factor = power / (less_one * less_one + 4 * power * cosine * cosine)
    near_pole = np.abs(cosine) < 0.5
    left = factor * np.where(near_pole, less_one + 2 * cosine * cosine, power + (1 - 2 * sine * sine))
    return from_parts(np.where(x < 0, left, 1 - left), 2 * factor * sine * cosine)


@in_double
def sign_complex(operand: Array) -> Array:
    """z / |z|; 0 stays what it is, NaN in a part is NaN in both."""
    x, y = (np.ldexp(part, -_exponent(operand)) for part in parts(operand))
    magnitude = np.hypot(x, y)
    unit = np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(magnitude == 0, 1, magnitude))
    return from_parts(x / unit, y / unit)
