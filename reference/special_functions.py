"""Special functions of real numbers in double precision, for the chlo ops of those names.

The methods are textbook ones, chosen for being short: they are the yardstick of the polynomials that the compiler uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
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
    if x < 1.375:
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
    """log gamma(centre + w), a centre of 1 or 2, and |w| up to 5/8."""
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


def pairwise(function: Callable[[float, float], float]) -> Callable[[Array, Array], Array]:
    """`function` for the elements of two arrays, in double precision."""

    def mapped(lhs: Array, rhs: Array) -> Array:
        lhs, rhs = np.broadcast_arrays(lhs, rhs)
        pairs = zip(lhs.reshape(-1), rhs.reshape(-1), strict=True)
        return np.array([function(float(a), float(b)) for a, b in pairs], np.float64).reshape(lhs.shape)

    return mapped


def _zeta(x: float, q: float) -> float:
    """The Hurwitz zeta function, sum over k of (q + k)^-x, for x > 1.

    Infinite at x = 1, and at poles q = 0, -1, ... for even x; NaN for x < 1, at the poles for other x, and for negative
    q if x is not an integer.
    """
    if math.isnan(x) or math.isnan(q) or x < 1:
        return math.nan
    if x == 1:
        return math.inf
    if q <= 0:
        if q == -math.inf or q == math.floor(q):
            return math.inf if x % 2 == 0 else math.nan
        if x != math.inf and x != math.floor(x):
            return math.nan
    if math.isinf(x) or q == math.inf:
        return _zeta_limit(x, q)
    return _reflected(lambda q: _power(q, 1 - x) * _sum_ratio(x - 1, q), x, q)


zeta = pairwise(_zeta)


def _zeta_limit(x: float, q: float) -> float:
    """One of the two is infinite."""
    if q == math.inf:
        return 0.0
    return math.inf if q < 1 else float(q == 1)


def _reflected(series: Callable[[float], float], x: float, q: float) -> float:
    """A sum of (q + k)^-x for positive q, continued to negative ones: the powers of negative numbers are a finite part
    of the sum from the other side.
    """
    if q > 0:
        return series(q)
    floor = math.floor(q)
    left = series(floor + 1 - q) - series(1 - q)
    return series(q - floor) + (left if x % 2 == 0 else -left)


def _sum_ratio(m: float, q: float) -> float:
    """The sum over k of (q + k)^(-m - 1), divided by q^-m: some terms, the rest by Euler-Maclaurin summation."""
    terms = [_decay(m, q, k) / (q + k) for k in range(12)]
    a = q + 12
    rest, factor = [1 / m, 0.5 / a], (m + 1) / a / a
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        rest.append(float(bernoulli) / math.factorial(2 * k) * factor)
        factor *= (m + 2 * k) / a * ((m + 2 * k + 1) / a)
    # For large m the rest does not count, and its series does not converge.
    return math.fsum([*terms, _decay(m, q, 12) * math.fsum(rest)]) if m < 100 * a else math.fsum(terms)


def _decay(m: float, q: float, k: int) -> float:
    """(q / (q + k))^m"""
    return math.exp(-m * math.log1p(k / q))


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf


def polygamma(n: Array, x: Array) -> Array:
    """The n-th derivative of digamma; NaN unless n is 0, 1, 2, ..., infinite at the poles 0, -1, ... for odd n, and NaN
    there for even n.
    """
    return np.where(n == 0, digamma(x), _polygamma(n, x))


@pairwise
def _polygamma(n: float, x: float) -> float:
    """That of order 1 and more."""
    if math.isnan(x) or not (1 <= n < math.inf) or n != math.floor(n):
        return math.nan
    if x <= 0 and (x == -math.inf or x == math.floor(x)):
        return math.inf if n % 2 == 1 else math.nan
    sign = 1.0 if n % 2 == 1 else -1.0
    if x == math.inf:
        return sign * 0.0
    return sign * _reflected(lambda q: _factorial_over_power(int(n), q) * _sum_ratio(n, q), n + 1, x)


def _factorial_over_power(n: int, q: float) -> float:
    """n! / q^n"""
    try:
        if n > 1000:
            return math.exp(math.lgamma(n + 1) - n * math.log(q))
        return float(math.factorial(n) / Fraction(q) ** n)
    except OverflowError:
        return math.inf


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
