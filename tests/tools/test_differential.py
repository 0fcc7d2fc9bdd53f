"""`--compare` on right code; `--check-passes` is in `test_pass_checks.py`."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl_xla.tools.comparison import AskedTolerance, Tolerance
from xdsl_xla.tools.differential import KINDS, Subject, compare_engines
from xdsl_xla.tools.xla_run import main

PROGRAM = b"""
func.func @main(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4x8xf32>
  %2 = stablehlo.add %1, %x : tensor<4x8xf32>
  %3 = stablehlo.tanh %2 : tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
     : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %4, %3 : tensor<4xf32>, tensor<4x8xf32>
}
"""


def subject() -> Subject:
    return Subject.parse(PROGRAM, "program", None)


@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
def test_engines_agree(pipeline: str) -> None:
    differences = list(compare_engines(subject(), 0, 1, pipeline))
    assert len(differences) == 2 * len(KINDS)
    assert [d for d in differences if d.mismatch is not None] == []
    assert all(d.ulps <= 4096 for d in differences if d.kind == "ordinary")


def test_command_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.mlir"
    path.write_bytes(PROGRAM)
    assert main([str(path), "--compare", "reference", "--opt-level", "1", "--verify"]) == 0
    assert "ordinary    out0 (tensor<4xf32>) agrees" in capsys.readouterr().out


def test_comparison_takes_the_options_of_compilation(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.mlir"
    path.write_bytes(PROGRAM)
    assert main([str(path), "--compare", "reference", "--vector-bits", "7"]) == 2
    assert "7" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--rtol", "--atol"])
def test_a_tolerance_that_is_not_given_is_that_of_the_type(
    option: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sum near zero is right within the absolute tolerance alone."""
    path = tmp_path / "sum.mlir"
    path.write_text("""
      func.func @main(%x: tensor<64x64xf32>) -> tensor<64xf32> {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
           : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
        return %0 : tensor<64xf32>
      }""")
    command = [str(path), "--compare", "reference"]
    assert main([*command, option, "1e-4"]) == 0
    assert main([*command, "--rtol", "0", "--atol", "0"]) == 1
    assert "WRONG" in capsys.readouterr().out


def test_what_is_given_of_a_tolerance_replaces_that_part() -> None:
    of_type = Tolerance(1e-4, 1e-5)
    assert AskedTolerance().over(of_type) == of_type
    assert AskedTolerance(relative=0.5).over(of_type) == (0.5, 1e-5)
    assert AskedTolerance(absolute=0).over(of_type) == (1e-4, 0)
