"""Inverse trigonometric and hyperbolic functions of complex numbers.

`asin`, `acos`, `asinh` and `acosh` follow T. Hull, T. Fairgrieve and P. Tang, "Implementing the complex arcsine and
arccosine functions using exception handling" (1997): everything is made of the distances from `z` to 1 and to -1, by
sums of positive terms. Where they switch between arcsine and arctangent, here the angle always is an `atan2`, which
has no bad argument, and their `a - 1` and `a - x` are one pair of formulas that change places at `x = 1`. `atanh` and
`atan` are W. Kahan's ("Branch cuts for complex elementary functions", 1987).

Branch cuts are where the C standard has them, and the sign of a zero says from which side a point on them is seen;
infinities and NaN are as in Annex G. Parts of single precision are computed in double and rounded once, so that no
square can overflow; parts of double precision are scaled where one would, and are within 4 units in the last place.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...ir.tensors import Tensor
from .formulas import log1p, select, sqrt, with_sign_of

_HUGE = math.ldexp(1.0, 500)
"""Where a part is larger than this, only the leading term of each function is left."""
_DOWN = math.ldexp(1.0, -514)
"""Brings huge parts to where their squares stay in range."""
_UP = 60
"""And from there the logarithm of two on: a number of at least `2**56`, for which `log1p` is `log`."""
_TINY = math.ldexp(1.0, -1000)
_LOG_2 = math.log(2.0)


class Complex(NamedTuple):
    """Real and imaginary part in double precision."""

    re: Tensor
    im: Tensor
    wide: bool
    """Whether they were single."""

    def with_parts(self, re: Tensor, im: Tensor) -> Complex:
        return Complex(re, im, self.wide)

    def swapped(self) -> Complex:
        """`i` times the conjugate."""
        return Complex(self.im, self.re, self.wide)


def _has_infinity(x: Tensor, y: Tensor) -> Tensor:
    return x.equals(math.inf) | y.equals(math.inf)


def _triangle(z: Complex) -> tuple[Tensor, Tensor]:
    """What the inverse functions have in common, cosine and height; see `kernel`.

    With `a` half the sum of the distances to 1 and -1: `sqrt(a**2 - x**2)` and `log(a + sqrt(a**2 - 1))`.

    For `r` and `s` the distances and `x` and `y` not negative, twice `a - x` and `a - 1` are `p + q` and `y**2 * g`:
    `p = r - (x + 1) = y**2 / (r + x + 1)`, `q = s + |x - 1|` and `g = 1 / (r + x + 1) + 1 / q`; in this order for `x <
    1`, in the other one beyond.
    """
    x, y = abs(z.re), abs(z.im)
    infinite = _has_infinity(x, y)
    right = x >= 1.0
    far, near = x + 1.0, abs(x - 1.0)
    s = sqrt(near * near + y * y)
    if z.wide:
        huge = infinite
        r = distance = sqrt(far * far + y * y)
        distance = select(infinite, math.inf, distance)
    else:
        huge = x.maximum(y) > _HUGE
        scale = select(huge, y.number(_DOWN), 1.0)
        far_scaled, y_scaled = far * scale, y * scale
        r = sqrt(far_scaled * far_scaled + y_scaled * y_scaled)
        # The square of a small y alone would underflow.
        s = select(near.equals(0.0), y, s)
        distance = select(infinite, math.inf, r * math.ldexp(1.0, _UP))
    a = (r + s) * 0.5
    q = s + near
    inverse = 1.0 / (r + far)
    sum = y * (y * inverse) + q
    g = inverse + 1.0 / q
    by_x, by_one = (a + x) * 0.5, (a + 1.0) * 0.5
    steep = sqrt(sum * select(right, by_one, by_x))
    flat = select(q < _TINY, steep, y * sqrt(g * select(right, by_x, by_one)))
    less_one = select(right, sum, y * (y * g)) * 0.5
    excess = less_one + select(right, steep, flat)
    height = log1p(select(huge | infinite, distance, excess))
    if not z.wide:
        height = height + select(huge, y.number((514 - _UP + 1) * _LOG_2), 0.0)
    return select(huge | infinite, y, select(right, flat, steep)), height


def kernel(z: Complex) -> Complex:
    """`w` such that `asin(z)` is `atan2(x, Re w)` and `Im w` with the sign of `y`, `acos(z)` is `atan2(Re w, x)` and
    `Im w` with the sign of `-y`.
    """
    return z.with_parts(*_triangle(z))


def _angled(z: Complex) -> tuple[Tensor, Tensor]:
    """The triangle, with a cosine that has the angle of an imaginary number whatever its size, even NaN."""
    cosine, height = _triangle(z)
    return select(z.re.equals(0.0), 1.0, cosine), height


def asin(z: Complex) -> Complex:
    cosine, height = _angled(z)
    return z.with_parts(z.re.atan2(cosine), with_sign_of(height, z.im))


def acos(z: Complex) -> Complex:
    cosine, height = _angled(z)
    return z.with_parts(cosine.atan2(z.re), with_sign_of(height, -z.im))


def acosh(z: Complex) -> Complex:
    """`acos` turned by a right angle, into the right half plane."""
    cosine, height = _angled(z)
    return z.with_parts(height, with_sign_of(cosine.atan2(z.re), z.im))


def asinh(z: Complex) -> Complex:
    """`i asin(-i z)`."""
    return asin(z.swapped()).swapped()


def atanh(z: Complex) -> Complex:
    """`log1p(4 x / ((1 - x)**2 + y**2)) / 4` and `atan2(2 y, (1 - x) (1 + x) - y**2) / 2` for `x` not negative."""
    x, y = abs(z.re), abs(z.im)
    less, near = 1.0 - x, abs(1.0 - x)
    infinite = _has_infinity(x, y)
    flat = (z.im + z.im).atan2(less * (x + 1.0) - y * y) * 0.5
    quarter = with_sign_of(y.number(math.pi / 2), z.im)
    if z.wide:
        ratio = x * 4.0 / (near * near + y * y)
        size = log1p(select(infinite, 0.0, ratio)) * 0.25
        angle = select(y.equals(math.inf), quarter, flat)
    else:
        huge = x.maximum(y) > _HUGE
        scale = select(huge, y.number(_DOWN), 1.0)
        near_scaled, y_scaled = near * scale, y * scale
        ratio = (x * scale * 4.0) / (near_scaled * near_scaled + y_scaled * y_scaled) * scale
        # At a pole's side y**2 would underflow: log(2 / y) / 2, with 2 / y brought into range.
        beside = near.equals(0.0) & (y < 1.0 / _HUGE)
        argument = select(beside, math.ldexp(1.0, 1 - _UP) / y, select(infinite, 0.0, ratio))
        size = log1p(argument) * select(beside, y.number(0.5), 0.25) + select(beside, y.number(_UP / 2 * _LOG_2), 0.0)
        angle = select(huge | y.equals(math.inf), quarter, flat)
    return z.with_parts(select(x.equals(0.0), z.re, with_sign_of(size, z.re)), angle)


def atan(z: Complex) -> Complex:
    """`i atanh(-i z)`."""
    return atanh(z.swapped()).swapped()
