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
from ...dialects.shared_attributes import i64_attribute
from .attributes import default_properties, is_float, is_integer, is_narrow_float, is_unsigned, signless
from .builder import Lowering

Scalars = Sequence[SSAValue]

CMPI = {name: {"predicate": i64_attribute(number)} for number, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}
CMPF = {
    name: {"predicate": i64_attribute(number), **default_properties(arith.CmpfOp)}
    for number, name in enumerate(arith.CMPF_COMPARISON_OPERATIONS)
}


REASSOCIATE = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""The flag of the additions and multiplications of reductions."""

CONTRACTIBLE = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])
"""The flag of the steps of polynomials that stand for a function of chlo."""


def width(value: SSAValue) -> int:
    """The number of bits of a scalar integer or float."""
    return element_bits(value.type)


def compare_int(ctx: Lowering, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`arith.cmpi`."""
    return ctx.scalar(arith.CmpiOp, (lhs, rhs), i1, CMPI[predicate])


def compare_float(ctx: Lowering, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`arith.cmpf`."""
    return ctx.scalar(arith.CmpfOp, (lhs, rhs), i1, CMPF[predicate])


def select(ctx: Lowering, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    """`arith.select`."""
    return ctx.scalar(arith.SelectOp, (condition, yes, no), yes.type)


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
    by_zero = undefined = compare_int(ctx, "eq", y, ctx.constant(y.type, 0))
    if signed:
        lowest = compare_int(ctx, "eq", x, ctx.constant(x.type, -1 << (width(x) - 1)))
        by_minus_one = compare_int(ctx, "eq", y, ctx.constant(y.type, -1))
        overflow = ctx.scalar(arith.AndIOp, (lowest, by_minus_one), i1)
        undefined = ctx.scalar(arith.OrIOp, (by_zero, overflow), i1)
    return by_zero, select(ctx, undefined, ctx.constant(y.type, 1), y)


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
    base, exponent = args
    type = base.type
    one, zero = ctx.constant(type, 1), ctx.constant(type, 0)
    signed = not is_unsigned(_element(op, 1))
    known = constant_integer(exponent)
    if known is not None and (known >= 0 or not signed):
        return _known_power(ctx, base, known % (1 << width(base)))
    result, square, rest = one, base, exponent
    for bit in range(width(base)):
        odd = ctx.scalar(arith.TruncIOp, (rest,), i1) if width(base) > 1 else rest
        product = ctx.scalar(arith.MuliOp, (result, square), type)
        result = select(ctx, odd, product, result)
        if bit + 1 < width(base):
            square = ctx.scalar(arith.MuliOp, (square, square), type)
            rest = ctx.scalar(arith.ShRUIOp, (rest, one), type)
    if not signed:
        return result
    minus_one = ctx.constant(type, -1)
    odd = ctx.scalar(arith.TruncIOp, (exponent,), i1)
    alternating = select(ctx, odd, minus_one, one)
    base_is_minus_one = compare_int(ctx, "eq", base, minus_one)
    reciprocal = select(ctx, base_is_minus_one, alternating, zero)
    base_is_one = compare_int(ctx, "eq", base, one)
    reciprocal = select(ctx, base_is_one, one, reciprocal)
    negative = compare_int(ctx, "slt", exponent, zero)
    return select(ctx, negative, reciprocal, result)


def _known_power(ctx: Lowering, base: SSAValue, exponent: int) -> SSAValue:
    result: SSAValue | None = None
    square = base
    while exponent:
        if exponent & 1:
            result = square if result is None else ctx.scalar(arith.MuliOp, (result, square), base.type)
        exponent >>= 1
        if exponent:
            square = ctx.scalar(arith.MuliOp, (square, square), base.type)
    return ctx.constant(base.type, 1) if result is None else result


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
    (x,) = args
    return ctx.scalar(arith.SubiOp, (ctx.constant(x.type, 0), x), x.type)


def complement(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """All bits flipped."""
    (x,) = args
    return ctx.scalar(arith.XOrIOp, (x, ctx.constant(x.type, -1)), x.type)


def operand_itself(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """The only operand."""
    return args[0]


# Floats


def float_sign(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """-1 or 1; zeros and NaNs stay what they are."""
    (x,) = args
    unit = ctx.scalar(math.CopySignOp, (ctx.constant(x.type, 1.0), x), x.type)
    keeps = compare_float(ctx, "ueq", x, ctx.constant(x.type, 0.0))
    return select(ctx, keeps, x, unit)


def is_finite(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """Neither infinite nor NaN."""
    (x,) = args
    magnitude = ctx.scalar(math.AbsFOp, (x,), x.type)
    return compare_float(ctx, "olt", magnitude, ctx.constant(x.type, python_math.inf))


def logistic(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`1 / (1 + e)` with `e = exp(-|x|)`, for negative `x` `e / (1 + e)`, which does not overflow on the way to a small
    result.
    """
    (x,) = args
    type = x.type
    one = ctx.constant(type, 1.0)
    magnitude = ctx.scalar(math.AbsFOp, (x,), type)
    exponential = ctx.scalar(math.ExpOp, (ctx.scalar(arith.NegfOp, (magnitude,), type),), type)
    negative = compare_float(ctx, "olt", x, ctx.constant(type, 0.0))
    numerator = select(ctx, negative, exponential, one)
    return ctx.scalar(arith.DivfOp, (numerator, ctx.scalar(arith.AddfOp, (one, exponential), type)), type)


_MANTISSA_BITS: dict[type, int] = {Float16Type: 11, BFloat16Type: 8, Float32Type: 24}
_QUOTIENT_BITS: dict[type, int] = {Float16Type: 41, BFloat16Type: 262, Float32Type: 277}


def float_remainder(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """The exact remainder of a division rounded to zero, as C's `fmod`.

    Long division in binary64 with as many bits of the quotient at once as keep each difference
    exact: 53 less the bits of the divisor's mantissa. For binary64 itself an `fma` keeps the
    difference exact, and a quotient that was rounded up is repaired; most quotients have one such
    digit, so the others are under a condition.
    """
    x, y = args
    type = x.type
    if isinstance(type, Float64Type):
        digit_bits, quotient_bits = 51, 2098
    else:
        digit_bits = 53 - _MANTISSA_BITS[type.__class__]
        quotient_bits = _QUOTIENT_BITS[type.__class__]
        x, y = (ctx.scalar(arith.ExtFOp, (value,), f64) for value in args)
    rest = ctx.scalar(math.AbsFOp, (x,), f64)
    divisor = ctx.scalar(math.AbsFOp, (y,), f64)
    steps = -(-quotient_bits // digit_bits)
    if type == f64:
        rest = _without_high_digits(ctx, rest, divisor, digit_bits, steps)
        steps = 1
    for step in reversed(range(steps)):
        rest = _remainder_digit(ctx, rest, _scale(ctx, divisor, step * digit_bits), type)
    result = ctx.scalar(math.CopySignOp, (rest, x), f64)
    result = select(ctx, compare_float(ctx, "uno", y, y), y, result)
    return result if type == f64 else ctx.scalar(arith.TruncFOp, (result,), type)


def _without_high_digits(ctx: Lowering, rest: SSAValue, divisor: SSAValue, digit_bits: int, steps: int) -> SSAValue:
    """What all steps of the division but the last leave of `rest`."""

    def step(index: SSAValue, state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        # Powers of two from their bits, a third of the exponent each.
        steps_left = ctx.subtract(steps - 1, index)
        power = ctx.scalar(arith.IndexCastOp, (ctx.as_index(ctx.multiply(steps_left, digit_bits // 3)),), i64)
        biased = ctx.scalar(arith.AddiOp, (power, ctx.constant(i64, 1023)), i64)
        bits = ctx.scalar(arith.ShLIOp, (biased, ctx.constant(i64, 52)), i64)
        factor, scaled = ctx.scalar(arith.BitcastOp, (bits,), f64), divisor
        for _ in range(3):
            scaled = ctx.scalar(arith.MulfOp, (scaled, factor), f64)
        return [_remainder_digit(ctx, state[0], scaled, f64)]

    has_more = compare_float(ctx, "oge", rest, _scale(ctx, divisor, digit_bits))
    return ctx.when(has_more, (f64,), lambda: ctx.loop(0, steps - 1, [rest], step), lambda: [rest])[0]


def _scale(ctx: Lowering, value: SSAValue, exponent: int) -> SSAValue:
    """`value * 2**exponent`."""
    while exponent:
        part = min(exponent, 1000)
        value = ctx.scalar(arith.MulfOp, (value, ctx.constant(f64, 2.0**part)), f64)
        exponent -= part
    return value


def _remainder_digit(ctx: Lowering, rest: SSAValue, divisor: SSAValue, type: Attribute) -> SSAValue:
    quotient = ctx.scalar(arith.DivfOp, (rest, divisor), f64)
    digit = ctx.scalar(math.TruncOp, (quotient,), f64)
    if isinstance(type, Float64Type):
        negated = ctx.scalar(arith.NegfOp, (digit,), f64)
        difference = ctx.scalar(math.FmaOp, (negated, divisor, rest), f64)
        below = compare_float(ctx, "olt", difference, ctx.constant(f64, 0.0))
        repaired = ctx.scalar(arith.AddfOp, (difference, divisor), f64)
        difference = select(ctx, below, repaired, difference)
    else:
        product = ctx.scalar(arith.MulfOp, (digit, divisor), f64)
        difference = ctx.scalar(arith.SubfOp, (rest, product), f64)
    divides = compare_float(ctx, "oge", rest, divisor)
    return select(ctx, divides, difference, rest)


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
    type = value.type
    large = compare_int(ctx, "ugt", value, ctx.constant(type, 1 << 53))
    cut = ctx.scalar(arith.AndIOp, (value, ctx.constant(type, -1 << 11)), type)
    return select(ctx, large, cut, value)


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
