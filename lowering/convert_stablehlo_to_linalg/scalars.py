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
from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerAttr,
    IntegerType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.element_sizes import element_bits
from .arithmetic import Number, compare_float, compare_int, select, width
from .attributes import is_float, is_integer, is_narrow_float, is_unsigned, signless
from .builder import Lowering

Scalars = Sequence[SSAValue]

REASSOCIATE = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""The flag of the additions and multiplications of reductions."""

CONTRACTIBLE = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])
"""The flag of the steps of polynomials that stand for a function of chlo."""


def constant_integer(value: SSAValue) -> int | None:
    """The value of a constant integer, as a signed number."""
    op = value.owner
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
        number = op.value.value.data
        bits = width(value)
        return number - (1 << bits) if number >= 1 << (bits - 1) else number
    return None


# Integer division


def _divide(ctx: Lowering, x: SSAValue, y: SSAValue, signed: bool) -> SSAValue:
    """The quotient, rounded to zero, of integers of which it is one of the same type.

    Vectors have no integer division, but one of floats: where these have at least as many bits in the mantissa as `x`
    has, the rounded quotient is on the same side of each integer as the exact one, which is at least `1 / y` away.
    """
    bits = width(x)
    if bits not in (8, 16, 32):
        return ctx.scalar(arith.DivSIOp if signed else arith.DivUIOp, (x, y), x.type)
    to_float, to_integer = (arith.SIToFPOp, arith.FPToSIOp) if signed else (arith.UIToFPOp, arith.FPToUIOp)
    type = f64 if bits == 32 else f32
    floats = [ctx.scalar(to_float, (value,), type) for value in (x, y)]
    return ctx.scalar(to_integer, (ctx.scalar(arith.DivfOp, floats, type),), x.type)


def _guarded(ctx: Lowering, x: SSAValue, y: SSAValue, signed: bool) -> tuple[SSAValue, SSAValue]:
    """Whether `y` is zero; and `y`, or 1 where `x / y` is not a number of its type."""
    divisor = Number(ctx, y)
    by_zero = undefined = divisor.compare("eq", 0)
    if signed:
        lowest = Number(ctx, x).compare("eq", -1 << (width(x) - 1))
        undefined = by_zero | (lowest & divisor.compare("eq", -1))
    return by_zero.value, undefined.select(1, divisor).value


def signed_divide(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Division that rounds to zero."""
    x, y = args
    type = x.type
    divisor = constant_integer(y)
    if divisor == 0:
        return ctx.constant(type, -1)
    if divisor == -1:
        return ctx.scalar(arith.SubiOp, (ctx.constant(type, 0), x), type)
    if divisor is not None:
        return ctx.scalar(arith.DivSIOp, args, type)
    by_zero, safe = _guarded(ctx, x, y, signed=True)
    return select(ctx, by_zero, ctx.constant(type, -1), _divide(ctx, x, safe, signed=True))


