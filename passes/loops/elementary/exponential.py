"""Exponentials and what is made of them.

Range reduction after Cody and Waite ("Software Manual for the Elementary Functions", 1980): `n` is
the multiple of `ln 2` nearest to `x` and `r = x - n * ln 2`, with `ln 2` in two pieces the first of
which has so few bits that its products with `n` are exact. Polynomials are minimax fits (Remez) of
the functions named beside them.

`exp` reduces by multiples of `2 * ln 2` and multiplies by `2^n` twice, so that the same factor,
always normal, reaches from the smallest subnormal to the largest finite result with one rounding at
the end. That costs one term of the polynomial and saves splitting `n`. Where the result rounds to 0
one of the factors is 0: on many CPUs a product that underflows takes a hundred times as long, and
arguments far below 0 are common (the masked scores of a softmax). Where subnormal numbers are flushed, all results are
normal, and one addition to the exponent is enough.
"""

from __future__ import annotations

import math

from .arithmetic import Float, Integer, power_of_two

LOG2_E = 1.4426950408889634

# ln 2 and the rest: the first pieces have 15 and 42 bits.
LN2_PIECES = {
    32: (0.693145751953125, 1.4286068203094172e-06),
    64: (0.6931471805598903, 5.497923018708371e-14),
}

# (exp(r) - 1 - r) / r^2 for |r| <= ln 2; error of exp 2^-26.1, 2^-61.9
EXP_WIDE = {
    32: (
        0.5000003463769493,
        0.16666614155342782,
        0.04166126840784461,
        0.008336102839631807,
        0.0014104470326608532,
        0.00019611640259561822,
    ),
    64: (
        0.5,
        0.16666666666666652,
        0.04166666666666727,
        0.008333333333337859,
        0.0013888888888804205,
        0.00019841269835866782,
        2.48015873547064e-05,
        2.755732229869754e-06,
        2.7557302937656623e-07,
        2.5051204529408403e-08,
        2.0879057012230556e-09,
        1.619152498153945e-10,
        1.1378149768593678e-11,
    ),
}

# (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2; error of exp(r) - 1 2^-31.8, 2^-58.3
EXPM1 = {
    32: (
        0.5000000053347542,
        0.16666666903397626,
        0.041666325744494755,
        0.008333219700619456,
        0.001394330836027329,
        0.00019962317939604276,
    ),
    64: (
        0.5000000000000001,
        0.1666666666666667,
        0.04166666666665218,
        0.008333333333326101,
        0.0013888888895633533,
        0.00019841269874946405,
        2.4801574491882463e-05,
        2.755725523190996e-06,
        2.756794643182659e-07,
        2.510528986502037e-08,
        1.7687721188239492e-09,
    ),
}

# (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2; error of exp 2^-28.3, 2^-58.3
EXP = {
    32: (
        0.4999999343213752,
        0.16666520399190982,
        0.04166839077876423,
        0.008368745098535281,
        0.0013814540536471471,
    ),
    64: EXPM1[64],
}

# From the first to the second of these exp is a normal number.
EXP_NORMAL = {32: (-87.33654022216797, 88.72283172607422), 64: (-708.3964185322641, 709.782712893384)}

# Beyond the second of these the result is infinity, from the first downwards it rounds to 0.
EXP_RANGE = {32: (-104.0, 89.0), 64: (-746.0, 710.0)}

# Below the first, exp(x) - 1 rounds to -1; above the others, sinh(x) and cosh(x) overflow and
# tanh(x / 2) rounds to 1.
EXPM1_LOW = {32: -18.0, 64: -38.0}
SINH_HIGH = {32: 89.6, 64: 710.6}
TANH_HIGH = {32: 19.0, 64: 40.0}


def nearest_multiple(x: Float, scale: float) -> tuple[Float, Integer]:
    """The integer `n` nearest to `x * scale`, as a number and as bits whose low ones hold `n`.

    `power_of_two` shifts the other bits out.
    """
    shifted = x.multiply_add(scale, x.arithmetic.format.magic)
    return shifted - x.arithmetic.format.magic, shifted.bits()


