"""Padding of one number, as bytecode holds it: one element stands for all (`dialects/dense.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl_xla import compile
from xdsl_xla.dialects.dense import splat_attribute, splat_bytes
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

ADD = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    })"""
PROGRAMS = {
    "convolution": """
  func.func @main(%x: tensor<1x6x6x2xf32>, %k: tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32> {
    %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
      dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      padding = dense<1> : tensor<2x2xi64>}>
      : (tensor<1x6x6x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x6x6x3xf32>
    return %0 : tensor<1x6x6x3xf32>
  }""",
    "pooling": f"""
  func.func @main(%x: tensor<5x7xf32>, %zero: tensor<f32>) -> tensor<5x7xf32> {{
    %0 = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: 3, 3>,
      padding = dense<1> : tensor<2x2xi64>}}> {ADD}
      : (tensor<5x7xf32>, tensor<f32>) -> tensor<5x7xf32>
    return %0 : tensor<5x7xf32>
  }}""",
    "running sum": f"""
  func.func @main(%x: tensor<6xf32>, %zero: tensor<f32>) -> tensor<11xf32> {{
    %0 = "stablehlo.reduce_window"(%x, %zero) <{{window_dimensions = array<i64: 6>,
      padding = dense<5> : tensor<1x2xi64>}}> {ADD}
      : (tensor<6xf32>, tensor<f32>) -> tensor<11xf32>
    return %0 : tensor<11xf32>
  }}""",
    "sums of tensors": """
  func.func @main(%x: tensor<4x5xf32>, %zero: tensor<f32>) -> tensor<4x5xf32> {
    %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 3, 3>,
      padding = dense<1> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
      %q = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
      %pair = stablehlo.concatenate %p, %q, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %none = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%pair init: %none) applies stablehlo.add across dimensions = [0]
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }""",
    "gradient of pooling": """
  func.func @main(%x: tensor<4x4xf32>, %s: tensor<3x3xf32>, %zero: tensor<f32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{window_dimensions = array<i64: 2, 2>,
      window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<3x3xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_padding_of_one_number(name: str) -> None:
    module = parse_module(PROGRAMS[name])
    for op in module.walk():
        padding: Any = op.properties.get("padding")
        if padding is not None:
            element = splat_bytes(padding)
            assert element is not None
            op.properties["padding"] = splat_attribute(padding.type, element)
    executable = compile(module)
    generator = np.random.default_rng(0)
    inputs = [generator.integers(-8, 8, spec.shape).astype(np.float32) for spec in executable.signature.inputs]
    inputs = [x if x.ndim else np.zeros((), np.float32) for x in inputs]
    (expected,) = interpreter.run(module, "main", inputs)
    np.testing.assert_array_equal(executable(*inputs)[0], expected)
