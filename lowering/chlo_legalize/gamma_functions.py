"""`lgamma` and `digamma` as elementwise arithmetic.

Positive arguments: at most 4 ulp, also around the zeros of `lgamma` at 1 and 2 and of `digamma` at
1.46. Negative arguments go through the reflection formulas; there the error is relative to the
larger of the two terms, so it grows near a zero of the function.

All approximations are minimax fits made for these formulas in 60-digit arithmetic (polynomials by
Remez's algorithm, ratios by Lawson's iteration of weighted least squares).
"""

from __future__ import annotations

import math

from ...dialects import stablehlo
from ...ir.tensors import Tensor
from .formulas import is_single, log, polynomial, select, tan, with_sign_of

_LGAMMA_SINGLE = (
    0.4501393,
    -0.41818562,
    0.1271862,
    -0.14436512,
    0.08431406,
    -0.090268955,
    0.05996847,
    -0.06157498,
    0.07156268,
    -0.07664719,
)
"""`lgamma(y) / ((y - 1) * (y - 2))`, relative error 2.7e-8 for `y` from 0.75 to 4.

In `(y - 1.75) / (y + 1.75)`, which maps the singularity at 0 to -1 and the range to -0.4 .. 0.4.
"""
_LGAMMA_DOUBLE = (
    0.45013931210925634,
    -0.4181855531883502,
    0.1271899249933389,
    -0.1443730387963931,
    0.08412964239419726,
    -0.08997434066055493,
    0.06311420391479133,
    -0.06579368147002973,
    0.05045872148873816,
    -0.051947782804653536,
    0.04200847499287787,
    -0.042941269432443044,
    0.036013443894473036,
    -0.036682127073259976,
    0.031048480327300308,
    -0.03123338367688374,
    0.030923592540330072,
    -0.03274275613322041,
    0.012034623766178525,
    -0.007888759325365906,
    0.053081656106441125,
    -0.05903052602584106,
)
"""The same, relative error 8.4e-17."""
LGAMMA_TAIL_SINGLE = (
    0.08333333,
    -0.002776634,
    0.00074302277,
)
LGAMMA_TAIL_DOUBLE = (
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


def lgamma(x: Tensor) -> Tensor:
    """The logarithm of the absolute value of the gamma function; infinite at 0, -1, -2, ...

    For `a = |x|`: `(y - 1) * (y - 2) * p((y - c) / (y + c))` up to 4, where `y = a`, or `a + 1`
    below 0.75 and then `-log(a)` more; from 4 on Stirling's formula with a fitted remainder. For
    negative `x` Euler's reflection: `log(pi / (a * sin(pi * a))) - lgamma(a)`.
    """
    a = abs(x)
    log_a = log(a)
    is_small = a < 0.75
    y = select(is_small, a + 1.0, a)
    one_less = a - 1.0
    zeros = select(is_small, a, one_less) * select(is_small, one_less, a - 2.0)
    coefficients = _LGAMMA_SINGLE if is_single(x) else _LGAMMA_DOUBLE
    ratio = polynomial((y - 1.75) / (y + 1.75), coefficients)
    near = zeros * ratio + select(is_small, -log_a, 0.0)
    inverse = 1.0 / a
    tail = LGAMMA_TAIL_SINGLE if is_single(x) else LGAMMA_TAIL_DOUBLE
    remainder = inverse * polynomial(inverse * inverse, tail)
    far = (a - 0.5) * (log_a - 1.0) + (remainder + _HALF_LOG_TAU_MINUS_HALF)
    positive = select(a < 4.0, near, far)
    sine = abs((_to_nearest_integer(a) * math.pi).apply(stablehlo.SineOp))
    negative = select(sine.equals(0.0), math.inf, -log(sine / math.pi) - (positive + log_a))
    result = select(x < 0.0, negative, positive)
    return select(a.equals(math.inf), math.inf, result)


def _to_nearest_integer(x: Tensor) -> Tensor:
    """The difference from `x` to the nearest integer: exact, also for tiny `x`."""
    return x - x.apply(stablehlo.RoundNearestEvenOp)


_DIGAMMA_SINGLE_NUMERATOR = (
    1.0747589,
    1.0380766,
    0.27679577,
    0.019227581,
    7.981569e-05,
)
_DIGAMMA_SINGLE_DENOMINATOR = (
    1.0,
    1.5047497,
    0.69602317,
    0.11156044,
    0.004654879,
)
"""`digamma(y) / (y - y0)` in `y - 1.25`, relative error 2.1e-10 for `y` from 1 to 4."""
_DIGAMMA_DOUBLE_NUMERATOR = (
    1.0747589096650145,
    1.5452200930120137,
    0.8187369461432714,
    0.20169383107293962,
    0.02373016964255802,
    0.0012099054761967765,
    1.9605138362315945e-05,
    1.8879209373000488e-08,
)
_DIGAMMA_DOUBLE_DENOMINATOR = (
    1.0,
    1.9766168540046747,
    1.4545475551672329,
    0.5143654780758306,
    0.09288421019829116,
    0.008293233141938895,
    0.00031951048729960926,
    3.6490805520444926e-06,
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

_DIGAMMA_SINGLE = (_ZERO_SINGLE, _DIGAMMA_SINGLE_NUMERATOR, _DIGAMMA_SINGLE_DENOMINATOR, _DIGAMMA_TAIL_SINGLE)
_DIGAMMA_DOUBLE = (_ZERO_DOUBLE, _DIGAMMA_DOUBLE_NUMERATOR, _DIGAMMA_DOUBLE_DENOMINATOR, _DIGAMMA_TAIL_DOUBLE)


def digamma(x: Tensor) -> Tensor:
    """The logarithmic derivative of the gamma function; NaN at 0, -1, -2, ... as in XLA.

    `(y - y0) * p(y) / q(y)` up to 4 with `y = x`, or `x + 1` below 1 and then `-1 / x` more; from 4
    on the asymptotic series with a fitted remainder. Below 0 the reflection `digamma(1 - x) - pi /
    tan(pi x)`.
    """
    is_negative = x < 0.0
    argument = select(is_negative, 1.0 - x, x)
    positive = _digamma_of_positive(argument)
    fraction = _to_nearest_integer(x)
    result = select(is_negative, positive - _reflection(fraction), positive)
    is_pole = (x <= 0.0) & fraction.equals(0.0)
    return select(is_pole, math.nan, result)


def _reflection(x: Tensor) -> Tensor:
    """`pi * cot(pi x)` for `x` from -1/2 to 1/2, accurate also near its zeros at the ends."""
    a = abs(x)
    is_steep = a <= 0.25
    tangent = tan(select(is_steep, a, 0.5 - a) * math.pi)
    return with_sign_of(select(is_steep, math.pi / tangent, tangent * math.pi), x)


def _digamma_of_positive(x: Tensor) -> Tensor:
    is_small = x < 1.0
    y = select(is_small, x + 1.0, x)
    (zero, zero_low), numerator, denominator, tail = _DIGAMMA_SINGLE if is_single(x) else _DIGAMMA_DOUBLE
    distance = select(is_small, x - (zero - 1.0), x - zero) - zero_low
    z = y - 1.25
    ratio = polynomial(z, numerator) / polynomial(z, denominator)
    inverse = 1.0 / x
    near = distance * ratio - select(is_small, inverse, 0.0)
    square = inverse * inverse
    far = (log(x) - inverse * 0.5) - square * polynomial(square, tail)
    return select(x < 4.0, near, far)
