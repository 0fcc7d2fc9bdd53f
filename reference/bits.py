"""Logic, shifts and counts of bits (StableHLO specification, sections of those names)."""

from __future__ import annotations

import numpy as np

from .arrays import Array, bit_width, compute_dtype, narrow
from .elementwise import elementwise, exact


@elementwise("stablehlo.and")
def and_(lhs: Array, rhs: Array) -> Array:
    return lhs & rhs


@elementwise("stablehlo.or")
def or_(lhs: Array, rhs: Array) -> Array:
    return lhs | rhs


@elementwise("stablehlo.xor")
def xor(lhs: Array, rhs: Array) -> Array:
    return lhs ^ rhs


@elementwise("stablehlo.not")
def not_(operand: Array) -> Array:
    return ~operand


def unsigned_bits(value: Array) -> Array:
    """The bits of integers as non-negative integers of at least a byte."""
    wide = value.astype(compute_dtype(value.dtype))
    bits = wide.view(f"u{wide.dtype.itemsize}")
    return bits if bit_width(value.dtype) % 8 == 0 else bits & np.uint8((1 << bit_width(value.dtype)) - 1)


@exact("stablehlo.shift_left")
def shift_left(lhs: Array, rhs: Array) -> Array:
    """Shifts by the width or more give 0; the amount is unsigned."""
    amount, width = unsigned_bits(rhs), bit_width(lhs.dtype)
    bits = unsigned_bits(lhs)
    return narrow(np.where(amount < width, bits << np.minimum(amount, width - 1), 0).astype(bits.dtype), lhs.dtype)


@exact("stablehlo.shift_right_logical")
def shift_right_logical(lhs: Array, rhs: Array) -> Array:
    """Shifts by the width or more give 0; the amount is unsigned."""
    amount, width = unsigned_bits(rhs), bit_width(lhs.dtype)
    bits = unsigned_bits(lhs)
    return narrow(np.where(amount < width, bits >> np.minimum(amount, width - 1), 0).astype(bits.dtype), lhs.dtype)


@exact("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic(lhs: Array, rhs: Array) -> Array:
    """Shifts by the width or more give the sign."""
    width = bit_width(lhs.dtype)
    amount = np.minimum(unsigned_bits(rhs), width - 1)
    wide = unsigned_bits(lhs)
    unused = wide.dtype.itemsize * 8 - width
    signed = (wide << wide.dtype.type(unused)).view(f"i{wide.dtype.itemsize}") >> unused
    return narrow((signed >> amount.astype(signed.dtype)).view(wide.dtype), lhs.dtype)


@exact("stablehlo.popcnt")
def popcnt(operand: Array) -> Array:
    return narrow(np.bitwise_count(unsigned_bits(operand)), operand.dtype)


@exact("stablehlo.count_leading_zeros")
def count_leading_zeros(operand: Array) -> Array:
    bits = unsigned_bits(operand)
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < bits.dtype.itemsize * 8:
            bits = bits | bits >> bits.dtype.type(shift)
    return narrow(bit_width(operand.dtype) - np.bitwise_count(bits).astype(np.int64), operand.dtype)
