"""Windows over padded images, image by image: as the reference computes them, at several numbers of threads."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

from .programs import assert_close, random_inputs

CONVOLUTION = """func.func @main(%x: tensor<6x9x11x20xT>, %k: tensor<SxSx1x20xT>, %b: tensor<20xT>)
    -> tensor<6x9x11x20xT> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[P, P], [P, P]]} {batch_group_count = 1 : i64, feature_group_count = 20 : i64}
    : (tensor<6x9x11x20xT>, tensor<SxSx1x20xT>) -> tensor<6x9x11x20xT>
  %1 = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<20xT>) -> tensor<6x9x11x20xT>
  %2 = stablehlo.add %0, %1 : tensor<6x9x11x20xT>
  %3 = stablehlo.tanh %2 : tensor<6x9x11x20xT>
  return %3 : tensor<6x9x11x20xT>
}"""
POOLING = """func.func @main(%x: tensor<6x9x11x20xT>) -> tensor<6x5x6x20xT> {
  %low = stablehlo.constant dense<-5.0> : tensor<T>
  %0 = stablehlo.negate %x : tensor<6x9x11x20xT>
  %1 = "stablehlo.reduce_window"(%0, %low) <{
    window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>,
    padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>
  }> ({
  ^bb0(%a: tensor<T>, %b: tensor<T>):
    %m = stablehlo.maximum %a, %b : tensor<T>
    stablehlo.return %m : tensor<T>
  }) : (tensor<6x9x11x20xT>, tensor<T>) -> tensor<6x5x6x20xT>
  return %1 : tensor<6x5x6x20xT>
}"""
PROGRAMS = {
    "three": CONVOLUTION.replace("S", "3").replace("P", "1"),
    "five": CONVOLUTION.replace("S", "5").replace("P", "2"),
    "seven": CONVOLUTION.replace("S", "7").replace("P", "3"),
    "pooling": POOLING,
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("element", ["f32", "f64", "bf16"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_padded_windows(name: str, element: str, threads: int, decide: Callable[..., object]) -> None:
    decide(target={"l2_bytes": 1024})
    decide(parallelism={"parallel_region_bytes": 1, "parallel_region_flops": 1})
    text = PROGRAMS[name].replace("xT>", f"x{element}>").replace("<T>", f"<{element}>")
    inputs = random_inputs(text)
    (expected,) = interpreter.run(parse_module(text, "case"), "main", inputs)
    (result,) = xdsl_xla.compile(text, threads=threads)(*inputs)
    assert_close(result, expected, text)
