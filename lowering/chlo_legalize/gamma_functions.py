"""`lgamma` and `digamma` as elementwise arithmetic.

Positive arguments: at most 4 ulp (`lgamma` in f64: 5), also around the zeros of `lgamma` at 1 and 2
and of `digamma` at 1.46. Negative arguments go through the reflection formulas; there the error is
relative to the larger of the two terms, so it grows near a zero of the function.

All approximations are minimax fits made for these formulas in 60-digit arithmetic (rational ones by
Lawson's iteration of weighted least squares).
"""

from __future__ import annotations

import math

from ...dialects import stablehlo
from .expression import Expression, log, polynomial, select

_LGAMMA_SINGLE_NUMERATOR = (
    0.5772157,
    0.9048531,
    0.40709266,
    0.048821904,
    0.0004058327,
)
_LGAMMA_SINGLE_DENOMINATOR = (
    1.0,
    1.9925042,
    1.282576,
    0.29246658,
    0.017271105,
)
"""`lgamma(y) / ((y - 1) * (y - 2))` in `y - 1`, relative error 3e-8 for `y` from 0.5 to 4."""
_LGAMMA_DOUBLE_NUMERATOR = (
    0.6997905367058234,
    3.75065504393598,
    8.027645116639166,
    8.7925264489437,
    5.257267785847253,
    1.700126453177109,
    0.2779709055611904,
    0.019811672924942972,
    0.00043921647225290635,
    6.294723420898272e-07,
)
_LGAMMA_DOUBLE_DENOMINATOR = (
    1.0,
    5.991768576017459,
    14.63046100238094,
    18.785235744375115,
    13.676361400037056,
    5.692293623975577,
    1.305274255178681,
    0.15116665656622938,
    0.007445022214689887,
    0.00010453192689639093,
)
"""The same in `y - 0.625`, relative error 3.2e-17."""
_LGAMMA_TAIL_SINGLE = (
    0.08333333,
    -0.002776634,
    0.00074302277,
)
_LGAMMA_TAIL_DOUBLE = (
    0.08333333333333331,
    -0.0027777777777249608,
    0.000793650770053562,
    -0.0005952340142978452,
    0.0008413931301556437,
    -0.0018995207784087628,
    0.005854864459883375,
    -0.018647505788482753,
    0.037335216757783,
)
"""What Stirling's formula leaves, times `x`, in `1 / x**2`; for `x` from 4 on."""

_HALF_LOG_TAU_MINUS_HALF = 0.41893853320467274178


def lgamma(x: Expression) -> Expression:
    """The logarithm of the absolute value of the gamma function; infinite at 0, -1, -2, ...

    For `a = |x|`: `(y - 1) * (y - 2) * p(y) / q(y)` up to 4, where `y = a`, or `a + 1` below 0.5 and
    then `-log(a)` more; from 4 on Stirling's formula with a fitted remainder. For negative `x`
    Euler's reflection: `log(pi / (a * sin(pi * a))) - lgamma(a)`.
    """
    a = abs(x)
    log_a = log(a)
    is_small = a < 0.5
    y = select(is_small, a + 1.0, a)
    one_less = a - 1.0
    zeros = select(is_small, a, one_less) * select(is_small, one_less, a - 2.0)
    if x.is_single:
        z = y - 1.0
        numerator = polynomial(z, _LGAMMA_SINGLE_NUMERATOR)
        ratio = numerator / polynomial(z, _LGAMMA_SINGLE_DENOMINATOR)
        tail = _LGAMMA_TAIL_SINGLE
    else:
        z = y - 0.625
        numerator = polynomial(z, _LGAMMA_DOUBLE_NUMERATOR)
        ratio = numerator / polynomial(z, _LGAMMA_DOUBLE_DENOMINATOR)
        tail = _LGAMMA_TAIL_DOUBLE
    near = zeros * ratio - select(is_small, log_a, 0.0)
    inverse = 1.0 / a
    remainder = inverse * polynomial(inverse * inverse, tail)
    far = (a - 0.5) * (log_a - 1.0) + (remainder + _HALF_LOG_TAU_MINUS_HALF)
    positive = select(a < 4.0, near, far)
    sine = abs((_to_nearest_integer(a) * math.pi).apply(stablehlo.SineOp))
    negative = -log(sine / math.pi) - (positive + log_a)
    result = select(x < 0.0, negative, positive)
    return select(a.equals(math.inf), math.inf, result)


