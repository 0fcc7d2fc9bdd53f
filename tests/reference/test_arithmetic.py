"""Arithmetic of two values, with the values the specification leaves open."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .harness import INF, NAN, binary, boolean, close, evaluate, f32, f64, i4, i8, i32, i64, same, u8, u32

MIN, MAX = -(2**31), 2**31 - 1


def test_examples_of_the_specification() -> None:
    same(binary("add", i32([1, 2], [3, 4]), i32([5, 6], [7, 8])), i32([6, 8], [10, 12]))
    same(binary("subtract", f32([6, 8], [10, 12]), f32([5, 6], [7, 8])), f32([1, 2], [3, 4]))
    same(binary("multiply", i32([1, 2], [3, 4]), i32([5, 6], [7, 8])), i32([5, 12], [21, 32]))
    close(binary("divide", f32(17.1, -17.1, 17.1, -17.1), f32(3, 3, -3, -3)), f32(5.7, -5.7, -5.7, 5.7))
    same(binary("divide", i32(17, -17, 17, -17), i32(3, 3, -3, -3)), i32(5, -5, -5, 5))
    same(binary("remainder", i64(17, -17, 17, -17), i64(3, 3, -3, -3)), i64(2, -2, 2, -2))
    same(binary("maximum", i32([1, 2], [7, 8]), i32([5, 6], [3, 4])), i32([5, 6], [7, 8]))
    same(binary("minimum", i32([1, 2], [7, 8]), i32([5, 6], [3, 4])), i32([1, 2], [3, 4]))


def test_integers_wrap_around() -> None:
    same(binary("add", i32(MAX, MIN), i32(1, -1)), i32(MIN, MAX))
    same(binary("subtract", u8(0), u8(1)), u8(255))
    same(binary("multiply", i8(100, -128), i8(3, -1)), i8(44, -128))
    same(binary("add", i4(7, -8), i4(1, -1)), i4(-8, 7))


def test_booleans_add_is_or_and_multiply_is_and() -> None:
    lhs, rhs = boolean(False, False, True, True), boolean(False, True, False, True)
    same(binary("add", lhs, rhs), boolean(False, True, True, True))
    same(binary("multiply", lhs, rhs), boolean(False, False, False, True))
    same(binary("maximum", lhs, rhs), boolean(False, True, True, True))
    same(binary("minimum", lhs, rhs), boolean(False, False, False, True))


def test_integer_division_by_zero_has_all_bits_set() -> None:
    same(binary("divide", i32(5, -5, 0), i32(0, 0, 0)), i32(-1, -1, -1))
    same(binary("divide", u8(5, 0), u8(0, 0)), u8(255, 255))
    same(binary("divide", i4(5), i4(0)), i4(-1))


def test_integer_remainder_by_zero_is_the_dividend() -> None:
    same(binary("remainder", i32(5, -5, 0), i32(0, 0, 0)), i32(5, -5, 0))
    same(binary("remainder", u8(5), u8(0)), u8(5))


def test_least_integer_divided_by_minus_one() -> None:
    same(binary("divide", i32(MIN), i32(-1)), i32(MIN))
    same(binary("remainder", i32(MIN), i32(-1)), i32(0))
    same(binary("divide", i4(-8), i4(-1)), i4(-8))


def test_integer_division_truncates() -> None:
    same(binary("divide", i32(7, -7, 7, -7, MIN), i32(2, 2, -2, -2, 3)), i32(3, -3, -3, 3, -715827882))
    same(binary("remainder", i32(7, -7, 7, -7, MIN), i32(2, 2, -2, -2, 3)), i32(1, -1, 1, -1, -2))


def test_float_division_and_remainder_by_zero() -> None:
    same(binary("divide", f32(1, -1, 0, 1), f32(0, 0, 0, -0.0)), f32(INF, -INF, NAN, -INF))
    same(binary("remainder", f32(5, INF, 5, -6), f32(0, 2, INF, 3)), f32(NAN, NAN, 5, -0.0))
    same(binary("remainder", f64(5.5, -5.5), f64(2, 2)), f64(1.5, -1.5))


def test_maximum_and_minimum_propagate_nan() -> None:
    same(binary("maximum", f32(NAN, 1, -INF), f32(1, NAN, INF)), f32(NAN, NAN, INF))
    same(binary("minimum", f32(NAN, 1, -INF), f32(1, NAN, INF)), f32(NAN, NAN, -INF))


def test_maximum_and_minimum_order_signed_zeros() -> None:
    zeros = f32(-0.0, 0.0), f32(0.0, -0.0)
    same(binary("maximum", *zeros), f32(0.0, 0.0))
    same(binary("minimum", *zeros), f32(-0.0, -0.0))
    same(binary("maximum", f32(-0.0), f32(-0.0)), f32(-0.0))


def test_integer_power() -> None:
    same(binary("power", i32(2, 3, 0, -2, 7), i32(10, 0, 0, 3, 1)), i32(1024, 1, 1, -8, 7))
    same(binary("power", i32(2, 3), i32(31, 40)), i32(MIN, 3**40 % 2**32 - 2**32 * (3**40 % 2**32 > MAX)))


def test_integer_power_with_negative_exponent() -> None:
    same(binary("power", i32(1, -1, -1, 2, -2, 0), i32(-3, -3, -2, -1, -1, -1)), i32(1, -1, 1, 0, 0, 0))


def test_float_power() -> None:
    actual = binary("power", f64(-2, -0.0, 0.0, 5, 2, -8, INF, 0), f64(3, -1, 0, 0, -1.5, 1 / 3, -1, NAN))
    close(actual, f64(-8, -INF, 1, 1, 0.3535533905932738, NAN, 0, NAN), 1e-15)


def test_atan2_chooses_the_quadrant() -> None:
    pi = np.pi
    actual = binary("atan2", f64(0.0, 1, -1, 0.0, -0.0, INF), f64(0.0, 0, 0, -1, -1, INF))
    close(actual, f64(0, pi / 2, -pi / 2, pi, -pi, pi / 4), 1e-15)


def test_small_floats_are_rounded_once() -> None:
    bf16 = ml_dtypes.bfloat16
    same(binary("add", np.array([256], bf16), np.array([1], bf16)), np.array([256], bf16))
    same(binary("multiply", f32(3).astype(np.float16), f32(65504).astype(np.float16)), f32(INF).astype(np.float16))
    f8 = ml_dtypes.float8_e4m3fn
    same(binary("add", np.array([16.0, 448.0], f8), np.array([1.0, 448.0], f8)), np.array([16.0, NAN], f8))


def test_clamp_example() -> None:
    text = "stablehlo.clamp %a, %b, %c : tensor<3xi32>"
    same(evaluate(text, i32(5, 10, 15), i32(3, 13, 23), i32(10, 15, 20)), i32(5, 13, 20))


def test_clamp_of_scalars_nan_and_crossed_bounds() -> None:
    text = "stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"
    same(evaluate(text, np.float32(0), f32(-1, 5, 0.5, NAN), np.float32(1)), f32(0, 1, 0.5, NAN))
    same(evaluate(text, np.float32(2), f32(-1, 5, 0.5, 1), np.float32(1)), f32(1, 1, 1, 1))


@pytest.mark.parametrize("op", ["add", "divide", "remainder", "maximum", "power"])
@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 1)])
def test_any_shape(op: str, shape: tuple[int, ...]) -> None:
    value = np.full(shape, 3, np.int32)
    assert binary(op, value, value).shape == shape


def test_unsigned_comparison_and_division_see_large_values() -> None:
    same(binary("divide", u32(4294967295), u32(2)), u32(2147483647))
    same(binary("maximum", u32(4294967295), u32(1)), u32(4294967295))
    same(binary("remainder", u32(4294967295), u32(10)), u32(5))
