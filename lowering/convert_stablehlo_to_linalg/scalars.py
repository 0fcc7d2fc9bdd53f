"""Meaning of scalar operations where it takes more than one `arith` or `math` op.

Integers: `x / 0` is -1 (all bits set), `x % 0` is `x`, the overflowing `min / -1` is `min` and `min
% -1` is 0; a shift by the width or more gives 0, or the sign for an arithmetic shift. The guards
vanish when the right operand is a constant. A guarded op may compute poison; the `arith.select`
after it never lets it through. Floating point: the remainder is exact and has the sign of the
dividend; `sign` keeps zeros and NaNs. These are the choices of XLA
(xla/service/elemental_ir_emitter.cc) where the specification leaves one.
"""

from __future__ import annotations

import math as python_math

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerAttr, f32, f64, i1, i64
from xdsl.ir import Attribute, Operation

from .arithmetic import Number, Rule, complex_of
from .attributes import is_unsigned
from .loops import Variable, loop, when


def constant_integer(number: Number) -> int | None:
    """The value of a constant integer, as a signed number."""
    op = number.value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        known = op.value.value.data
        return known - (1 << number.bits) if known >= 1 << (number.bits - 1) else known
    return None


# Integer division


def _quotient(x: Number, y: Number) -> Number:
    """The quotient, rounded to zero, of integers of which it is one of the same type.

    Vectors have no integer division, but one of floats: where these have at least as many bits in the mantissa as `x`
    has, the rounded quotient is on the same side of each integer as the exact one, which is at least `1 / y` away.
    """
    signed = not is_unsigned(x.type)
    if x.bits not in (8, 16, 32):
        return x.apply(arith.DivSIOp if signed else arith.DivUIOp, y)
    to_float, to_integer = (arith.SIToFPOp, arith.FPToSIOp) if signed else (arith.UIToFPOp, arith.FPToUIOp)
    dividend, divisor = (number.apply(to_float, to=f64 if x.bits == 32 else f32) for number in (x, y))
    return (dividend / divisor).apply(to_integer, to=x.type)


def _guarded(x: Number, y: Number) -> tuple[Number, Number]:
    """Whether `y` is zero; and `y`, or 1 where `x / y` is not a number of its type."""
    by_zero = undefined = y.compare("eq", 0)
    if not is_unsigned(x.type):
        lowest = x.compare("eq", -1 << (x.bits - 1))
        undefined = by_zero | (lowest & y.compare("eq", -1))
    return by_zero, undefined.select(1, y)


def divide(x: Number, y: Number) -> Number:
    """Division that rounds to zero."""
    signed, divisor = not is_unsigned(x.type), constant_integer(y)
    if divisor == 0:
        return x.constant(-1)
    if divisor == -1 and signed:
        return x.constant(0) - x
    if divisor is not None:
        return x.apply(arith.DivSIOp if signed else arith.DivUIOp, y)
    by_zero, safe = _guarded(x, y)
    return by_zero.select(-1, _quotient(x, safe))


def remainder(x: Number, y: Number) -> Number:
    """Remainder with the sign of the dividend: what is left after the quotient, which a program often computes too."""
    signed, divisor = not is_unsigned(x.type), constant_integer(y)
    if divisor == 0:
        return x
    if divisor == -1 and signed:
        return x.constant(0)
    if divisor is not None:
        return x.apply(arith.RemSIOp if signed else arith.RemUIOp, y)
    by_zero, safe = _guarded(x, y)
    return by_zero.select(x, x - _quotient(x, safe) * safe)


# Shifts


def shift(op_type: type[Operation]) -> Rule:
    """A shift that fills with zeros."""

    def emit(x: Number, amount: Number) -> Number:
        known = constant_integer(amount)
        if known is not None:
            return x.apply(op_type, amount) if 0 <= known < x.bits else x.constant(0)
        shifted = x.apply(op_type, amount)
        in_range = amount.compare("eq", 0) if x.bits == 1 else amount.compare("ult", x.bits)
        return in_range.select(shifted, 0)

    return emit


def shift_right_arithmetic(x: Number, amount: Number) -> Number:
    """Shift that copies the sign bit."""
    last = x.constant(x.bits - 1)
    known = constant_integer(amount)
    if known is None:
        amount = amount.apply(arith.MinUIOp, last)
    elif not 0 <= known < x.bits:
        amount = last
    return x.apply(arith.ShRSIOp, amount)


