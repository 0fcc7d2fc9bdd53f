"""Values of the chlo decompositions, computed by the reference interpreter op by op.

`special_functions.json` has arguments (representable in f32) and exact values rounded to f64,
computed with mpmath in 40 digits.
"""

from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl_xla.lowering.chlo_legalize_to_stablehlo import ChloLegalizeToStablehloPass
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

Array = NDArray[Any]

TABLE: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_name("special_functions.json").read_text())

TOLERANCE = 4.0
"""Units in the last place that the pass promises."""

NUMPY_EXCESS = 2.0
"""NumPy's own f32 exp, log and the like are up to about 4 ulp off, where ours are within 1."""


def evaluate(function: str, *arguments: Array, type: str, result: str | None = None) -> Array:
    """`chlo.<function>` of rank-1 arguments with elements of `type`, decomposed and interpreted."""
    size = arguments[0].size
    tensor, result_tensor = f"tensor<{size}x{type}>", f"tensor<{size}x{result or type}>"
    names = [f"%x{i}" for i in range(len(arguments))]
    module = parse_module(
        f"""func.func public @main({", ".join(f"{n}: {tensor}" for n in names)}) -> {result_tensor} {{
          %0 = chlo.{function} {", ".join(names)} : {", ".join([tensor] * len(names))} -> {result_tensor}
          func.return %0 : {result_tensor}
        }}"""
    )
    ChloLegalizeToStablehloPass().apply(Context(), module)
    verify_module(module)
    assert not any(op.name.startswith("chlo.") for op in module.walk())
    return run(module, "main", arguments, Environment(denormals="preserve"))[0]


def ulps(got: Array, exact: NDArray[np.float64]) -> Array:
    """The error of `got` in units of the last place of the correctly rounded result."""
    rounded = exact.astype(got.dtype)
    smallest = np.finfo(got.dtype).smallest_subnormal
    unit = np.maximum(np.spacing(np.abs(rounded)), smallest).astype(np.float64)
    with np.errstate(invalid="ignore"):  # equal infinities
        error = np.abs(got.astype(np.float64) - exact) / unit
    return np.where(got == rounded, 0.0, error)


@functools.cache
def table(function: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    entry = TABLE[function]
    x, y = (np.array([float.fromhex(value) for value in entry[key]]) for key in ("x", "y"))
    return x, y


@pytest.mark.parametrize("function", TABLE)
def test_double_precision(function: str) -> None:
    x, y = table(function)
    assert ulps(evaluate(function, x, type="f64"), y).max() <= TOLERANCE


@pytest.mark.parametrize("function", TABLE)
def test_single_precision(function: str) -> None:
    x, y = table(function)
    with np.errstate(over="ignore"):
        error = ulps(evaluate(function, x.astype(np.float32), type="f32"), y)
    assert error.max() <= TOLERANCE


@pytest.mark.parametrize("function", ["erf", "erfc", "erf_inv", "lgamma", "digamma"])
def test_single_precision_everywhere(function: str) -> None:
    """Floats spread evenly over all exponents, against the f64 formula (checked above)."""
    largest = 1.0 if function == "erf_inv" else 40.0
    first, last = (np.float32(v).view(np.int32) for v in (1e-30, np.nextafter(largest, 0)))
    x = np.linspace(first, last, 40_000).astype(np.int32).view(np.float32)
    if function.startswith("erf"):
        x = np.concatenate([x, -x])
    exact = evaluate(function, x.astype(np.float64), type="f64")
    assert ulps(evaluate(function, x, type="f32"), exact).max() <= TOLERANCE + NUMPY_EXCESS


SPECIAL_VALUES = {
    "erf": [(0.0, 0.0), (-0.0, -0.0), (math.inf, 1.0), (-math.inf, -1.0)],
    "erfc": [(0.0, 1.0), (math.inf, 0.0), (-math.inf, 2.0), (200.0, 0.0)],
    "erf_inv": [(0.0, 0.0), (1.0, math.inf), (-1.0, -math.inf), (1.5, math.nan)],
    "lgamma": [
        (1.0, 0.0),
        (2.0, 0.0),
        (0.0, math.inf),
        (-3.0, math.inf),
        (math.inf, math.inf),
        (-math.inf, math.inf),
    ],
    "digamma": [(0.0, math.nan), (-2.0, math.nan), (math.inf, math.inf)],
    "sinh": [(-0.0, -0.0), (math.inf, math.inf), (-math.inf, -math.inf), (800.0, math.inf)],
    "cosh": [(0.0, 1.0), (math.inf, math.inf), (-800.0, math.inf)],
    "asinh": [(-0.0, -0.0), (math.inf, math.inf), (-math.inf, -math.inf)],
    "acosh": [(1.0, 0.0), (math.inf, math.inf), (0.5, math.nan), (-math.inf, math.nan)],
    "atanh": [(-0.0, -0.0), (1.0, math.inf), (-1.0, -math.inf), (2.0, math.nan)],
    "asin": [(-0.0, -0.0), (1.5, math.nan)],
    "acos": [(1.0, 0.0), (-1.5, math.nan)],
    "atan": [(-0.0, -0.0)],
}


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("function", SPECIAL_VALUES)
def test_special_values(function: str, type: str) -> None:
    dtype = np.dtype(np.float32 if type == "f32" else np.float64)
    x, y = (np.array(values, dtype) for values in zip(*SPECIAL_VALUES[function], strict=True))
    x, y = (np.append(values, dtype.type(math.nan)) for values in (x, y))
    got = evaluate(function, x, type=type)
    np.testing.assert_array_equal(got, y)
    zeros = (x == 0.0) & (y == 0.0)
    np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(y[zeros]))


