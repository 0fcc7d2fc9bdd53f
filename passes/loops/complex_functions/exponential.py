"""The exponential and the trigonometric and hyperbolic functions.

By the addition theorems; values at infinities and NaN as in Annex G, G.6, of the C standard. Where an exponential
overflows and the product with a small sine does not, a factor of e**700 is multiplied last. The hyperbolic tangent is
Kahan's ("Branch Cuts for Complex Elementary Functions", 1987), free of cancellation.
"""

from __future__ import annotations

import math

from ..elementary.arithmetic import Float
from . import number
from .number import Complex, is_finite, is_infinite

SHIFT = 700.0
"""Exponents beyond this one are split; e**SHIFT is still finite."""
LARGE = math.exp(SHIFT)


def exp(z: Complex) -> Complex:
    x, y = z.re, z.im
    e, factor = _split_exponential(x, z.wide)
    finite, infinite = is_finite(y), is_infinite(x)
    # Of an infinite or NaN angle only the size survives.
    cosine = (infinite & ~finite).select(1.0, number.cos(y))
    vanishes = ~finite & x.equals(-math.inf)
    sine = vanishes.select(0.0, number.sin(y))
    re, im = e * cosine, e * sine
    if factor is not None:
        re, im = re * factor, im * factor
    return z.with_parts(re, y.equals(0.0).select(y, im))


def _split_exponential(x: Float, wide: bool) -> tuple[Float, Float | None]:
    """The exponential of `x`, or of what is left of it together with a factor still to be multiplied."""
    if wide:
        return number.exp(x), None
    large = x > SHIFT
    return number.exp(large.select(x - SHIFT, x)), large.select(x.arithmetic.constant(LARGE), 1.0)


def expm1(z: Complex) -> Complex:
    """`exp(z) - 1`; near zero the real part is that of `(exp(x) - 1) cos(y) - 2 sin(y / 2)**2`."""
    x, y = z.re, z.im
    power = exp(z)
    half = number.sin(y * 0.5)
    near = number.expm1(x) * number.cos(y) - half * half * 2.0
    plain = (x > 40.0) | ~is_finite(x) | ~is_finite(y)
    return z.with_parts(plain.select(power.re - 1.0, near), power.im)


def sin(z: Complex) -> Complex:
    x, y = z.re, z.im
    sine, cosine, sinh, cosh, factor = _circular_and_hyperbolic(z)
    unknown = ~is_finite(x) & (y.equals(0.0) | is_infinite(y))
    re, im = sine * cosh, unknown.select(1.0, cosine) * sinh
    if factor is not None:
        re, im = re * factor, im * factor
    return z.with_parts(x.equals(0.0).select(x, re), im)


def cos(z: Complex) -> Complex:
    x, y = z.re, z.im
    sine, cosine, sinh, cosh, factor = _circular_and_hyperbolic(z)
    finite = is_finite(x)
    re = (~finite & is_infinite(y)).select(1.0, cosine) * cosh
    im = -((~finite & y.equals(0.0)).select(1.0, sine) * sinh)
    if factor is not None:
        re, im = re * factor, im * factor
    flat = -(x * x.arithmetic.constant(1.0).copy_sign(y))
    return z.with_parts(re, x.equals(0.0).select(flat, im))


def _circular_and_hyperbolic(z: Complex) -> tuple[Float, Float, Float, Float, Float | None]:
    """Sine and cosine of the real part, hyperbolic sine and cosine of the imaginary part, and their common factor."""
    x, y = z.re, z.im
    sine, cosine, sinh, cosh = number.sin(x), number.cos(x), number.sinh(y), number.cosh(y)
    if z.wide:
        return sine, cosine, sinh, cosh, None
    large = abs(y) > SHIFT
    half = number.exp(large.select(abs(y) - SHIFT, 0.0)) * 0.5
    factor = large.select(x.arithmetic.constant(LARGE), 1.0)
    return sine, cosine, large.select(half.copy_sign(y), sinh), large.select(half, cosh), factor


SATURATED = 22.0
"""Where the real part of the hyperbolic tangent is 1 in double precision."""


def tanh(z: Complex) -> Complex:
    x, y = z.re, z.im
    large = abs(x) > SATURATED
    tangent, sinh = number.tan(y), number.sinh(large.select(x.arithmetic.constant(0.0), x))
    secant2 = tangent * tangent + 1.0
    cosh = (sinh * sinh + 1.0).sqrt()
    denominator = secant2 * (sinh * sinh) + 1.0
    finite = is_finite(y)
    decay = number.exp(abs(x) * -2.0)
    tail = (~finite & is_infinite(x)).select(0.0, number.sin(y) * number.cos(y) * 4.0 * decay)
    unit = x.arithmetic.constant(1.0).copy_sign(x)
    saturated = large & (finite | is_infinite(x))
    re = saturated.select(unit, secant2 * cosh * sinh / denominator)
    im = saturated.select(tail, tangent / denominator)
    re = x.is_nan().select(x, re)
    im = (x.is_nan() & ~y.equals(0.0)).select(x, im)
    return z.with_parts(x.equals(0.0).select(x, re), y.equals(0.0).select(y, im))


def tan(z: Complex) -> Complex:
    """`-i tanh(iz)`, by the symmetry of the hyperbolic tangent."""
    result = tanh(z.with_parts(z.im, z.re))
    return z.with_parts(result.im, result.re)
