"""Sine, cosine and tangent for arguments of any size.

The argument is reduced in turns: `x / (2 pi) = n / 4 + r` with `|r| <= 1/8`, `n` counted modulo 4.
As in Payne and Hanek ("Radian reduction for trigonometric functions", 1983), digits of `1 / (2 pi)`
whose product with `x` is an integer do not matter; here the digits are floating point numbers, and
integers vanish by subtracting what rounds to one.

Single precision reduces in double precision: seven pieces of 29 bits cover every exponent, and
their products with a 24-bit significand are exact. Double precision picks the five pieces of 53
bits that matter for the exponent of `x`, in a binary tree of selections, splits each product in two
doubles, and sums them with the errors kept (Ogita, Rump and Oishi, "Accurate sum and dot product",
2005). The result is right for the worst cases, within 2^-62 of a multiple of a quarter turn.

A number on its own waits for each of these operations. If it is below `MODERATE`, multiples of `pi / 2` in parts
are subtracted from it instead, without an error but for the last one (Cody and Waite, "Software Manual for the
Elementary Functions", 1980; the parts are those of fdlibm).

The polynomials on [-pi/4, pi/4] are minimax fits; the low part of a reduced double enters as in
fdlibm's kernels.
"""

from __future__ import annotations

import math
from typing import cast

from .arithmetic import DOUBLE, Float, Integer, power_of_two
from .sums import exact_product, fast_two_sum, two_sum

# (sin x - x) / x^3 in x^2; error 2^-28.0, 2^-58.0
SINE = {
    32: (-0.16666654873474532, 0.008332173543004685, -0.00019516655810240534),
    64: (
        -0.16666666666666632,
        0.008333333333322314,
        -0.0001984126982972517,
        2.7557313662052964e-06,
        -2.5050753264622507e-08,
        1.5896504983992886e-10,
    ),
}

# (cos x - 1 + x^2 / 2) / x^4 in x^2; error 2^-33.3, 2^-64.2
COSINE = {
    32: (0.04166664674799396, -0.0013887361460462662, 2.4437731204309198e-05),
    64: (
        0.0416666666666666,
        -0.001388888888887399,
        2.4801587289395035e-05,
        -2.755731432606248e-07,
        2.0875719562997714e-09,
        -1.13594488985456e-11,
    ),
}

QUARTERS_IN_ONE = 0.6366197723675814
"""2 / pi"""

TWO_PI = (6.283185307179586, 2.4492935982947064e-16)

# The hexadecimal digits of 1 / (2 pi) after the point.
TURN = (
    "28BE60DB9391054A7F09D5F47D4D377036D8A5664F10E4107F9458EAF7AEF1586DC91B8E909374B801924BBA827464873F877AC72C"
    "4A69CFBA208D7D4BAED1213A671C09AD17DF904E64758E60D4CE7D272117E2EF7E4A0EC7FE25FFF7816603FBCBC462D6829B47DB4D"
    "9FB3C9F2C26DD3D18FD9A797FA8B5D49EEB1FAF97C5ECF41CE7DE294A4BA9AFED7EC47E357421580CC11BF1EDAEAFC33EF0826BD0D"
)


def _digits(bits: int, first: int, count: int) -> list[int]:
    """`count` digits of 1 / (2 pi) to the base `2^bits`, from `first` bits behind the point on."""
    end = 4 * len(TURN) - first
    return [(int(TURN, 16) >> (end - bits * (i + 1))) % (1 << bits) for i in range(count)]


# In pieces of 29 bits.
TURN_PIECES_29 = [math.ldexp(digit, -2 - 29 * (i + 1)) for i, digit in enumerate(_digits(29, 2, 7))]

# To the base 2^53, after the point; a zero digit in front.
TURN_DIGITS_53 = [0, *_digits(53, 0, 24)]

QUARTER_PARTS = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32)
"""pi / 2: three times 33 bits, and what is left rounded."""