def _normal_exp(x: Float) -> Float:
    """`exp` where subnormal results are zeros: the power of two goes into the exponent by an addition of integers. It
    is as exact, and takes three quarters of the instructions."""
    format = x.arithmetic.format
    low, high = EXP_NORMAL[format.bits]
    n, n_bits = nearest_multiple(x, LOG2_E)
    r = x
    for piece in LN2_PIECES[format.bits]:
        r = n.multiply_add(-piece, r)
    fraction = r.polynomial((1.0, 1.0, *EXP[format.bits]))
    normal = (fraction.bits() + (n_bits << format.fraction_bits)).as_float()
    return (x < low).select(0.0, (x <= high).select(normal, x + math.inf))


def exp(x: Float) -> Float:
    if x.arithmetic.flushes:
        return _normal_exp(x)
    bits = x.arithmetic.format.bits
    low, high = EXP_RANGE[bits]
    vanishes = x <= low
    x = x.at_least(low).at_most(high)
    n, n_bits = nearest_multiple(x, 0.5 * LOG2_E)
    r = x
    for piece in LN2_PIECES[bits]:
        r = n.multiply_add(-2.0 * piece, r)
    result = r.polynomial((1.0, 1.0, *EXP_WIDE[bits]))
    power = power_of_two(n_bits)
    return result * power * vanishes.select(0.0, power)


def expm1_parts(x: Float) -> tuple[Float, Integer]:
    """`exp(r) - 1` and the bits that hold `n`, where `x = n * ln 2 + r` and `|r| <= ln 2 / 2`."""
    bits = x.arithmetic.format.bits
    ln2_high, ln2_low = LN2_PIECES[bits]
    n, n_bits = nearest_multiple(x, LOG2_E)
    high = n.multiply_add(-ln2_high, x)
    r = n.multiply_add(-ln2_low, high)
    square = r * r
    return square.multiply_add(r.polynomial(EXPM1[bits]), r), n_bits


def quarter_expm1(x: Float) -> Float:
    """`(exp(x) - 1) / 4`, which is finite somewhat beyond where `sinh(x)` is."""
    part, n_bits = expm1_parts(x)
    quarter_scale = power_of_two(n_bits - 2)
    return part.multiply_add(quarter_scale, quarter_scale - 0.25)


def expm1(x: Float) -> Float:
    format = x.arithmetic.format
    clamped = x.at_least(EXPM1_LOW[format.bits]).at_most(EXP_RANGE[format.bits][1])
    result = 4.0 * quarter_expm1(clamped)
    return (abs(x) < format.epsilon / 4).select(x.result(), result)


def tanh(x: Float) -> Float:
    """`e / (e + 2)` with `e = exp(2 |x|) - 1`."""
    bits = x.arithmetic.format.bits
    magnitude = abs(x)
    part, n_bits = expm1_parts((magnitude + magnitude).at_most(TANH_HIGH[bits]))
    scale = power_of_two(n_bits)
    e = part.multiply_add(scale, scale - 1.0)
    return (e / (e + 2.0)).copy_sign(x)


def sinh(x: Float) -> Float:
    """`2 (q + q / (4 q + 1))` with `q = (exp(|x|) - 1) / 4`."""
    format = x.arithmetic.format
    magnitude = abs(x)
    q = quarter_expm1(magnitude.at_most(SINH_HIGH[format.bits]))
    half = q + q / q.multiply_add(4.0, 1.0)
    return (magnitude < format.epsilon / 4).select(x.result(), (half + half).copy_sign(x))


def cosh(x: Float) -> Float:
    """`u + 1 / (4 u)` with `u = exp(|x|) / 2`."""
    q = quarter_expm1(abs(x).at_most(SINH_HIGH[x.arithmetic.format.bits]))
    u = q.multiply_add(2.0, 0.5)
    return u + 0.25 / u
