"""`reduce_precision` on scalars: rounding to a format with fewer digits, by integer arithmetic on the bits."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import IntegerType, f32

from ...reference.arrays import dtype_of
from .arithmetic import Number
from .attributes import is_narrow_float


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