# Other integer functions


def integer_power(base: Number, exponent: Number) -> Number:
    """`base ** exponent` by repeated squaring; of a negative exponent only bases of 1 and -1 give
    more than 0.
    """
    bits = base.bits
    one, zero = base.constant(1), base.constant(0)
    signed = not is_unsigned(exponent.type)
    known = constant_integer(exponent)
    if known is not None and (known >= 0 or not signed):
        return _known_power(base, known % (1 << bits))
    result, square, rest = one, base, exponent
    for bit in range(bits):
        odd = rest.apply(arith.TruncIOp, to=i1) if bits > 1 else rest
        result = odd.select(result * square, result)
        if bit + 1 < bits:
            square, rest = square * square, rest >> one
    if not signed:
        return result
    minus_one = base.constant(-1)
    alternating = exponent.apply(arith.TruncIOp, to=i1).select(minus_one, one)
    reciprocal = base.compare("eq", minus_one).select(alternating, zero)
    reciprocal = base.compare("eq", one).select(one, reciprocal)
    return exponent.compare("slt", zero).select(reciprocal, result)


def _known_power(base: Number, exponent: int) -> Number:
    result: Number | None = None
    square = base
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return base.constant(1) if result is None else result


def signed_sign(x: Number) -> Number:
    """-1, 0 or 1."""
    one, zero = x.constant(1), x.constant(0)
    nonzero = x.apply(arith.ShRSIOp, x.bits - 1) | one
    return x.compare("eq", zero).select(zero, nonzero)


# Floats


def float_sign(x: Number) -> Number:
    """-1 or 1; zeros and NaNs stay what they are, and subnormal numbers that compare as zeros become some."""
    unit = x.constant(1.0).apply(math.CopySignOp, x)
    return x.compare("ueq", 0.0).select(x + x, unit)


def logistic(x: Number) -> Number:
    """`1 / (1 + e)` with `e = exp(-|x|)`, for negative `x` `e / (1 + e)`, which does not overflow on the way to a small
    result.
    """
    one = x.constant(1.0)
    exponential = (-x.apply(math.AbsFOp)).apply(math.ExpOp)
    numerator = x.compare("olt", 0.0).select(exponential, one)
    return numerator / (one + exponential)


_MANTISSA_BITS: dict[type, int] = {Float16Type: 11, BFloat16Type: 8, Float32Type: 24}
_QUOTIENT_BITS: dict[type, int] = {Float16Type: 41, BFloat16Type: 262, Float32Type: 277}


