"""Special functions of real numbers in double precision, for the chlo ops of those names.

The methods are textbook ones, chosen for being short: they are the yardstick of the polynomials that the compiler uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from .arrays import Array

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)
"""The Bernoulli numbers B2, B4, ..."""

_ASYMPTOTIC = 10.0
"""From here on asymptotic series reach double precision."""


def scalarwise(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """`function` for every element, in double precision."""

    def mapped(operand: Array) -> Array:
        result = np.array([function(float(x)) for x in operand.reshape(-1)], np.float64)
        return result.reshape(operand.shape)

    return mapped


_NEGLIGIBLE = 2.0**-70
"""A part of a sum that does not change it."""


@scalarwise
def erf(x: float) -> float:
    return math.erf(x)


@scalarwise
def erfc(x: float) -> float:
    return math.erfc(x)


@scalarwise
def erf_inv(y: float) -> float:
    """Halley's method on erf, or on erfc where that is near 0; infinite at -1 and 1, NaN beyond."""
    magnitude = abs(y)
    if math.isnan(y) or magnitude > 1:
        return math.nan
    if magnitude in (0.0, 1.0):
        return math.copysign(math.inf, y) if magnitude else y
    # S. Winitzki: A handy approximation for the error function and its inverse.
    log = math.log1p(-magnitude * magnitude)
    term = 2 / (math.pi * 0.147) + log / 2
    x = math.sqrt(math.sqrt(term * term - log / 0.147) - term)
    for _ in range(4):
        error = math.erf(x) - magnitude if magnitude < 0.5 else (1 - magnitude) - math.erfc(x)
        step = error / (2 / math.sqrt(math.pi) * math.exp(-x * x))
        x -= step / (1 + x * step)
    return math.copysign(x, y)


_EULER = 0.5772156649015329
"""Euler's constant, minus the derivative of log gamma at 1."""

_HALF_LOG_TAU = 0.9189385332046728
"""log(2 pi) / 2."""

_DIGAMMA_ZERO = (1.4616321449683622, 9.549995429965697e-17)
"""The positive zero of digamma, as the sum of two numbers."""


@scalarwise
def lgamma(x: float) -> float:
    """log |gamma(x)|; infinite at 0, -1, -2, ...

    Negative arguments go through Euler's reflection, a difference: there the error is that of the larger term.
    """
    if math.isnan(x) or math.isinf(x):
        return abs(x)
    if x > -0.5:
        return _lgamma_right(x) if x != 0 else math.inf
    sine = abs(math.sin(math.pi * math.remainder(x, 1.0)))
    return math.inf if sine == 0 else math.log(math.pi / sine) - math.log(-x) - _lgamma_right(-x)


def _lgamma_right(x: float) -> float:
    """For arguments from -1/2 on: Taylor's series at 1 and 2 (A&S 6.1.33), moved to other small arguments; from 10 on
    Stirling's series.
    """
    if x < 0.5:
        return math.fsum((_series(2, x), -math.log1p(x), -math.log(abs(x))))
    if x < 1.25:
        return _series(1, x - 1)
    if x < _ASYMPTOTIC:
        product = 1.0
        while x > 2.5:
            x -= 1
            product *= x
        return math.log(product) + _series(2, x - 2)
    series = math.fsum(b / (2 * k * (2 * k - 1)) * x ** (1 - 2 * k) for k, b in enumerate(_BERNOULLI, 1))
    return (x - 0.5) * (math.log(x) - 1) + (series + (_HALF_LOG_TAU - 0.5))


def _series(centre: int, w: float) -> float:
    """log gamma(centre + w), a centre of 1 or 2, and |w| up to 1/2 or 3/4."""
    return math.fsum(coefficient * w**k for k, coefficient in enumerate(_coefficients(centre), 1))


@cache
def _coefficients(centre: int) -> tuple[float, ...]:
    """digamma(centre), then zeta(k, centre) over k with alternating signs."""
    return (centre - 1 - _EULER, *((-1.0) ** k * _zeta(k, centre) / k for k in range(2, 60)))


@scalarwise
def digamma(x: float) -> float:
    """The derivative of log gamma; NaN at 0, -1, -2, ..., where it has poles.

    Negative arguments go through the reflection formula, a difference: there the error is that of the larger term.
    """
    if math.isnan(x) or x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.nan
    if x < 0:
        return digamma_positive(1 - x) - math.pi / math.tan(math.pi * math.remainder(x, 1.0))
    return digamma_positive(x)


