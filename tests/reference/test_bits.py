"""Logic, shifts and counts of bits."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import binary, boolean, i4, i8, i32, i64, same, u8, u32, unary


def test_examples_of_the_specification() -> None:
    lhs, rhs = i32([1, 2], [3, 4]), i32([5, 6], [7, 8])
    same(binary("and", lhs, rhs), i32([1, 2], [3, 0]))
    same(binary("or", lhs, rhs), i32([5, 6], [7, 12]))
    same(binary("xor", lhs, rhs), i32([4, 4], [4, 12]))
    same(unary("not", i32([1, 2], [3, 4])), i32([-2, -3], [-4, -5]))
    same(unary("popcnt", i64(0, 1, 2, 127)), i64(0, 1, 1, 7))
    same(unary("count_leading_zeros", i64([0, 1], [128, -1])), i64([64, 63], [56, 0]))
    same(binary("shift_left", i64(-1, 0, 1), i64(1, 2, 3)), i64(-2, 0, 8))
    same(binary("shift_right_arithmetic", i64(-1, 0, 8), i64(1, 2, 3)), i64(-1, 0, 1))
    same(binary("shift_right_logical", i64(-1, 0, 8), i64(1, 2, 3)), i64(9223372036854775807, 0, 1))


def test_booleans() -> None:
    lhs, rhs = boolean([False, False], [True, True]), boolean([False, True], [False, True])
    same(binary("and", lhs, rhs), boolean([False, False], [False, True]))
    same(binary("or", lhs, rhs), boolean([False, True], [True, True]))
    same(binary("xor", lhs, rhs), boolean([False, True], [True, False]))
    same(unary("not", lhs), boolean([True, True], [False, False]))


@pytest.mark.parametrize("amount", [8, 9, 100, -1, -128])
def test_shifts_by_the_width_or_more(amount: int) -> None:
    amounts = i8(amount, amount)
    same(binary("shift_left", i8(-3, 5), amounts), i8(0, 0))
    same(binary("shift_right_logical", i8(-3, 5), amounts), i8(0, 0))
    same(binary("shift_right_arithmetic", i8(-3, 5), amounts), i8(-1, 0))


def test_shifts_of_unsigned_values() -> None:
    same(binary("shift_right_arithmetic", u8(0xF0, 0x70), u8(4, 4)), u8(0xFF, 0x07))
    same(binary("shift_right_logical", u32(0x80000000), u32(31)), u32(1))
    same(binary("shift_left", u8(0xFF), u8(7)), u8(0x80))


def test_four_bits() -> None:
    same(binary("shift_left", i4(7, -1, 1), i4(1, 3, 4)), i4(-2, -8, 0))
    same(binary("shift_right_logical", i4(-1, -8), i4(1, 3)), i4(7, 1))
    same(binary("shift_right_arithmetic", i4(-8, -8, 7), i4(2, 4, -1)), i4(-2, -1, 0))
    same(unary("popcnt", i4(-1, 7, 0)), i4(4, 3, 0))
    same(unary("count_leading_zeros", i4(0, 1, -1, 4)), i4(4, 3, 0, 1))
    same(unary("not", i4(7, 0)), i4(-8, -1))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint64])
def test_counts_of_every_width(dtype: type) -> None:
    width = np.dtype(dtype).itemsize * 8
    values = np.array([0, 1, 3, -1 if np.dtype(dtype).kind == "i" else 2**width - 1], dtype)
    same(unary("popcnt", values), np.array([0, 1, 2, width], dtype))
    same(unary("count_leading_zeros", values), np.array([width, width - 1, width - 2, 0], dtype))


@pytest.mark.parametrize("shape", [(), (0, 3)])
def test_any_shape(shape: tuple[int, ...]) -> None:
    value = np.ones(shape, np.int16)
    for op in ("popcnt", "count_leading_zeros", "not"):
        assert unary(op, value).shape == shape
    for op in ("shift_left", "shift_right_logical", "shift_right_arithmetic"):
        assert binary(op, value, value).shape == shape
