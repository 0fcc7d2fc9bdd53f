"""Functions of one real value."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from .harness import INF, NAN, close, evaluate, f32, f64, i4, i8, i32, same, unary

LIBRARY = {
    "cosine": math.cos,
    "exponential": math.exp,
    "exponential_minus_one": math.expm1,
    "sine": math.sin,
    "tan": math.tan,
    "tanh": math.tanh,
    "cbrt": math.cbrt,
    "logistic": lambda x: 1 / (1 + math.exp(-x)),
}
POSITIVE = {"log": math.log, "log_plus_one": math.log1p, "sqrt": math.sqrt, "rsqrt": lambda x: 1 / math.sqrt(x)}


@pytest.mark.parametrize("name", LIBRARY)
def test_library_functions(name: str) -> None:
    points = f64(-3.5, -1, -1e-9, 0.0, 0.3, 2, 10)
    close(unary(name, points), f64(*map(LIBRARY[name], points)), 1e-14)


@pytest.mark.parametrize("name", POSITIVE)
def test_functions_of_positive_values(name: str) -> None:
    points = f64(1e-300, 1e-9, 0.3, 1, 2, 1e300)
    close(unary(name, points), f64(*map(POSITIVE[name], points)), 1e-14)


@pytest.mark.parametrize("name", {**LIBRARY, **POSITIVE})
def test_nan_stays(name: str) -> None:
    same(unary(name, f32(NAN)), f32(NAN))


def test_values_at_zeros_and_infinities() -> None:
    same(unary("exponential", f32(-INF, INF)), f32(0, INF))
    same(unary("exponential_minus_one", f32(-INF, INF, -0.0)), f32(-1, INF, -0.0))
    same(unary("log", f32(0, -0.0, INF, -1)), f32(-INF, -INF, INF, NAN))
    same(unary("log_plus_one", f32(-1, -0.0, INF, -2)), f32(-INF, -0.0, INF, NAN))
    same(unary("logistic", f32(-INF, INF, 0)), f32(0, 1, 0.5))
    same(unary("rsqrt", f32(0, -0.0, INF, -1)), f32(INF, -INF, 0, NAN))
    same(unary("sqrt", f32(-0.0, INF, -1)), f32(-0.0, INF, NAN))
    same(unary("cbrt", f32(-27, -0.0, -INF)), f32(-3, -0.0, -INF))
    same(unary("sine", f32(-0.0, INF)), f32(-0.0, NAN))
    same(unary("tanh", f32(-0.0, INF, -INF)), f32(-0.0, 1, -1))


def test_absolute_value_and_its_overflow() -> None:
    same(unary("abs", i32(-2, 0, 2)), i32(2, 0, 2))
    same(unary("abs", i8(-128)), i8(-128))
    same(unary("abs", i4(-8, -7)), i4(-8, 7))
    same(unary("abs", f32(-0.0, -INF, NAN)), f32(0.0, INF, NAN))


def test_negate() -> None:
    same(unary("negate", i32(0, -2, -(2**31))), i32(0, 2, -(2**31)))
    same(unary("negate", f32(0.0, -INF)), f32(-0.0, INF))


def test_sign_keeps_zeros_and_nan() -> None:
    same(unary("sign", f64(-INF, -2.5, -0.0, 0.0, 3, NAN)), f64(-1, -1, -0.0, 0.0, 1, NAN))
    same(unary("sign", i32(-(2**31), 0, 7)), i32(-1, 0, 1))


def test_rounding_away_from_zero() -> None:
    points = f32(-2.5, -0.4, -0.5, 0.5, 1.5, 2.5, 0.49999997, 8388609, INF, NAN)
    same(unary("round_nearest_afz", points), f32(-3, -0.0, -1, 1, 2, 3, 0, 8388609, INF, NAN))


def test_rounding_to_even() -> None:
    points = f32(-2.5, -0.4, -0.5, 0.5, 1.5, 2.5, 8388609, -INF, NAN)
    same(unary("round_nearest_even", points), f32(-2, -0.0, -0.0, 0, 2, 2, 8388609, -INF, NAN))


def test_ceil_and_floor() -> None:
    points = f32(-0.8166, -0.2530, 0.2530, 0.8166, 2, -0.0)
    same(unary("ceil", points), f32(-0.0, -0.0, 1, 1, 2, -0.0))
    same(unary("floor", points), f32(-1, -1, 0, 0, 2, -0.0))


def test_is_finite() -> None:
    text = "stablehlo.is_finite %a : (tensor<7xf64>) -> tensor<7xi1>"
    result = evaluate(text, f64(0, 1, -1, NAN, INF, -INF, 5e-324))
    assert result.tolist() == [True, True, True, False, False, False, True]


def test_functions_of_small_floats_are_rounded_once() -> None:
    bf16 = ml_dtypes.bfloat16
    value = np.array([1.5, -2, 0.1], bf16)
    expected = np.exp(value.astype(np.float64)).astype(bf16)
    same(unary("exponential", value), expected)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
def test_any_shape(shape: tuple[int, ...]) -> None:
    for name in ("abs", "sign", "round_nearest_afz", "tanh", "logistic"):
        assert unary(name, np.ones(shape, np.float32)).shape == shape


@pytest.mark.parametrize("mode", ["DEFAULT", "HIGHEST"])
def test_every_result_accuracy_is_met(mode: str) -> None:
    accuracy = f"#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<{mode}>>"
    text = f'"stablehlo.exponential"(%a) {{result_accuracy = {accuracy}}} : (tensor<1xf64>) -> tensor<1xf64>'
    close(evaluate(text, f64(1)), f64(math.e), 1e-15)
