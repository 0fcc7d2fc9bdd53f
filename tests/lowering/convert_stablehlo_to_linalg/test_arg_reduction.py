"""argmax and argmin, as JAX writes them, natively against NumPy; bodies that are neither against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla

from ..stablehlo_harness import check
from ..test_sort import DTYPES, values

WORST = {
    "GT": {"bf16": "0xFF80", "f16": "0xFC00", "f32": "0xFF800000", "f64": "0xFFF0000000000000"},
    "LT": {"bf16": "0x7F80", "f16": "0x7C00", "f32": "0x7F800000", "f64": "0x7FF0000000000000"},
}


def program(shape: tuple[int, ...], element: str, direction: str, index: str = "i32", tie: str = "LT") -> str:
    sizes = "".join(f"{size}x" for size in shape)
    kept = "".join(f"{size}x" for size in shape[:-1])
    kind = "FLOAT" if element[0] in "bf" else "UNSIGNED" if element[0] == "u" or element == "i1" else "SIGNED"
    if kind == "FLOAT":
        worst = WORST[direction][element]
    else:
        info = np.iinfo("uint8" if element == "i1" else np.dtype(DTYPES[element]).name)
        number = int(info.min if direction == "GT" else info.max)
        worst = str(bool(number)).lower() if element == "i1" else str(number)
    e, i, p = f"tensor<{element}>", f"tensor<{index}>", "tensor<i1>"
    sign = "UNSIGNED" if index[0] == "u" else "SIGNED"
    return f"""
    func.func @main(%x: tensor<{sizes}{element}>) -> tensor<{kept}{index}> {{
      %i = stablehlo.iota dim = {len(shape) - 1} : tensor<{sizes}{index}>
      %worst = stablehlo.constant dense<{worst}> : {e}
      %zero = stablehlo.constant dense<0> : {i}
      %r:2 = stablehlo.reduce(%x init: %worst), (%i init: %zero) across dimensions = [{len(shape) - 1}]
        : (tensor<{sizes}{element}>, tensor<{sizes}{index}>, {e}, {i})
          -> (tensor<{kept}{element}>, tensor<{kept}{index}>)
        reducer(%a: {e}, %b: {e}) (%j: {i}, %k: {i}) {{
          %0 = stablehlo.compare {direction}, %a, %b, {kind} : ({e}, {e}) -> {p}
          %1 = stablehlo.compare NE, %a, %a, {kind} : ({e}, {e}) -> {p}
          %2 = stablehlo.or %0, %1 : {p}
          %3 = stablehlo.compare EQ, %a, %b, {kind} : ({e}, {e}) -> {p}
          %4 = stablehlo.compare {tie}, %j, %k, {sign} : ({i}, {i}) -> {p}
          %5 = stablehlo.and %3, %4 : {p}
          %6 = stablehlo.or %2, %5 : {p}
          %7 = stablehlo.select %2, %a, %b : {p}, {e}
          %8 = stablehlo.select %6, %j, %k : {p}, {i}
          stablehlo.return %7, %8 : {e}, {i}
        }}
      return %r#1 : tensor<{kept}{index}>
    }}"""


def wanted(x: np.ndarray[Any, Any], direction: str) -> np.ndarray[Any, Any]:
    wide = x.astype(np.float64) if x.dtype.kind not in "biu" else x
    return (np.argmax if direction == "GT" else np.argmin)(wide, -1)


@pytest.mark.parametrize("direction", ["GT", "LT"])
@pytest.mark.parametrize("element", DTYPES)
def test_element_types(element: str, direction: str) -> None:
    x = values((5, 203), DTYPES[element], 3)
    (result,) = xdsl_xla.compile(program(x.shape, element, direction))(x)
    np.testing.assert_array_equal(result, wanted(x, direction))


@pytest.mark.parametrize("index", ["i16", "ui16", "i64", "ui32"])
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_index_types_and_threads(index: str, threads: int) -> None:
    x = np.random.default_rng(0).normal(size=(3, 5, 1000)).astype(np.float32)
    (result,) = xdsl_xla.compile(program(x.shape, "f32", "GT", index), threads=threads)(x)
    np.testing.assert_array_equal(result, wanted(x, "GT"))


@pytest.mark.parametrize("threads", [1, 4])
def test_long_vector(threads: int) -> None:
    x = np.random.default_rng(0).integers(0, 1000, 3_000_001).astype(np.float32)
    (result,) = xdsl_xla.compile(program(x.shape, "f32", "LT"), threads=threads)(x)
    assert result == np.argmin(x)


@pytest.mark.parametrize("direction", ["GT", "LT"])
def test_special_values(direction: str) -> None:
    x = np.zeros((7, 40), np.float32)
    x[0, 5:] = -0.0
    x[1, [9, 3, 30]] = np.nan
    x[2, :] = np.nan
    x[3, :] = -np.inf
    x[4, :] = np.inf
    x[5, 7], x[5, 8] = np.inf, -np.inf
    (result,) = xdsl_xla.compile(program(x.shape, "f32", direction))(x)
    np.testing.assert_array_equal(result, wanted(x, direction))


def test_last_of_equals() -> None:
    check(program((4, 30), "i32", "GT", tie="GT"))


def test_one_element() -> None:
    check(program((4, 1), "f32", "GT"))
