"""The chlo ops that the reference executes as they are."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest

from .harness import INF, NAN, boolean, close, evaluate, f32, f64, i8, i32, i64, same, type_of, u32


def unary(op: str, value: Any) -> np.ndarray:
    return evaluate(f"chlo.{op} %a : {type_of(value)} -> {type_of(value)}", value)


def binary(op: str, lhs: Any, rhs: Any) -> np.ndarray:
    return evaluate(f"chlo.{op} %a, %b : {type_of(lhs)}, {type_of(rhs)} -> {type_of(lhs)}", lhs, rhs)


@pytest.mark.parametrize("name", ["sinh", "cosh", "asinh", "atan", "erf", "erfc", "tan"])
def test_library_functions(name: str) -> None:
    points = f64(-2.5, -1e-9, 0.3, 4)
    close(unary(name, points), f64(*map(getattr(math, name), points)), 1e-14)


@pytest.mark.parametrize("name", ["asin", "acos", "atanh"])
def test_inverse_functions(name: str) -> None:
    points = f64(-0.9, -1e-9, 0.3)
    close(unary(name, points), f64(*map(getattr(math, name), points)), 1e-14)
    assert np.isnan(unary(name, f64(1.5)))


def test_erf_inv() -> None:
    points = f64(-0.999999, -0.5, 1e-20, 0.3, 0.75, 1 - 2**-53)
    close(f64(*map(math.erf, unary("erf_inv", points))), points, 1e-14)
    same(unary("erf_inv", f32(-1, 1, 1.5, NAN, -0.0)), f32(-INF, INF, NAN, NAN, -0.0))
    close(unary("erf_inv", f64(0.5)), f64(0.4769362762044699), 1e-15)


def test_gamma_functions() -> None:
    close(unary("lgamma", f64(0.5, 3, -1.5, 171)), f64(*map(math.lgamma, (0.5, 3, -1.5, 171))), 1e-14)
    same(unary("lgamma", f64(0, -2, INF, -INF)), f64(INF, INF, INF, INF))
    euler = 0.5772156649015329
    expected = f64(-euler, 1 - euler, -euler - 2 * math.log(2), 0.03648997397857652)
    close(unary("digamma", f64(1, 2, 0.5, -0.5)), expected, 1e-13)
    same(unary("digamma", f64(0, -3, INF, NAN)), f64(NAN, NAN, INF, NAN))


def test_zeta() -> None:
    close(
        binary("zeta", f64(2, 4, 3, 1.5), f64(1, 1, 2, 1)),
        f64(math.pi**2 / 6, math.pi**4 / 90, 0.2020569031595942, 2.612375348685488),
        1e-14,
    )
    same(binary("zeta", f64(1, 0.5, 2, 3, 2.5), f64(1, 1, 0, 0, -0.5)), f64(INF, NAN, INF, NAN, NAN))


def test_polygamma() -> None:
    close(
        binary("polygamma", f64(1, 2, 0), f64(1, 1, 2)),
        f64(math.pi**2 / 6, -2.4041138063191885, 0.4227843350984671),
        1e-14,
    )
    same(binary("polygamma", f64(-1, 0.5), f64(1, 1)), f64(NAN, NAN))


def test_zeta_and_polygamma_of_negative_numbers() -> None:
    close(
        binary("zeta", f64(2, 3, 4), f64(-0.5, -2.25, -1000.75)),
        f64(8.934802200544679, -61.94847488703008, 259.7575760903411),
        1e-14,
    )
    # The sum from either side of a far away number is that of all numbers.
    close(binary("zeta", f64(2), f64(-1e12 + 0.5)), f64(math.pi**2), 1e-11)
    same(binary("polygamma", f64(1, 2, 3), f64(0, -1, -2)), f64(INF, NAN, INF))


def test_powers_out_of_range_leave_sums_in_range() -> None:
    close(binary("zeta", f64(2, 1 + 2**-52), f64(1e300, 1e300)), f64(1e-300, 2.0**52), 1e-12)
    close(binary("polygamma", f64(200, 1), f64(200, 1e300)), f64(-3.882961587619134e-88, 1e-300), 1e-12)


def test_bessel_i1e() -> None:
    expected = f64(0.20791041534970844, -0.20791041534970844, 0.0, 0.04375062540394, 0.0729993)
    close(unary("bessel_i1e", f64(1, -1, 0, 83, 29.5))[:3], expected[:3], 1e-14)
    # The two methods meet at 30.
    below, above = unary("bessel_i1e", f64(30, np.nextafter(30.0, 31)))
    assert abs(below - above) < 1e-15


def test_classification() -> None:
    values = f32(INF, -INF, 1, NAN)
    for op, expected in (("is_inf", (1, 1, 0, 0)), ("is_pos_inf", (1, 0, 0, 0)), ("is_neg_inf", (0, 1, 0, 0))):
        same(evaluate(f"chlo.{op} %a : tensor<4xf32> -> tensor<4xi1>", values), boolean(*map(bool, expected)))


def test_conj_and_square() -> None:
    value = np.array([1 + 2j, -1j], np.complex64)
    same(unary("conj", value), np.conj(value))
    same(unary("square", i32(3, -4)), i32(9, 16))


def test_kernel_of_asin_and_acos() -> None:
    z = np.array([0.3 + 0.4j, -2 + 1e-3j, 1.5 - 2j, -0.1j])
    w = unary("_asin_acos_kernel", z)
    sign = np.copysign(1, z.imag)
    close(np.arctan2(z.real, w.real) + 1j * sign * w.imag, np.arcsin(z), 1e-14)
    close(np.arctan2(w.real, z.real) - 1j * sign * w.imag, np.arccos(z), 1e-14)


def test_next_after() -> None:
    result = binary("next_after", f32(0, 1, 1, INF), f32(1, 2, 1, 0))
    same(result, f32(1e-45, 1.0000001, 1, np.finfo(np.float32).max))


def test_next_after_of_equal_zeros_is_the_second() -> None:
    for dtype in (np.float16, np.float32):
        zeros = np.array([-0.0, 0.0], dtype)
        same(binary("next_after", zeros, -zeros), -zeros)


@pytest.mark.parametrize("name", ["acos", "acosh", "asin", "asinh", "atan", "atanh"])
def test_inverse_functions_of_complex_numbers_follow_annex_g(name: str) -> None:
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, INF, -INF, NAN]
    points = [complex(x, y) for x in parts for y in parts]
    if name in ("atan", "atanh"):
        points = [z for z in points if {abs(z.real), abs(z.imag)} != {0, 1}]  # Python raises an error at the poles
    if name == "acosh":
        points = [z for z in points if z.real != 0 or z.imag == z.imag]  # where Python is of an earlier edition
    expected = [getattr(cmath, name)(z) for z in points]
    got = unary(name, np.array(points, np.complex128))
    for z, a, b in zip(points, got, expected, strict=True):
        for x, y in ((a.real, b.real), (a.imag, b.imag)):
            assert x == pytest.approx(y, rel=1e-14, nan_ok=True) or (not cmath.isfinite(z) and x == -y), z
            assert math.isnan(x) or math.copysign(1, x) == math.copysign(1, y) or cmath.isnan(z), z


def test_mulhi() -> None:
    same(binary("mulhi", i8(127, -128, -1), i8(127, -128, 1)), i8(63, 64, -1))
    same(binary("mulhi", u32(2**32 - 1), u32(2**32 - 1)), u32(2**32 - 2))
    same(binary("mulhi", i64(-(2**63)), i64(-(2**63))), i64(2**62))


def top_k(value: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    result = [type_of(np.zeros((*value.shape[:-1], k), dtype)) for dtype in (value.dtype, np.int32)]
    return evaluate(f"chlo.top_k(%a, k = {k}) : {type_of(value)} -> ({', '.join(result)})", value, results=2)


def test_top_k() -> None:
    values, indices = top_k(i32([1, 5, 5, 2], [0, -1, -2, -3]), 2)
    same(values, i32([5, 5], [0, -1]))
    same(indices, i32([1, 2], [0, 1]))


def test_top_k_has_nan_first_and_orders_zeros() -> None:
    values, indices = top_k(f32(1, NAN, -0.0, 0.0, INF), 5)
    same(values, f32(NAN, INF, 1, 0.0, -0.0))
    same(indices, i32(1, 4, 0, 3, 2))
    values, _ = top_k(u32(0, 2**32 - 1, 7), 2)
    same(values, u32(2**32 - 1, 7))


def test_broadcasting() -> None:
    text = "chlo.broadcast_add %a, %b : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>"
    same(evaluate(text, i32([10], [20]), i32(1, 2, 3)), i32([11, 12, 13], [21, 22, 23]))
    text = """chlo.broadcast_subtract %a, %b {broadcast_dimensions = array<i64: 0>}
        : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>"""
    same(evaluate(text, i32([1, 2, 3], [4, 5, 6]), i32(1, 4)), i32([0, 1, 2], [0, 1, 2]))


def test_constants() -> None:
    same(evaluate("chlo.constant dense<3> : tensor<2xi32>"), i32(3, 3))
    same(
        evaluate('"chlo.constant_like"(%a) {value = 2.5 : f32} : (tensor<2xf32>) -> tensor<2xf32>', f32(0, 0)),
        f32(2.5, 2.5),
    )


SCAN = """chlo.scan (%a) inits (%b) dimension=0 attributes {is_reverse = REVERSE} {
  ^bb0(%x: tensor<i64>, %c: tensor<i64>):
    %s = stablehlo.add %x, %c : tensor<i64>
    stablehlo.return %s, %s : tensor<i64>, tensor<i64>
  } : (tensor<4xi64>, tensor<i64>) -> (tensor<4xi64>, tensor<i64>)"""


@pytest.mark.parametrize(("reverse", "expected"), [("false", [11, 13, 16, 20]), ("true", [20, 19, 17, 14])])
def test_scan(reverse: str, expected: list[int]) -> None:
    sums, last = evaluate(SCAN.replace("REVERSE", reverse), i64(1, 2, 3, 4), np.int64(10), results=2)
    same(sums, i64(*expected))
    same(last, np.int64(20))


RAGGED = """"chlo.ragged_dot"(%a, %b, %c) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<NUMBERS>}>
    : (LEFT, RIGHT, tensor<2xi64>) -> RESULT"""


def test_ragged_dot_with_a_matrix_per_group_of_rows() -> None:
    numbers = """lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
        lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]"""
    lhs, rhs = f64([1, 2], [3, 4], [5, 6]), f64([[1], [1]], [[10], [10]])
    text = RAGGED.replace("NUMBERS", numbers).replace("LEFT", type_of(lhs)).replace("RIGHT", type_of(rhs))
    same(evaluate(text.replace("RESULT", "tensor<3x1xf64>"), lhs, rhs, i64(2, 1)), f64([3], [7], [110]))
    same(evaluate(text.replace("RESULT", "tensor<3x1xf64>"), lhs, rhs, i64(1, 1)), f64([3], [70], [0]))


def test_ragged_dot_with_a_result_per_group_of_terms() -> None:
    numbers = """lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]"""
    lhs, rhs = f64([1, 2, 3]), f64([1], [10], [100])
    text = RAGGED.replace("NUMBERS", numbers).replace("LEFT", type_of(lhs)).replace("RIGHT", type_of(rhs))
    same(evaluate(text.replace("RESULT", "tensor<2x1x1xf64>"), lhs, rhs, i64(2, 1)), f64([[21]], [[300]]))


def ragged(numbers: str, lhs: Any, rhs: Any, sizes: Any, result: str) -> np.ndarray:
    text = f""""chlo.ragged_dot"(%a, %b, %c) <{{ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>}}>
        : ({type_of(lhs)}, {type_of(rhs)}, {type_of(sizes)}) -> {result}"""
    return evaluate(text, lhs, rhs, sizes)


def test_ragged_dot_keeps_out_what_other_groups_own() -> None:
    numbers = """lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
        lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]"""
    rows = ragged(numbers, f64([1], [2], [3]), f64([[3]], [[INF]]), i64(1, 1), "tensor<3x1xf64>")
    same(rows, f64([3], [INF], [0]))
    numbers = """lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]"""
    terms = ragged(numbers, f64([1, INF]), f64([3], [NAN]), i64(1, 1), "tensor<2x1x1xf64>")
    same(terms, f64([[3]], [[NAN]]))


def test_ragged_dot_with_sizes_for_each_batch() -> None:
    numbers = """lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2],
        rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]"""
    lhs, rhs = f64([[1], [2], [3]], [[4], [5], [6]]), f64([[[1]], [[10]]], [[[100]], [[1000]]])
    result = ragged(numbers, lhs, rhs, i64([1, 2], [2, 0]), "tensor<2x3x1xf64>")
    same(result, f64([[1], [200], [300]], [[40], [50], [0]]))
