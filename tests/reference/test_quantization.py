"""Quantised tensors: dequantize, op, quantize."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl_xla.runtime.mlir_text import parse_module

from .harness import INF, NAN, evaluate, f32, i8, same, u8

TYPE = "!quant.uniform<i8:f32, 0.5:-20>"


def quantize(value: np.ndarray, element: str) -> np.ndarray:
    shape = "".join(f"{n}x" for n in value.shape)
    return evaluate(f"stablehlo.uniform_quantize %a : (tensor<{shape}f32>) -> tensor<{shape}{element}>", value)


def dequantize(value: np.ndarray, element: str) -> np.ndarray:
    shape = "".join(f"{n}x" for n in value.shape)
    type = f"tensor<{shape}{element}>"
    return evaluate(f"stablehlo.uniform_dequantize %a : ({type}) -> tensor<{shape}f32>", value, types=[type])


def test_dequantize() -> None:
    same(dequantize(i8(10, 10), "!quant.uniform<i8:f32, 0.5:-20>"), f32(15, 15))


def test_quantize_rounds_to_even_and_saturates() -> None:
    same(quantize(f32(15, -10, 0.25, 0.75, -0.25), TYPE), i8(10, -40, -20, -18, -20))
    same(quantize(f32(1e9, -1e9, INF, -INF), TYPE), i8(127, -128, 127, -128))
    same(quantize(f32(1e9, -1e9), "!quant.uniform<i8<-100:100>:f32, 0.5>"), i8(100, -100))
    same(quantize(f32(-5, 300), "!quant.uniform<u8:f32, 1.0:10>"), u8(5, 255))


def test_nan_becomes_the_zero_point() -> None:
    same(quantize(f32(NAN), TYPE), i8(-20))


def test_parameters_per_axis() -> None:
    element = "!quant.uniform<i8:f32:1, {0.1:-30, 0.5:-20}>"
    same(dequantize(i8([-29, -19], [-30, -20]), element), f32([0.1, 0.5], [0, 0]))
    same(quantize(f32([0.1, 0.5], [-0.1, 1]), element), i8([-29, -19], [-31, -18]))


def test_other_ops_compute_on_real_values() -> None:
    type = f"tensor<2x{TYPE}>"
    result = evaluate(f"stablehlo.add %a, %b : {type}", i8(-10, 100), i8(-18, 100), types=[type, type])
    same(result, i8(-8, 127))
    result = evaluate(f"stablehlo.negate %a : {type}", i8(-10, -20), types=[type])
    same(result, i8(-30, -20))


def test_results_may_have_other_parameters() -> None:
    type = f"tensor<2x{TYPE}>"
    text = f"stablehlo.dot %a, %b : ({type}, {type}) -> tensor<!quant.uniform<i8:f32, 2.0>>"
    same(evaluate(text, i8(-10, 0), i8(-18, -20), types=[type, type]), np.int8(2))


def test_requantize() -> None:
    text = f"stablehlo.uniform_quantize %a : (tensor<1x{TYPE}>) -> tensor<1x!quant.uniform<i8:f32, 0.25>>"
    same(evaluate(text, i8(10), types=[f"tensor<1x{TYPE}>"]), i8(60))


def test_moving_elements_leaves_their_bits() -> None:
    type = f"tensor<3x{TYPE}>"
    same(evaluate(f"stablehlo.reverse %a, dims = [0] : {type}", i8(1, 2, 3), types=[type]), i8(3, 2, 1))


def test_hybrid_products_dequantize_the_weights() -> None:
    text = f"stablehlo.dot %a, %b : (tensor<2xf32>, tensor<2x{TYPE}>) -> tensor<f32>"
    same(evaluate(text, f32(1, 2), i8(-10, -18), types=["tensor<2xf32>", f"tensor<2x{TYPE}>"]), np.float32(7))


@pytest.mark.parametrize(
    "type",
    [
        "!quant.uniform<i8:f32, 0.5:-20>",
        "!quant.uniform<i8<-100:100>:f32, 2.0>",
        "!quant.uniform<u8:f32:1, {0.1:30, 0.5}>",
        "!quant.uniform<i4:f16, 0.25>",
    ],
)
def test_types_are_printed_as_they_are_read(type: str) -> None:
    text = f"func.func private @f(tensor<2x2x{type}>)"
    assert text in str(parse_module(text))
