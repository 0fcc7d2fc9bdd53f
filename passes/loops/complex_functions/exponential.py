"""The exponential and the trigonometric and hyperbolic functions.

By the addition theorems; values at infinities and NaN as in Annex G, G.6, of the C standard. Where an exponential
overflows and the product with a small sine does not, a factor of e**700 is multiplied last.
"""

from __future__ import annotations

import math

from ..elementary.arithmetic import Float
from . import number
from .number import Complex, is_finite, is_infinite, sum_of_products

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


def tanh(z: Complex) -> Complex:
    """`(m (m + 2) + 4i e sin(y) cos(y)) / (m**2 + 4 e cos(y)**2)` with `e = exp(2 x)` and `m = e - 1` for negative `x`:
    no sum cancels, and nothing overflows. An odd function: `x` has its sign taken and given back.
    """
    x, y = z.re, z.im
    doubled = abs(x) * -2.0
    e, m = number.exp(doubled), number.expm1(doubled)
    # Near 1 the sum is the better exponential.
    e = (doubled > -0.5).select(m + 1.0, e)
    unknown = is_infinite(x) & ~is_finite(y)
    angle = unknown.select(0.0, y)
    sine, cosine = number.sin(angle), number.cos(angle)
    # Near a pole the rounding error of this product cancels in the quotient.
    product = e * 4.0 * cosine
    denominator = sum_of_products(m, m, product, cosine)
    re = (m * (m + 2.0) / denominator).copy_sign(x)
    im = product * sine / denominator
    re = (x.is_nan() | x.equals(0.0)).select(x, re)
    im = (x.is_nan() & ~y.equals(0.0)).select(x, im)
    return z.with_parts(re, y.equals(0.0).select(y, im))


def tan(z: Complex) -> Complex:
    """`-i tanh(iz)`, by the symmetry of the hyperbolic tangent."""
    result = tanh(z.with_parts(z.im, z.re))
    return z.with_parts(result.im, result.re)
