"""Elementwise lowerings to linalg, executed: every op in every element type, and its special values."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.runtime.mlir_text import parse_module

from .stablehlo_harness import FLOATS, SIGNED, UNSIGNED, check, function, random_array

POSITIVE = ("sqrt", "rsqrt", "log", "log_plus_one")
FLOAT_UNARY = (
    *POSITIVE,
    *("abs", "negate", "sign", "exponential", "exponential_minus_one", "logistic", "sine"),
    *("cosine", "tan", "tanh", "cbrt", "ceil", "floor", "round_nearest_afz", "round_nearest_even"),
)
FLOAT_BINARY = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "atan2", "remainder")
INTEGER_UNARY = [
    *itertools.product(("negate", "not", "popcnt", "count_leading_zeros"), (*SIGNED, *UNSIGNED)),
    *itertools.product(("sign", "abs"), SIGNED),
]
INTEGER_BINARY = (
    *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power"),
    *("and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"),
)


@pytest.mark.sample(30)
@pytest.mark.parametrize("op", FLOAT_UNARY)
@pytest.mark.parametrize("type", FLOATS)
def test_float_unary(op: str, type: str) -> None:
    tensor = f"tensor<5x7x{type}>"
    text = function(f"%x: {tensor}", tensor, f"%r = stablehlo.{op} %x : {tensor}")
    _, dtype = shape_and_dtype(parse_module(text).body.block.first_op.function_type.inputs.data[0])  # pyright: ignore
    x = random_array(np.random.default_rng(3), (5, 7), dtype)
    check(text, np.abs(x) if op in POSITIVE else x)


@pytest.mark.parametrize("op", FLOAT_BINARY)
@pytest.mark.parametrize("type", FLOATS)
def test_float_binary(op: str, type: str) -> None:
    tensor = f"tensor<5x7x{type}>"
    check(function(f"%x: {tensor}, %y: {tensor}", tensor, f"%r = stablehlo.{op} %x, %y : {tensor}"))


@pytest.mark.parametrize(("op", "type"), INTEGER_UNARY)
def test_integer_unary(op: str, type: str) -> None:
    tensor = f"tensor<35x{type}>"
    check(function(f"%x: {tensor}", tensor, f"%r = stablehlo.{op} %x : {tensor}"))


@pytest.mark.sample(40)
@pytest.mark.parametrize("op", INTEGER_BINARY)
@pytest.mark.parametrize("type", (*SIGNED, *UNSIGNED))
def test_integer_binary(op: str, type: str) -> None:
    """All pairs of the values where guards matter: extremes, zero, small numbers and around the width."""
    bits = int(type.strip("ui"))
    dtype = np.dtype(f"{'uint' if type in UNSIGNED else 'int'}{bits}")
    info = np.iinfo(dtype)
    values = {info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 5, bits - 1, bits, bits + 1}
    if type in SIGNED:
        values |= {-1, -2, -3, -bits}
    pairs = np.array(list(itertools.product(sorted(values), repeat=2)), dtype)
    tensor = f"tensor<{len(pairs)}x{type}>"
    text = function(f"%x: {tensor}, %y: {tensor}", tensor, f"%r = stablehlo.{op} %x, %y : {tensor}")
    check(text, pairs[:, 0].copy(), pairs[:, 1].copy())


@pytest.mark.parametrize("op", ["divide", "remainder", "shift_left", "shift_right_arithmetic", "power"])
@pytest.mark.parametrize("constant", [-1, 0, 1, 3, 40])
def test_integer_with_constant(op: str, constant: int) -> None:
    tensor = "tensor<6xi32>"
    body = f"%c = stablehlo.constant dense<{constant}> : {tensor}\n%r = stablehlo.{op} %x, %c : {tensor}"
    x = np.array([-(2**31), 2**31 - 1, -7, 0, 7, 1], np.int32)
    check(function(f"%x: {tensor}", tensor, body), x)


def test_boolean_ops() -> None:
    tensor = "tensor<4xi1>"
    x, y = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    for op in ("add", "multiply", "and", "or", "xor", "maximum", "minimum"):
        check(function(f"%x: {tensor}, %y: {tensor}", tensor, f"%r = stablehlo.{op} %x, %y : {tensor}"), x, y)
    check(function(f"%x: {tensor}", tensor, f"%r = stablehlo.not %x : {tensor}"), x)


SPECIAL = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e-40, 3e38, 0.5, 2.5, -2.5]


@pytest.mark.parametrize("op", ["maximum", "minimum", "remainder"])
def test_special_floats_binary(op: str) -> None:
    pairs = np.array(list(itertools.product(SPECIAL, repeat=2)), np.float32)
    tensor = f"tensor<{len(pairs)}xf32>"
    text = function(f"%x: {tensor}, %y: {tensor}", tensor, f"%r = stablehlo.{op} %x, %y : {tensor}")
    check(text, pairs[:, 0].copy(), pairs[:, 1].copy())


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_remainder_of_large_quotients_is_exact(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    exponents = rng.uniform(-4, 4, (2, 200)) if dtype == np.float16 else rng.uniform(-36, 36, (2, 200))
    x, y = (rng.normal(size=(2, 200)) * 10.0**exponents).astype(dtype)
    name = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"}[np.dtype(dtype).name]
    tensor = f"tensor<200x{name}>"
    text = function(f"%x: {tensor}, %y: {tensor}", tensor, f"%r = stablehlo.remainder %x, %y : {tensor}")
    (result,) = xdsl_xla.compile(text)(x, y)
    expected = np.fmod(x.astype(np.float64), y.astype(np.float64)).astype(dtype)
    np.testing.assert_array_equal(result.astype(np.float64), expected.astype(np.float64))


def test_signs_of_zero_and_nan() -> None:
    x = np.array([0.0, -0.0, np.nan, 3.0, -2.0], np.float32)
    tensor = "tensor<5xf32>"
    (sign,) = xdsl_xla.compile(function(f"%x: {tensor}", tensor, f"%r = stablehlo.sign %x : {tensor}"))(x)
    np.testing.assert_array_equal(sign, [0.0, -0.0, np.nan, 1.0, -1.0])
    np.testing.assert_array_equal(np.signbit(sign[:2]), [False, True])


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
@pytest.mark.parametrize("kind", ["FLOAT", "TOTALORDER"])
def test_float_comparisons(direction: str, kind: str) -> None:
    pairs = np.array(list(itertools.product(SPECIAL, repeat=2)), np.float32)
    tensor = f"tensor<{len(pairs)}xf32>"
    result = f"tensor<{len(pairs)}xi1>"
    body = f"%r = stablehlo.compare {direction}, %x, %y, {kind} : ({tensor}, {tensor}) -> {result}"
    check(function(f"%x: {tensor}, %y: {tensor}", result, body), pairs[:, 0].copy(), pairs[:, 1].copy())


@pytest.mark.parametrize("direction", ["EQ", "NE", "LT", "LE", "GT", "GE"])
@pytest.mark.parametrize("type", ["i8", "ui8", "i1", "i64"])
def test_integer_comparisons(direction: str, type: str) -> None:
    tensor, result = f"tensor<40x{type}>", "tensor<40xi1>"
    body = f"%r = stablehlo.compare {direction}, %x, %y : ({tensor}, {tensor}) -> {result}"
    check(function(f"%x: {tensor}, %y: {tensor}", result, body))


ALL_TYPES = ("i1", "i8", "ui8", "i16", "i32", "ui32", "i64", "ui64", *FLOATS)


@pytest.mark.sample(40)
@pytest.mark.parametrize("source", ALL_TYPES)
@pytest.mark.parametrize("target", ALL_TYPES)
def test_convert(source: str, target: str) -> None:
    operand, result = f"tensor<40x{source}>", f"tensor<40x{target}>"
    body = f"%r = stablehlo.convert %x : ({operand}) -> {result}"
    text = function(f"%x: {operand}", result, body)
    check(text)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("i8", [127, -128, 0, 127, -128, -1, 0]),
        ("ui8", [255, 0, 0, 255, 0, 0, 0]),
        ("i32", [2**31 - 1, -(2**31), 0, 300, -300, -1, 0]),
        ("ui32", [2**32 - 1, 0, 0, 300, 0, 0, 0]),
        ("i64", [2**63 - 1, -(2**63), 0, 300, -300, -1, 0]),
        ("i1", [1, 1, 1, 1, 1, 1, 0]),
    ],
)
def test_float_to_integer_saturates(target: str, expected: list[int]) -> None:
    x = np.array([np.inf, -np.inf, np.nan, 300.7, -300.7, -1.9, -0.0], np.float32)
    body = f"%r = stablehlo.convert %x : (tensor<7xf32>) -> tensor<7x{target}>"
    (result,) = xdsl_xla.compile(function("%x: tensor<7xf32>", f"tensor<7x{target}>", body))(x)
    assert result.tolist() == expected


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("3x4xf32", "3x4xi32"),
        ("3x4xui8", "3xf32"),
        ("3xf64", "3x4xi16"),
        ("3xf32", "3x2xbf16"),
        ("3x2xf16", "3xui32"),
    ],
)
def test_bitcast_convert(source: str, target: str) -> None:
    body = f"%b = stablehlo.bitcast_convert %x : (tensor<{source}>) -> tensor<{target}>\n"
    body += f"%r = stablehlo.bitcast_convert %b : (tensor<{target}>) -> tensor<{source}>"
    text = function(f"%x: tensor<{source}>", f"tensor<{source}>", body)
    check(text)
    if "f" not in target:
        body = f"%r = stablehlo.bitcast_convert %x : (tensor<{source}>) -> tensor<{target}>"
        check(function(f"%x: tensor<{source}>", f"tensor<{target}>", body))


@pytest.mark.parametrize("format", ["e5m10", "e8m7", "e3m2", "e8m23", "e2m0"])
def test_reduce_precision(format: str) -> None:
    x = np.array([*SPECIAL, 1.0009765, 65519.0, 65520.0, 1e-5, 6e-8, 0.1, -0.3, 7.5], np.float32)
    tensor = f"tensor<{len(x)}xf32>"
    text = function(f"%x: {tensor}", tensor, f"%r = stablehlo.reduce_precision %x, format = {format} : {tensor}")
    check(text, x)


SCALAR_OPERANDS = [
    (
        "%p: tensor<i1>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>",
        "%r = stablehlo.select %p, %x, %y : tensor<i1>, tensor<2x3xf32>",
    ),
    (
        "%p: tensor<2x3xi1>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>",
        "%r = stablehlo.select %p, %x, %y : tensor<2x3xi1>, tensor<2x3xf32>",
    ),
    (
        "%a: tensor<f32>, %x: tensor<2x3xf32>, %b: tensor<2x3xf32>",
        "%r = stablehlo.clamp %a, %x, %a : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
    ),
]


@pytest.mark.parametrize(("arguments", "body"), SCALAR_OPERANDS)
def test_operands_of_rank_0(arguments: str, body: str) -> None:
    check(function(arguments, "tensor<2x3xf32>", body))


@pytest.mark.parametrize("op", ["divide", "remainder"])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("sign", ["", "u"])
def test_integer_quotients(op: str, bits: int, sign: str) -> None:
    """Of all pairs of integers around multiples, powers of two and the ends of the type."""
    dtype = np.dtype(f"{sign}int{bits}")
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    around = {0, low, high, *(2**i for i in range(bits)), *(-(2**i) for i in range(bits)), *(3**i for i in range(20))}
    around |= {high // n for n in range(2, 12)} | {high // n * n for n in (3, 7, 1000003)} | {46341, 65521}
    values = sorted({v for n in around for v in (n - 1, n, n + 1) if low <= v <= high})
    x, y = (side.ravel() for side in np.meshgrid(np.array(values, dtype), np.array(values, dtype)))
    tensor = f"tensor<{x.size}x{sign}i{bits}>"
    text = function(f"%x: {tensor}, %y: {tensor}", tensor, f"%r = stablehlo.{op} %x, %y : {tensor}")
    (got,) = xdsl_xla.compile(text)(x, y)
    exact = [a // b if (a < 0) == (b < 0) else -(-a // b) for a, b in _pairs(x, y)]
    if op == "divide":
        wanted = [
            -1 if b == 0 else q for (_, b), q in zip(zip(x.tolist(), y.tolist(), strict=True), exact, strict=True)
        ]
    else:
        wanted = [a if b == 0 else a - q * b for a, b, q in zip(x.tolist(), y.tolist(), exact, strict=True)]
    np.testing.assert_array_equal(got, np.array([w % 2**bits for w in wanted], f"uint{bits}").view(dtype))


def _pairs(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """Dividends and divisors, 1 instead of 0."""
    return [(a, b or 1) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
