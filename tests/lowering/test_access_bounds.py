"""Loops read and write elements that their buffers have."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl_xla.benchmarks import suite
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools import xla_opt

from .access_bounds import accesses_outside
from .test_decided_schedules import DECIDED

LOOP = """
func.func @f(%x: memref<7x2xf32>, %y: memref<8xf32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to BOUND {
      %v = affine.load %x[%i * 3 + %j, 1] : memref<7x2xf32>
      affine.store %v, %y[%j] : memref<8xf32>
    }
  }
  affine.for %i = 0 to END step 4 {
    %v = affine.vector_load %y[%i] : memref<8xf32>, vector<4xf32>
    affine.vector_store %v, %y[%i] : memref<8xf32>, vector<4xf32>
  }
  func.return
}
"""
BLOCK = "min affine_map<(d0) -> (3, 7 - d0 * 3)>(%i)"


def test_accesses_outside_are_found() -> None:
    """A loop over blocks that does not end with the last, and a vector past the end."""
    assert accesses_outside(parse_module(LOOP.replace("BOUND", BLOCK).replace("END", "8"))) == []
    (found,) = accesses_outside(parse_module(LOOP.replace("BOUND", "3").replace("END", "8")))
    assert found.startswith("@f:") and found.endswith("goes to [7, 1]")
    found = accesses_outside(parse_module(LOOP.replace("BOUND", BLOCK).replace("END", "9")))
    assert len(found) == 2 and all(each.endswith("goes to [8]") for each in found)


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", [*DECIDED, *(name for name in suite.names() if name != "sort1m")])
def test_loops_stay_inside(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "program.mlir").write_text(DECIDED.get(name) or (suite.PROGRAMS / f"{name}.mlir").read_text())
    arguments = [str(path), "-p", "xla-cpu{threads=2}", "--mlir-print-ir-after=loops-stream-results"]
    assert xla_opt.main([*arguments, "-o", str(tmp_path / "out")]) == 0
    module = parse_module(capsys.readouterr().err)
    assert any(op.name.startswith("affine.") for op in module.walk())
    assert accesses_outside(module) == []
