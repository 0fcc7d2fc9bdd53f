"""Complex numbers: values at branch cuts, zeros and infinities (C standard, Annex G)."""

from __future__ import annotations

import cmath

import numpy as np
import pytest

from .harness import INF, NAN, binary, boolean, close, evaluate, f32, f64, same, unary


def c128(*parts: tuple[float, float]) -> np.ndarray:
    """Complex numbers from their parts, signs of zeros kept."""
    result = np.empty(len(parts), np.complex128)
    result.real, result.imag = zip(*parts, strict=True)
    return result


POINTS = c128((0.3, -1.2), (-2.5, 0.7), (1e-8, 1e-9), (4, 3), (-0.5, -2))
LIBRARY = {
    "cosine": cmath.cos,
    "exponential": cmath.exp,
    "exponential_minus_one": lambda z: cmath.exp(z) - 1,
    "log": cmath.log,
    "log_plus_one": lambda z: cmath.log(1 + z),
    "logistic": lambda z: 1 / (1 + cmath.exp(-z)),
    "rsqrt": lambda z: 1 / cmath.sqrt(z),
    "sign": lambda z: z / abs(z),
    "sine": cmath.sin,
    "sqrt": cmath.sqrt,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
    "cbrt": lambda z: cmath.exp(cmath.log(z) / 3),
}


@pytest.mark.parametrize("name", LIBRARY)
def test_library_functions(name: str) -> None:
    expected = np.array([LIBRARY[name](complex(z)) for z in POINTS])
    # Around 1e-8 the plain formulas with a 1 in them lose half of the digits.
    close(unary(name, POINTS), expected, 1e-7 if name in ("exponential_minus_one", "log_plus_one") else 1e-13)


def test_example_of_complex_and_parts() -> None:
    text = "stablehlo.complex %a, %b : tensor<2xcomplex<f32>>"
    result = evaluate(text, f32(1, 3), f32(2, 4))
    same(result, np.array([1 + 2j, 3 + 4j], np.complex64))
    same(evaluate("stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>", result), f32(1, 3))
    same(evaluate("stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>", result), f32(2, 4))
    same(evaluate("stablehlo.imag %a : tensor<2xf32>", f32(1, NAN)), f32(0, 0))


def test_magnitude_does_not_overflow() -> None:
    text = "stablehlo.abs %a : (tensor<3xcomplex<f64>>) -> tensor<3xf64>"
    same(evaluate(text, c128((3e300, 4e300), (INF, NAN), (-3, 4))), f64(5e300, INF, 5))


def test_small_values_keep_their_digits() -> None:
    close(unary("log_plus_one", c128((1e-20, 1e-20))), c128((1e-20, 1e-20)), 1e-15)
    close(unary("exponential_minus_one", c128((1e-20, 1e-20))), c128((1e-20, 1e-20)), 1e-15)


def test_branch_cuts_follow_the_sign_of_zero() -> None:
    cut = c128((-4, 0.0), (-4, -0.0))
    same(unary("sqrt", cut), c128((0, 2), (0, -2)))
    same(unary("log", c128((-1, 0.0), (-1, -0.0))), c128((0, np.pi), (0, -np.pi)))
    same(unary("log_plus_one", c128((-2, 0.0), (-2, -0.0))), c128((0, np.pi), (0, -np.pi)))
    same(unary("rsqrt", c128((-4, 0.0), (-4, -0.0))), c128((0.0, -0.5), (0.0, 0.5)))


def test_infinities() -> None:
    same(unary("sqrt", c128((NAN, INF), (-INF, 1), (INF, NAN))), c128((INF, INF), (0, INF), (INF, NAN)))
    same(unary("exponential", c128((-INF, NAN), (-INF, 1e9))).real, f64(0, 0))
    same(unary("log", c128((0.0, 0.0), (-0.0, 0.0), (INF, INF))), c128((-INF, 0), (-INF, np.pi), (INF, np.pi / 4)))
    same(unary("tanh", c128((INF, 1), (-INF, NAN))).real, f64(1, -1))
    same(unary("logistic", c128((INF, INF), (-INF, INF))).real, f64(1, 0))
    same(unary("exponential_minus_one", c128((-INF, NAN))).real, f64(-1))


def test_division_recovers_infinities() -> None:
    same(binary("divide", c128((1, 1)), c128((0.0, 0.0))), c128((INF, INF)))
    same(binary("divide", c128((INF, NAN)), c128((1, 1))), c128((INF, -INF)))
    same(binary("divide", c128((1, 1)), c128((INF, INF))), c128((0.0, 0.0)))
    same(binary("divide", c128((0.0, 0.0)), c128((0.0, 0.0))), c128((NAN, NAN)))


def test_division_does_not_overflow() -> None:
    close(binary("divide", c128((1e300, 1e300)), c128((1e300, 1e300))), c128((1, 0)), 1e-15)
    close(binary("divide", c128((1e-300, 0)), c128((1e-300, 1e-300))), c128((0.5, -0.5)), 1e-15)


def test_multiplication_is_the_textbook_formula() -> None:
    same(binary("multiply", c128((1, 2)), c128((3, -4))), c128((11, 2)))
    same(binary("multiply", c128((INF, 0.0)), c128((1, 1))), c128((INF, INF)))
    same(binary("multiply", c128((INF, INF)), c128((1, 1))), c128((NAN, INF)))


def test_power() -> None:
    close(binary("power", c128((0, 1), (2, 0)), c128((2, 0), (0, 1))), np.array([-1, 2 ** (1j)]), 1e-14, 1e-15)
    same(binary("power", c128((0.0, 0.0)), c128((2, 0))), c128((0.0, 0.0)))


def test_atan2_agrees_with_the_real_function() -> None:
    y, x = c128((1, 0), (0.3, 0)), c128((2, 0), (-1.5, 0))
    close(binary("atan2", y, x).real, np.arctan2(y.real, x.real), 1e-15)


def test_order_is_lexicographic() -> None:
    lhs, rhs = c128((1, 5), (1, 2), (0, 9)), c128((1, 4), (1, 3), (2, 0))
    same(binary("maximum", lhs, rhs), c128((1, 5), (1, 3), (2, 0)))
    same(binary("minimum", lhs, rhs), c128((1, 4), (1, 2), (0, 9)))


def test_sign_of_zero_and_nan() -> None:
    same(unary("sign", c128((0.0, -0.0), (NAN, 1))), c128((0.0, -0.0), (NAN, NAN)))
    close(unary("sign", c128((3e300, 4e300), (3e-320, 4e-320))), c128((0.6, 0.8), (0.6, 0.8)), 1e-3)


def test_equality() -> None:
    text = "stablehlo.compare EQ, %a, %b : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xi1>"
    same(evaluate(text, c128((1, 2), (1, NAN)), c128((1, 2), (1, NAN))), boolean(True, False))


def test_single_precision_is_rounded_from_double() -> None:
    value = POINTS.astype(np.complex64)
    same(unary("exponential", value), np.exp(value.astype(np.complex128)).astype(np.complex64))
