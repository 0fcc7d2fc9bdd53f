"""Roots and powers.

`cbrt` starts from a polynomial on [1, 2) and improves it by Halley's iteration in the form that
adds a small correction (Kahan; fdlibm). `powf` is `2^(y * log2 |x|)`: single precision computes it
in double precision, double precision with a logarithm of twice the precision, as a sum of two
numbers (the method of fdlibm's `e_pow`; Muller, "Elementary Functions").
"""

from __future__ import annotations

import math

from .arithmetic import DOUBLE, Float, power_of_two
from .exponential import LOG2_E
from .logarithm import LN2, normalise, split_exponent
from .sums import exact_product, fast_two_sum, two_sum

# cbrt(m) for 1 <= m < 2; relative error 2^-16.7
CUBE_ROOT = (
    0.506979255986535,
    0.7181543139538732,
    -0.30061198867324934,
    0.08609155987803678,
    -0.010603934846281205,
)

# (log((1 + s) / (1 - s)) - 2 s) / s^3 in s^2; error of the logarithm 2^-37.6
LOG_SHORT = (0.6666666563710336, 0.4000033725196805, 0.2853716792410408, 0.23584988195983794)

# (log((1 + s) / (1 - s)) - 2 s - 2 s^3 / 3) / s^5 in s^2; error of the logarithm 2^-66.3
LOG_REST = (
    0.4000000000000229,
    0.28571428570083734,
    0.22222222522880977,
    0.18181784097783385,
    0.15386770186116558,
    0.13256508724071744,
    0.13199280672941405,
)
TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)
LOG2_E_LOW = 2.0355273740931033e-17
LN2_LOW = 2.3190468138462996e-17

# (2^r - 1) / r for |r| <= 1/2; error of 2^r 2^-28.9
EXP2_SHORT = (
    0.6931472029833216,
    0.24022647896286994,
    0.055503321647697085,
    0.00961843867878425,
    0.0013399003031712969,
    0.00015353236723171913,
)

# (2^r - 1 - r ln 2) / r^2 for |r| <= 1/2; error of 2^r 2^-58.0
EXP2_REST = (
    0.24022650695910122,
    0.05550410866482078,
    0.009618129107597025,
    0.001333355814667268,
    0.0001540353045403397,
    1.5252733561185293e-05,
    1.3215436624328412e-06,
    1.0178178494327506e-07,
    7.073576370954623e-09,
    4.4372322786227703e-10,
)


def rsqrt(x: Float) -> Float:
    return 1.0 / x.sqrt()


