"""Subnormal numbers where programs flush them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.reference.denormals import flushed
from xdsl_xla.reference.environment import Environment

from .harness import evaluate, type_of

EXTENSIONS: Any = ml_dtypes
BF16 = np.dtype(ml_dtypes.bfloat16)
E8M0 = np.dtype(ml_dtypes.float8_e8m0fnu)
TYPES = [np.dtype(np.float32), np.dtype(np.float64), BF16]


def flushing(text: str, *arguments: Any) -> np.ndarray:
    return evaluate(text, *arguments, environment=Environment(denormals="flush"))


def small(dtype: np.dtype[Any]) -> np.ndarray:
    """Subnormal numbers of both signs."""
    tiny = float(EXTENSIONS.finfo(dtype).smallest_normal)
    return np.array([tiny / 2, -tiny / 4]).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("op", ["sine", "sign", "ceil", "cbrt", "exponential_minus_one", "sqrt"])
def test_operands_of_functions_are_zeros(op: str, dtype: np.dtype[Any]) -> None:
    x = small(dtype)
    got = flushing(f"stablehlo.{op} %a : {type_of(x)}", x).astype(np.float64)
    np.testing.assert_array_equal(got, [0, 0])
    np.testing.assert_array_equal(np.signbit(got), [False, True])


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_results_are_zeros_with_their_sign(dtype: np.dtype[Any]) -> None:
    tiny = float(EXTENSIONS.finfo(dtype).smallest_normal)
    x, y = np.array([tiny, -tiny]).astype(dtype), np.array([0.5, 0.5]).astype(dtype)
    got = flushing(f"stablehlo.multiply %a, %b : {type_of(x)}", x, y).astype(np.float64)
    np.testing.assert_array_equal(np.copysign(1, got), [1, -1])
    np.testing.assert_array_equal(got, [0, 0])


@pytest.mark.parametrize("op", ["negate", "abs"])
def test_signs_are_bits(op: str) -> None:
    x = small(np.dtype(np.float32))
    function = {"negate": np.negative, "abs": np.abs}[op]
    np.testing.assert_array_equal(flushing(f"stablehlo.{op} %a : {type_of(x)}", x), function(x))


def test_what_moves_or_chooses_keeps_them() -> None:
    x = small(np.dtype(np.float32))
    condition = np.array([True, False])
    text = f"stablehlo.select %a, %b, %c : {type_of(condition)}, {type_of(x)}"
    np.testing.assert_array_equal(flushing(text, condition, x, -x), [x[0], -x[1]])
    text = f"stablehlo.reverse %a, dims = [0] : {type_of(x)}"
    np.testing.assert_array_equal(flushing(text, x), x[::-1])


def test_ops_that_broadcast_are_what_they_do_then() -> None:
    x = small(np.dtype(np.float32))
    types = f"({type_of(x)}, {type_of(x)}) -> "
    got = flushing(f"chlo.broadcast_complex %a, %b : {types}tensor<2xcomplex<f32>>", x, -x)
    np.testing.assert_array_equal(got, x - 1j * x)
    got = flushing(f"chlo.broadcast_next_after %a, %b : {types}{type_of(x)}", x, x)
    np.testing.assert_array_equal(got, x)
    got = flushing(f"chlo.broadcast_add %a, %b : {types}{type_of(x)}", x, x)
    np.testing.assert_array_equal(got, [0, 0])


def test_maximum_is_arithmetic() -> None:
    x = small(np.dtype(np.float32))
    np.testing.assert_array_equal(flushing(f"stablehlo.maximum %a, %b : {type_of(x)}", x, -x), [0, 0])


@pytest.mark.parametrize(("order", "expected"), [("", [True, True]), (", TOTALORDER", [False, False])])
def test_comparisons_but_for_those_of_bits_see_zeros(order: str, expected: list[bool]) -> None:
    x = small(np.dtype(np.float32))
    text = f"stablehlo.compare EQ, %a, %b{order} : ({type_of(x)}, {type_of(x)}) -> tensor<2xi1>"
    np.testing.assert_array_equal(flushing(text, x, -x), expected)


@pytest.mark.parametrize(
    ("source", "target", "keeps"),
    [
        ("f32", "bf16", True),
        ("bf16", "f32", True),
        ("f32", "f64", False),
        ("bf16", "f64", False),
        ("f64", "f32", False),
    ],
)
def test_conversions(source: str, target: str, keeps: bool) -> None:
    dtype = {"f32": np.dtype(np.float32), "f64": np.dtype(np.float64), "bf16": BF16}[source]
    x = np.array([2.0**-128, -(2.0**-129)]).astype(dtype)
    got = flushing(f"stablehlo.convert %a : ({type_of(x)}) -> tensor<2x{target}>", x).astype(np.float64)
    np.testing.assert_array_equal(got, x.astype(np.float64) if keeps else [0, 0])


def test_powers_of_two_of_a_byte() -> None:
    """The least one is subnormal in f32, of which conversion makes bits; arithmetic takes it for zero."""
    least = np.zeros(1, np.uint8).view(E8M0)
    np.testing.assert_array_equal(
        flushing("stablehlo.convert %a : (tensor<1xf8E8M0FNU>) -> tensor<1xf32>", least), 2**-127
    )
    np.testing.assert_array_equal(flushing("stablehlo.convert %a : (tensor<1xf8E8M0FNU>) -> tensor<1xf64>", least), 0)


def test_half_precision_is_computed_in_single() -> None:
    x = small(np.dtype(np.float16))
    np.testing.assert_array_equal(flushing(f"stablehlo.add %a, %a : {type_of(x)}", x), x + x)


def test_parts_of_complex_numbers() -> None:
    z = np.array([complex(2.0**-128, 1.0), complex(1.0, -(2.0**-128))], np.complex64)
    got = flushing(f"stablehlo.add %a, %a : {type_of(z)}", z)
    np.testing.assert_array_equal(np.real(got), [0, 2])
    np.testing.assert_array_equal(np.signbit(np.imag(got)), [False, True])
    assert not np.imag(got)[1]


def test_what_has_no_subnormal_numbers_stays_itself() -> None:
    for value in (np.arange(3), np.array([1.0, np.nan, -0.0, np.inf]), "token"):
        assert flushed(value) is value  # pyright: ignore[reportArgumentType]
