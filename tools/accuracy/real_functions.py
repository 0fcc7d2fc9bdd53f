"""The real functions that are measured: their exact values, and where they are hard.

Exact values come from GNU MPFR through gmpy2, which rounds every result correctly (L. Fousse et al., "MPFR: A
Multiple-Precision Binary Floating-Point Library with Correct Rounding", 2007). Its few choices at zeros and poles that
are not those of `docs/semantics.md` are overridden here. What MPFR lacks is built from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .formats import Array
from .multiprecision import gmpy2, mpfr

PRECISION = 120
"""Bits that exact results are computed with; functions made of several have some of them to lose."""

Number = Any
"""A `gmpy2.mpfr`."""


class Limit(NamedTuple):
    """An error that is allowed to be greater than four units, and why."""

    ulps: float
    reason: str


class Function(NamedTuple):
    """One function.

    `points`: numbers near which samples lie more densely, at all distances. `intervals`: samples are spread evenly over
    these. `special`: arguments with exact results besides zeros, ones, infinities and NaN. `share`: the part of the
    usual number of samples, for what takes long. `limits`: by format, where four units can't be had. `pairs`: which
    pairs of arguments a function of two is hard for, a name in `arguments.PAIRS`. `in_format`: what the exact result is
    of arrays of the format, where that is not a function of numbers alone. `domain`: samples are from there only.
    `size`: results smaller than this function of the argument count as that large; for differences of larger terms.
    """

    op: str
    exact: Callable[..., Number]
    points: Sequence[float] = ()
    intervals: Sequence[tuple[float, float]] = ((-4.0, 4.0),)
    special: Sequence[tuple[float, ...]] = ()
    share: float = 1.0
    limits: dict[str, Limit] = {}
    arity: int = 1
    pairs: str = ""
    periodic: bool = False
    in_format: Callable[..., Any] | None = None
    domain: tuple[float, float] = (-math.inf, math.inf)
    size: Callable[[Any], Any] | None = None


def _logistic(x: Number) -> Number:
    return 1 / (1 + gmpy2.exp(-x))


def _rsqrt(x: Number) -> Number:
    """-inf at -0, as in IEEE 754."""
    return gmpy2.mpfr("-inf") if x == 0 and gmpy2.is_signed(x) else gmpy2.rec_sqrt(x)


def _lgamma(x: Number) -> Number:
    return gmpy2.lgamma(x)[0]


def _digamma(x: Number) -> Number:
    """NaN at zeros, as at the other poles."""
    return gmpy2.nan() if x == 0 else gmpy2.digamma(x)


def _power(x: Number, y: Number) -> Number:
    return x**y


def _divide(x: Number, y: Number) -> Number:
    return x / y


def _next_after(x: Array, y: Array) -> Array:
    """`y` where both are equal, as zeros are."""
    return np.where(x == y, y, np.nextafter(x, y))


def _square(x: Number) -> Number:
    return x * x


def erf_inv(y: Number) -> Number:
    """Halley's method on `erf`, or on `erfc` where that is near 0; infinite at -1 and 1, NaN beyond."""
    magnitude = abs(y)
    if gmpy2.is_nan(y) or magnitude > 1:
        return gmpy2.nan()
    if magnitude == 0:
        return y
    if magnitude == 1:
        return gmpy2.copy_sign(gmpy2.inf(), y)
    # S. Winitzki: A handy approximation for the error function and its inverse.
    log = gmpy2.log1p(-magnitude * magnitude)
    term = 2 / (gmpy2.const_pi() * 0.147) + log / 2
    x = gmpy2.sqrt(gmpy2.sqrt(term * term - log / 0.147) - term) if magnitude > 1e-9 else magnitude * 0.886
    slope = gmpy2.sqrt(gmpy2.const_pi()) / 2
    for _ in range(8):
        error = gmpy2.erf(x) - magnitude if magnitude < 0.5 else (1 - magnitude) - gmpy2.erfc(x)
        step = error * slope * gmpy2.exp(x * x)
        step /= 1 + x * step
        x -= step
        if abs(step) < x * _HALF_PRECISION:
            break
    return gmpy2.copy_sign(x, y)


_HALF_PRECISION = 2.0**-60
"""A cubic step smaller than this part of the result leaves nothing at `PRECISION`."""


def bessel_i1e(x: Number) -> Number:
    """exp(-|x|) I1(x): the power series, for large arguments the asymptotic one (A&S 9.6.10, 9.7.1)."""
    magnitude = abs(x)
    if not gmpy2.is_finite(x) or magnitude == 0:
        return gmpy2.copy_sign(mpfr(0), x) if gmpy2.is_infinite(x) else x
    if magnitude > 90:
        term = total = mpfr(1)
        for k in range(1, 100):
            term *= -(4 - (2 * k - 1) ** 2) / (8 * k * magnitude)
            total += term
            if abs(term) < 2.0**-PRECISION:
                break
        return gmpy2.copy_sign(total / gmpy2.sqrt(2 * gmpy2.const_pi() * magnitude), x)
    square = magnitude * magnitude / 4
    term = total = magnitude / 2
    k = 1
    while term > total * 2.0**-PRECISION:
        term = term * square / (k * (k + 1))
        total += term
        k += 1
    return gmpy2.copy_sign(gmpy2.exp(-magnitude) * total, x)