QUARTER_REST = 6.077100506506192e-11
"""What the first part leaves, rounded."""

MODERATE = 2.0**20
"""Below this the count of quarters times a part of 33 bits has no error."""

TINY = 2.0**-27
"""Below this sin(x) and tan(x) round to x in double precision."""


def fraction(x: Float) -> Float:
    """`x` less the nearest integer."""
    return x - x.round_even()


def low_bits(count: Float) -> Integer:
    """Bits the lowest of which are those of the whole number `count`."""
    return (count + count.arithmetic.format.magic).bits()


def reduce_single(magnitude: Float) -> tuple[Float, Integer]:
    """The angle left of a single-precision `magnitude` in radians, and the quadrant."""
    angle, quadrant = magnitude.arithmetic.either(
        magnitude < MODERATE, lambda: _moderate_single(magnitude), lambda: _any_single(magnitude)
    )
    return cast(Float, angle), cast(Integer, quadrant)


def _moderate_single(magnitude: Float) -> tuple[Float, Integer]:
    x = magnitude.to_double()
    quarters = (x * QUARTERS_IN_ONE).round_even()
    rest = quarters.multiply_add(-QUARTER_REST, quarters.multiply_add(-QUARTER_PARTS[0], x))
    single = magnitude.arithmetic
    return rest.to_single(single), low_bits(quarters.to_single(single))


def _any_single(magnitude: Float) -> tuple[Float, Integer]:
    x = magnitude.to_double()
    parts = [x * piece for piece in TURN_PIECES_29]
    # The last two products are below 2^-17.
    parts[:5] = [fraction(part) for part in parts[:5]]
    turns = parts[0]
    for part in parts[1:5]:
        turns = turns + part
    quarters = (4.0 * turns).round_even()
    rest = quarters.multiply_add(-0.25, parts[0])
    for part in parts[1:]:
        rest = rest + part
    single = magnitude.arithmetic
    return (rest * TWO_PI[0]).to_single(single), low_bits(quarters.to_single(single))


def select_digits(index: Integer, count: int) -> list[Float]:
    """`TURN_DIGITS_53[index : index + count]`, as fractions, for `index` from 0 to 19."""
    arithmetic = index.arithmetic
    digits: list[Float | float] = [math.ldexp(digit, -53) for digit in TURN_DIGITS_53]
    for bit in (16, 8, 4, 2, 1):
        is_set = (index & bit).equals(bit)
        kept = min(len(digits), count + bit - 1)
        digits = [
            is_set.select(digits[i + bit], digits[i]) if i + bit < len(digits) else digits[i] for i in range(kept)
        ]
    return [d if isinstance(d, Float) else arithmetic.constant(d) for d in digits]


def reduce_double(magnitude: Float) -> tuple[Float, Float, Integer]:
    """The angle left of a double `magnitude` of at least `TINY`, as high and low part, and the
    quadrant."""
    high, low, quadrant = magnitude.arithmetic.either(
        magnitude < MODERATE, lambda: _moderate_double(magnitude), lambda: _any_double(magnitude)
    )
    return cast(Float, high), cast(Float, low), cast(Integer, quadrant)


def _moderate_double(magnitude: Float) -> tuple[Float, Float, Integer]:
    quarters = (magnitude * QUARTERS_IN_ONE).round_even()
    first, second, third, rest = QUARTER_PARTS
    high, low = two_sum(quarters.multiply_add(-first, magnitude), quarters * -second)
    high, error = two_sum(high, quarters * -third)
    return *two_sum(high, quarters.multiply_add(-rest, low + error)), low_bits(quarters)


