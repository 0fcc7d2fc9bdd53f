"""How `xla-opt` prints: in generic form, with numbers for values, as mlir-opt does to the letter."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from xdsl.dialects.func import FuncOp
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools import xla_opt
from xdsl_xla.tools.driver.printing import Form

MLIR_OPT = shutil.which("mlir-opt-22")

LOOPS = """
func.func @f(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c1) -> (index, index) {
    %s = arith.addi %a, %i : index
    %p = arith.cmpi slt, %s, %b : index
    %q = scf.if %p -> (index) {
      %t = arith.muli %s, %s : index
      scf.yield %t : index
    } else {
      %u = arith.addi %b, %s : index
      scf.yield %u : index
    }
    scf.yield %b, %q : index, index
  }
  %k = arith.addi %r#0, %r#1 : index
  return %k, %r#1 : index, index
}
"""

BLOCKS = """
func.func @h(%c: i1, %x: i32) -> (i32 {b.z, a.c = 1 : i32}) attributes {z.z, a.b = [1, 2 : i8, 1.5, "x"]} {
  cf.cond_br %c, ^bb1, ^bb2(%x : i32)
^bb1:
  %0 = arith.constant 1 : i32
  cf.br ^bb2(%0 : i32)
^bb2(%y: i32):
  return %y : i32
^bb3:
  cf.cond_br %c, ^bb3, ^bb3
^bb4:
  return %x : i32
}
"""

DECLARATIONS = """
func.func private @f(i32 {my.attr = "x"}, f32) -> (f32 {b.z}, i1)
func.func private @g(i32) -> (f32 {b.z}) attributes {x.y}
func.func nested @h(tensor<2xi8> {a.b}, index {c.d = {e = 1.0}} loc("here"))
func.func private @i(i32, f32) -> i32
"""

LLVM_DECLARATIONS = """
llvm.func @j(!llvm.ptr {llvm.noalias, llvm.noundef}, ...) -> (i32 {llvm.signext})
llvm.func extern_weak hidden unnamed_addr @k(i64 {llvm.zeroext}, i8) attributes {dso_local}
llvm.func @l(i64)
"""

MERGED = """
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %c = arith.cmpi slt, %0, %b : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %1 = arith.addi %a, %b : i32
  %2 = arith.muli %a, %b : i32
  %dead = arith.subi %a, %b : i32
  %3 = arith.addi %1, %2 : i32
  cf.br ^bb3(%3 : i32)
^bb2:
  %4 = arith.muli %a, %b : i32
  cf.br ^bb3(%4 : i32)
^bb3(%x: i32):
  %5 = arith.addi %a, %b : i32
  %6 = arith.muli %a, %b : i32
  %7 = arith.addi %5, %6 : i32
  %8 = arith.addi %7, %x : i32
  return %8 : i32
^bb4:
  %9 = arith.addi %a, %b : i32
  return %9 : i32
}
"""

PROGRAMS = {"loops": LOOPS, "blocks": BLOCKS, "declarations": DECLARATIONS, "merged": MERGED}
CUSTOM = {**PROGRAMS, "llvm": LLVM_DECLARATIONS}
GENERIC = ["--mlir-print-op-generic", "--mlir-print-local-scope"]


def printed(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    assert xla_opt.main([str(path), *flags]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt of LLVM 22")
@pytest.mark.parametrize("passes", [[], ["--cse"], ["--pass-pipeline=builtin.module(func.func(cse))"]])
@pytest.mark.parametrize("name", PROGRAMS)
def test_generic_form_is_that_of_mlir_opt(
    name: str, passes: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{name}.mlir"
    path.write_text(PROGRAMS[name])
    wanted = subprocess.run([str(MLIR_OPT), path, *GENERIC, *passes], capture_output=True, text=True, check=True)
    assert printed(path, capsys, *GENERIC, *passes, "--mlir-print-value-names=false").strip() == wanted.stdout.strip()


@pytest.mark.skipif(MLIR_OPT is None, reason="needs mlir-opt of LLVM 22")
@pytest.mark.parametrize("name", CUSTOM)
def test_custom_form_is_read_by_mlir_opt(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{name}.mlir"
    path.write_text(CUSTOM[name])
    texts = [
        subprocess.run([str(MLIR_OPT), *GENERIC], input=text, capture_output=True, text=True, check=True).stdout
        for text in (CUSTOM[name], printed(path, capsys, "--mlir-print-value-names=false"), printed(path, capsys))
    ]
    assert texts[0] == texts[1] == texts[2]


def test_numbers_of_values_in_regions() -> None:
    module = parse_module(LOOPS)
    generic = Form(generic=True, value_names=False).text(module)
    custom = Form(value_names=False).text(module)
    assert '%2:2 = "scf.for"(%0, %arg0, %1, %0, %1)' in generic and '"func.return"(%3, %2#1)' in generic
    assert generic.count("%8 = ") == generic.count("%7 = ") == 1  # the regions of the branch share no number
    assert custom.count("%7 = ") == 2


def test_unique_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loops.mlir"
    path.write_text(LOOPS)
    text = printed(path, capsys, "--mlir-print-unique-ssa-ids")
    assert text.count("%7 = ") == text.count("%8 = ") == 1 and "func.return %3, %2#1" in text


def test_a_part_of_a_program_is_numbered_by_itself() -> None:
    function = parse_module(LOOPS).body.block.first_op
    assert isinstance(function, FuncOp)
    loop = next(op for op in function.body.block.ops if op.name == "scf.for")
    text = Form(value_names=False).text(loop)
    assert text.startswith("%0:2 = scf.for %arg0 = ")


def test_blocks_say_where_they_are_reached_from() -> None:
    text = Form().text(parse_module(BLOCKS))
    for line in (
        "^bb1:  // pred: ^bb0",
        "^bb2(%y: i32):  // 2 preds: ^bb0, ^bb1",
        "^bb3:  // 2 preds: ^bb3, ^bb3",
        "^bb4:  // no predecessors",
    ):
        assert f"  {line}\n" in text
    assert "//" not in Form().text(parse_module(LOOPS))


def test_declarations_keep_attributes_of_arguments_and_results() -> None:
    module = parse_module(DECLARATIONS + LLVM_DECLARATIONS)
    text = Form().text(module)
    for line in (
        'func.func private @f(i32 {my.attr = "x"}, f32) -> (f32 {b.z}, i1)',
        "func.func private @g(i32) -> (f32 {b.z}) attributes {x.y}",
        "func.func nested @h(tensor<2xi8> {a.b}, index {c.d = {e = 1.000000e+00 : f64}})",
        "func.func private @i(i32, f32) -> i32",
        "llvm.func @j(!llvm.ptr {llvm.noalias, llvm.noundef}, ...) -> (i32 {llvm.signext})",
        "llvm.func extern_weak hidden unnamed_addr @k(i64 {llvm.zeroext}, i8) attributes {dso_local}",
        "llvm.func @l(i64)",
    ):
        assert f"  {line}\n" in text
    generic = Form(generic=True)
    assert generic.text(parse_module(text)) == generic.text(module)
    assert 'loc("declared")' in Form(locations=True).text(
        parse_module('func.func private @f(i32 {a.b}) loc("declared")')
    )


def test_cse_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(MERGED)
    assert xla_opt.main([str(path), "--cse", "--mlir-pass-statistics"]) == 0
    statistics = capsys.readouterr().err
    assert "(S) 2 num-cse'd - Number of operations CSE'd" in statistics
    assert "(S) 1 num-dce'd - Number of operations DCE'd" in statistics
