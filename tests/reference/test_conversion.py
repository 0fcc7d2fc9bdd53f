"""Comparison, selection, conversion, bits of other types."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import ComplexType, f16
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.reference.arrays import dtype_of

from .harness import (
    ELEMENT_TYPES,
    INF,
    NAN,
    boolean,
    evaluate,
    f32,
    f64,
    i4,
    i8,
    i32,
    i64,
    same,
    type_of,
    u8,
    u32,
)

BF16 = ml_dtypes.bfloat16


def compare(direction: str, lhs: Any, rhs: Any, kind: str = "") -> list[bool]:
    result = f"tensor<{''.join(f'{n}x' for n in lhs.shape)}i1>"
    text = f"stablehlo.compare {direction}, %a, %b{kind and ', ' + kind} : ({type_of(lhs)}, {type_of(rhs)}) -> {result}"
    return evaluate(text, lhs, rhs).tolist()


def convert(value: Any, dtype: Any) -> np.ndarray:
    result = f"tensor<{''.join(f'{n}x' for n in value.shape)}{ELEMENT_TYPES[np.dtype(dtype)]}>"
    return evaluate(f"stablehlo.convert %a : ({type_of(value)}) -> {result}", value)


def bitcast(value: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    result = f"tensor<{''.join(f'{n}x' for n in shape)}{ELEMENT_TYPES[np.dtype(dtype)]}>"
    return evaluate(f"stablehlo.bitcast_convert %a : ({type_of(value)}) -> {result}", value)


def reduce_precision(value: Any, format: str) -> np.ndarray:
    return evaluate(f"stablehlo.reduce_precision %a, format = {format} : {type_of(value)}", value)


def test_compare_example() -> None:
    assert compare("LT", f32(1.0, 3.0), f32(1.1, 2.9), "FLOAT") == [True, False]


def test_nan_is_unequal_and_unordered() -> None:
    lhs, rhs = f32(NAN, 1, NAN), f32(1, NAN, NAN)
    for direction in ("EQ", "GE", "GT", "LE", "LT"):
        assert compare(direction, lhs, rhs, "FLOAT") == [False, False, False]
    assert compare("NE", lhs, rhs, "FLOAT") == [True, True, True]
    assert compare("EQ", f32(0.0), f32(-0.0), "FLOAT") == [True]


def test_total_order() -> None:
    ascending = f32(-NAN, -INF, -1, -1e-45, -0.0, 0.0, 1e-45, 1, INF, NAN)
    assert compare("LT", ascending[:-1], ascending[1:], "TOTALORDER") == [True] * 9
    assert compare("EQ", ascending, ascending, "TOTALORDER") == [True] * 10
    for dtype in (np.float16, BF16, np.float64):
        values = np.array([-np.inf, -0.0, 0.0, np.inf, np.nan]).astype(dtype)
        assert compare("GT", values[1:], values[:-1], "TOTALORDER") == [True] * 4


@pytest.mark.parametrize(
    "name", ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e8m0fnu", "float6_e2m3fn", "float4_e2m1fn"]
)
def test_total_order_of_narrow_floats(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    values = np.arange(1 << ml_dtypes.finfo(dtype).bits, dtype=np.uint8).view(dtype)
    wide = values.astype(np.float32)
    is_negative, is_nan = np.signbit(wide), np.isnan(wide)
    ascending = values[np.lexsort([~is_negative, np.where(is_nan, np.where(is_negative, -INF, INF), wide)])]
    assert all(compare("LT", ascending[:-1], ascending[1:], "TOTALORDER"))
    assert not any(compare("GE", ascending[:-1], ascending[1:], "TOTALORDER"))


def test_signed_and_unsigned() -> None:
    assert compare("GT", i8(-1), i8(1), "SIGNED") == [False]
    assert compare("GT", u8(255), u8(1), "UNSIGNED") == [True]
    assert compare("LT", i4(-8), i4(7), "SIGNED") == [True]
    assert compare("GE", boolean(True, False), boolean(False, True)) == [True, False]


def test_select() -> None:
    text = "stablehlo.select %a, %b, %c : tensor<2x2xi1>, tensor<2x2xi32>"
    pred = boolean([False, True], [True, False])
    same(evaluate(text, pred, i32([1, 2], [3, 4]), i32([5, 6], [7, 8])), i32([5, 2], [3, 8]))
    text = "stablehlo.select %a, %b, %c : tensor<i1>, tensor<2xf32>"
    same(evaluate(text, np.bool_(True), f32(NAN, -0.0), f32(1, 2)), f32(NAN, -0.0))


def test_convert_example() -> None:
    same(convert(i64(-1, 0, 1), np.complex128), np.array([-1, 0, 1], np.complex128))


def test_float_to_integer_truncates_and_saturates() -> None:
    values = f32(2.9, -2.9, 3e9, -3e9, INF, -INF, NAN, -0.5)
    most, least = 2**31 - 1, -(2**31)
    same(convert(values, np.int32), i32(2, -2, most, least, most, least, 0, 0))
    same(convert(values, np.uint8), u8(2, 0, 255, 0, 255, 0, 0, 0))
    same(convert(values, ml_dtypes.int4), i4(2, -2, 7, -8, 7, -8, 0, 0))
    same(convert(f64(9.3e18, -9.3e18, 2.0**62), np.int64), i64(2**63 - 1, -(2**63), 2**62))
    assert convert(f64(1.9e19, 1e19), np.uint64).tolist() == [2**64 - 1, 10**19]


def test_integers_wrap_around() -> None:
    same(convert(i32(-1, 300, 128), np.int8), i8(-1, 44, -128))
    same(convert(i32(-1), np.uint32), u32(2**32 - 1))
    same(convert(i32(15, 8, -9), ml_dtypes.int4), i4(-1, -8, 7))
    same(convert(i4(-1), np.int32), i32(-1))


def test_to_and_from_booleans() -> None:
    same(convert(f32(0.0, -0.0, NAN, 0.1), np.bool_), boolean(False, False, True, True))
    same(convert(i32(0, 2), np.bool_), boolean(False, True))
    same(convert(boolean(True, False), np.float32), f32(1, 0))
    same(convert(boolean(True, False), np.int64), i64(1, 0))


def test_complex_to_real_drops_the_imaginary_part() -> None:
    value = np.array([1 + 2j, -3j], np.complex64)
    same(convert(value, np.float32), value.real)
    same(convert(value, np.complex128), value.astype(np.complex128))


def test_rounding_is_done_once() -> None:
    # In single precision these lie halfway between two bfloat16 values; exactly they do not.
    above, below = 1 + 2**-8 + 2**-40, 1 + 3 * 2**-8 - 2**-40
    same(convert(f64(above, below, -above), BF16), np.array([1 + 2**-7, 1 + 2**-7, -(1 + 2**-7)], BF16))
    big = 2**60 + 2**52
    same(convert(i64(big + 1, big, big - 1, 3), BF16), np.array([2**60 + 2**53, 2**60, 2**60, 3], BF16))
    same(convert(f64(65519.99, 65520), np.float16), np.array([65504, np.inf], np.float16))


def test_narrow_floats() -> None:
    f8 = ml_dtypes.float8_e4m3fn
    same(convert(f32(448, 464, 465, 0.001953125, NAN), f8), np.array([448, 448, np.nan, 0.001953125, np.nan], f8))
    same(convert(np.array([-1.5], f8), np.float64), f64(-1.5))
    f8 = ml_dtypes.float8_e5m2
    same(convert(f32(1e6, -0.0), f8), np.array([np.inf, -0.0], f8))

    f4 = ml_dtypes.float4_e2m1fn
    same(np.abs(convert(f32(100, -INF, NAN), f4).astype(np.float32)), f32(6, 6, 0))


def test_bitcast_example() -> None:
    value = np.array([0x0123456789ABCDEF], np.uint64).view(np.float64).reshape(())
    parts = bitcast(value, (4,), np.float16)
    assert [hex(x) for x in parts.view(np.uint16)] == ["0xcdef", "0x89ab", "0x4567", "0x123"]
    same(bitcast(parts, (), np.float64), value)


def test_bitcast_of_equal_width() -> None:
    same(bitcast(f32(1.0, -0.0), (2,), np.int32), i32(0x3F800000, -(2**31)))
    same(bitcast(np.array([1 + 2j], np.complex64), (1,), np.complex64), np.array([1 + 2j], np.complex64))


def test_bitcast_of_four_bits() -> None:
    same(bitcast(np.array([0x21, -1], np.int8), (2, 2), ml_dtypes.int4), i4([1, 2], [-1, -1]))
    same(bitcast(i4([1, 2], [-1, -1]), (2,), np.int8), i8(0x21, -1))


def test_reduce_precision_example() -> None:
    values = f64(INF, 0.5 + 2**-4 - 2**-5, 0.0, 1.03125, NAN)
    same(reduce_precision(f64(INF, 65520, 1 + 2**-10, 1 + 2**-11, 0.0), "e5m10"), f64(INF, INF, 1 + 2**-10, 1, 0))
    same(reduce_precision(values, "e5m2"), f64(INF, 0.5, 0.0, 1, NAN))


def test_reduce_precision_ties_overflow_and_underflow() -> None:
    same(reduce_precision(f32(1.5, 3, -3, 2.5), "e8m0"), f32(2, 2, -2, 2))
    same(reduce_precision(f32(3e38, -3e38, 70000, -1e-6), "e5m10"), f32(INF, -INF, INF, -0.0))
    same(reduce_precision(f32(INF, -INF, NAN, 4, 3), "e2m1"), f32(INF, -INF, NAN, INF, 3))


def test_reduce_precision_keeps_subnormals_of_an_equal_range() -> None:
    same(reduce_precision(f32(1e-40), "e8m23"), f32(1e-40))
    same(reduce_precision(f32(1e-40), "e5m10"), f32(0.0))


def test_reduce_precision_of_narrow_floats() -> None:
    def narrow(name: str, *values: float) -> np.ndarray:
        return np.array(values).astype(getattr(ml_dtypes, name))

    fn, fnuz, power, f4 = "float8_e4m3fn", "float8_e4m3fnuz", "float8_e8m0fnu", "float4_e2m1fn"
    same(reduce_precision(narrow(fn, 448, -416, 2.25, 20), "e4m1"), narrow(fn, NAN, -384, 2, 16))
    same(reduce_precision(narrow(fn, 15, 16, -0.125, 0.25), "e3m3"), narrow(fn, 15, NAN, -0.0, 0.25))
    same(reduce_precision(narrow(fnuz, 240, -0.125, NAN), "e3m1"), narrow(fnuz, NAN, 0, NAN))
    same(reduce_precision(narrow(power, 8, 16, 0.25, 0.125, NAN), "e3m0"), narrow(power, 8, NAN, 0.25, NAN, NAN))
    same(reduce_precision(narrow(f4, 6, -3, 0.5, -0.5), "e2m0"), narrow(f4, 6, -2, 0.0, -0.0))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_any_shape(shape: tuple[int, ...]) -> None:
    value = np.ones(shape, np.float32)
    assert convert(value, np.int8).shape == shape
    assert reduce_precision(value, "e5m2").shape == shape
    assert bitcast(value, (*shape, 4), np.int8).shape == (*shape, 4)
    assert np.shape(compare("EQ", value, value, "TOTALORDER")) == shape


def test_complex_numbers_of_other_parts_than_floats_of_numpy_are_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="complex<f16> has no NumPy equivalent"):
        dtype_of(ComplexType(f16))
