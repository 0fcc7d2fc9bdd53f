"""Pipelines that nest: what their text means, and passes on parts of a program."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.nested_passes import Anchored, NestedPasses, PipelineError, alone, nodes, text_of
from xdsl_xla.runtime.pass_manager import Instrument, parse_passes, run_passes
from xdsl_xla.runtime.program_context import new_context

TWO = """
func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = func.call @g(%0) : (i32) -> i32
  %3 = arith.muli %2, %1 : i32
  return %3 : i32
}
func.func @g(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
module @inner {
  func.func @h(%x: i32) -> i32 {
    %0 = arith.addi %x, %x : i32
    %1 = arith.addi %x, %x : i32
    %2 = arith.muli %0, %1 : i32
    return %2 : i32
  }
}
"""


def program() -> ModuleOp:
    return parse_module(TWO, "two.mlir")


def adds(module: ModuleOp) -> list[int]:
    """How many additions each function has."""
    return [sum(op.name == "arith.addi" for op in f.walk()) for f in module.walk() if f.name == "func.func"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cse", ["cse"]),
        ("cse, canonicalize{a=1,2 b={c,d}}", ["cse", "canonicalize{a=1,2 b={c,d}}"]),
        (' func.func ( cse , any(x) ) ,y{a="),("}', [Anchored("func.func", "cse , any(x)"), 'y{a="),("}']),
    ],
)
def test_nodes(text: str, expected: list[str | Anchored]) -> None:
    assert nodes(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("builtin.module(cse", "encountered unbalanced parentheses while parsing pipeline"),
        ("builtin.module(cse))", r"encountered extra closing '\)' creating unbalanced parentheses"),
        ("builtin.module(cse)cse", r"expected ',' after '\)'"),
        ("func.func(cse)", "can't run 'func.func' pass manager on 'builtin.module' op"),
        ("builtin.module(csx)", "unknown pass 'csx'; did you mean cse"),
        ("builtin.module(func.func(cse{wrong=1}))", "wrong"),
        ("builtin.module(func.func(,))", "malformed pipeline|unknown pass"),
    ],
)
def test_what_is_no_pipeline(text: str, message: str) -> None:
    with pytest.raises(PipelineError, match=message):
        parse_passes(text)


@pytest.mark.parametrize(
    ("pipeline", "expected"),
    [
        ("builtin.module(cse)", [1, 1, 1]),
        ("any(cse)", [1, 1, 1]),
        ("builtin.module(func.func(cse))", [1, 1, 2]),
        ("builtin.module(builtin.module(cse))", [2, 2, 1]),
        ("builtin.module(builtin.module(func.func(cse)))", [2, 2, 1]),
        ("builtin.module(any(cse))", [1, 1, 1]),
        ("func.func(cse),builtin.module(canonicalize)", [1, 1, 2]),
        ("builtin.module(scf.for(cse))", [2, 2, 2]),
        ("builtin.module()", [2, 2, 2]),
    ],
)
@pytest.mark.parametrize("through_runner", [True, False])
def test_passes_run_where_their_anchor_says(pipeline: str, expected: list[int], through_runner: bool) -> None:
    module = program()
    passes = parse_passes(pipeline)
    if through_runner:
        run_passes(new_context(), module, passes, verify=True)
    else:
        for module_pass in passes:
            module_pass.apply(new_context(), module)
    module.verify()
    assert adds(module) == expected
    assert [op.name for op in module.body.block.ops] == ["func.func", "func.func", "builtin.module"]


def test_text_of() -> None:
    text = 'func.func(cse,any(canonicalize)),stablehlo-unroll-loops,apply-patterns{file="a b.py"}'
    passes = parse_passes(text)
    assert isinstance(passes[0], NestedPasses) and passes[0].name == "func.func(cse,any(canonicalize))"
    assert parse_passes(text_of(passes)) == passes


def test_an_op_alone() -> None:
    module = program()
    f, g, _ = module.body.block.ops
    with alone(f) as (part, successors):
        names = [op.properties["sym_name"] for op in part.body.block.ops]
        assert names == [StringAttr("f"), StringAttr("g")]
        assert f.parent_op() is part and g.parent_op() is module
        part.verify()
    assert successors == [f] and module.body.block.first_op is f
    with pytest.raises(RuntimeError, match="lost"), alone(f):
        raise RuntimeError("lost")
    assert f.parent_op() is module


def test_ops_that_are_not_isolated() -> None:
    module = parse_module("func.func @f(%c: i1) { scf.if %c { } return }", "if.mlir")
    with pytest.raises(XlaError, match=r"not marked as 'IsolatedFromAbove': 'scf.if'"):
        run_passes(new_context(), module, parse_passes("builtin.module(func.func(scf.if(cse)))"))


class Noting(Instrument):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def before_nested(self, nested: NestedPasses, op: Operation) -> None:
        self.seen.append(f"({nested.anchor}")

    def after_nested(self, nested: NestedPasses, op: Operation) -> None:
        self.seen.append(")")

    def before_pass(self, module_pass: ModulePass, op: Operation) -> None:
        assert op.parent is not None or isinstance(op, ModuleOp)
        self.seen.append(module_pass.name)

    def after_pass(self, module_pass: ModulePass, op: Operation, seconds: float) -> None:
        assert seconds > 0
        self.seen.append("done")

    def failed_pass(self, module_pass: ModulePass, op: Operation, error: Exception) -> None:
        self.seen.append(str(error))


def test_instruments() -> None:
    noting = Noting()
    passes = parse_passes("builtin.module(func.func(cse,canonicalize),cse)")
    run_passes(new_context(), program(), passes, instruments=[noting])
    each = ["cse", "done", "canonicalize", "done"]
    assert noting.seen == ["(func.func", *each, *each, ")", "cse", "done"]


def test_an_instrument_sees_a_failure() -> None:
    noting = Noting()
    module = parse_module('func.func @f() { "func.return"() {xrt.kernel} : () -> () }', "bad.mlir")
    with pytest.raises(Exception, match="invalid IR after pass cse"):
        run_passes(
            new_context(), module, parse_passes("builtin.module(func.func(cse))"), verify=True, instruments=[noting]
        )
    assert "invalid IR after pass cse" in noting.seen[-1]
    assert module.body.block.first_op is not None


def test_passes_that_need_a_whole_program() -> None:
    module = parse_module("""
    func.func @main(%x: tensor<8x4xf32>, %y: tensor<4x8xf32>) -> tensor<8x8xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }""")
    passes = parse_passes("builtin.module(func.func(xla-cpu))")
    message = "pass convert-tensor-to-memref works on whole programs, and was given func.func @main alone"
    with pytest.raises(XlaError, match=message):
        run_passes(new_context(), module, passes)