def float_remainder(x: Number, y: Number, alone: bool = False) -> Number:
    """The exact remainder of a division rounded to zero, as C's `fmod`.

    Long division in binary64 with as many bits of the quotient at once as keep each difference
    exact: 53 less the bits of the divisor's mantissa. For binary64 itself an `fma` keeps the
    difference exact, and a quotient that was rounded up is repaired; most quotients have one such
    digit, so the others are under a condition. So they are for a number that is `alone`, no element
    of a vector.
    """
    type = x.type
    if isinstance(type, Float64Type):
        digit_bits, quotient_bits = 51, 2098
    else:
        digit_bits = 53 - _MANTISSA_BITS[type.__class__]
        quotient_bits = _QUOTIENT_BITS[type.__class__]
    x, y = x.resized(f64), y.resized(f64)
    rest, divisor = x.apply(math.AbsFOp), y.apply(math.AbsFOp)
    if alone:
        digit_bits -= digit_bits % 3
    steps = -(-quotient_bits // digit_bits)
    if type == f64 or (alone and steps > 1):
        rest = _without_high_digits(rest, divisor, digit_bits, steps)
        rest = _last_digit(rest, divisor) if type == f64 else _remainder_digit(rest, divisor, type)
    else:
        for step in reversed(range(steps)):
            rest = _remainder_digit(rest, _scale(divisor, step * digit_bits), type)
    rest = rest.compare("oeq", 0.0).select(0.0, rest)  # no subnormal number where these are zero
    result = rest.apply(math.CopySignOp, x)
    return y.compare("uno", y).select(y, result).resized(type)


def _without_high_digits(rest: Number, divisor: Number, digit_bits: int, steps: int) -> Number:
    """What all steps of the division but the last leave of `rest`."""
    left = Variable(rest)
    with when(rest.compare("oge", _scale(divisor, digit_bits)), left), loop(0, steps - 1, left) as step:
        # Powers of two from their bits, a third of the exponent each.
        third = (steps - 1 - step) * (digit_bits // 3)
        factor = ((third.apply(arith.IndexCastOp, to=i64) + 1023) << 52).bitcast(f64)
        left.now = _remainder_digit(left.now, divisor * factor * factor * factor, f64)
    return left.now


def _last_digit(rest: Number, divisor: Number) -> Number:
    """The last step, with small numbers scaled: no difference is subnormal, which may count as zero."""
    small = divisor.compare("olt", 2.0**-800)
    up, down = small.select(2.0**200, divisor.constant(1.0)), small.select(2.0**-200, divisor.constant(1.0))
    return _remainder_digit(rest * up, divisor * up, f64) * down


def _scale(value: Number, exponent: int) -> Number:
    """`value * 2**exponent`."""
    while exponent:
        part = min(exponent, 1000)
        value = value * 2.0**part
        exponent -= part
    return value


def _remainder_digit(rest: Number, divisor: Number, type: Attribute) -> Number:
    digit = (rest / divisor).apply(math.TruncOp)
    if isinstance(type, Float64Type):
        difference = (-digit).apply(math.FmaOp, divisor, rest)
        below = difference.compare("olt", 0.0)
        difference = below.select(difference + divisor, difference)
    else:
        difference = rest - digit * divisor
    return rest.compare("oge", divisor).select(difference, rest)


def is_finite(x: Number) -> Number:
    """Neither infinite nor NaN."""
    return x.apply(math.AbsFOp).compare("olt", python_math.inf)


# Complex numbers: their infinities and accuracy are up to `complex-expand-arithmetic`


def complex_logistic(z: Number) -> Number:
    """`1 / (1 + exp(-z))`, on the parts and in double precision.

    For `z = a + iy`, `a <= 0`, `E = exp(a)`, it is `E (E + cos(y) + i sin(y)) / |1 + exp(z)|**2`; with `expm1(a)`, sine
    and cosine of `y / 2` none of these sums cancels where the result is large, near the poles. For other `z` it is 1
    less the value at `-z`.
    """
    real, imaginary = z.parts()
    part = real.type
    x, y = real.resized(f64), imaginary.resized(f64)
    size = x.apply(math.AbsFOp)
    exponent = -size
    exponential, less_one = exponent.apply(math.ExpOp), exponent.apply(math.ExpM1Op)
    # At an infinite real part the angle does not matter.
    infinity = x.constant(python_math.inf)
    wild = y.apply(math.AbsFOp).compare("uge", infinity) & size.compare("oeq", infinity)
    half = wild.select(0.0, y) * 0.5
    sine, cosine = half.apply(math.SinOp), half.apply(math.CosOp)
    square = cosine * cosine
    factor = exponential / (less_one * less_one + exponential * square * 4.0)
    imaginary = factor * (sine * cosine * 2.0)
    near_pole = less_one + square * 2.0
    elsewhere = exponential + (x.constant(1.0) + sine * sine * -2.0)
    left = factor * square.compare("olt", 0.25).select(near_pole, elsewhere)
    right = x.constant(1.0) - left
    real = x.compare("olt", 0.0).select(left, right)
    return complex_of(real.resized(part), imaginary.resized(part))


def cube_root(z: Number) -> Number:
    """The principal root: a third of the argument; on the positive real axis a real number."""
    x, y = z.parts()
    radius = _modulus_root(x, y)
    third = y.apply(math.Atan2Op, x) / 3.0
    real, imaginary = radius * third.apply(math.CosOp), radius * third.apply(math.SinOp)
    zero = x.constant(0.0)
    positive = y.compare("oeq", zero) & x.compare("oge", zero)
    return complex_of(real, positive.select(y, imaginary))


def _modulus_root(x: Number, y: Number) -> Number:
    """The cube root of `|x + iy|`: twice that of an eighth of it where the modulus may overflow."""
    one = x.constant(1.0)
    width, height = x.apply(math.AbsFOp), y.apply(math.AbsFOp)
    large = width.compare("ogt", one) | height.compare("ogt", one)
    factor = large.select(0.125, one)
    modulus = complex_of(x * factor, y * factor).apply(complex.AbsOp, to=x.type)
    return modulus.apply(math.CbrtOp) * large.select(2.0, one)
