"""`xla-run --check-passes` on right passes and on deliberately wrong ones."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import xdsl_xla
from broken_passes import LastPass
from xdsl.context import Context
from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, TensorType, i1, i8, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl_xla.dialects.printing import ExactPrinter
from xdsl_xla.dialects.stablehlo import AddOp, CompareOp, MaxOp, SelectOp, SubtractOp, WhileOp
from xdsl_xla.dialects.stablehlo.attributes import ComparisonDirection, ComparisonDirectionAttr
from xdsl_xla.pipelines import XLA_CPU, expand, load_pass
from xdsl_xla.runtime.compilation import prepare
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.pass_manager import parse_passes, run_passes
from xdsl_xla.tools import checked_program, isolated_runs
from xdsl_xla.tools.isolated_runs import IsolatedRuns, Task
from xdsl_xla.tools.pass_checks import Finding, PassCheck
from xdsl_xla.tools.trials import trial_of
from xdsl_xla.tools.xla_run import main

ROOT = Path(xdsl_xla.__file__).parent

PROGRAM = b"""
func.func @main(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<4x8xf32>
  %2 = stablehlo.add %1, %x : tensor<4x8xf32>
  %3 = stablehlo.tanh %2 : tensor<4x8xf32>
  %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1]
     : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %5, %3 : tensor<4xf32>, tensor<4x8xf32>
}
"""


def check(
    source: bytes = PROGRAM,
    *,
    pipeline: str = "xla-cpu",
    threads: int = 1,
    donate: bool = False,
    reduction_seconds: float = 1.0,
) -> Any:
    request = Request(threads, pipeline, None, None, 0, None, None, donate)
    return PassCheck(source, "program.mlir", request, reduction_seconds=reduction_seconds).run()


def break_pass(monkeypatch: pytest.MonkeyPatch, name: str, damage: Callable[[Any, ModuleOp], None]) -> None:
    """Let a pass do damage after it has done its work."""
    cls = load_pass(name)
    right = cls.apply

    def apply(self: Any, ctx: Context, op: ModuleOp) -> None:
        right(self, ctx, op)
        damage(self, op)

    monkeypatch.setattr(cls, "apply", apply)


def subtract(_: Any, module: ModuleOp) -> None:
    for add in list(module.walk()):
        if isinstance(add, AddOp) and add.parent is not None and add.lhs.owner is not add.parent:
            replacement = SubtractOp(add.lhs, add.rhs)
            add.parent.insert_op_before(replacement, add)
            add.results[0].replace_all_uses_with(replacement.results[0])
            add.detach()
            add.erase()


def square(_: Any, module: ModuleOp) -> None:
    for multiply in module.walk():
        if isinstance(multiply, arith.MulfOp):
            multiply.operands = (multiply.lhs, multiply.lhs)


def square_in_llvm(_: Any, module: ModuleOp) -> None:
    for multiply in module.walk():
        if isinstance(multiply, llvm.FMulOp):
            multiply.operands = (multiply.lhs, multiply.lhs)


def store_far_away(_: Any, module: ModuleOp) -> None:
    for store in list(module.walk()):
        if isinstance(store, llvm.StoreOp) and store.parent is not None:
            far = llvm.GEPOp(store.ptr, [2**31 - 1], pointee_type=llvm.LLVMArrayType(1 << 16, i64))
            store.parent.insert_op_before(far, store)
            store.operands = (store.value, far.result)


def shrink_arena(_: Any, module: ModuleOp) -> None:
    for function in module.body.block.ops:
        if isinstance(function, FuncOp) and "xrt.entry" in function.attributes:
            arena = function.body.block.args[-1]
            small = MemRefType(i8, [64])
            function.body.block.args[-1].replace_all_uses_with(
                new := function.body.block.insert_arg(small, arena.index)
            )
            function.body.block.erase_arg(arena)
            assert new.type == small
            inputs = [*function.function_type.inputs.data[:-1], small]
            function.properties["function_type"] = FunctionType.from_lists(inputs, [])


def raise_error(_: Any, module: ModuleOp) -> None:
    raise ValueError("on purpose")


def forget_results(_: Any, module: ModuleOp) -> None:
    for function in module.body.block.ops:
        if isinstance(function, FuncOp):
            function.properties["function_type"] = FunctionType.from_lists(function.function_type.inputs.data, [])


def leave_other_dialects(_: Any, module: ModuleOp) -> None:
    """Valid IR without a lowering."""
    for add in list(module.walk()):
        if isinstance(add, AddOp) and add.parent is not None:
            replacement = arith.AddfOp(add.lhs, add.rhs)
            add.parent.insert_op_before(replacement, add)
            add.results[0].replace_all_uses_with(replacement.results[0])
            add.detach()
            add.erase()


@pytest.mark.slow
def test_every_pass_keeps_the_values() -> None:
    assert check() is None
    assert check(pipeline="xla-cpu-O0", threads=2) is None


def test_a_wrong_rewrite_is_found_and_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass(monkeypatch, "stablehlo-simplify", subtract)
    finding = check(reduction_seconds=20.0)
    assert isinstance(finding, Finding)
    assert finding.pass_name == "stablehlo-simplify"
    assert finding.differences and not finding.failure
    assert finding.reduced is not None
    names = [op.name for op in finding.reduced.walk()]
    assert "stablehlo.add" in names
    assert "stablehlo.tanh" not in names
    # It is not in this pipeline, which is the one that is checked.
    assert check(pipeline="xla-cpu-O0") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("linalg-fuse-elementwise", square),
        ("llvm-mark-short-loops", square_in_llvm),  # the last one that is not needed
        ("stablehlo-expand-computations", subtract),  # one that is needed
    ],
)
def test_a_wrong_value_names_its_pass(monkeypatch: pytest.MonkeyPatch, name: str, damage: Any) -> None:
    break_pass(monkeypatch, name, damage)
    finding = check()
    assert finding is not None
    assert (finding.pass_name, bool(finding.differences)) == (name, True)
    assert [step.spec for step in XLA_CPU][finding.number - 1] == name


@pytest.mark.slow
def test_a_later_pass_that_the_way_down_needs_is_not_named_too_early() -> None:
    """The schedule of a product is lowered by no shorter way than all passes."""
    source = b"""
    func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
         : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %1 = stablehlo.multiply %0, %x : tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }"""
    request = Request(1, "xla-cpu", None, None, 0, None, None, False)
    passes = [*parse_passes("xla-cpu", defaults={"threads": (1,)}), LastPass()]
    finding = PassCheck(source, "program.mlir", request, passes=passes, reduction_seconds=0.1).run()
    assert finding is not None
    assert (finding.pass_name, finding.number) == (LastPass.name, len(passes))


@pytest.mark.slow
def test_passes_that_lower_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass(monkeypatch, "convert-linalg-to-affine", square)
    finding = check()
    assert finding is not None and finding.number == 0
    assert finding.pass_name.startswith("one of convert-stablehlo-to-linalg, ")
    assert "stablehlo-expand-fft" not in finding.pass_name  # which changes nothing here
    assert "convert-linalg-to-affine" in finding.pass_name


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "damage", "failure"),
    [
        ("loops-vectorize", raise_error, ": pass loops-vectorize: ValueError: on purpose"),
        ("memref-assign-arena", raise_error, ": pass memref-assign-arena: ValueError: on purpose"),
        ("stablehlo-fold-constants", forget_results, "invalid IR after pass stablehlo-fold-constants"),
        ("stablehlo-simplify", leave_other_dialects, "leaves what later passes do not lower"),
        ("llvm-mark-short-loops", store_far_away, "crashes: SIGSEGV"),
        ("llvm-hide-counters", store_far_away, "crashes: SIGSEGV"),
    ],
)
def test_a_pass_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, name: str, damage: Any, failure: str) -> None:
    break_pass(monkeypatch, name, damage)
    finding = check()
    assert finding is not None
    assert finding.pass_name == name
    assert failure in finding.failure


@pytest.mark.slow
def test_an_arena_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    break_pass(monkeypatch, "memref-assign-arena", shrink_arena)
    finding = check()
    assert finding is not None
    assert "memref-assign-arena" in finding.pass_name
    assert finding.failure == "writes behind its arena" or "the code relies on" in finding.failure


@pytest.mark.slow
def test_the_threads_are_those_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong_for_two(self: Any, module: ModuleOp) -> None:
        if self.threads == 2:
            square(self, module)

    break_pass(monkeypatch, "linalg-tile-contractions", wrong_for_two)
    assert check() is None
    finding = check(threads=2)
    assert finding is not None and finding.pass_name == "linalg-tile-contractions"


def lowered(done: int) -> bytes:
    """The program as it is printed after so many passes."""
    prepared = prepare(PROGRAM, "program", Request(1, "xla-cpu", None, None, 0, None, None, False))
    run_passes(prepared.context, prepared.module, prepared.passes[:done])
    output = io.StringIO()
    ExactPrinter(output).print_op(prepared.module)
    return output.getvalue().encode()


@pytest.mark.slow
def test_a_program_on_a_lower_level(monkeypatch: pytest.MonkeyPatch) -> None:
    done = [step.spec for step in XLA_CPU].index("convert-tensor-to-memref") + 1
    source, rest = lowered(done), expand(XLA_CPU[done:])
    assert check(source, pipeline=rest) is None
    break_pass(monkeypatch, "loops-vectorize", square)
    finding = check(source, pipeline=rest, reduction_seconds=20.0)
    assert finding is not None and finding.pass_name == "loops-vectorize"
    assert finding.reduced is not None
    names = [op.name for op in finding.reduced.walk()]
    assert len(names) < len(
        list(prepare(source, "lowered", Request(1, rest, None, None, 0, None, None, False)).module.walk())
    )


@pytest.mark.slow
def test_a_grid_and_donated_arguments() -> None:
    source = b"""
    module attributes {mhlo.num_replicas = 2 : i32} {
      func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
        %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }"""
    assert check(source) is None
    alone = source.replace(b" {mhlo.num_replicas = 2 : i32}", b" {}").replace(
        b"[[0, 1]]> : tensor<1x2", b"0> : tensor<1x1"
    )
    assert check(alone, donate=True) is None


@pytest.mark.slow
def test_code_that_does_not_end() -> None:
    text = lowered(len(XLA_CPU)).decode()
    start = text.index("llvm.func @main(")
    endless = text[:start] + text[start:].replace("llvm.return", "llvm.br ^bb9\n  ^bb9:\n    llvm.br ^bb9", 1)
    with IsolatedRuns(patience=5) as runs:
        import numpy as np

        inputs = [np.ones((4, 8), np.float32), np.ones(8, np.float32)]
        outcome = runs.run(Task(endless, 1, 0, False, (1, 1), 0, [inputs]))
        assert outcome.failure == "does not end within 5 seconds"
        runs.patience = 100
        outcome = runs.run(Task(text, 1, 0, False, (1, 1), 0, [inputs, inputs]))
        assert outcome.runs is not None and [len(run.outputs) for run in outcome.runs] == [2, 2]


def never_count(_: Any, module: ModuleOp) -> None:
    for loop in module.walk():
        if isinstance(loop, WhileOp):
            body = loop.regions[1].block
            assert body.last_op is not None
            body.last_op.operands = body.args


@pytest.mark.slow
def test_a_loop_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    source = b"""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
       cond {
        %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %w = stablehlo.tanh %v : tensor<4xf32>
        stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
      }
      return %0#1 : tensor<4xf32>
    }"""
    monkeypatch.setattr(checked_program, "LEAST_SECONDS", 0.5)
    monkeypatch.setattr(isolated_runs, "LEAST_PATIENCE", 2.0)
    break_pass(monkeypatch, "stablehlo-simplify", never_count)
    finding = check(source, reduction_seconds=0.1)
    assert finding is not None and finding.pass_name == "stablehlo-simplify"
    assert finding.failure.startswith("does not end within")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "examples/attention",
        *(f"tests/corpus/{name}" for name in ("control_flow", "int_arith", "complex_arith", "windows")),
    ],
)
def test_right_passes_are_not_called_wrong(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(ROOT / f"{name}.mlir"), "--check-passes", "--threads", "2", "--opt-level", "1"]) == 0
    assert capsys.readouterr().out == "every pass keeps the values\n"


def test_a_pipeline_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.mlir"
    path.write_bytes(PROGRAM)
    assert main([str(path), "--check-passes", "--pipeline", "no-such-pass"]) == 1
    assert "unknown pass 'no-such-pass'" in capsys.readouterr().err


def test_a_finding_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.mlir"
    path.write_bytes(PROGRAM)
    break_pass(monkeypatch, "stablehlo-fold-constants", raise_error)
    assert main([str(path), "--check-passes", "--opt-level", "0"]) == 1
    captured = capsys.readouterr()
    number = [step.spec for step in XLA_CPU].index("stablehlo-fold-constants") + 1
    assert f"wrong after pass {number}, stablehlo-fold-constants: " in captured.err
    assert "func.func" in captured.out


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "doing, failure",
    [
        ("ctypes.string_at(0)", "crashes: SIGSEGV"),
        ("os._exit(0)", "ends the process with code 0"),
        ("os._exit(3)", "ends the process with code 3"),
    ],
)
def test_a_users_pass_that_ends_the_process_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], doing: str, failure: str
) -> None:
    program, users = tmp_path / "program.mlir", tmp_path / "users.py"
    program.write_bytes(PROGRAM)
    users.write_text(f"""
