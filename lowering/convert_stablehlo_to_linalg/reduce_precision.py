"""`reduce_precision` on scalars: rounding to a format with fewer digits, by integer arithmetic on the bits."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import IntegerType, f32
from xdsl.ir import Attribute

from ...dialects.element_sizes import element_bits
from ...reference.arrays import dtype_of
from .arithmetic import Number
from .attributes import is_narrow_float


class FloatFormat(NamedTuple):
    """The layout of a floating-point type and the bits of some of its values, without their sign."""

    exponent_bits: int
    fraction_bits: int
    bias: int
    sign: int
    """The sign bit, 0 for a type without one."""
    largest: int
    """The largest finite number."""
    overflow: int
    """What infinity becomes: itself, NaN or the largest number."""
    zero: int
    """What zero becomes: NaN in a type that has none."""
    has_negative_zero: bool


@cache
def float_format(type: Attribute) -> FloatFormat:
    """The format of a floating-point type, from `ml_dtypes`."""
    dtype = dtype_of(type)
    info = cast(Any, ml_dtypes.finfo(dtype))

    def bits(value: Any) -> int:
        return int(np.asarray(value).astype(dtype).view(f"u{dtype.itemsize}"))

    exponent_bits, fraction_bits = int(info.nexp), int(info.nmant)
    is_signed = exponent_bits + fraction_bits < element_bits(type)
    sign = 1 << (exponent_bits + fraction_bits) if is_signed else 0
    return FloatFormat(
        exponent_bits,
        fraction_bits,
        bits(np.float32(1.0)) >> fraction_bits,
        sign,
        bits(info.max),
        bits(np.float32(np.inf)),
        bits(np.float32(0.0)),
        is_signed and bits(np.float32(-0.0)) == sign,
    )


def reduce_precision(op: Any, x: Number) -> Number:
    """Round the magnitude to nearest even at a place of its fraction, then see whether its exponent is in range.

    What is too large becomes what infinity becomes in the type, what is too small zero; NaN stays.
    """
    kept_exponent, kept_fraction = op.exponent_bits.value.data, op.mantissa_bits.value.data
    format = float_format(x.type)
    bits = x.bitcast(IntegerType(element_bits(x.type)))
    code = bits & (format.sign - 1) if format.sign else bits

    def replaced(predicate: str, field: Number, bound: int, value: int, otherwise: Number) -> Number:
        return field.compare(predicate, bound).select(value, otherwise)

    dropped = format.fraction_bits - kept_fraction
    if dropped > 0:
        last = (code >> dropped) & 1
        code = (code + (last + ((1 << (dropped - 1)) - 1))) & (-1 << dropped)
        if format.overflow != ((1 << format.exponent_bits) - 1) << format.fraction_bits:
            code = replaced("ugt", code, format.largest, format.overflow, code)
    if kept_exponent < format.exponent_bits:
        kept_bias = (1 << (kept_exponent - 1)) - 1
        field = code & (-1 << format.fraction_bits)
        above, below = (format.bias + kept_bias) << format.fraction_bits, (format.bias - kept_bias)
        code = replaced("ugt", field, above, format.overflow, code)
        code = replaced("ule", field, below << format.fraction_bits, format.zero, code)
    if format.sign:
        sign = bits & format.sign
        if not format.has_negative_zero:
            sign = replaced("eq", code, 0, 0, sign)
        code = code | sign
    result = code.bitcast(x.type)
    if is_narrow_float(x.type) and format.overflow == format.largest:
        return result
    wide = x.resized(f32) if is_narrow_float(x.type) else x
    return wide.compare("uno", wide).select(x, result)
