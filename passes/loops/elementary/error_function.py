"""The error function.

Below 1, `erf x = x + x * p(x^2)` with a polynomial in single and a rational function in double
precision (Cody, "Rational Chebyshev approximations for the error function", 1969). Beyond, single
precision takes `1 - 2^g(x)` with a polynomial `g` for the base-2 logarithm of `erfc`, double
precision `1 - exp(-x^2) * r(x)` with a rational `r`. All are minimax fits.
"""

from __future__ import annotations

from .arithmetic import SINGLE, Float, power_of_two
from .exponential import exp

# erf(x) / x - 1 in x^2, for x <= 1; error of erf 2^-29.6
INNER_SINGLE = (
    0.12837916572679853,
    -0.3761262582467801,
    0.11283585151191003,
    -0.026853811987193277,
    0.005188327722259209,
    -0.0008010193590920629,
    7.853860400115966e-05,
)

# log2(erfc(x)) for 1 <= x <= 3.93; error of erf 2^-29.8
LOG2_TAIL_SINGLE = (
    -0.0004927438498805727,
    -1.626045862147555,
    -0.9206485904975985,
    -0.1487514249960603,
    0.03150558067447723,
    -0.004252550306835258,
    0.0002688860894388251,
)

# (2^r - 1) / r for |r| <= 1/2; error of 2^r 2^-23.4, of erf 2^-26.1
EXP2_SINGLE = (
    0.6931469763739779,
    0.24022240452077986,
    0.05550735036756604,
    0.009671619391538705,
    0.0013264590447816765,
)

# erf(x) / x - 1 in x^2, for x <= 1; error of erf 2^-60.3
INNER_NUMERATOR = (
    0.12837916709551256,
    -0.3170061095562128,
    -0.04832952971587157,
    -0.008815679309517058,
    -0.0004956152146005984,
    -2.0732615845457865e-05,
)
INNER_DENOMINATOR = (
    1.0,
    0.4605130319286161,
    0.09381317583266455,
    0.010693099947112487,
    0.0006925002761481209,
    2.081034837786573e-05,
)

# erfc(x) exp(x^2) for 1 <= x <= 5.95; error of erf 2^-59.4
TAIL_NUMERATOR = (
    0.9999998892572827,
    1.3900674100965156,
    0.9488867100272219,
    0.3732205969299494,
    0.08422822976885234,
    0.008912178284060513,
)
TAIL_DENOMINATOR = (
    1.0,
    2.51844540870821,
    2.790653921536834,
    1.7559248678693233,
    0.6694743390047195,
    0.14928671950563843,
    0.01579654811995755,
)

# From here on erf rounds to 1.
SATURATION = {32: 3.93, 64: 5.95}


def erf(x: Float) -> Float:
    format = x.arithmetic.format
    magnitude = abs(x).at_most(SATURATION[format.bits])
    z = magnitude * magnitude
    if format is SINGLE:
        ratio = z.polynomial(INNER_SINGLE)
        outer = _tail_single(magnitude)
    else:
        ratio = z.polynomial(INNER_NUMERATOR) / z.polynomial(INNER_DENOMINATOR)
        tail = magnitude.polynomial(TAIL_NUMERATOR) / magnitude.polynomial(TAIL_DENOMINATOR)
        outer = 1.0 - exp(-z) * tail
    inner = magnitude.multiply_add(ratio, magnitude)
    return (magnitude < 1.0).select(inner, outer).copy_sign(x)


def _tail_single(magnitude: Float) -> Float:
    logarithm = magnitude.polynomial(LOG2_TAIL_SINGLE)
    shifted = logarithm + SINGLE.magic
    r = logarithm - (shifted - SINGLE.magic)
    power = r.polynomial((1.0, *EXP2_SINGLE))
    return (-power).multiply_add(power_of_two(shifted.bits()), 1.0)