def digamma_positive(x: float) -> float:
    """The difference from the value at the zero: each term of both series (A&S 6.3.16, 6.3.18) has the difference of
    the arguments as a factor, so nothing is lost near the zero. From 10 on the asymptotic series alone.
    """
    if x == math.inf:
        return x
    if x >= _ASYMPTOTIC:
        reciprocal = 1 / (x * x)
        series = math.fsum(b / (2 * k) * reciprocal**k for k, b in enumerate(_BERNOULLI, 1))
        return math.log(x) - 0.5 / x - series
    zero, zero_low = _DIGAMMA_ZERO
    distance = (x - zero) - zero_low
    terms = [distance / ((x + n) * (zero + n)) for n in range(int(_ASYMPTOTIC))]
    end, end_at_zero = x + _ASYMPTOTIC, zero + _ASYMPTOTIC
    ratio = math.log1p(distance / end_at_zero)
    terms += [ratio, distance / (2 * end * end_at_zero)]
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        terms.append(-bernoulli / (2 * k) * end_at_zero ** (-2 * k) * math.expm1(-2 * k * ratio))
    return math.fsum(terms)


def zeta(x: Array, q: Array) -> Array:
    """The Hurwitz zeta function, sum over k of (q + k)^-x, for x > 1.

    Infinite at x = 1, and at poles q = 0, -1, ... for even x; NaN for x < 1, at the poles for other x, and for negative
    q if x is not an integer. Euler-Maclaurin summation.
    """
    wide_x, wide_q = np.broadcast_arrays(x.astype(np.float64), q.astype(np.float64))
    pairs = zip(wide_x.reshape(-1), wide_q.reshape(-1), strict=True)
    return np.array([_zeta(float(a), float(b)) for a, b in pairs], np.float64).reshape(wide_x.shape)


def _zeta(x: float, q: float) -> float:
    if math.isnan(x) or math.isnan(q) or x < 1:
        return math.nan
    if x == 1:
        return math.inf
    if q <= 0:
        if _is_whole(q):
            return math.inf if math.isfinite(x) and x % 2 == 0 else math.nan
        if not _is_whole(x):
            return math.nan
    if math.isinf(x) or q == math.inf:
        return _zeta_limit(x, q)
    terms: list[float] = []
    while q < _ASYMPTOTIC + x:
        terms.append(_power(q, -x))
        if q > 1 and terms[-1] < _NEGLIGIBLE * max(map(abs, terms)):
            return math.fsum(terms)
        q += 1
    factor = x
    terms += [q ** (1 - x) / (x - 1), q**-x / 2]
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        terms.append(bernoulli / math.factorial(2 * k) * factor * q ** (-x - 2 * k + 1))
        factor *= (x + 2 * k - 1) * (x + 2 * k)
    return math.fsum(terms) if all(map(math.isfinite, terms)) else sum(terms)


def _is_whole(x: float) -> bool:
    """As infinite numbers are, too."""
    return math.isinf(x) or x == math.floor(x)


def _zeta_limit(x: float, q: float) -> float:
    """One of the two is infinite."""
    if q == math.inf:
        return 0.0
    return math.inf if q < 1 else float(q == 1)


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.copysign(math.inf, base) if exponent % 2 == 1 else math.inf


@scalarwise
def _gamma(x: float) -> float:
    try:
        return math.gamma(x)
    except (ValueError, OverflowError):
        return math.inf


def polygamma(n: Array, x: Array) -> Array:
    """The n-th derivative of digamma; NaN unless n is 0, 1, 2, ..."""
    wide_n, wide_x = np.broadcast_arrays(n.astype(np.float64), x.astype(np.float64))
    sign = np.where(wide_n % 2 == 0, -1.0, 1.0)
    higher = sign * _gamma(wide_n + 1) * zeta(wide_n + 1, wide_x)
    valid = (wide_n >= 0) & (wide_n == np.floor(wide_n))
    return np.where(valid, np.where(wide_n == 0, digamma(wide_x), higher), np.nan)


def bessel_i1e(x: Array) -> Array:
    """exp(-|x|) I1(x): the power series, for large arguments the asymptotic one (A&S 9.6.10, 9.7.1)."""
    magnitude = np.abs(x.astype(np.longdouble))
    large = magnitude > 30
    inside = np.where(large, 0, magnitude)
    term = total = inside / 2
    for k in range(1, 120):
        term = term * (inside * inside / (4 * k * (k + 1)))
        total = total + term
    near = np.exp(-inside) * total
    outside = np.where(large, magnitude, 30)
    term = total = np.ones_like(outside)
    for k in range(1, 25):
        term = term * (-(4 - (2 * k - 1) ** 2) / (8 * k * outside))
        total = total + term
    far = total / (np.sqrt(8 * np.arctan(np.ones((), np.longdouble))) * np.sqrt(outside))
    return np.copysign(np.where(large, far, near), x).astype(np.float64)
