"""The script that runs MLIR's tests, on a tree of a few files made up here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from xdsl_xla.tools.upstream_tests import __main__ as upstream_tests
from xdsl_xla.tools.upstream_tests.passes import PASSES

FILECHECK = ["--filecheck", str(Path(sys.executable).with_name("filecheck"))]

FILES = {
    "IR/passes.mlir": """// RUN: mlir-opt %s -pass-pipeline='builtin.module(func.func(cse,test-pass-failure))' \\
// RUN:   -mlir-print-ir-before=cse -verify-diagnostics 2>&1 | FileCheck %s
// expected-error@below {{illegal operation}}
func.func @f(%x: i32) -> i32 {
  return %x : i32
}
// CHECK: IR Dump Before CSE (cse)
// CHECK-NEXT: func.func @f(%arg0: i32)
""",
    "IR/fails.mlir": "// RUN: mlir-opt %s | FileCheck %s\n// CHECK: func.func @g\nfunc.func private @f()\n",
    "IR/stats.mlir": """// REQUIRES: asserts
// RUN: mlir-opt %s --test-stats-pass -mlir-pass-statistics 2>&1 | FileCheck %s
// CHECK: (S) 2 num-ops  - Number of operations counted
func.func @f() { return }
""",
    "Target/other.mlir": "// RUN: mlir-translate %s | FileCheck %s\n",
    "IR/Inputs/no_test.mlir": "// RUN: mlir-opt %s\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "test" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "test"


def test_run(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert upstream_tests.main([str(tree), "--show", *FILECHECK]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line[:4] in ("PASS", "FAIL")] == [
        "FAIL  IR/fails.mlir", "PASS  IR/passes.mlir", "PASS  IR/stats.mlir"
    ]  # fmt: skip
    assert lines[-1] == "2 of 3 files pass"
    assert any("func.func @g" in line for line in lines)


def test_listed_in_a_page(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tree / "page.md"
    page.write_text("Files: `IR/passes.mlir`, `xla-opt` and\n`IR/stats.mlir`.")
    assert upstream_tests.main([str(tree), "--listed-in", str(page), *FILECHECK]) == 0
    assert capsys.readouterr().out.endswith("2 of 2 files pass\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{tree}/nowhere"], "is no folder"),
        (["{tree}", "IR/none.mlir"], "there is no file 'IR/none.mlir'"),
        (["{tree}", "Target/*.mlir"], "none of the files can be run"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert upstream_tests.main([argument.format(tree=tree) for argument in arguments]) == 2
    assert message in capsys.readouterr().err


def test_names_of_passes() -> None:
    assert len(PASSES) >= 8 and all(name.startswith("test-") for name in PASSES)