@pytest.mark.parametrize(("type", "dtype"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
@pytest.mark.parametrize("function", ["erf", "erfc", "erf_inv", "sinh", "atanh"])
def test_small_floats_round_once(function: str, type: str, dtype: Any) -> None:
    """Computed in f32, so at most one unit off the rounded exact value."""
    x = np.linspace(-0.96875, 0.96875, 63).astype(dtype)
    exact = evaluate(function, x.astype(np.float64), type="f64").astype(dtype)
    got = evaluate(function, x, type=type)
    bits = [values.view(np.int16).astype(np.int32) for values in (got, exact)]
    assert np.abs(bits[0] - bits[1]).max() <= 1


def test_next_after() -> None:
    values = np.array([0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, 3.4e38, math.inf, math.nan], np.float32)
    x, y = (a.reshape(-1).copy() for a in np.meshgrid(values, values))
    np.testing.assert_array_equal(evaluate("next_after", x, y, type="f32"), np.nextafter(x, y))


@pytest.mark.parametrize("function", ["is_inf", "is_pos_inf", "is_neg_inf"])
def test_infinities(function: str) -> None:
    x = np.array([0.0, 65504.0, math.inf, -math.inf, math.nan], np.float16)
    expected = {"is_inf": np.isinf, "is_pos_inf": np.isposinf, "is_neg_inf": np.isneginf}
    got = evaluate(function, x, type="f16", result="i1")
    np.testing.assert_array_equal(got, expected[function](x))


@pytest.mark.parametrize("type", ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"])
def test_mulhi(type: str) -> None:
    dtype = np.dtype(type.replace("ui", "uint") if type[0] == "u" else type.replace("i", "int"))
    info = np.iinfo(dtype)
    numbers = [info.min, info.max, info.max // 3, info.min // 7, 0, 1, info.max - 1]
    x, y = (a.reshape(-1).copy() for a in np.meshgrid(*[np.array(numbers, dtype)] * 2))
    exact = [int(a) * int(b) >> info.bits for a, b in zip(x, y, strict=True)]
    np.testing.assert_array_equal(evaluate("mulhi", x, y, type=type), np.array(exact, dtype))
