"""Absolute value, sign and square roots.

Squares are taken of numbers scaled by a power of two. Square root: the larger of the two parts from the absolute value
without cancellation, the other from it (W. Kahan, "Branch Cuts for Complex Elementary Functions", 1987; T. Hull,
T. Fairgrieve and P. Tang, "Implementing Complex Elementary Functions Using Exception Handling", 1994).
"""

from __future__ import annotations

from ..elementary.arithmetic import Float, Mask
from .number import INFINITY, Complex, is_infinite, larger, power_of_two, scale_of, sum_of_products


def absolute(z: Complex) -> Float:
    """Infinite if a part is, even where the other is NaN."""
    x, y = abs(z.re), abs(z.im)
    scale = scale_of((x > y).select(x, y))
    x, y = x * scale.down, y * scale.down
    magnitude = x.multiply_add(x, y * y).sqrt() * scale.up
    return z.is_infinite().select(INFINITY, magnitude)


def sign(z: Complex) -> Complex:
    """`z / |z|`; zeros stay what they are, NaN in a part is NaN in both."""
    x, y = z.re, z.im
    if not z.wide:
        down = scale_of(larger(abs(x), abs(y))).down
        x, y = is_infinite(z.re).select(z.re, x * down), is_infinite(z.im).select(z.im, y * down)
    magnitude = _hypotenuse(x, y)
    magnitude = z.is_infinite().select(INFINITY, magnitude)
    is_nan = z.re.is_nan() | z.im.is_nan()
    unit = is_nan.select(z.re + z.im, magnitude.equals(0.0).select(1.0, magnitude))
    return z.with_parts(x / unit, y / unit)


def _hypotenuse(x: Float, y: Float) -> Float:
    return sum_of_products(x, x, y, y).sqrt()


def sqrt(z: Complex) -> Complex:
    """The root with a real part that is not negative; the cut runs along the negative real axis."""
    x, y = z.re, z.im
    if z.wide:
        major, _ = _larger_part_of_root(x, y)
    else:
        scale = scale_of(larger(abs(x), abs(y)), even=True)
        major, _ = _larger_part_of_root(x * scale.down, y * scale.down)
        major = major * power_of_two(scale.exponent * 0.5)
    re, im = _root(x, y, major)
    is_zero = _is_zero(z)
    re, im = is_zero.select(abs(x), re), is_zero.select(y, im)
    infinite = is_infinite(y)
    return z.with_parts(infinite.select(INFINITY, re), infinite.select(y, im))


def _larger_part_of_root(x: Float, y: Float) -> tuple[Float, Float]:
    """Without its sign; and the absolute value of the number."""
    magnitude = is_infinite(x).select(INFINITY, _hypotenuse(x, y))
    return ((abs(x) + magnitude) * 0.5).sqrt(), magnitude


def _root(x: Float, y: Float, major: Float) -> tuple[Float, Float]:
    """The parts of the root, of which the larger one is `major`."""
    minor = y / (major * 2.0)
    right = x >= 0.0
    return right.select(major, abs(minor)), right.select(minor, major.copy_sign(y))


def _is_zero(z: Complex) -> Mask:
    return z.re.equals(0.0) & z.im.equals(0.0)


def rsqrt(z: Complex) -> Complex:
    """`1 / sqrt(z)`, the conjugate of the root over the absolute value; at 0 infinity and NaN."""
    if z.wide:
        major, magnitude = _larger_part_of_root(z.re, z.im)
        root = _root(z.re, z.im, major)
        re, im = root[0] / magnitude, -root[1] / magnitude
    else:
        scale = scale_of(larger(abs(z.re), abs(z.im)), even=True)
        x, y = z.re * scale.down, z.im * scale.down
        major, magnitude = _larger_part_of_root(x, y)
        root = _root(x, y, major)
        down = power_of_two(scale.exponent * -0.5)
        re, im = root[0] / magnitude * down, -root[1] / magnitude * down
    re = _is_zero(z).select(INFINITY, re)
    infinite = z.is_infinite()
    zero = z.re.arithmetic.constant(0.0)
    return z.with_parts(infinite.select(zero, re), infinite.select(zero.copy_sign(-z.im), im))
