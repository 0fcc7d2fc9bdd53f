"""Comparison, selection and conversion (StableHLO specification, sections of those names)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import ml_dtypes
import numpy as np

from .arrays import (
    Array,
    bit_width,
    compute_dtype,
    is_complex,
    is_float,
    is_narrow_integer,
    is_unsigned,
    narrow,
)
from .elementwise import elementwise_call, exact
from .registry import Call, reference

_COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


def total_order_key(value: Array) -> Array:
    """Integers ordered as IEEE 754 totalOrder orders the floats `value`.

    A NaN with the bits of -0 is less than all.
    """
    if value.dtype.itemsize > 1:
        signed = np.ascontiguousarray(value).view(f"i{value.dtype.itemsize}").reshape(value.shape)
        return np.where(signed < 0, signed ^ np.iinfo(signed.dtype).max, signed)
    format = cast(Any, ml_dtypes.finfo(value.dtype))
    sign = 1 << (int(format.nexp) + int(format.nmant))
    bits = np.ascontiguousarray(value).view(np.uint8).reshape(value.shape).astype(np.int16)
    magnitude = np.where(np.isnan(value) & (bits == sign), sign, bits & (sign - 1))
    return np.where(bits < sign, magnitude, -1 - magnitude)


def _weak_order(lhs: Array, rhs: Array) -> Array:
    """-1, 0 or 1: `lhs` is less than, equal to or greater than `rhs`, where NaNs are equal and greatest."""
    less = (lhs < rhs) | (~np.isnan(lhs) & np.isnan(rhs))
    greater = (lhs > rhs) | (np.isnan(lhs) & ~np.isnan(rhs))
    return greater.astype(np.int8) - less.astype(np.int8)


@elementwise_call("stablehlo.compare")
def compare(call: Call, lhs: Array, rhs: Array) -> Array:
    """NaN is unequal to everything, and not ordered; TOTALORDER is that of IEEE 754; in WEAKORDER, NaN is greatest."""
    order = call.enum("compare_type") if is_float(lhs.dtype) else None
    if order == "TOTALORDER":
        lhs, rhs = total_order_key(lhs), total_order_key(rhs)
    elif order == "WEAKORDER":
        lhs = _weak_order(lhs, rhs)
        rhs = np.zeros_like(lhs)
    elif is_narrow_integer(lhs.dtype):
        lhs, rhs = lhs.astype(np.int8), rhs.astype(np.int8)
    return _COMPARISONS[call.enum("comparison_direction") or "EQ"](lhs, rhs)


@exact("stablehlo.select")
def select(pred: Array, on_true: Array, on_false: Array) -> Array:
    return np.where(pred, on_true, on_false)


@elementwise_call("stablehlo.convert")
def convert(call: Call, operand: Array) -> Array:
    return convert_to(operand, call.result()[1])


def convert_to(operand: Array, dtype: np.dtype[Any]) -> Array:
    """Conversion between any two element types.

    To bool by `!= 0`, float to integer truncating and saturating with NaN as 0, integers modulo 2^width, to float
    rounded once to nearest even, complex to real by dropping the imaginary part.
    """
    if is_complex(operand.dtype) and not is_complex(dtype):
        operand = np.real(operand)
    if dtype == np.bool_:
        return operand.astype(compute_dtype(operand.dtype)) != 0
    if is_narrow_integer(operand.dtype):
        operand = operand.astype(compute_dtype(operand.dtype))
    if is_float(operand.dtype) and not (is_float(dtype) or is_complex(dtype)):
        return _float_to_integer(operand, dtype)
    return narrow(operand, dtype)


def _float_to_integer(operand: Array, dtype: np.dtype[Any]) -> Array:
    info: Any = ml_dtypes.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    wide = operand.astype(np.float64)
    inside = (wide > float(low)) & (wide < float(high))
    whole = np.trunc(np.where(inside, wide, 0.0)).astype(np.uint64 if is_unsigned(dtype) else np.int64)
    whole = np.where(wide >= float(high), whole.dtype.type(high), whole)
    return narrow(np.where(wide <= float(low), whole.dtype.type(low), whole), dtype)


def to_bits(value: Array) -> Array:
    """The bits of the elements along a new last dimension, least significant first."""
    width = bit_width(value.dtype)
    octets = np.ascontiguousarray(value).reshape(-1).view(np.uint8).reshape(*value.shape, value.dtype.itemsize)
    return np.unpackbits(octets, axis=-1, bitorder="little")[..., :width]


def from_bits(bits: Array, dtype: np.dtype[Any]) -> Array:
    """The inverse of `to_bits`."""
    missing = dtype.itemsize * 8 - bits.shape[-1]
    padded = np.concatenate([bits, np.zeros((*bits.shape[:-1], missing), np.uint8)], axis=-1)
    octets = np.packbits(padded, axis=-1, bitorder="little")
    if is_narrow_integer(dtype):
        return narrow(octets[..., 0], dtype)
    return np.ascontiguousarray(octets).reshape(-1).view(dtype).reshape(bits.shape[:-1])


@reference("stablehlo.bitcast_convert")
def bitcast_convert(call: Call, operand: Array) -> Array:
    """A wider type has its least significant part first along the last dimension of the narrower."""
    _, dtype = call.result()
    old, new = bit_width(operand.dtype), bit_width(dtype)
    bits = to_bits(operand)
    shape = operand.shape
    if new < old:
        shape = (*shape, old // new)
    elif new > old:
        shape = shape[:-1]
    return from_bits(bits.reshape(*shape, new), dtype)


@elementwise_call("stablehlo.reduce_precision")
def reduce_precision(call: Call, operand: Array) -> Array:
    """Rounds the magnitude to nearest even at `mantissa_bits` binary places of its fraction.

    What is too large becomes what infinity becomes in the element type: NaN where there is none, the largest number
    where there is no NaN either. Magnitudes below the least normal number of `exponent_bits` become zero (NaN in a type
    without zero), if there are fewer exponent bits than before. NaN stays.
    """
    exponent_bits, mantissa_bits = call.int("exponent_bits"), call.int("mantissa_bits")
    dtype = operand.dtype
    format = cast(Any, ml_dtypes.finfo(dtype))
    stored_exponent, stored_mantissa = int(format.nexp), int(format.nmant)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    codes = np.array([np.inf, 0.0, 1.0, format.max], np.float64).astype(dtype).view(unsigned).astype(np.uint64)
    infinity, zero, one, largest = codes
    image = np.ascontiguousarray(operand).reshape(-1).view(unsigned).astype(np.uint64)
    magnitude_bits = stored_exponent + stored_mantissa
    is_negative = image >> np.uint64(magnitude_bits) != 0
    bits = image & np.uint64((1 << magnitude_bits) - 1)
    if (dropped := stored_mantissa - mantissa_bits) > 0:
        odd = (bits >> np.uint64(dropped)) & np.uint64(1)
        bits = (bits + np.uint64((1 << (dropped - 1)) - 1) + odd) & ~np.uint64((1 << dropped) - 1)
        bits = np.where(bits > largest, infinity, bits)
    if exponent_bits < stored_exponent:
        bias, reduced = int(one) >> stored_mantissa, 2 ** (exponent_bits - 1) - 1
        exponent = bits >> np.uint64(stored_mantissa)
        bits = np.where(exponent > bias + reduced, infinity, bits)
        bits = np.where(exponent <= bias - reduced, zero, bits)
    magnitude = bits.astype(unsigned).view(dtype)
    rounded = np.where(is_negative, -magnitude, magnitude).reshape(operand.shape)
    return np.where(np.isnan(operand), operand, rounded)