def _to_nearest_integer(x: Expression) -> Expression:
    """The difference from `x` to the nearest integer: exact, also for tiny `x`."""
    return x - x.apply(stablehlo.RoundNearestEvenOp)


_DIGAMMA_SINGLE_NUMERATOR = (
    3.4886503,
    6.4224043,
    2.602739,
    0.22410928,
    0.0009459912,
)
_DIGAMMA_SINGLE_DENOMINATOR = (
    1.0,
    5.082073,
    4.6139183,
    1.1015875,
    0.05517136,
)
"""`digamma(y) / (y - y0)` in `y - 0.25`, relative error 2.1e-10 for `y` from 1 to 4."""
_DIGAMMA_DOUBLE_NUMERATOR = (
    3.4890569276694676,
    8.74398634033011,
    7.101639287118272,
    2.4443104229838224,
    0.3708127525420824,
    0.02254228672111429,
    0.0004017362429837522,
    3.894864127780764e-07,
)
_DIGAMMA_DOUBLE_DENOMINATOR = (
    1.0,
    5.748795791733511,
    8.057013975494703,
    4.528350347751298,
    1.15701668519128,
    0.13312412766065077,
    0.006064667233785999,
    7.528214058511545e-05,
)
"""The same, relative error 1.3e-18."""
_DIGAMMA_TAIL_SINGLE = (
    0.083333306,
    -0.008325607,
    0.0036229033,
)
_DIGAMMA_TAIL_DOUBLE = (
    0.08333333333333302,
    -0.008333333332489345,
    0.00396825358958104,
    -0.004166600868207633,
    0.007569955876363083,
    -0.02079834705517418,
    0.07413525430729988,
    -0.25870824653183805,
    0.5445730759025995,
)
"""What `log(x) - 1 / (2 x)` leaves, times `-x**2`, in `1 / x**2`; for `x` from 4 on."""

_ZERO_SINGLE = (1.461632251739502, -1.0677113961186233e-07)
_ZERO_DOUBLE = (1.4616321449683625, -1.2654465062537432e-16)
"""The zero `y0` of digamma as the sum of two numbers; the first minus 1 is exact."""


def digamma(x: Expression) -> Expression:
    """The logarithmic derivative of the gamma function; NaN at 0, -1, -2, ... as in XLA.

    `(y - y0) * p(y) / q(y)` up to 4 with `y = x`, or `x + 1` below 1 and then `-1 / x` more; from 4
    on the asymptotic series with a fitted remainder. Below 0 the reflection `digamma(1 - x) - pi /
    tan(pi x)`.
    """
    is_negative = x < 0.0
    argument = select(is_negative, 1.0 - x, x)
    positive = _digamma_of_positive(argument)
    fraction = _to_nearest_integer(x)
    tangent = (fraction * math.pi).apply(stablehlo.TanOp)
    result = select(is_negative, positive - math.pi / tangent, positive)
    is_pole = (x <= 0.0) & fraction.equals(0.0)
    return select(is_pole, math.nan, result)


def _digamma_of_positive(x: Expression) -> Expression:
    is_small = x < 1.0
    y = select(is_small, x + 1.0, x)
    zero, zero_low = _ZERO_SINGLE if x.is_single else _ZERO_DOUBLE
    distance = select(is_small, x - (zero - 1.0), x - zero) - zero_low
    z = y - 0.25
    if x.is_single:
        numerator = polynomial(z, _DIGAMMA_SINGLE_NUMERATOR)
        ratio = numerator / polynomial(z, _DIGAMMA_SINGLE_DENOMINATOR)
        tail = _DIGAMMA_TAIL_SINGLE
    else:
        numerator = polynomial(z, _DIGAMMA_DOUBLE_NUMERATOR)
        ratio = numerator / polynomial(z, _DIGAMMA_DOUBLE_DENOMINATOR)
        tail = _DIGAMMA_TAIL_DOUBLE
    inverse = 1.0 / x
    near = distance * ratio - select(is_small, inverse, 0.0)
    square = inverse * inverse
    far = (log(x) - inverse * 0.5) - square * polynomial(square, tail)
    return select(x < 4.0, near, far)
