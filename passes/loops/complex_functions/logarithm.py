"""Logarithms and what is made of them: power and the inverse tangent of a quotient.

The logarithm of the absolute value is taken of its square. Near the unit circle that is `log1p` of the square less
one, which is added up with the errors of all products and sums (T. Hull, T. Fairgrieve and P. Tang, "Implementing
Complex Elementary Functions Using Exception Handling", 1994, ask for just that); parts that were single are exact.
"""

from __future__ import annotations

import math

from ..elementary.arithmetic import Float
from ..elementary.sums import two_sum
from . import number
from .division import divide
from .exponential import exp
from .magnitude import sqrt
from .number import INFINITY, Complex, larger, scale_of, smaller

LN2 = math.log(2.0)


def log(z: Complex) -> Complex:
    x, y = z.re, z.im
    major, minor = larger(abs(x), abs(y)), smaller(abs(x), abs(y))
    if z.wide:
        excess = (major - 1.0) * (major + 1.0) + minor * minor
    else:
        excess = _sum_exactly([*_square(major), *_square(minor)], major.arithmetic.constant(-1.0))
    re = _log_magnitude(z, excess)
    return z.with_parts(z.is_infinite().select(INFINITY, re), number.atan2(y, x))


def log1p(z: Complex) -> Complex:
    """`log(1 + z)`, accurate near 0 and wherever `1 + z` is near the unit circle."""
    x, y = z.re, z.im
    shifted = z.with_parts(x + 1.0, y)
    excess = (x * 2.0 + y * y) + x * x if z.wide else _sum_exactly([*_square(x), *_square(y)], x * 2.0)
    re = _log_magnitude(shifted, excess)
    return z.with_parts(z.is_infinite().select(INFINITY, re), number.atan2(y, shifted.re))


def _log_magnitude(z: Complex, excess: Float) -> Float:
    """log |z|, `excess` being |z|**2 - 1 where that is small."""
    x, y = z.re, z.im
    near = (excess > -0.75) & (excess < 3.0)
    close = number.log1p(near.select(excess, 0.0)) * 0.5
    if z.wide:
        return near.select(close, number.log(x * x + y * y) * 0.5)
    scale = scale_of(larger(abs(x), abs(y)))
    x, y = x * scale.down, y * scale.down
    return near.select(close, number.log(x * x + y * y) * 0.5 + scale.exponent * LN2)


def _square(x: Float) -> tuple[Float, Float]:
    """The square of `x` and its rounding error."""
    square = x * x
    return square, x.fused_multiply_add(x, -square)


def _sum_exactly(squares: list[Float], first: Float) -> Float:
    """`first` and two squares with their errors, added with all rounding errors but the last."""
    large, large_error, small, small_error = squares
    sum, error = two_sum(large, first)
    sum, other = two_sum(sum, small)
    return sum + (error + other + (large_error + small_error))


def power(base: Complex, exponent: Complex) -> Complex:
    """`exp(exponent * log(base))`; anything to the power of zero is one, zero to a positive power zero."""
    result = exp(exponent * log(base))
    zero = base.re.arithmetic.constant(0.0)
    base_is_zero = base.re.equals(0.0) & base.im.equals(0.0)
    vanishes = base_is_zero & (exponent.re > 0.0)
    undefined = base_is_zero & ~(exponent.re > 0.0)
    re, im = vanishes.select(zero, result.re), vanishes.select(zero, result.im)
    re, im = undefined.select(math.nan, re), undefined.select(math.nan, im)
    to_zero = exponent.re.equals(0.0) & exponent.im.equals(0.0)
    return base.with_parts(to_zero.select(1.0, re), to_zero.select(zero, im))


def atan2(y: Complex, x: Complex) -> Complex:
    """`-i log((x + iy) / sqrt(x**2 + y**2))`."""
    return log(divide(x + y.times_i(), sqrt(x * x + y * y))).divided_by_i()


def angle(z: Complex) -> Float:
    """The argument, from -pi to pi."""
    return number.atan2(z.im, z.re)
