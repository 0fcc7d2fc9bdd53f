"""Maxima and minima of vectors order zeros and keep NaN, by whichever instructions."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.model import host_model
from xdsl_xla.decisions.target import from_features

FEATURES = {"avx": True, "avx512f": True, "avx512dq": True, "avx512vl": True}
LIMITS = {"f32": ("0xFF800000", "0x7F800000"), "f64": ("0xFFF0000000000000", "0x7FF0000000000000")}
PROGRAM = """
func.func @main(%x: tensor<8xNxT>, %y: tensor<8xNxT>) -> (tensor<8xNxT>, tensor<8xT>, tensor<8xNxT>, tensor<8xT>) {
  %low = stablehlo.constant dense<LOW> : tensor<T>
  %high = stablehlo.constant dense<HIGH> : tensor<T>
  %a = stablehlo.maximum %x, %y : tensor<8xNxT>
  %b = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8xNxT>, tensor<T>) -> tensor<8xT>
  %c = stablehlo.minimum %x, %y : tensor<8xNxT>
  %d = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [1] : (tensor<8xNxT>, tensor<T>) -> tensor<8xT>
  return %a, %b, %c, %d : tensor<8xNxT>, tensor<8xT>, tensor<8xNxT>, tensor<8xT>
}"""  # noqa: E501


def _program(element: str, size: int) -> str:
    low, high = LIMITS[element]
    text = PROGRAM.replace("LOW", low).replace("HIGH", high).replace("xN", f"x{size}")
    return re.sub(r"(?<=[x<])T>", f"{element}>", text)


def _larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    zero = np.where(np.signbit(a) & np.signbit(b), -0.0, 0.0)
    larger = np.where((a == 0) & (b == 0), zero, np.where(a > b, a, b))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, larger).astype(a.dtype)


def _smaller(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return -_larger(-a, -b)


@pytest.mark.parametrize("instruction", [True, False])
@pytest.mark.parametrize("size", [7, 24, 256])
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("mode", ["flush", "preserve"])
def test_zeros_subnormal_numbers_and_nan(mode: str, element: str, size: int, instruction: bool) -> None:
    model = host_model()
    if not instruction or not model.target.orders_zeros:
        model = replace(model, target=replace(model.target, orders_zeros=False))
    dtype = np.dtype(f"f{int(element[1:]) // 8}")
    executable = xdsl_xla.compile(_program(element, size), denormals=mode, cost_model=model)
    smallest = 3 * float(np.finfo(dtype).smallest_subnormal)
    numbers = np.array([0.0, -0.0, smallest, -smallest, 1, -1, np.inf, -np.inf, np.nan, -np.nan], dtype)
    rng = np.random.default_rng(0)
    for _ in range(20):
        rows = [rng.choice(numbers[:last], size) for last in (1, 2, 3, 4, 6, 8, 9, 10)]
        x, y = np.array(rows), rng.choice(numbers, (8, size))
        results = executable(x, y)
        if mode == "flush":
            is_tiny = [np.abs(array) < np.finfo(dtype).tiny for array in (x, y)]
            x, y = (np.where(tiny, np.copysign(0, a), a).astype(dtype) for tiny, a in zip(is_tiny, (x, y), strict=True))
        largest, least = x[:, 0], x[:, 0]
        for column in x.T[1:]:
            largest, least = _larger(largest, column), _smaller(least, column)
        for result, expected in zip(results, (_larger(x, y), largest, _smaller(x, y), least), strict=True):
            np.testing.assert_array_equal(result, expected)
            is_number = ~np.isnan(expected)
            np.testing.assert_array_equal(np.signbit(result)[is_number], np.signbit(expected)[is_number])


SCATTER = """
func.func @main(%x: tensor<4xT>, %i: tensor<64x1xi32>, %u: tensor<64xT>) -> tensor<4xT> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<T>, %b: tensor<T>):
    %m = stablehlo.OP %a, %b : tensor<T>
    stablehlo.return %m : tensor<T>
  }) : (tensor<4xT>, tensor<64x1xi32>, tensor<64xT>) -> tensor<4xT>
  return %0 : tensor<4xT>
}"""  # noqa: E501


@pytest.mark.parametrize("op", ["maximum", "minimum"])
@pytest.mark.parametrize("element", ["f32", "f64"])
def test_scattered(element: str, op: str) -> None:
    text = re.sub(r"(?<=[x<])T>", f"{element}>", SCATTER).replace("OP", op)
    executable = xdsl_xla.compile(text)
    dtype = np.dtype(f"f{int(element[1:]) // 8}")
    rng = np.random.default_rng(0)
    for last in (2, 4, 7, 8):
        numbers = np.array([0.0, -0.0, 1, -1, 2, np.inf, -np.inf, np.nan], dtype)[:last]
        x, updates = rng.choice(numbers, 4), rng.choice(numbers, 64)
        places = rng.integers(0, 4, (64, 1), np.int32)
        expected = x
        for place, update in zip(places[:, 0], updates, strict=True):
            row = (_larger if op == "maximum" else _smaller)(expected, np.full(4, update))
            expected = np.where(np.arange(4) == place, row, expected)
        (result,) = executable(x, places, updates)
        np.testing.assert_array_equal(result, expected)
        is_number = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(result)[is_number], np.signbit(expected)[is_number])


@pytest.mark.parametrize("missing", ["", "avx512dq", "avx512vl"])
def test_which_processors_have_the_instruction(missing: str) -> None:
    target = from_features({**FEATURES, missing: False}, "x86_64-linux-gnu")
    assert target.orders_zeros == (not missing)
    assert not from_features({"avx": True}, "x86_64-linux-gnu").orders_zeros
    assert not from_features({}, "aarch64-linux-gnu").orders_zeros