def cbrt(x: Float) -> Float:
    format = x.arithmetic.format
    magnitude = abs(x)
    # A multiple of 3 that makes subnormals normal.
    shift = 24 if x.arithmetic.is_single else 54
    subnormal = magnitude < format.smallest_normal
    scaled = subnormal.select(magnitude * math.ldexp(1.0, shift), magnitude)
    bits = scaled.bits()
    fraction_bits = bits & ((1 << format.fraction_bits) - 1)
    m = (fraction_bits | format.one_bits).as_float()
    # The bias becomes a multiple of 3.
    excess = -format.bias % 3
    exponent = (bits >> format.fraction_bits) + excess
    # exponent // 3
    third = (exponent * 171) >> 9 if x.arithmetic.is_single else (exponent * 43691) >> 17
    remainder = exponent - third * 3
    value = m * power_of_two(remainder)
    one, two = remainder.equals(1), remainder.equals(2)
    factor = one.select(2.0 ** (1 / 3), two.select(2.0 ** (2 / 3), 1.0))
    root = m.polynomial(CUBE_ROOT) * factor
    for _ in range(1 if x.arithmetic.is_single else 2):
        cube = root * root * root
        root = (root * ((value - cube) / (cube + cube + value))) + root
    third_bias = (format.bias + excess) // 3
    offset = subnormal.select_integer(third_bias + shift // 3, third_bias)
    result = root * power_of_two(third - offset)
    regular = (magnitude > 0.0) & (magnitude < math.inf)
    return regular.select(result.copy_sign(x), x + x)


def _log2_short(magnitude: Float) -> Float:
    """`log2` of a normal double with relative error 2^-37."""
    exponent, m = split_exponent(magnitude)
    f = m - 1.0
    s = f / (f + 2.0)
    z = s * s
    logarithm = (s * z).multiply_add(z.polynomial(LOG_SHORT), s + s)
    return logarithm.multiply_add(LOG2_E, exponent.to_float())


def _log2_long(magnitude: Float) -> tuple[Float, Float]:
    """`log2` of a positive finite double as the sum of two, with relative error 2^-64."""
    exponent, m = normalise(magnitude)
    f = m - 1.0
    # s = f / (2 + f), in two parts.
    divisor = f + 2.0
    lost = f - (divisor - 2.0)
    s = f / divisor
    product, error = exact_product(s, divisor)
    s_low = (((f - product) - error) - s * lost) / divisor
    # z = s^2 and p = 2/3 + z * rest, in two parts each.
    z, z_low = exact_product(s, s)
    z_low = (s + s).multiply_add(s_low, z_low)
    rest = z * z.polynomial(LOG_REST)
    p, p_low = fast_two_sum(z.arithmetic.constant(TWO_THIRDS[0]), rest)
    p_low = p_low + TWO_THIRDS[1]
    # The series s z p + 2 s.
    t, t_low = _multiply(z, z_low, p, p_low)
    t, t_low = _multiply(t, t_low, s, s_low)
    high, low = fast_two_sum(s + s, t)
    low = low + (t_low + (s_low + s_low))
    log2_e = high.arithmetic.constant(LOG2_E)
    high, low = _multiply(high, low, log2_e, high.arithmetic.constant(LOG2_E_LOW))
    total, error = two_sum(exponent.to_float(), high)
    return fast_two_sum(total, error + low)


def _multiply(a: Float, a_low: Float, b: Float, b_low: Float) -> tuple[Float, Float]:
    product, error = exact_product(a, b)
    return product, a_low.multiply_add(b, a.multiply_add(b_low, error))


def _power_single(magnitude: Float, y: Float) -> Float:
    """`magnitude^y` but for the cases that `powf` decides."""
    single = y.arithmetic
    # Beyond 2^+-160 the result is infinity or 0.
    t = (_log2_short(magnitude.to_double()) * y.to_double()).at_least(-160.0).at_most(160.0)
    shifted = t + DOUBLE.magic
    r = t - (shifted - DOUBLE.magic)
    # Far below the smallest subnormal 0 at once: rounding to it takes long on many CPUs.
    scale = (t < -151.0).select(0.0, power_of_two(shifted.bits()))
    return (r.polynomial((1.0, *EXP2_SHORT)) * scale).to_single(single)


def _power_double(magnitude: Float, y: Float) -> Float:
    logarithm, logarithm_low = _log2_long(magnitude)
    # A bound that keeps the error term finite and does not change a result.
    y = y.at_least(-1e300).at_most(1e300)
    t, t_low = exact_product(logarithm, y)
    t_low = logarithm_low.multiply_add(y, t_low)
    inside = (t > -1100.0) & (t < 1100.0)
    t_low = inside.select(t_low, 0.0)
    t = t.at_least(-1100.0).at_most(1100.0)
    shifted = t + DOUBLE.magic
    n = shifted - DOUBLE.magic
    r, r_low = fast_two_sum(t - n, t_low)
    # 2^n in two factors.
    half_shifted = n.multiply_add(0.5, DOUBLE.magic)
    other_half = n - (half_shifted - DOUBLE.magic)
    scales = power_of_two(half_shifted.bits()), power_of_two((other_half + DOUBLE.magic).bits())
    return _exp2(r, r_low) * scales[0] * (t < -1076.0).select(0.0, scales[1])


def _exp2(r: Float, r_low: Float) -> Float:
    """`2^(r + r_low)` for `|r| <= 1/2`, off by little more than the last rounding: exact results come out exact."""
    linear, lost = exact_product(r, r.arithmetic.constant(LN2))
    low = r.multiply_add(LN2_LOW, lost)
    total, lost = fast_two_sum(r.arithmetic.constant(1.0), linear)
    low = (r_low * LN2).multiply_add(total, low)
    rest = r * r * r.polynomial(EXP2_REST)
    return total + (rest + (low + lost))


def powf(x: Float, y: Float) -> Float:
    """IEEE 754-2019 section 9.2.1, `pow`."""
    magnitude = abs(x)
    is_one = magnitude.equals(1.0)
    power = (_power_single if x.arithmetic.is_single else _power_double)(magnitude, y)
    # |x| = 1 (y may be infinite), 0, infinity
    grows = y > 0.0
    end = grows.select(magnitude + magnitude, 1.0 / magnitude)
    regular = (magnitude > 0.0) & (magnitude < math.inf)
    power = is_one.select(1.0, regular.select(power, end))
    y_is_integer = y.floor().equals(y)
    half_y = 0.5 * y
    y_is_odd = y_is_integer & ~half_y.floor().equals(half_y)
    negated = y_is_odd.select(power.copy_sign(x), power)
    no_power = (x < 0.0) & (magnitude < math.inf) & ~y_is_integer
    invalid = no_power | x.is_nan() | y.is_nan()
    trivial = y.equals(0.0) | x.equals(1.0)
    return trivial.select(1.0, invalid.select(math.nan, negated))
