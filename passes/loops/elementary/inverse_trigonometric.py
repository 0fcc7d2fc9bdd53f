"""The angle of a point, by a minimax polynomial in the quotient of its lesser coordinate by the greater one (Cody and
Waite; fdlibm).
"""

from __future__ import annotations

import math

from .arithmetic import Float

# pi/2 and the rest.
HALF_PI = {
    32: (1.5707963705062866, -4.3711390001862426e-08),
    64: (1.5707963267948966, 6.123233995736766e-17),
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
