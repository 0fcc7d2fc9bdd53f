"""Scalars of one element type as those of another, and with the digits of another.

Integers wrap; floats round to nearest even, and to integers round to zero and saturate, with NaN giving 0; to a boolean
is `!= 0`. From complex to real the imaginary part is dropped; a boolean is whether the real part is not zero.
"""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float8E8M0FNUType, IntegerType, f32, f64
from xdsl.ir import Attribute, Operation

from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.shapes import is_complex, real_type
from ...reference.arrays import dtype_of
from .arithmetic import Number, complex_of
from .attributes import (
    Kind,
    element_of,
    is_float,
    is_integer,
    is_narrow_float,
    is_unsigned,
    kind_of,
    signless,
    unsupported,
)


def convert(op: Operation, x: Number) -> Number:
    """`stablehlo.convert`."""
    target = element_of(op.results[0])
    if Kind.OTHER in (kind_of(x.type), kind_of(target)):
        raise unsupported(op, f"no conversion from {x.type} to {target}")
    return converted(x, target)


def converted(x: Number, target: Attribute) -> Number:
    """`x` as a number of type `target`, complex or not. Both types have a lowering."""
    if signless(x.type) == signless(target):
        return x.read_as(target)
    if is_complex(x.type):
        real, imaginary = x.parts()
        if not is_complex(target):
            return converted(real, target)
        return complex_of(*(converted(part, real_type(target)) for part in (real, imaginary)))
    if is_complex(target):
        real = converted(x, real_type(target))
        return complex_of(real, 0.0)
    if is_integer(x.type):
        return _of_integer(x, target)
    if is_narrow_float(x.type):
        x = x.apply(arith.ExtFOp, to=f32)
        if target == f32:
            return x
    return _float_to_integer(x, target) if is_integer(target) else _float_to_float(x, target)


def _of_integer(x: Number, to: Any) -> Number:
    unsigned = is_unsigned(x.type)
    if is_float(to):
        op = arith.UIToFPOp if unsigned else arith.SIToFPOp
        if not is_narrow_float(to):
            return x.apply(op, to=to)
        if isinstance(to, Float8E8M0FNUType) and x.bits > 53:
            x = _digits_of_a_double(x)
        return x.apply(op, to=f64).apply(arith.TruncFOp, to=to)
    if to.bitwidth == 1:
        return x.compare("ne", 0)
    if to.bitwidth < x.bits:
        return x.apply(arith.TruncIOp, to=to)
    return x.apply(arith.ExtUIOp if unsigned else arith.ExtSIOp, to=to)


def _digits_of_a_double(number: Number) -> Number:
    """An integer of 64 bits with as many digits as `f64` holds, the rest cut off: rounding it again sees the same side
    of a tie, which a power of two has on its way up to the next.
    """
    large = number.compare("ugt", 1 << 53)
    return large.select(number & (-1 << 11), number)


def _float_to_float(x: Number, to: Attribute) -> Number:
    target_bits = element_bits(to)
    if x.bits == target_bits or (x.bits == 16 and target_bits < 16):  # f16 and bf16; narrow floats come from f32
        x = x.apply(arith.ExtFOp, to=f32)
    return x.resized(to)


def _float_to_integer(x: Number, to: IntegerType) -> Number:
    if to.bitwidth == 1:
        return x.compare("une", 0.0)
    if x.bits == 16:
        x = x.apply(arith.ExtFOp, to=f32)
    bits, unsigned = to.bitwidth, is_unsigned(to)
    low, high = (0, 1 << bits) if unsigned else (-1 << (bits - 1), 1 << (bits - 1))
    result = x.apply(arith.FPToUIOp if unsigned else arith.FPToSIOp, to=to)
    result = x.compare("oge", float(high)).select(high - 1, result)
    if unsigned:  # also takes NaN to 0
        return x.compare("ogt", 0.0).select(result, 0)
    result = x.compare("ole", float(low)).select(low, result)
    return x.compare("ord", x).select(result, 0)


def reduce_precision(op: Any, x: Number) -> Number:
    """Round the magnitude to nearest even at a place of its fraction, then see whether its exponent is in range.

    What is too large becomes what infinity becomes in the type (itself, NaN or the largest number), what is too small
    what zero becomes (NaN in a type that has none); NaN stays.
    """
    kept_exponent, kept_fraction = op.exponent_bits.value.data, op.mantissa_bits.value.data
    dtype = dtype_of(x.type)
    format = cast(Any, ml_dtypes.finfo(dtype))
    exponent_bits, fraction_bits = int(format.nexp), int(format.nmant)
    values = np.array([1.0, format.max, np.inf, 0.0, -0.0]).astype(dtype).view(f"u{dtype.itemsize}")
    one, largest, infinity, zero, negative_zero = map(int, values)
    # The sign bit, 0 for a type without one.
    sign_bit = (1 << (exponent_bits + fraction_bits)) & ((1 << x.bits) - 1)
    bits = x.bitcast(IntegerType(x.bits))
    code = bits & (sign_bit - 1) if sign_bit else bits

    def replaced(predicate: str, field: Number, bound: int, value: int, otherwise: Number) -> Number:
        return field.compare(predicate, bound).select(value, otherwise)

    dropped = fraction_bits - kept_fraction
    if dropped > 0:
        last = (code >> dropped) & 1
        code = (code + (last + ((1 << (dropped - 1)) - 1))) & (-1 << dropped)
        if infinity != ((1 << exponent_bits) - 1) << fraction_bits:
            code = replaced("ugt", code, largest, infinity, code)
    if kept_exponent < exponent_bits:
        bias, kept_bias = one >> fraction_bits, (1 << (kept_exponent - 1)) - 1
        field = code & (-1 << fraction_bits)
        code = replaced("ugt", field, (bias + kept_bias) << fraction_bits, infinity, code)
        code = replaced("ule", field, (bias - kept_bias) << fraction_bits, zero, code)
    if sign_bit:
        sign = bits & sign_bit
        if negative_zero != sign_bit:
            sign = replaced("eq", code, 0, 0, sign)
        code = code | sign
    result = code.bitcast(x.type)
    if is_narrow_float(x.type) and infinity == largest:
        return result
    wide = x.resized(f32) if is_narrow_float(x.type) else x
    return wide.compare("uno", wide).select(x, result)
