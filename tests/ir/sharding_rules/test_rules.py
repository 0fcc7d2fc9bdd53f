"""The rule of each op: against rules written by hand (`rules.mlir`), and Shardy's."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl_xla.ir.sharding_rules import Combination, FactorKind, rule_of
from xdsl_xla.runtime.mlir_text import parse_module

TEXT = (Path(__file__).parent / "rules.mlir").read_text()


class Case(NamedTuple):
    program: str
    rule: str | None
    is_shardys: bool


def cases() -> dict[str, Case]:
    """The functions of the file, each with the rule in the line in front."""
    found: dict[str, Case] = {}
    for part in TEXT.split("\n\n")[1:]:
        comment, _, program = part.partition("\n")
        rule = comment.removeprefix("// ").removesuffix(", own")
        name = program.partition("@")[2].partition("(")[0]
        found[name] = Case(program, None if rule == "none" else rule, not comment.endswith(", own"))
    return found


CASES = cases()


def op_of(program: str) -> Operation:
    (function,) = [op for op in parse_module(program).ops if isinstance(op, FuncOp)]
    *_, op, _ = function.body.block.ops
    return op


@pytest.mark.parametrize("name", CASES)
def test_rule(name: str) -> None:
    rule = rule_of(op_of(CASES[name].program))
    assert (None if rule is None else str(rule)) == CASES[name].rule


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_shardys])
def test_rule_is_that_of_shardy(name: str) -> None:
    ir: Any = pytest.importorskip("jaxlib.mlir.ir")
    managers: Any = pytest.importorskip("jaxlib.mlir.passmanager")
    contexts: Any = pytest.importorskip("jax._src.interpreters.mlir")
    with contexts.make_ir_context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(CASES[name].program)
        managers.PassManager.parse("builtin.module(func.func(sdy-populate-op-sharding-rules))").run(module.operation)
        *_, op, _ = module.body.operations[0].regions[0].blocks[0].operations
        found = str(op.attributes["sdy.sharding_rule"]) if "sdy.sharding_rule" in op.attributes else None
    assert (None if found is None else found.removeprefix("#sdy.op_sharding_rule<")[:-1]) == CASES[name].rule


def combinations(name: str) -> set[Combination | None]:
    rule = rule_of(op_of(CASES[name].program))
    assert rule is not None
    return {factor.combination for factor in rule.factors}


def test_reductions_say_how_results_are_combined() -> None:
    assert combinations("dot_general") == {None, Combination.SUM}
    assert combinations("reduce") == {Combination.BODY, None}
    assert combinations("gather_of_rows") == {None, Combination.OWNER}
    assert combinations("scatter_of_sums") == {None, Combination.BODY}


GIVEN = """
func.func @main(%a: tensor<8x4xf32>) {
  %0 = stablehlo.custom_call @mine(%a) {
    sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=4} reduction={j}, custom>
  } : (tensor<8x4xf32>) -> tensor<8xf32>
  func.return
}"""


def test_a_program_can_say_the_rule_of_an_op() -> None:
    rule = rule_of(op_of(GIVEN))
    assert rule is not None
    assert str(rule) == "([i, j])->([i]) {i=8, j=4} reduction={j}, custom"
    assert [factor.kind for factor in rule.factors] == [FactorKind.PASS_THROUGH, FactorKind.REDUCTION]
