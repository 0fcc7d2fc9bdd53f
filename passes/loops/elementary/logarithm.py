"""Logarithms and what is made of them.

`x = 2^k * m` with `m` between sqrt(1/2) and sqrt(2), by integer operations on the bits, and
`log x = k ln 2 + log(1 + f)`, `f = m - 1`. In single precision `log(1 + f)` is a polynomial in `f`
(as in Cephes); in double precision one in `s^2`, `s = f / (2 + f)`, from the series of the inverse
hyperbolic tangent (Muller, "Elementary Functions", and fdlibm). Coefficients are minimax fits.
"""

from __future__ import annotations

import math

from .arithmetic import DOUBLE, Float, Integer
from .exponential import LN2_PIECES, LOG2_E
from .sums import two_sum

# (log(1 + f) - f + f^2 / 2) / f^3; error of log(1 + f) 2^-27.3
LOG_SINGLE = (
    0.333333316828789,
    -0.2500082674905248,
    0.20001235762488542,
    -0.16623144906129103,
    0.14201371001729393,
    -0.1316200282579779,
    0.1276541457900858,
    -0.07634376287361555,
)

# (log((1 + s) / (1 - s)) - 2 s) / s^3 in s^2; error of the logarithm 2^-59.5
LOG_DOUBLE = (
    0.6666666666666735,
    0.39999999999407504,
    0.28571428744138555,
    0.22222198378686536,
    0.18183575157639942,
    0.15313755903310475,
    0.14799065107369277,
)

# log10(2) in two pieces, the first short enough for exact products with exponents.
LOG10_2_PIECES = {
    32: (0.301025390625, 4.605038981195214e-06),
    64: (0.30102999566395283, 2.8363394551044964e-14),
}
LOG10_E = 0.4342944819032518
LN2 = 0.6931471805599453


def split_exponent(x: Float) -> tuple[Integer, Float]:
    """`k` and `m` with `x = 2^k * m` and `m` in [sqrt(1/2), sqrt(2)), for normal positive `x`."""
    format = x.arithmetic.format
    root_bits = format.one_bits - (1 << (format.fraction_bits - 1)) + _ROOT_OFFSET[format.bits]
    bits = x.bits()
    k = (bits - root_bits) >> format.fraction_bits
    return k, (bits - (k << format.fraction_bits)).as_float()


# The bits of sqrt(1/2) less those of 3/4.
_ROOT_OFFSET = {
    32: 0x3F3504F3 - 0x3F400000,
    64: 0x3FE6A09E667F3BCD - 0x3FE8000000000000,
}


def log1p_fraction(f: Float) -> tuple[Float, Float]:
    """`log(1 + f)` for `f` in [sqrt(1/2) - 1, sqrt(2) - 1] as `f` and the rest."""
    half_square = 0.5 * f * f
    if f.arithmetic.format is DOUBLE:
        s = f / (f + 2.0)
        z = s * s
        series = z * z.polynomial(LOG_DOUBLE)
        return f, s * (half_square + series) - half_square
    square = f * f
    return f, (square * f).multiply_add(f.polynomial(LOG_SINGLE), -half_square)


def normalise(x: Float) -> tuple[Integer, Float]:
    """`split_exponent` for any positive finite `x`."""
    format = x.arithmetic.format
    shift = format.fraction_bits + 2
    subnormal = x < format.smallest_normal
    k, m = split_exponent(subnormal.select(x * math.ldexp(1.0, shift), x))
    return k - subnormal.select_integer(shift, 0), m


def _at_the_ends(x: Float, result: Float, pole: float = 0.0) -> Float:
    """`result` for finite `x` above the `pole`; there -inf, at infinity this, and NaN where there is no logarithm."""
    inside = (x > pole).select(result, x.equals(pole).select(-math.inf, math.nan))
    return (x < math.inf).select(inside, x)


def log(x: Float) -> Float:
    high, low = LN2_PIECES[x.arithmetic.format.bits]
    exponent, m = normalise(x)
    k = exponent.to_float()
    f, rest = log1p_fraction(m - 1.0)
    return _at_the_ends(x, k.multiply_add(high, k.multiply_add(low, rest) + f))


def log2(x: Float) -> Float:
    exponent, m = normalise(x)
    f, rest = log1p_fraction(m - 1.0)
    return _at_the_ends(x, (f + rest).multiply_add(LOG2_E, exponent.to_float()))


def log10(x: Float) -> Float:
    high, low = LOG10_2_PIECES[x.arithmetic.format.bits]
    exponent, m = normalise(x)
    k = exponent.to_float()
    f, rest = log1p_fraction(m - 1.0)
    mantissa = (f + rest).multiply_add(LOG10_E, k * low)
    return _at_the_ends(x, k.multiply_add(high, mantissa))


def log1p(x: Float) -> Float:
    """`1 + x` is rounded, and what it lost goes into `f`."""
    format = x.arithmetic.format
    high, low = LN2_PIECES[format.bits]
    u, lost = two_sum(x, x.arithmetic.constant(1.0))
    exponent, m = split_exponent(u)
    # The loss matters while 1 has a part in u; the clamp keeps 2^-k normal.
    inverse_scale = (format.one_bits - (exponent << format.fraction_bits)).as_float()
    correction = (u < math.ldexp(1.0, format.fraction_bits + 3)).select(lost * inverse_scale, 0.0)
    f, rest = log1p_fraction(m - 1.0 + correction)
    k = exponent.to_float()
    return _at_the_ends(x, k.multiply_add(high, k.multiply_add(low, rest) + f).copy_sign(x), pole=-1.0)
