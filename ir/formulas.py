"""Functions of real numbers by formulas of simpler ones, in any notation.

They are written once, for tensors of StableHLO, into which chlo's functions are decomposed, and for the numbers that
`math-expand-elementary` computes with. They are chosen for their relative error: differences that would cancel are
written as products or through `log1p`. Overflow of an intermediate result is avoided by a second formula, never by a
wider type. There are no branches: where two formulas cover the range, both are evaluated and one is selected.

The polynomials of `erf` are minimax fits by Remez's algorithm, made for these formulas in 50-digit arithmetic. The
errors given are those of the polynomials before rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_LOG_2 = math.log(2.0)

_ERF_SMALL_SINGLE = (
    1.1283791,
    -0.37612495,
    0.11281815,
    -0.026766578,
    0.004993114,
    -0.00059904857,
)
"""`erf(x) / x` in `x**2`, relative error 1.6e-8 up to `x**2 = 0.85`."""
_ERF_SMALL_DOUBLE = (
    1.1283791670955126,
    -0.3761263890318375,
    0.11283791670954858,
    -0.02686617064507296,
    0.00522397762478137,
    -0.0008548326978765149,
    0.00012055331037551108,
    -1.4925593518728226e-05,
    1.6460972954153765e-06,
    -1.635002619207727e-07,
    1.4657883530919653e-08,
    -1.136567067182716e-09,
    5.945255584223488e-11,
)
"""`erf(x) / x` in `x**2`, relative error 1.3e-19 up to `x**2 = 1`."""
_ERF_LARGE_SINGLE = (
    0.0018776098,
    1.120191,
    0.65075517,
    0.091109216,
    -0.015579051,
    0.0012515603,
)
"""`-log(erfc(a))`, the error in `erf` is 2.6e-8 for `a` from 0.9 to 3.95."""
_ERF_LARGE_DOUBLE = (
    8.139591642132809e-07,
    1.1283709531485644,
    0.6366582786470619,
    0.10266132915645608,
    -0.018906775269154453,
    -0.0005314075449780696,
    0.002048352454862328,
    -0.000882876641682978,
    0.00020951021089973378,
    -1.861680140955276e-05,
    -6.840458351820114e-06,
    3.526248379249249e-06,
    -8.573600090793859e-07,
    1.3274029472860386e-07,
    -1.3334541671979135e-08,
    7.995419307134154e-10,
    -2.184849700540447e-11,
)
"""`-log(erfc(a))`, the error in `erf` is 5e-17 for `a` from 0.95 to 5.95."""


@dataclass(frozen=True)
class Formulas:
    """The functions of numbers that have Python's operators; the fields say what else they are written with."""

    exp: Callable[[Any], Any]
    log: Callable[[Any], Any]
    log1p: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    atan2: Callable[[Any, Any], Any]
    at_most: Callable[[Any, float], Any]
    """The lesser one of a number and a bound; NaN stays."""
    select: Callable[[Any, Any, Any], Any]
    """`select(condition, on_true, on_false)`."""
    with_sign_of: Callable[[Any, Any], Any]
    """A number that is not negative, with the sign of another one."""
    polynomial: Callable[[Any, tuple[float, ...]], Any]
    """Coefficients from the constant one upwards."""
    is_single: Callable[[Any], bool]
    """Whether a number is an `f32`; formulas have coefficients for that and for `f64`."""

    def acos(self, x: Any) -> Any:
        """`atan2(sqrt((1 - x) (1 + x)), x)`: `1 - x` is exact near 1."""
        return self.atan2(self.sqrt((1.0 - x) * (x + 1.0)), x)

    def asin(self, x: Any) -> Any:
        return self.atan2(x, self.sqrt((1.0 - x) * (x + 1.0)))

    def atan(self, x: Any) -> Any:
        return self.atan2(x, 1.0)

    def acosh(self, x: Any) -> Any:
        """`log1p(t + sqrt(t) sqrt(t + 2))` with `t = x - 1`."""
        t = x - 1.0
        return self._below_large(x, self.log1p(t + self.sqrt(t) * self.sqrt(t + 2.0)))

    def asinh(self, x: Any) -> Any:
        """`log1p(a + a**2 / (1 + sqrt(a**2 + 1)))` with `a = |x|`."""
        a = abs(x)
        square = a * a
        near = self.log1p(a + square / (self.sqrt(square + 1.0) + 1.0))
        return self.with_sign_of(self._below_large(a, near), x)

    def _below_large(self, a: Any, near: Any) -> Any:
        """`near`, or `log(2 a)` where `sqrt(a**2 + 1)` rounds to `a`, and `a**2` is still far from overflow."""
        return self.select(a < math.ldexp(1.0, 14 if self.is_single(a) else 30), near, self.log(a) + _LOG_2)

    def atanh(self, x: Any) -> Any:
        """`log1p(2 a / (1 - a)) / 2` with `a = |x|`."""
        a = abs(x)
        return self.with_sign_of(self.log1p((a + a) / (1.0 - a)) * 0.5, x)

    def erf(self, x: Any) -> Any:
        """`x * p(x**2)` for small arguments, `1 - exp(-q(|x|))` for large ones."""
        if self.is_single(x):
            small, large, split, one = _ERF_SMALL_SINGLE, _ERF_LARGE_SINGLE, 0.921, 3.95
        else:
            small, large, split, one = _ERF_SMALL_DOUBLE, _ERF_LARGE_DOUBLE, 0.97, 5.95
        a = abs(x)
        near = x * self.polynomial(x * x, small)
        far = 1.0 - self.exp(-self.polynomial(self.at_most(a, one), large))
        return self.select(a < split, near, self.with_sign_of(far, x))