import ctypes, os
from xdsl.passes import ModulePass

class Ends(ModulePass):
    name = "ends"

    def apply(self, ctx, op):
        {doing}
""")
    arguments = ["--check-passes", "--load-pass", str(users), "--pipeline", "ends,xla-cpu", "--opt-level", "0"]
    assert main([str(program), *arguments]) == 1
    error = capsys.readouterr().err
    assert failure in error
    assert "wrong after pass 1, ends" in error
    assert f"{users}:5" in error


USERS_OP = '''
from dataclasses import dataclass

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, base, irdl_op_definition, operand_def, result_def
from xdsl_xla.dialects import stablehlo
from xdsl_xla.ir.pattern_pass import WorklistPass
from xdsl_xla.ir.patterns import pattern
from xdsl_xla.ir.tensor_builder import tensor
from xdsl_xla.reference.registry import reference


@irdl_op_definition
class TwiceOp(IRDLOperation):
    name = "users.twice"
    x = operand_def(base(TensorType[AnyFloat]))
    y = result_def(base(TensorType[AnyFloat]))
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"


USERS = Dialect("users", [TwiceOp], [])


@reference("users.twice")
def twice(call, x):
    return x + x


@pattern
def find_twice(op: stablehlo.SubtractOp, rewriter):
    """Wrong: not twice the operand, but zero, if anything."""
    return rewriter.emit(TwiceOp, [op.lhs], op.result.type) if op.lhs is op.rhs else None


@pattern
def expand_twice(op: TwiceOp, rewriter):
    """Wrong."""
    return (tensor(op.x, rewriter) * 3.0).value


@dataclass(frozen=True)
class FindPass(WorklistPass):
    name = "users-find"

    def patterns(self):
        return [find_twice]


@dataclass(frozen=True)
class ExpandPass(WorklistPass):
    name = "users-expand"

    def patterns(self):
        return [expand_twice]
'''


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "op, guilty", [("users.twice %x", "users-expand"), ("stablehlo.subtract %x, %x", "users-find")]
)
def test_a_users_op_means_what_its_reference_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], op: str, guilty: str
) -> None:
    """A pass without which an op cannot be lowered is wrong itself, and perhaps one in front of it, too."""
    program, users = tmp_path / "program.mlir", tmp_path / "users.py"
    types = "tensor<3xf32> -> tensor<3xf32>" if op.startswith("users") else "tensor<3xf32>"
    program.write_text(f"""
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
      %0 = {op} : {types}
      %1 = stablehlo.negate %0 : tensor<3xf32>
      return %1 : tensor<3xf32>
    }}""")
    users.write_text(USERS_OP)
    passes = ["--load-pass", str(users), "--pipeline", "users-find,users-expand,xla-cpu"]
    assert main([str(program), "--check-passes", *passes, "--opt-level", "0"]) == 1
    captured = capsys.readouterr()
    assert f", {guilty} ({users}:" in captured.err
    assert "shows it, of 1 op:" in captured.out and op.split()[0] in captured.out


def test_a_trial_that_does_not_end() -> None:
    start = time.monotonic()
    assert trial_of(lambda: time.sleep(60), patience=0.2) == "does not end within 0.2 seconds"
    assert time.monotonic() - start < 30


class NanUnsafeMaxPass(ModulePass):
    """max(x, y) becomes x > y ? x : y, which is y where x is NaN."""

    name = "broken-nan-unsafe-max"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, MaxOp) and inner.parent is not None:
                flag = TensorType(i1, cast("TensorType[Attribute]", inner.result.type).get_shape())
                greater = CompareOp.create(
                    operands=inner.operands,
                    result_types=[flag],
                    properties={"comparison_direction": ComparisonDirectionAttr(ComparisonDirection.GT)},
                )
                choice = SelectOp.create(
                    operands=[greater.results[0], *inner.operands], result_types=[inner.result.type]
                )
                inner.parent.insert_ops_before([greater, choice], inner)
                inner.results[0].replace_all_uses_with(choice.results[0])
                inner.detach()
                inner.erase()


@pytest.mark.sample(2)
@pytest.mark.parametrize("shape", ["", "1x", "3x", "8x", "7x11x"])
def test_small_inputs_are_drawn_until_they_show_what_is_wrong(shape: str) -> None:
    program = f"""
    func.func @main(%x: tensor<{shape}f32>, %y: tensor<{shape}f32>) -> tensor<{shape}f32> {{
      %0 = stablehlo.maximum %x, %y : tensor<{shape}f32>
      return %0 : tensor<{shape}f32>
    }}"""
    passes = [NanUnsafeMaxPass(), *parse_passes(expand(XLA_CPU))]
    request = Request(1, "xla-cpu", None, None, 0, None, None, False)
    finding = PassCheck(program.encode(), "program.mlir", request, passes=passes, reduction_seconds=1.0).run()
    assert finding is not None and finding.pass_name == "broken-nan-unsafe-max"
    assert {difference.kind.partition(",")[0] for difference in finding.differences} == {"not finite"}
    assert len(finding.differences) == 1
    assert any(np.isnan(array).any() for array in finding.inputs)
