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
    x, y = z.re, z.im
    if z.wide:
        magnitude = (x * x + y * y).sqrt()
    else:
        scale = scale_of(larger(abs(x), abs(y)))
        magnitude = _hypotenuse(x * scale.down, y * scale.down) * scale.up
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
    if z.wide:
        (re, im), _ = _root_and_magnitude(z.re, z.im)
    else:
        scale = scale_of(larger(abs(z.re), abs(z.im)), even=True)
        root, _ = _root_and_magnitude(z.re * scale.down, z.im * scale.down)
        up = power_of_two(scale.exponent * 0.5)
        re, im = root[0] * up, root[1] * up
    is_zero = _is_zero(z)
    re, im = is_zero.select(abs(z.re), re), is_zero.select(z.im, im)
    infinite = is_infinite(z.im)
    return z.with_parts(infinite.select(INFINITY, re), infinite.select(z.im, im))


def _root_and_magnitude(x: Float, y: Float) -> tuple[tuple[Float, Float], Float]:
    magnitude = is_infinite(x).select(INFINITY, _hypotenuse(x, y))
    major = ((abs(x) + magnitude) * 0.5).sqrt()
    minor = y / (major * 2.0)
    right = x >= 0.0
    return (right.select(major, abs(minor)), right.select(minor, major.copy_sign(y))), magnitude


def _is_zero(z: Complex) -> Mask:
    return z.re.equals(0.0) & z.im.equals(0.0)


def rsqrt(z: Complex) -> Complex:
    """`1 / sqrt(z)`, the conjugate of the root over the absolute value; at 0 infinity and NaN."""
    if z.wide:
        root, magnitude = _root_and_magnitude(z.re, z.im)
        re, im = root[0] / magnitude, -root[1] / magnitude
    else:
        scale = scale_of(larger(abs(z.re), abs(z.im)), even=True)
        root, magnitude = _root_and_magnitude(z.re * scale.down, z.im * scale.down)
        down = power_of_two(scale.exponent * -0.5)
        re, im = root[0] / magnitude * down, -root[1] / magnitude * down
    re = _is_zero(z).select(INFINITY, re)
    infinite = z.is_infinite()
    zero = z.re.arithmetic.constant(0.0)
    return z.with_parts(infinite.select(zero, re), infinite.select(zero.copy_sign(-z.im), im))
