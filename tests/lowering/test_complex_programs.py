"""Programs on complex numbers, native against the reference."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.compiler import compile
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any


def normal(*shape: int, dtype: Any = np.complex64) -> Array:
    random = np.random.default_rng(len(shape) + sum(shape))
    return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)


def check(arguments: str, results: str, body: str, *inputs: Array) -> None:
    """`C` stands for complex<f32>; the body ends with the values to return."""
    *lines, returned = body.strip().splitlines()
    text = f"""
    func.func @main({arguments}) -> ({results}) {{
      {chr(10).join(lines)}
      return {returned} : {results}
    }}"""
    text = re.sub(r"\bC\b|(?<=x)C(?=>)", "complex<f32>", text)
    expected = interpreter.run(parse_module(text, "complex"), "main", list(inputs))
    executable = compile(text, threads=1, verify=True)
    for result, wanted in zip(executable(*inputs), expected, strict=True):
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        double = result.dtype == np.complex128
        np.testing.assert_allclose(result, wanted, rtol=1e-13 if double else 1e-5, atol=1e-13 if double else 1e-5)


@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "atan2"])
def test_binary(op: str) -> None:
    body = f"%0 = stablehlo.{op} %a, %b : tensor<7xC>\n%0"
    check("%a: tensor<7xC>, %b: tensor<7xC>", "tensor<7xC>", body, normal(7), normal(7) - 1)


UNARY = (
    """negate exponential exponential_minus_one log log_plus_one sqrt rsqrt cbrt tanh tan sine cosine logistic sign"""
)


@pytest.mark.sample(6)
@pytest.mark.parametrize("part", ["f32", "f64"])
@pytest.mark.parametrize("op", UNARY.split())
def test_unary(op: str, part: str) -> None:
    type = f"tensor<3x5xcomplex<{part}>>"
    operand = normal(3, 5, dtype=np.complex64 if part == "f32" else np.complex128)
    check(f"%a: {type}", type, f"%0 = stablehlo.{op} %a : {type}\n%0", operand)


def test_parts_and_comparison() -> None:
    check(
        "%a: tensor<7xC>, %b: tensor<7xC>",
        "tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xC>, "
        "tensor<7xi1>, tensor<7xi1>, tensor<7xC>, tensor<7xC>",
        """
        %re = stablehlo.real %a : (tensor<7xC>) -> tensor<7xf32>
        %im = stablehlo.imag %a : (tensor<7xC>) -> tensor<7xf32>
        %abs = stablehlo.abs %a : (tensor<7xC>) -> tensor<7xf32>
        %z = stablehlo.complex %im, %re : tensor<7xC>
        %eq = stablehlo.compare EQ, %a, %b : (tensor<7xC>, tensor<7xC>) -> tensor<7xi1>
        %ne = stablehlo.compare NE, %a, %b : (tensor<7xC>, tensor<7xC>) -> tensor<7xi1>
        %either = stablehlo.select %eq, %z, %b : tensor<7xi1>, tensor<7xC>
        %low = stablehlo.constant dense<(-0.5, 0.25)> : tensor<7xC>
        %high = stablehlo.constant dense<(0.5, 0.25)> : tensor<7xC>
        %clamped = stablehlo.clamp %low, %a, %high : tensor<7xC>
        %re, %im, %abs, %z, %eq, %ne, %either, %clamped""",
        normal(7),
        np.where(np.arange(7) % 2, normal(7), normal(7).conj()),
    )


def test_conversions() -> None:
    check(
        "%a: tensor<6xi32>, %b: tensor<6xC>, %c: tensor<6xbf16>",
        "tensor<6xC>, tensor<6xcomplex<f64>>, tensor<6xi1>, tensor<6xi8>, tensor<6xC>, tensor<6xui16>",
        """
        %0 = stablehlo.convert %a : (tensor<6xi32>) -> tensor<6xC>
        %1 = stablehlo.convert %b : (tensor<6xC>) -> tensor<6xcomplex<f64>>
        %2 = stablehlo.convert %b : (tensor<6xC>) -> tensor<6xi1>
        %3 = stablehlo.convert %b : (tensor<6xC>) -> tensor<6xi8>
        %4 = stablehlo.convert %c : (tensor<6xbf16>) -> tensor<6xC>
        %5 = stablehlo.convert %b : (tensor<6xC>) -> tensor<6xui16>
        %0, %1, %2, %3, %4, %5""",
        np.arange(-2, 4, dtype=np.int32),
        normal(6) * 3,
        np.arange(6).astype(ml_dtypes.bfloat16),
    )


def test_data_movement() -> None:
    check(
        "%a: tensor<4x6xC>, %i: tensor<i32>",
        "tensor<6x4xC>, tensor<8x6xC>, tensor<6x7xC>, tensor<2x3xC>, tensor<24xC>, tensor<4x6xC>, tensor<4xC>, "
        "tensor<2xC>, tensor<2x3xC>, tensor<4x6xC>",
        """
        %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xC>) -> tensor<6x4xC>
        %1 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4x6xC>, tensor<4x6xC>) -> tensor<8x6xC>
        %c = stablehlo.constant dense<(1.0,-2.0)> : tensor<C>
        %2 = stablehlo.pad %a, %c, low = [1, 0], high = [1, 1], interior = [0, 0] : (tensor<4x6xC>,
            tensor<C>) -> tensor<6x7xC>
        %3 = stablehlo.slice %a [1:4:2, 0:6:2] : (tensor<4x6xC>) -> tensor<2x3xC>
        %4 = stablehlo.reshape %a : (tensor<4x6xC>) -> tensor<24xC>
        %5 = stablehlo.reverse %a, dims = [1] : tensor<4x6xC>
        %6 = stablehlo.iota dim = 0 : tensor<4xC>
        %7 = stablehlo.constant dense<[(1.0,2.0),(3.0,4.0)]> : tensor<2xC>
        %8 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 3] : (tensor<4x6xC>, tensor<i32>,
            tensor<i32>) -> tensor<2x3xC>
        %9 = stablehlo.dynamic_update_slice %a, %8, %i, %i : (tensor<4x6xC>, tensor<2x3xC>, tensor<i32>,
            tensor<i32>) -> tensor<4x6xC>
        %0, %1, %2, %3, %4, %5, %6, %7, %8, %9""",
        normal(4, 6),
        np.int32(1),
    )


def test_scalars_and_nothing() -> None:
    check(
        "%a: tensor<C>",
        "tensor<1x1xC>, tensor<f32>, tensor<3xC>, tensor<0xC>, tensor<C>",
        """
        %0 = stablehlo.reshape %a : (tensor<C>) -> tensor<1x1xC>
        %1 = stablehlo.abs %a : (tensor<C>) -> tensor<f32>
        %2 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<C>) -> tensor<3xC>
        %3 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<C>) -> tensor<0xC>
        %4 = stablehlo.constant dense<(1.5, -0.0)> : tensor<C>
        %0, %1, %2, %3, %4""",
        normal(),
    )


def test_reductions() -> None:
    check(
        "%a: tensor<5x64xC>",
        "tensor<5xC>, tensor<64xC>, tensor<C>, tensor<5x31xC>",
        """
        %c = stablehlo.constant dense<(1.0, 2.0)> : tensor<C>
        %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1] : (tensor<5x64xC>,
            tensor<C>) -> tensor<5xC>
        %1 = stablehlo.reduce(%a init: %c) applies stablehlo.multiply across dimensions = [0] : (tensor<5x64xC>,
            tensor<C>) -> tensor<64xC>
        %2 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x64xC>,
            tensor<C>) -> tensor<C>
        %3 = "stablehlo.reduce_window"(%a, %c) <{window_dimensions = array<i64: 1, 3>,
            window_strides = array<i64: 1, 2>, padding = dense<0> : tensor<2x2xi64>}> ({
        ^bb0(%x: tensor<C>, %y: tensor<C>):
          %s = stablehlo.add %x, %y : tensor<C>
          stablehlo.return %s : tensor<C>
        }) : (tensor<5x64xC>, tensor<C>) -> tensor<5x31xC>
        %0, %1, %2, %3""",
        normal(5, 64),
    )


def test_contractions() -> None:
    check(
        "%a: tensor<2x8x8x3xC>, %b: tensor<3x3x3x4xC>, %x: tensor<5x16xC>, %y: tensor<16x9xC>",
        "tensor<2x8x8x4xC>, tensor<5x9xC>",
        """
        %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
            window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
            : (tensor<2x8x8x3xC>, tensor<3x3x3x4xC>) -> tensor<2x8x8x4xC>
        %1 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<5x16xC>,
            tensor<16x9xC>) -> tensor<5x9xC>
        %0, %1""",
        normal(2, 8, 8, 3),
        normal(3, 3, 3, 4),
        normal(5, 16),
        normal(16, 9),
    )


def test_loop() -> None:
    check(
        "%a: tensor<5xC>",
        "tensor<5xC>",
        """
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %limit = stablehlo.constant dense<10> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %w:2 = stablehlo.while(%i = %zero, %s = %a) : tensor<i32>, tensor<5xC> cond {
          %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %j = stablehlo.add %i, %one : tensor<i32>
          %t = stablehlo.multiply %s, %a : tensor<5xC>
          stablehlo.return %j, %t : tensor<i32>, tensor<5xC>
        }
        %w#1""",
        normal(5),
    )


def test_indexing() -> None:
    check(
        "%a: tensor<6x4xC>, %i: tensor<3x1xi32>, %u: tensor<3x4xC>",
        "tensor<3x4xC>, tensor<6x4xC>",
        """
        %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
            collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1,
            4>, indices_are_sorted = false}> : (tensor<6x4xC>, tensor<3x1xi32>) -> tensor<3x4xC>
        %1 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = false,
            scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
            scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
        ^bb0(%x: tensor<C>, %y: tensor<C>):
          %s = stablehlo.add %x, %y : tensor<C>
          stablehlo.return %s : tensor<C>
        }) : (tensor<6x4xC>, tensor<3x1xi32>, tensor<3x4xC>) -> tensor<6x4xC>
        %0, %1""",
        normal(6, 4),
        np.array([[5], [0], [5]], np.int32),
        normal(3, 4),
    )


@pytest.mark.parametrize("op", ["sinh", "cosh", "tan", "square", "conj"])
def test_chlo(op: str) -> None:
    type = "tensor<7xcomplex<f64>>"
    check(f"%a: {type}", type, f"%0 = chlo.{op} %a : {type} -> {type}\n%0", normal(7, dtype=np.complex128))
