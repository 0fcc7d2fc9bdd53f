"""Arcus functions, by minimax polynomials on a reduced argument.

`atan` is computed for the smaller of `t` and `1 / t`; `asin` beyond 1/2 from
`asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2))` (Cody and Waite; fdlibm).
"""

from __future__ import annotations

import math

from .arithmetic import Float, Mask

# pi/2 and the rest.
HALF_PI = {
    32: (1.5707963705062866, -4.3711390001862426e-08),
    64: (1.5707963267948966, 6.123233995736766e-17),
}

# (asin x - x) / x^3 in x^2, for x <= 1/2; error 2^-27.6, 2^-55.9
ARCSINE = {
    32: (
        0.16666753481057026,
        0.07495252694464645,
        0.045476542169250955,
        0.024146663851702,
        0.042225941602816994,
    ),
    64: (
        0.16666666666665372,
        0.07500000000345788,
        0.044642856820790014,
        0.030381959458632077,
        0.02237175010492994,
        0.017359827775583148,
        0.013883991399731075,
        0.012177557342836454,
        0.006491158998397515,
        0.019630892149459747,
        -0.016388100949260333,
        0.03202642283262689,
    ),
}

# (atan x - x) / x^3 in x^2, for x <= 1; error 2^-28.5, 2^-57.6
ARCTANGENT = {
    32: (
        -0.3333329909012056,
        0.19998548319805326,
        -0.14264242093741225,
        0.10952188045919636,
        -0.08403457138818572,
        0.057957711640975476,
        -0.03117796388631118,
        0.010914668889783546,
        -0.0017936356991895511,
    ),
    64: (
        -0.3333333333333307,
        0.19999999999951462,
        -0.14285714282575182,
        0.1111111100702743,
        -0.09090907003001654,
        0.07692279839296848,
        -0.06666404056858996,
        0.058805278068868545,
        -0.052535185067714096,
        0.047223220302043116,
        -0.04219178406858833,
        0.03664189881310033,
        -0.029903838213478966,
        0.021984827473542683,
        -0.01390053512132398,
        0.007196485266473809,
        -0.0028849091799715075,
        0.0008313185737478332,
        -0.00015216015980798928,
        1.322500548847604e-05,
    ),
}


def _arctangent_rest(t: Float) -> Float:
    """`atan(t) - t` for `t` in [0, 1]."""
    z = t * t
    return t * z * z.polynomial(ARCTANGENT[t.arithmetic.format.bits])


def atan(x: Float) -> Float:
    high, low = HALF_PI[x.arithmetic.format.bits]
    magnitude = abs(x)
    inverted = magnitude > 1.0
    t = inverted.select(1.0 / magnitude, magnitude)
    rest = _arctangent_rest(t)
    result = inverted.select(high - (t + (rest - low)), t + rest)
    return result.copy_sign(x)


def atan2(y: Float, x: Float) -> Float:
    high, low = HALF_PI[x.arithmetic.format.bits]
    x_magnitude, y_magnitude = abs(x), abs(y)
    steep = y_magnitude > x_magnitude
    larger = steep.select(y_magnitude, x_magnitude)
    smaller = steep.select(x_magnitude, y_magnitude)
    # 0 / 0 is an angle of 0, infinity / infinity one of pi/4.
    quotient = larger.equals(0.0).select(0.0, smaller / larger)
    t = smaller.equals(math.inf).select(1.0, quotient)
    rest = _arctangent_rest(t)
    # The angle to the nearer half of the x axis, then to the positive one.
    acute = steep.select(high - (t + (rest - low)), t + rest)
    pi_high, pi_low = 2.0 * high, 2.0 * low
    obtuse_flat = pi_high - (t + (rest - pi_low))
    obtuse_steep = high + (t + (rest + low))
    is_left = x.arithmetic.constant(1.0).copy_sign(x) < 0.0
    angle = is_left.select(steep.select(obtuse_steep, obtuse_flat), acute)
    ordered = x.equals(x) & y.equals(y)
    return ordered.select(angle, math.nan).copy_sign(y)


def asin(x: Float) -> Float:
    high, low = HALF_PI[x.arithmetic.format.bits]
    magnitude = abs(x)
    inner, root, rest = _arcsine_parts(magnitude)
    outer = high - (root + root + ((rest + rest) - low))
    return inner.select(root + rest, outer).copy_sign(x)


def acos(x: Float) -> Float:
    high, low = HALF_PI[x.arithmetic.format.bits]
    inner, root, rest = _arcsine_parts(abs(x))
    signed_root, signed_rest = root.copy_sign(x), rest.copy_sign(x)
    middle = high - (signed_root + (signed_rest - low))
    near_one = root + rest
    near_minus_one = high - (root + (rest - low))
    half = (x < 0.0).select(near_minus_one, near_one)
    return inner.select(middle, half + half)


def _arcsine_parts(magnitude: Float) -> tuple[Mask, Float, Float]:
    """Whether `magnitude` is at most 1/2, and `asin(w)` as `w` and the rest, where `w` is
    `magnitude` there and `sqrt((1 - magnitude) / 2)` beyond."""
    inner = magnitude <= 0.5
    z_outer = (1.0 - magnitude) * 0.5
    z = inner.select(magnitude * magnitude, z_outer)
    root = inner.select(magnitude, z_outer.sqrt())
    return inner, root, root * z * z.polynomial(ARCSINE[z.arithmetic.format.bits])
