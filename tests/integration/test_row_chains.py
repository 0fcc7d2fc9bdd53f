"""Attention by blocks of rows: as the reference computes it, at every number of threads."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import assert_close, random_inputs

ATTENTION = """func.func @main(%q: tensor<BxMxDxT>, %k: tensor<BxNxDxT>, %v: tensor<BxNxDxT>, %bias: tensor<MxNxT>)
    -> tensor<BxMxDxT> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
    : (tensor<BxMxDxT>, tensor<BxNxDxT>) -> tensor<BxMxNxT>
  %1 = stablehlo.broadcast_in_dim %bias, dims = [1, 2] : (tensor<MxNxT>) -> tensor<BxMxNxT>
  %2 = stablehlo.add %0, %1 : tensor<BxMxNxT>
  %rows = stablehlo.iota dim = 1 : tensor<BxMxNxi32>
  %columns = stablehlo.iota dim = 2 : tensor<BxMxNxi32>
  %seen = stablehlo.compare GE, %rows, %columns : (tensor<BxMxNxi32>, tensor<BxMxNxi32>) -> tensor<BxMxNxi1>
  %low = stablehlo.constant dense<-1.0e4> : tensor<BxMxNxT>
  %3 = stablehlo.select %seen, %2, %low : tensor<BxMxNxi1>, tensor<BxMxNxT>
  %i = stablehlo.constant dense<-1.0e5> : tensor<T>
  %4 = stablehlo.reduce(%3 init: %i) applies stablehlo.maximum across dimensions = [2]
    : (tensor<BxMxNxT>, tensor<T>) -> tensor<BxMxT>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<BxMxT>) -> tensor<BxMxNxT>
  %6 = stablehlo.subtract %3, %5 : tensor<BxMxNxT>
  %7 = stablehlo.exponential %6 : tensor<BxMxNxT>
  %z = stablehlo.constant dense<0.0> : tensor<T>
  %8 = stablehlo.reduce(%7 init: %z) applies stablehlo.add across dimensions = [2]
    : (tensor<BxMxNxT>, tensor<T>) -> tensor<BxMxT>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<BxMxT>) -> tensor<BxMxNxT>
  %10 = stablehlo.divide %7, %9 : tensor<BxMxNxT>
  %11 = stablehlo.dot_general %10, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<BxMxNxT>, tensor<BxNxDxT>) -> tensor<BxMxDxT>
  return %11 : tensor<BxMxDxT>
}"""


@pytest.fixture(autouse=True)
def small_blocks(decide: Callable[..., object]) -> None:
    decide(fusion={"chain_block_bytes": 16 * 1024})
    decide(parallelism={"parallel_region_flops": 1})


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("sizes", [(1, 96, 64, 24), (3, 64, 72, 16)])
def test_attention(sizes: tuple[int, int, int, int], element: str, threads: int) -> None:
    text = ATTENTION
    for name, size in zip("BMND", sizes, strict=True):
        text = text.replace(f"<{name}x", f"<{size}x").replace(f"x{name}x", f"x{size}x")
    text = text.replace("xT>", f"x{element}>").replace("<T>", f"<{element}>")
    inputs = random_inputs(text)
    (expected,) = interpreter.run(parse_module(text, "case"), "main", inputs)
    (result,) = xdsl_xla.compile(text, threads=threads)(*inputs)
    assert_close(result, expected, text)


def test_beside_tensors_without_elements() -> None:
    text = """func.func @main(%x: tensor<8x6x4xf32>, %y: tensor<8x4x5xf32>, %empty: tensor<0x6xf32>)
        -> (tensor<8x6x5xf32>, tensor<0x6xf32>) {
      %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<8x6x4xf32>, tensor<8x4x5xf32>) -> tensor<8x6x5xf32>
      %1 = stablehlo.sqrt %empty : tensor<0x6xf32>
      return %0, %1 : tensor<8x6x5xf32>, tensor<0x6xf32>
    }"""
    inputs = random_inputs(text)
    expected = interpreter.run(parse_module(text, "case"), "main", inputs)
    for result, wanted in zip(xdsl_xla.compile(text, threads=4)(*inputs), expected, strict=True):
        assert_close(result, wanted, text)
