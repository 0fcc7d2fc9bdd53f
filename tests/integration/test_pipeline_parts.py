"""`xla-cpu` in two parts with the text of level 3 between them makes what it makes in one go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from xdsl_xla.pipelines import PIPELINES, XLA_CPU
from xdsl_xla.tools.xla_opt import main as xla_opt
from xdsl_xla.tools.xla_run import main as xla_run

MATRIX_PRODUCT = """
func.func @main(%x: tensor<64x48xf32>, %y: tensor<48x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<64x48xf32>, tensor<48x32xf32>) -> tensor<64x32xf32>
  return %0 : tensor<64x32xf32>
}
"""
SOFTMAX = """
func.func @main(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<16x64xf32>
  %3 = stablehlo.exponential %2 : tensor<16x64xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<16x64xf32>, tensor<f32>) -> tensor<16xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<16xf32>) -> tensor<16x64xf32>
  %6 = stablehlo.divide %3, %5 : tensor<16x64xf32>
  return %6 : tensor<16x64xf32>
}
"""
WHILE = """
func.func @main(%x: tensor<100xf32>, %n: tensor<i32>) -> tensor<100xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<100xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.cosine %v : tensor<100xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<100xf32>
  }
  return %0#1 : tensor<100xf32>
}
"""

TWO_RESULTS = """
func.func @main(%x: tensor<9x11xf32>) -> (tensor<9xf32>, tensor<9xi32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.iota dim = 1 : tensor<9x11xi32>
  %0:2 = stablehlo.reduce(%x init: %least), (%n init: %zero) across dimensions = [1]
      : (tensor<9x11xf32>, tensor<9x11xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %c : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<9xf32>, tensor<9xi32>
}
"""
"""A `linalg.generic` with two results."""
PROGRAMS = {"matrix product": MATRIX_PRODUCT, "softmax": SOFTMAX, "while": WHILE, "two results": TWO_RESULTS}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_two_parts_make_what_one_pipeline_makes(program: str, tmp_path: Path, capsys: Any) -> None:
    source, kernels = tmp_path / "program.mlir", tmp_path / "kernels.mlir"
    source.write_text(program)
    assert xla_opt([str(source), "-p", "xla-cpu"]) == 0
    expected = capsys.readouterr().out
    assert xla_opt([str(source), "-p", "xla-cpu-to-kernels", "-o", str(kernels)]) == 0
    assert "xrt.kernel" in kernels.read_text() and "stablehlo" not in kernels.read_text()
    assert xla_opt([str(kernels), "-p", "xla-cpu-from-kernels"]) == 0
    assert capsys.readouterr().out == expected
    assert xla_run([str(kernels), "--pipeline", "xla-cpu-from-kernels"]) == 0


def test_a_program_of_kernels_says_how_to_go_on(tmp_path: Path, capsys: Any) -> None:
    source, kernels = tmp_path / "program.mlir", tmp_path / "kernels.mlir"
    source.write_text(SOFTMAX)
    assert xla_opt([str(source), "-p", "xla-cpu-to-kernels", "-o", str(kernels)]) == 0
    assert xla_run([str(kernels)]) == 1
    assert "xla-run --pipeline" in capsys.readouterr().err


def test_parts_are_the_steps_of_the_whole() -> None:
    assert PIPELINES["xla-cpu-to-kernels"] + PIPELINES["xla-cpu-from-kernels"] == XLA_CPU
    assert PIPELINES["xla-cpu-to-loops"][-1].spec == "convert-linalg-to-affine"