def zeta(x: Number, q: Number) -> Number:
    """The Hurwitz zeta function, by the Euler-Maclaurin formula; for moderate `x`. Infinite at 1 and, for even `x`, at
    the poles `q = 0, -1, ...`; NaN below 1, at the poles for other `x`, and for negative `q` if `x` is not whole.
    """
    if gmpy2.is_nan(x) or gmpy2.is_nan(q) or x < 1:
        return gmpy2.nan()
    if x == 1:
        return gmpy2.inf()
    if q <= 0:
        if _is_whole(q):
            return gmpy2.inf() if gmpy2.is_finite(x) and x % 2 == 0 else gmpy2.nan()
        if not _is_whole(x):
            return gmpy2.nan()
    if gmpy2.is_infinite(q):
        return mpfr(0)
    if gmpy2.is_infinite(x):
        return gmpy2.inf() if q < 1 else mpfr(int(q == 1))
    terms: list[Number] = []
    while q < _FAR:
        terms.append(q ** (-x))
        q += 1
    terms += [q ** (1 - x) / (x - 1), q ** (-x) / 2]
    factor = x * q ** (-x - 1)
    for k, bernoulli in enumerate(_bernoulli(), 1):
        terms.append(factor * bernoulli)
        factor *= (x + 2 * k - 1) * (x + 2 * k) / (q * q)
    return gmpy2.fsum(terms)


_FAR = 80
"""From here on thirty terms of the formula reach `PRECISION`."""


@cache
def _bernoulli() -> tuple[Any, ...]:
    """The Bernoulli numbers B2, B4, ... over the factorials of their indices, as rational numbers."""
    numbers = [gmpy2.mpq(1)]
    for m in range(1, 61):
        numbers.append(-sum((gmpy2.bincoef(m + 1, k) * numbers[k] for k in range(m)), gmpy2.mpq(0)) / (m + 1))
    return tuple(numbers[2 * k] / gmpy2.fac(2 * k) for k in range(1, 31))


def _is_whole(x: Number) -> bool:
    """As infinite numbers are, too."""
    return bool(gmpy2.is_infinite(x) or gmpy2.is_integer(x))


def polygamma(n: Number, x: Number) -> Number:
    """The n-th derivative of digamma, by the Hurwitz zeta function; NaN for other `n` than 0, 1, 2, ..."""
    if gmpy2.is_nan(n) or gmpy2.is_nan(x) or n < 0 or not gmpy2.is_integer(n):
        return gmpy2.nan()
    if n == 0:
        return _digamma(x)
    value = zeta(n + 1, x) * gmpy2.exp(_lgamma(n + 1))
    return value if n % 2 == 1 else -value


def _digamma_size(x: Any) -> Any:
    """That of the terms of the reflection formula."""
    return np.maximum(1.0, np.log1p(np.abs(x)))


def _lgamma_size(x: Any) -> Any:
    """That of the terms of the reflection formula."""
    return np.maximum(1.0, np.abs(x) * np.log(np.maximum(1.0, np.abs(x))))


_ROUNDED = Limit(6.0, "products outside of polynomials round at every step")
_DIFFERENCE = Limit(8.0, "the difference of two terms that are a few units off each")

_QUARTER_TURNS = tuple(k * math.pi / 4 for k in range(-8, 9))

