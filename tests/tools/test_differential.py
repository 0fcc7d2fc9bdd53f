"""`--compare` and `--check-passes` on right and on wrong code."""

from __future__ import annotations

from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.dialects.stablehlo import AddOp, SubtractOp
from xdsl_xla.passes.linalg.linalg_fuse_elementwise import LinalgFuseElementwisePass
from xdsl_xla.passes.stablehlo.stablehlo_simplify import StablehloSimplifyPass
from xdsl_xla.tools.differential import KINDS, Subject, check_passes, compare_engines
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
    assert all(d.ulps <= 64 for d in differences if d.kind == "ordinary")


def test_every_pass_keeps_the_values() -> None:
    assert check_passes(subject(), 0) is None


def test_a_wrong_rewrite_is_found_and_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    right = StablehloSimplifyPass.apply

    def wrong(self: Any, ctx: Context, op: ModuleOp) -> None:
        right(self, ctx, op)
        for add in list(op.walk()):
            if isinstance(add, AddOp) and add.parent_op() is not None and add.lhs.owner is not add.parent:
                replacement = SubtractOp(add.lhs, add.rhs)
                assert add.parent is not None
                add.parent.insert_op_before(replacement, add)
                add.results[0].replace_all_uses_with(replacement.results[0])
                add.detach()
                add.erase()

    monkeypatch.setattr(StablehloSimplifyPass, "apply", wrong)
    finding = check_passes(subject(), 0)
    assert finding is not None
    assert finding.pass_name == "stablehlo-simplify"
    names = [op.name for op in finding.reduced.walk()]
    assert "stablehlo.add" in names
    assert "stablehlo.tanh" not in names


def test_a_wrong_pass_on_a_lower_level_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = LinalgFuseElementwisePass.apply

    def wrong(self: Any, ctx: Context, op: ModuleOp) -> None:
        right(self, ctx, op)
        for multiply in op.walk():
            if isinstance(multiply, arith.MulfOp):
                multiply.operands = (multiply.lhs, multiply.lhs)

    monkeypatch.setattr(LinalgFuseElementwisePass, "apply", wrong)
    finding = check_passes(subject(), 0)
    assert finding is not None
    assert finding.pass_name == "linalg-fuse-elementwise"


def test_command_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.mlir"
    path.write_bytes(PROGRAM)
    assert main([str(path), "--compare", "reference", "--check-passes"]) == 0
    output = capsys.readouterr().out
    assert "ordinary    out0 (tensor<4xf32>) agrees" in output
    assert "every pass keeps the values" in output
    assert main([str(path), "--compare", "reference", "--output", "x.npz"]) == 2
