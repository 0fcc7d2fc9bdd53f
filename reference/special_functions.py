"""Special functions of real numbers in double precision, for the chlo ops of those names.

The methods are textbook ones, chosen for being short: they are the yardstick of the polynomials that the compiler uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable

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


@scalarwise
def lgamma(x: float) -> float:
    """log |gamma(x)|; infinite at 0, -1, -2, ..."""
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


@scalarwise
def digamma(x: float) -> float:
    """The derivative of log gamma; NaN at 0, -1, -2, ..., where it has poles."""
    if math.isnan(x) or x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.nan
    if x < 0:
        return digamma_positive(1 - x) - math.pi / math.tan(math.pi * math.fmod(x, 1.0))
    return digamma_positive(x)


def digamma_positive(x: float) -> float:
    """Moved up to where the asymptotic series holds."""
    if x == math.inf:
        return x
    total = 0.0
    while x < _ASYMPTOTIC:
        total -= 1 / x
        x += 1
    reciprocal = 1 / (x * x)
    series = math.fsum(b / (2 * k) * reciprocal**k for k, b in enumerate(_BERNOULLI, 1))
    return total + (math.log(x) - 0.5 / x - series)


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
        if q == math.floor(q):
            return math.inf if x % 2 == 0 else math.nan
        if x != math.floor(x):
            return math.nan
    if math.isinf(x) or q == math.inf:
        return _zeta_limit(x, q)
    terms: list[float] = []
    while q < _ASYMPTOTIC:
        terms.append(_power(q, -x))
        q += 1
    factor = x
    terms += [q ** (1 - x) / (x - 1), q**-x / 2]
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        terms.append(bernoulli / math.factorial(2 * k) * factor * q ** (-x - 2 * k + 1))
        factor *= (x + 2 * k - 1) * (x + 2 * k)
    return math.fsum(terms) if all(map(math.isfinite, terms)) else sum(terms)


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


def polygamma(n: Array, x: Array) -> Array:
    """The n-th derivative of digamma; NaN unless n is 0, 1, 2, ..."""
    wide_n, wide_x = np.broadcast_arrays(n.astype(np.float64), x.astype(np.float64))
    sign = np.where(wide_n % 2 == 0, -1.0, 1.0)
    higher = sign * np.exp(lgamma(wide_n + 1)) * zeta(wide_n + 1, wide_x)
    valid = (wide_n >= 0) & (wide_n == np.floor(wide_n))
    return np.where(valid, np.where(wide_n == 0, digamma(wide_x), higher), np.nan)


@scalarwise
def bessel_i1e(x: float) -> float:
    """exp(-|x|) I1(x): the power series, for large arguments the asymptotic one (A&S 9.6.10, 9.7.1)."""
    magnitude = abs(x)
    if math.isnan(x):
        return x
    if magnitude > 30:
        term = total = 1.0
        for k in range(1, 25):
            term *= -(4 - (2 * k - 1) ** 2) / (8 * k * magnitude)
            total += term
        return math.copysign(total / math.sqrt(2 * math.pi * magnitude), x)
    term = total = magnitude / 2
    for k in range(1, 120):
        term *= magnitude * magnitude / (4 * k * (k + 1))
        total += term
    return math.copysign(math.exp(-magnitude) * total, x)
