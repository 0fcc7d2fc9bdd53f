"""Roundings to 16-bit floats: once, to nearest even, from whatever type."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.model import host_model
from xdsl_xla.decisions.target import from_features

BF16 = np.dtype(ml_dtypes.bfloat16)
NAMES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
NAMES |= {"ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64}


def converted(x: np.ndarray[Any, Any], source: str, target: str) -> np.ndarray[Any, Any]:
    types = f"tensor<{x.size}x{source}>", f"tensor<{x.size}x{target}>"
    return xdsl_xla.compile(
        f"""func.func @main(%x: {types[0]}) -> {types[1]} {{
          %0 = stablehlo.convert %x : ({types[0]}) -> {types[1]}
          return %0 : {types[1]}
        }}""",
        denormals="preserve",
    )(x)[0]


def nearest(value: float | int, fraction_bits: int, least_exponent: int) -> float:
    """The nearest number of a format, ties to even, by exact arithmetic."""
    if value == 0:
        return 0.0
    exponent = max(math.frexp(value)[1] - 1, least_exponent)
    unit = Fraction(2) ** (exponent - fraction_bits)
    return float(round(Fraction(value) / unit) * unit)


def near_ties(fraction_bits: int) -> list[float]:
    """Halves of last digits, and the doubles next to these; a rounding to f32 first would make ties of them."""
    ties = [s * (1 + (2 * k + 1) * 2.0 ** -(fraction_bits + 1)) for k in range(8) for s in (1.0, -3.0, 2.0**-14, 1e4)]
    return [each for tie in ties for each in (tie, np.nextafter(tie, 0), np.nextafter(tie, 2 * tie))]


@pytest.mark.parametrize(("target", "fraction_bits", "least"), [("bf16", 7, -126), ("f16", 10, -14)])
def test_doubles_are_rounded_once(target: str, fraction_bits: int, least: int) -> None:
    values = near_ties(fraction_bits)
    got = converted(np.array(values), "f64", target).astype(np.float64)
    np.testing.assert_array_equal(got, [nearest(value, fraction_bits, least) for value in values])


@pytest.mark.parametrize("name", [name for name in NAMES if "i" in name])
def test_integers_are_rounded_once(name: str) -> None:
    dtype = np.dtype(NAMES[name])
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    ties = [(1 << p) + (k << (p - 7)) + (1 << (p - 8)) for p in range(8, 64) for k in (0, 1, 5)]
    numbers = {0, low, high, *(s * (tie + d) for tie in ties for d in (-1, 0, 1) for s in (1, -1))}
    values = sorted(number for number in numbers if low <= number <= high)
    got = converted(np.array(values, dtype), name, "bf16").astype(np.float64)
    np.testing.assert_array_equal(got, [nearest(value, 7, -126) for value in values])


def test_singles_of_all_kinds() -> None:
    bits = np.random.default_rng(0).integers(0, 1 << 32, 20000, np.uint32)
    special = np.array([0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x00000001, 0x80000001, 0x7F800001, 0x7FFFFFFF], np.uint32)
    x = np.concatenate([bits, special]).view(np.float32)
    got = converted(x, "f32", "bf16")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(got.astype(np.float32), x.astype(BF16).astype(np.float32))


def test_widening_keeps_all_bits() -> None:
    """Subnormal numbers included."""
    x = np.arange(1 << 16, dtype=np.uint16).view(BF16)
    for name in ("f32", "f64"):
        with np.errstate(invalid="ignore"):
            wanted = x.astype(NAMES[name])
        np.testing.assert_array_equal(converted(x, "bf16", name), wanted)


ARITHMETIC = """func.func @main(%x: tensor<{n}xf32>, %y: tensor<{n}xf32>) -> tensor<{n}xbf16> {{
  %0 = stablehlo.multiply %x, %y : tensor<{n}xf32>
  %1 = stablehlo.convert %0 : (tensor<{n}xf32>) -> tensor<{n}xbf16>
  return %1 : tensor<{n}xbf16>
}}"""


@pytest.mark.parametrize("instruction", [True, False])
@pytest.mark.parametrize("mode", ["flush", "preserve"])
@pytest.mark.parametrize("n", [1, 3, 5007])
def test_results_of_arithmetic_are_rounded_by_bits_or_by_an_instruction(n: int, mode: str, instruction: bool) -> None:
    model = host_model()
    if not instruction:
        model = replace(model, target=replace(model.target, rounds_to_bfloat=False))
    rng = np.random.default_rng(0)
    x, y = (rng.integers(0, 1 << 32, n, np.uint32).view(np.float32) for _ in range(2))
    got = xdsl_xla.compile(ARITHMETIC.format(n=n), denormals=mode, cost_model=model)(x, y)[0].astype(np.float32)
    with np.errstate(all="ignore"):
        if mode == "flush":
            x, y = (np.where(np.abs(each) < np.finfo(np.float32).tiny, np.copysign(0, each), each) for each in (x, y))
        product = (x * y).astype(np.float32)
        if mode == "flush":
            product = np.where(np.abs(product) < np.finfo(np.float32).tiny, np.copysign(0, product), product)
        expected = product.astype(BF16).astype(np.float32)
    near = np.abs(expected) > np.finfo(np.float32).tiny
    np.testing.assert_array_equal(got[near | (mode == "preserve")], expected[near | (mode == "preserve")])
    np.testing.assert_array_equal(np.signbit(got[~np.isnan(expected)]), np.signbit(expected[~np.isnan(expected)]))


@pytest.mark.parametrize("op", ["negate", "abs"])
def test_signs_of_bfloats_are_bits(op: str) -> None:
    x = np.arange(1 << 16, dtype=np.uint16)
    text = f"""func.func @main(%x: tensor<65536xbf16>) -> tensor<65536xbf16> {{
      %0 = stablehlo.{op} %x : tensor<65536xbf16>
      return %0 : tensor<65536xbf16>
    }}"""
    got = xdsl_xla.compile(text)(x.view(BF16))[0].view(np.uint16)
    np.testing.assert_array_equal(got, x ^ 0x8000 if op == "negate" else x & 0x7FFF)


def test_which_processors_round_by_an_instruction() -> None:
    features = {"avx512f": True, "avx512vl": True, "avx512bf16": True}
    assert from_features(features, "x86_64-linux-gnu").rounds_to_bfloat
    assert not from_features({**features, "avx512vl": False}, "x86_64-linux-gnu").rounds_to_bfloat
    assert not from_features({**features, "avx512bf16": False}, "x86_64-linux-gnu").rounds_to_bfloat