def unsigned_divide(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Division of unsigned integers."""
    x, y = args
    type = x.type
    divisor = constant_integer(y)
    if divisor == 0:
        return ctx.constant(type, -1)
    if divisor is not None:
        return ctx.scalar(arith.DivUIOp, args, type)
    by_zero, safe = _guarded(ctx, x, y, signed=False)
    return select(ctx, by_zero, ctx.constant(type, -1), _divide(ctx, x, safe, signed=False))


def signed_remainder(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Remainder with the sign of the dividend."""
    x, y = args
    divisor = constant_integer(y)
    if divisor == 0:
        return x
    if divisor == -1:
        return ctx.constant(x.type, 0)
    if divisor is not None:
        return ctx.scalar(arith.RemSIOp, args, x.type)
    return _remainder(ctx, x, y, signed=True)


def unsigned_remainder(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Remainder of unsigned integers."""
    x, y = args
    divisor = constant_integer(y)
    if divisor == 0:
        return x
    if divisor is not None:
        return ctx.scalar(arith.RemUIOp, args, x.type)
    return _remainder(ctx, x, y, signed=False)


def _remainder(ctx: Lowering, x: SSAValue, y: SSAValue, signed: bool) -> SSAValue:
    """What is left of `x` after the quotient, which a program often computes as well."""
    type = x.type
    by_zero, safe = _guarded(ctx, x, y, signed)
    whole = ctx.scalar(arith.MuliOp, (_divide(ctx, x, safe, signed), safe), type)
    return select(ctx, by_zero, x, ctx.scalar(arith.SubiOp, (x, whole), type))


# Shifts


def _shift(op_type: type[Operation]):
    def emit(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
        x, amount = args
        type = x.type
        bits = width(x)
        known = constant_integer(amount)
        if known is not None:
            in_range = 0 <= known < bits
            return ctx.scalar(op_type, args, type) if in_range else ctx.constant(type, 0)
        shifted = ctx.scalar(op_type, args, type)
        if bits == 1:
            in_range = compare_int(ctx, "eq", amount, ctx.constant(type, 0))
        else:
            in_range = compare_int(ctx, "ult", amount, ctx.constant(type, bits))
        return select(ctx, in_range, shifted, ctx.constant(type, 0))

    return emit


shift_left = _shift(arith.ShLIOp)
shift_right_logical = _shift(arith.ShRUIOp)


def shift_right_arithmetic(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Shift that copies the sign bit."""
    x, amount = args
    last = ctx.constant(x.type, width(x) - 1)
    known = constant_integer(amount)
    if known is None:
        amount = ctx.scalar(arith.MinUIOp, (amount, last), x.type)
    elif not 0 <= known < width(x):
        amount = last
    return ctx.scalar(arith.ShRSIOp, (x, amount), x.type)


# Other integer functions


def integer_power(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """`base ** exponent` by repeated squaring; of a negative exponent only bases of 1 and -1 give
    more than 0.
    """
    base, exponent = (Number(ctx, arg) for arg in args)
    bits = width(base.value)
    one, zero = base.constant(1), base.constant(0)
    signed = not is_unsigned(_element(op, 1))
    known = constant_integer(exponent.value)
    if known is not None and (known >= 0 or not signed):
        return _known_power(base, known % (1 << bits)).value
    result, square, rest = one, base, exponent
    for bit in range(bits):
        odd = rest.apply(arith.TruncIOp, to=i1) if bits > 1 else rest
        result = odd.select(result * square, result)
        if bit + 1 < bits:
            square, rest = square * square, rest >> one
    if not signed:
        return result.value
    minus_one = base.constant(-1)
    alternating = exponent.apply(arith.TruncIOp, to=i1).select(minus_one, one)
    reciprocal = base.compare("eq", minus_one).select(alternating, zero)
    reciprocal = base.compare("eq", one).select(one, reciprocal)
    return exponent.compare("slt", zero).select(reciprocal, result).value


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


def signed_sign(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """-1, 0 or 1."""
    (x,) = args
    type = x.type
    one, zero = ctx.constant(type, 1), ctx.constant(type, 0)
    sign = ctx.scalar(arith.ShRSIOp, (x, ctx.constant(type, width(x) - 1)), type)
    nonzero = ctx.scalar(arith.OrIOp, (sign, one), type)
    return select(ctx, compare_int(ctx, "eq", x, zero), zero, nonzero)


def unsigned_sign(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """0 or 1."""
    (x,) = args
    return ctx.scalar(arith.MinUIOp, (x, ctx.constant(x.type, 1)), x.type)


def negate_integer(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`0 - x`."""
    x = Number(ctx, args[0])
    return (x.constant(0) - x).value


def complement(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """All bits flipped."""
    return (Number(ctx, args[0]) ^ -1).value


def operand_itself(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """The only operand."""
    return args[0]


# Floats


def float_sign(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """-1 or 1; zeros and NaNs stay what they are."""
    x = Number(ctx, args[0])
    unit = x.constant(1.0).apply(math.CopySignOp, x)
    return x.compare("ueq", 0.0).select(x, unit).value


def is_finite(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Neither infinite nor NaN."""
    return Number(ctx, args[0]).apply(math.AbsFOp).compare("olt", python_math.inf).value


def logistic(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`1 / (1 + e)` with `e = exp(-|x|)`, for negative `x` `e / (1 + e)`, which does not overflow on the way to a small
    result.
    """
    x = Number(ctx, args[0])
    one = x.constant(1.0)
    exponential = (-x.apply(math.AbsFOp)).apply(math.ExpOp)
    numerator = x.compare("olt", 0.0).select(exponential, one)
    return (numerator / (one + exponential)).value


_MANTISSA_BITS: dict[type, int] = {Float16Type: 11, BFloat16Type: 8, Float32Type: 24}
_QUOTIENT_BITS: dict[type, int] = {Float16Type: 41, BFloat16Type: 262, Float32Type: 277}


def float_remainder(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """The exact remainder of a division rounded to zero, as C's `fmod`.

    Long division in binary64 with as many bits of the quotient at once as keep each difference
    exact: 53 less the bits of the divisor's mantissa. For binary64 itself an `fma` keeps the
    difference exact, and a quotient that was rounded up is repaired; most quotients have one such
    digit, so the others are under a condition.
    """
    x, y = (Number(ctx, arg) for arg in args)
    type = x.type
    if isinstance(type, Float64Type):
        digit_bits, quotient_bits = 51, 2098
    else:
        digit_bits = 53 - _MANTISSA_BITS[type.__class__]
        quotient_bits = _QUOTIENT_BITS[type.__class__]
    x, y = (value.resized(f64) for value in (x, y))
    rest, divisor = x.apply(math.AbsFOp), y.apply(math.AbsFOp)
    steps = -(-quotient_bits // digit_bits)
    if type == f64:
        rest = _without_high_digits(ctx, rest, divisor, digit_bits, steps)
        steps = 1
    for step in reversed(range(steps)):
        rest = _remainder_digit(rest, _scale(divisor, step * digit_bits), type)
    result = rest.apply(math.CopySignOp, x)
    return y.compare("uno", y).select(y, result).resized(type).value


def _without_high_digits(ctx: Lowering, rest: Number, divisor: Number, digit_bits: int, steps: int) -> Number:
    """What all steps of the division but the last leave of `rest`."""

    def step(index: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        # Powers of two from their bits, a third of the exponent each.
        third = ctx.as_index(ctx.multiply(ctx.subtract(steps - 1, index), digit_bits // 3))
        power = Number(ctx, ctx.scalar(arith.IndexCastOp, (third,), i64))
        factor = ((power + 1023) << 52).bitcast(f64)
        return [_remainder_digit(Number(ctx, state[0]), divisor * factor * factor * factor, f64).value]

    has_more = rest.compare("oge", _scale(divisor, digit_bits)).value
    state = [rest.value]
    (left,) = ctx.when(has_more, (f64,), lambda: ctx.loop(0, steps - 1, state, step), lambda: state)
    return Number(ctx, left)


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


# Conversions


def convert_scalar(ctx: Lowering, value: SSAValue, source: Attribute, target: Attribute) -> SSAValue | None:
    """`value` of StableHLO element type `source` as `target`; None if a type is not known here.

    Integers wrap; floats round to nearest even, and to integers round to zero and saturate, with
    NaN giving 0; to a boolean is `!= 0`.
    """
    to = signless(target)
    if signless(source) == to:
        return value
    if is_integer(source):
        if is_integer(to):
            return _integer_to_integer(ctx, value, is_unsigned(source), to)
        if is_float(to):
            op = arith.UIToFPOp if is_unsigned(source) else arith.SIToFPOp
            if is_narrow_float(to):
                if isinstance(to, Float8E8M0FNUType) and width(value) > 53:
                    value = _digits_of_a_double(ctx, value)
                return ctx.scalar(arith.TruncFOp, (ctx.scalar(op, (value,), f64),), to)
            return ctx.scalar(op, (value,), to)
        return None
    if not is_float(source):
        return None
    if is_narrow_float(source):
        value = ctx.scalar(arith.ExtFOp, (value,), f32)
        if to == f32:
            return value
    if is_float(to):
        return _float_to_float(ctx, value, to)
    if is_integer(to):
        return _float_to_integer(ctx, value, is_unsigned(target), to)
    return None


def _digits_of_a_double(ctx: Lowering, value: SSAValue) -> SSAValue:
    """An integer of 64 bits with as many digits as `f64` holds, the rest cut off: rounding it again sees the same side
    of a tie, which a power of two has on its way up to the next.
    """
    number = Number(ctx, value)
    large = number.compare("ugt", 1 << 53)
    return large.select(number & (-1 << 11), number).value


def _integer_to_integer(ctx: Lowering, value: SSAValue, unsigned: bool, to: IntegerType) -> SSAValue:
    if to.bitwidth == 1:
        return compare_int(ctx, "ne", value, ctx.constant(value.type, 0))
    if to.bitwidth < width(value):
        return ctx.scalar(arith.TruncIOp, (value,), to)
    return ctx.scalar(arith.ExtUIOp if unsigned else arith.ExtSIOp, (value,), to)


def _float_to_float(ctx: Lowering, value: SSAValue, to: Attribute) -> SSAValue:
    bits = width(value)
    target_bits = element_bits(to)
    if bits == target_bits or (bits == 16 and target_bits < 16):  # f16 and bf16; narrow floats come from f32
        value, bits = ctx.scalar(arith.ExtFOp, (value,), f32), 32
    return ctx.scalar(arith.ExtFOp if bits < target_bits else arith.TruncFOp, (value,), to)


def _float_to_integer(ctx: Lowering, value: SSAValue, unsigned: bool, to: IntegerType) -> SSAValue:
    if to.bitwidth == 1:
        return compare_float(ctx, "une", value, ctx.constant(value.type, 0.0))
    if width(value) == 16:
        value = ctx.scalar(arith.ExtFOp, (value,), f32)
    bits, type = to.bitwidth, value.type
    low, high = (0, 1 << bits) if unsigned else (-1 << (bits - 1), 1 << (bits - 1))
    result = ctx.scalar(arith.FPToUIOp if unsigned else arith.FPToSIOp, (value,), to)
    above = compare_float(ctx, "oge", value, ctx.constant(type, float(high)))
    result = select(ctx, above, ctx.constant(to, high - 1), result)
    if unsigned:  # also takes NaN to 0
        inside = compare_float(ctx, "ogt", value, ctx.constant(type, 0.0))
        return select(ctx, inside, result, ctx.constant(to, 0))
    below = compare_float(ctx, "ole", value, ctx.constant(type, float(low)))
    result = select(ctx, below, ctx.constant(to, low), result)
    number = compare_float(ctx, "ord", value, value)
    return select(ctx, number, result, ctx.constant(to, 0))


def accumulator(type: Attribute) -> Attribute:
    """The type in which sums and products of `type` are accumulated: f32 for floats of 16 bits and less."""
    return f32 if isinstance(type, Float16Type | BFloat16Type) or is_narrow_float(type) else type


def _element(op: Operation, operand: int) -> Attribute:
    type: Any = op.operands[operand].type
    return type.element_type