def _any_double(magnitude: Float) -> tuple[Float, Float, Integer]:
    bits = magnitude.at_least(1.0).bits()
    exponent = (bits >> DOUBLE.fraction_bits) - DOUBLE.bias
    # exponent // 53, for exponents up to 1024
    block = (exponent * 1237) >> 16
    x = magnitude * power_of_two(block * -53)
    # x < 2^53; the digits before these make integers.
    digits = select_digits(block, 5)
    scaled = [x * math.ldexp(1.0, 53 * (1 - position)) for position in range(5)]
    scaled[1] = x
    products = [exact_product(*pair) for pair in zip(scaled[:4], digits[:4], strict=True)]
    (p0, e0), (p1, e1), (p2, e2), (p3, e3) = products
    last = scaled[4] * digits[4]
    coarse = [fraction(p0), fraction(e0), fraction(p1), e1, p2]
    turns = coarse[0]
    for part in coarse[1:]:
        turns = turns + part
    quarters = (4.0 * turns).round_even()
    total = coarse[0]
    errors: list[Float] = []
    for part in (-0.25 * quarters, *coarse[1:]):
        total, error = two_sum(total, part)
        errors.append(error)
    middle = errors[0]
    small = e3 + last
    for part in (*errors[1:], e2, p3):
        middle, error = two_sum(middle, part)
        small = small + error
    high, low = two_sum(total, middle)
    high, low = fast_two_sum(high, low + small)
    angle, error = exact_product(high, high.arithmetic.constant(TWO_PI[0]))
    return angle, error + high.multiply_add(TWO_PI[1], low * TWO_PI[0]), low_bits(quarters)


def sine_cosine(x: Float) -> tuple[Float, Float, Integer]:
    """Sine and cosine of the angle left of `|x|`, and the quadrant (in the low two bits)."""
    if not x.arithmetic.is_single:
        high, low, quadrant = reduce_double(abs(x))
        z = high * high
        cube = z * high
        correction = z * (0.5 * low - cube * z.polynomial(SINE[64][1:])) - low
        sine = high - (correction - cube * SINE[64][0])
        half = 0.5 * z
        near = 1.0 - half
        rest = (z * z).multiply_add(z.polynomial(COSINE[64]), -(high * low))
        return sine, near + (((1.0 - near) - half) + rest), quadrant
    angle, quadrant = reduce_single(abs(x))
    z = angle * angle
    sine = (angle * z).multiply_add(z.polynomial(SINE[32]), angle)
    cosine = z.multiply_add(z.multiply_add(z.polynomial(COSINE[32]), -0.5), 1.0)
    return sine, cosine, quadrant


def _odd(quadrant: Integer, if_odd: Float, if_even: Float) -> Float:
    return (quadrant & 1).equals(1).select(if_odd, if_even)


def _flip_sign(value: Float, flip: Integer) -> Float:
    """`-value` where the sign bit of `flip` is set; its other bits are ignored."""
    sign = flip & flip.arithmetic.format.sign_bit
    return (value.bits() ^ sign).as_float()


def _keep_tiny(x: Float, result: Float) -> Float:
    return result if x.arithmetic.is_single else (abs(x) < TINY).select(x.result(), result)


def _quadrant_sign(quadrant: Integer) -> Integer:
    """Bit 1 of `quadrant` as the sign bit."""
    return quadrant << (quadrant.arithmetic.format.bits - 2)


def sin(x: Float) -> Float:
    sine, cosine, quadrant = sine_cosine(x)
    flip = _quadrant_sign(quadrant) ^ x.bits()
    return _keep_tiny(x, _flip_sign(_odd(quadrant, cosine, sine), flip))


def cos(x: Float) -> Float:
    sine, cosine, quadrant = sine_cosine(x)
    return _flip_sign(_odd(quadrant, sine, cosine), _quadrant_sign(quadrant + 1))


def tan(x: Float) -> Float:
    sine, cosine, quadrant = sine_cosine(x)
    odd = (quadrant & 1).equals(1)
    quotient = odd.select(cosine, sine) / odd.select(sine, cosine)
    flip = (quadrant << (quadrant.arithmetic.format.bits - 1)) ^ x.bits()
    return _keep_tiny(x, _flip_sign(quotient, flip))