FUNCTIONS: dict[str, Function] = {
    "cbrt": Function(
        "stablehlo.cbrt", gmpy2.cbrt, special=[(8.0,), (27.0,), (-64.0,), (0.125,), (1000.0,), (2.0**-24,)]
    ),
    "cosine": Function("stablehlo.cosine", gmpy2.cos, _QUARTER_TURNS, ((-40.0, 40.0),), periodic=True),
    "exponential": Function("stablehlo.exponential", gmpy2.exp, (), ((-4.0, 4.0), (-110.0, 90.0))),
    "exponential_minus_one": Function(
        "stablehlo.exponential_minus_one", gmpy2.expm1, (0.0,), ((-2.0, 2.0), (-110.0, 90.0))
    ),
    "log": Function("stablehlo.log", gmpy2.log, (1.0,), ((0.0, 4.0),)),
    "log_plus_one": Function("stablehlo.log_plus_one", gmpy2.log1p, (0.0, -1.0), ((-1.0, 4.0),)),
    "logistic": Function("stablehlo.logistic", _logistic, (0.0,), ((-8.0, 8.0), (-110.0, 30.0)), [(0.0,)]),
    "rsqrt": Function("stablehlo.rsqrt", _rsqrt, (1.0,), ((0.0, 4.0),), [(4.0,), (0.25,), (16.0,), (2.0**-20,)]),
    "sine": Function("stablehlo.sine", gmpy2.sin, _QUARTER_TURNS, ((-40.0, 40.0),), periodic=True),
    "sqrt": Function("stablehlo.sqrt", gmpy2.sqrt, (1.0,), ((0.0, 4.0),), [(4.0,), (2.25,), (2.0**-20,)]),
    "tan": Function("stablehlo.tan", gmpy2.tan, _QUARTER_TURNS, ((-40.0, 40.0),), periodic=True),
    "tanh": Function("stablehlo.tanh", gmpy2.tanh, (0.0,), ((-2.0, 2.0), (-25.0, 25.0))),
    "acos": Function("chlo.acos", gmpy2.acos, (0.5, -0.5, 1.0, -1.0), ((-1.0, 1.0),)),
    "acosh": Function("chlo.acosh", gmpy2.acosh, (1.0,), ((1.0, 3.0), (1.0, 300.0))),
    "asin": Function("chlo.asin", gmpy2.asin, (0.5, -0.5, 1.0, -1.0), ((-1.0, 1.0),)),
    "asinh": Function("chlo.asinh", gmpy2.asinh, (0.0, 1.0), ((-2.0, 2.0), (-300.0, 300.0))),
    "atan": Function("chlo.atan", gmpy2.atan, (1.0, -1.0), ((-2.0, 2.0), (-30.0, 30.0))),
    "atanh": Function("chlo.atanh", gmpy2.atanh, (0.0, 1.0, -1.0), ((-1.0, 1.0),)),
    "bessel_i1e": Function("chlo.bessel_i1e", bessel_i1e, (0.0, 8.0), ((-10.0, 10.0), (-100.0, 100.0)), share=0.2),
    "cosh": Function("chlo.cosh", gmpy2.cosh, (0.0,), ((-2.0, 2.0), (-90.0, 90.0))),
    "digamma": Function(
        "chlo.digamma",
        _digamma,
        (0.0, 1.4616321449683623, 4.0),
        ((0.0, 5.0), (0.0, 20.0)),
        share=0.3,
        domain=(0.0, math.inf),
        limits={"f64": _ROUNDED},
    ),
    "digamma (x < 0)": Function(
        "chlo.digamma",
        _digamma,
        (0.0,),
        ((-10.0, 0.0), (-1.0, 0.0)),
        share=0.2,
        domain=(-math.inf, -0.0),
        size=_digamma_size,
        limits={"f32": _DIFFERENCE, "f64": _DIFFERENCE},
    ),
    "erf": Function("chlo.erf", gmpy2.erf, (0.0, 1.0), ((-2.0, 2.0), (-6.5, 6.5)), share=0.5),
    "erfc": Function(
        "chlo.erfc", gmpy2.erfc, (0.0, 1.0), ((-2.0, 2.0), (-6.5, 28.0)), share=0.4, limits={"f64": _ROUNDED}
    ),
    "erf_inv": Function("chlo.erf_inv", erf_inv, (0.0, 1.0, -1.0), ((-1.0, 1.0),), share=0.1),
    "lgamma": Function(
        "chlo.lgamma",
        _lgamma,
        (0.0, 1.0, 2.0, 4.0),
        ((0.0, 5.0), (0.0, 40.0)),
        [(3.0,)],
        share=0.3,
        domain=(0.0, math.inf),
    ),
    "lgamma (x < 0)": Function(
        "chlo.lgamma",
        _lgamma,
        (0.0, -1.0, -2.0),
        ((-10.0, 0.0), (-40.0, 0.0)),
        [(-7.0,)],
        share=0.2,
        domain=(-math.inf, -0.0),
        size=_lgamma_size,
    ),
    "sinh": Function("chlo.sinh", gmpy2.sinh, (0.0,), ((-2.0, 2.0), (-90.0, 90.0))),
    "square": Function("chlo.square", _square, (), ((-4.0, 4.0),), [(3.0,), (-1.5,)]),
    "chlo.tan": Function("chlo.tan", gmpy2.tan, _QUARTER_TURNS, ((-40.0, 40.0),), share=0.2, periodic=True),
    "atan2": Function("stablehlo.atan2", gmpy2.atan2, arity=2, pairs="ratios"),
    "divide": Function("stablehlo.divide", _divide, arity=2, pairs="ratios", special=[(6.0, 3.0), (-1.0, 4.0)]),
    "next_after": Function(
        "chlo.next_after", _next_after, arity=2, pairs="neighbours", share=0.2, in_format=_next_after
    ),
    "polygamma": Function("chlo.polygamma", polygamma, arity=2, pairs="orders", share=0.02, limits={"f64": _ROUNDED}),
    "power": Function(
        "stablehlo.power",
        _power,
        arity=2,
        pairs="powers",
        special=[(2.0, 10.0), (2.0, -14.0), (-3.0, 3.0), (9.0, 0.5), (10.0, 4.0), (-1.5, 3.0), (0.5, 24.0), (7.0, 3.0)],
    ),
    "remainder": Function(
        "stablehlo.remainder", gmpy2.fmod, arity=2, pairs="ratios", special=[(6.0, 3.0), (-7.0, 4.0), (5.5, 2.0)]
    ),
    "zeta": Function("chlo.zeta", zeta, arity=2, pairs="orders", share=0.02),
}
"""The functions by the name they have in the table."""
