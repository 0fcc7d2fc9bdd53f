"""Kernels that work row by row, on several short rows at a time: the values of one row at a time."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla

PROGRAM = """
func.func @main(%x: tensor<{n}x{c}xf32>) -> (tensor<{n}x{c}xf32>, tensor<{n}xf32>, tensor<{c}xf32>) {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<{n}x{c}xf32>, tensor<f32>) -> tensor<{n}xf32>
  %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<{n}xf32>) -> tensor<{n}x{c}xf32>
  %d = stablehlo.subtract %x, %m : tensor<{n}x{c}xf32>
  %e = stablehlo.exponential %d : tensor<{n}x{c}xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<{n}x{c}xf32>, tensor<f32>) -> tensor<{n}xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<{n}xf32>) -> tensor<{n}x{c}xf32>
  %r = stablehlo.divide %e, %s : tensor<{n}x{c}xf32>
  {columns}
  return %r, %max, %t : tensor<{n}x{c}xf32>, tensor<{n}xf32>, tensor<{c}xf32>
}}
"""

SUMS = """%t = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<{n}x{c}xf32>, tensor<f32>) -> tensor<{c}xf32>"""
NONE = "%t = stablehlo.constant dense<0.0> : tensor<{c}xf32>"


@pytest.mark.parametrize("rows", [64, 67, 100, 250, 1000, 1001, 4096])
@pytest.mark.parametrize("columns", [1, 2, 5, 10, 33, 200])
@pytest.mark.parametrize(("sums", "threads"), [(SUMS, 1), (NONE, 2)])
def test_softmax_of_short_rows(rows: int, columns: int, sums: str, threads: int) -> None:
    text = PROGRAM.format(n=rows, c=columns, columns=sums.format(n=rows, c=columns))
    x = np.random.default_rng(rows).normal(size=(rows, columns)).astype(np.float32)
    result, largest, total = xdsl_xla.compile(text, threads=threads)(x)
    exponentials = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    expected = exponentials / exponentials.sum(1, keepdims=True)
    np.testing.assert_allclose(result, expected, rtol=2e-6)
    np.testing.assert_array_equal(largest, x.max(1))
    np.testing.assert_allclose(total, expected.sum(0) if sums is SUMS else 0 * x[0], rtol=4e-6)


SCALED = """
func.func @main(%x: tensor<2x{n}x1x100xf32>) -> tensor<2x{n}x1x100xf32> {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<3.0> : tensor<2x{n}x1x100xf32>
  %y = stablehlo.divide %x, %scale : tensor<2x{n}x1x100xf32>
  %max = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [3]
      : (tensor<2x{n}x1x100xf32>, tensor<f32>) -> tensor<2x{n}x1xf32>
  %m = stablehlo.broadcast_in_dim %max, dims = [0, 1, 2] : (tensor<2x{n}x1xf32>) -> tensor<2x{n}x1x100xf32>
  %d = stablehlo.subtract %y, %m : tensor<2x{n}x1x100xf32>
  %e = stablehlo.exponential %d : tensor<2x{n}x1x100xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3]
      : (tensor<2x{n}x1x100xf32>, tensor<f32>) -> tensor<2x{n}x1xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0, 1, 2] : (tensor<2x{n}x1xf32>) -> tensor<2x{n}x1x100xf32>
  %r = stablehlo.divide %e, %s : tensor<2x{n}x1x100xf32>
  return %r : tensor<2x{n}x1x100xf32>
}}
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [127, 128, 61])
def test_rows_left_over_share_the_buffers_of_a_group(rows: int, threads: int) -> None:
    """What is computed ahead of the maximum is kept for a group of rows, the last of which may be smaller."""
    x = np.random.default_rng(rows).normal(size=(2, rows, 1, 100)).astype(np.float32)
    (result,) = xdsl_xla.compile(SCALED.format(n=rows), threads=threads)(x)
    exponentials = np.exp(x.astype(np.float64) / 3)
    np.testing.assert_allclose(result, exponentials / exponentials.sum(3, keepdims=True), rtol=2e-6)
