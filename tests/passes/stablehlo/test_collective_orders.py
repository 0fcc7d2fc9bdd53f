"""Orders of collectives that follow from the numbers of processes."""

from __future__ import annotations

import pytest
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.passes.stablehlo.stablehlo_expand_collectives import StablehloExpandCollectivesPass
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

IS_FIRST = """
  %id = stablehlo.replica_id : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %p = stablehlo.compare EQ, %id, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>"""


def exchange(result: str, operand: str, kind: str = "add", groups: str = "[[0, 1]]") -> str:
    shape = "1x2" if groups == "[[0, 1]]" else "2x1"
    return f"""
    %{result} = "stablehlo.all_reduce"(%{operand}) <{{replica_groups = dense<{groups}> : tensor<{shape}xi64>}}> ({{
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.{kind} %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }}) : (tensor<4xf32>) -> tensor<4xf32>"""


def gather(result: str, operand: str) -> str:
    return f"""
    %{result}.all = "stablehlo.all_gather"(%{operand}) <{{all_gather_dim = 0 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> : (tensor<4xf32>) -> tensor<8xf32>
    %{result} = stablehlo.slice %{result}.all [2:6] : (tensor<8xf32>) -> tensor<4xf32>"""


def branches(first: str, second: str, predicate: str = IS_FIRST, behind: str = "") -> str:
    """Each of the branches and what is behind them has `x` and ends with `y`; none where they are empty."""
    texts = [f"{text}\n    stablehlo.return %{'y' if text else 'x'} : tensor<4xf32>" for text in (first, second)]
    return f"""
func.func @main(%x: tensor<4xf32>, %unknown: tensor<i1>) -> tensor<4xf32> {{{predicate}
  %b = "stablehlo.if"(%p) ({{{texts[0]}
  }}, {{{texts[1]}
  }}) : (tensor<i1>) -> tensor<4xf32>{behind}
  return %b : tensor<4xf32>
}}"""


def expand(text: str) -> None:
    StablehloExpandCollectivesPass(replicas=2).apply(new_context(), parse_module(text, "orders.mlir"))


def test_who_comes_alone_waits_in_vain() -> None:
    message = (
        r"^orders.mlir:7:\d+: the program cannot finish: process \(0, 0\) waits for \[\(0, 0\), \(1, 0\)\] in"
        r" stablehlo.all_reduce at orders.mlir:7:\d+; process \(1, 0\) ends$"
    )
    with pytest.raises(InvalidProgramError, match=message):
        expand(branches(exchange("y", "x"), ""))


def test_two_collectives_in_other_orders() -> None:
    texts = exchange("z", "x") + gather("y", "z"), gather("z", "x") + exchange("y", "z")
    with pytest.raises(
        InvalidProgramError, match=r"\(0, 0\) waits .*all_reduce .*; process \(1, 0\) waits .*all_gather"
    ):
        expand(branches(*texts))


def test_members_agree_on_what_they_compute() -> None:
    with pytest.raises(InvalidProgramError, match=r"process \(1, 0\) meets process \(0, 0\) with other computation"):
        expand(branches(exchange("y", "x"), exchange("y", "x", "maximum")))


def test_orders_that_go_together() -> None:
    expand(branches(exchange("y", "x"), exchange("y", "x")))
    expand(
        branches(exchange("z", "x") + gather("y", "z"), exchange("z", "x") + gather("y", "z"), behind=gather("c", "b"))
    )
    expand(branches(exchange("y", "x", groups="[[0], [1]]"), ""))


def test_what_one_branch_has_more_meets_what_is_behind() -> None:
    """Process 1 comes to the second collective when process 0 comes to the first one, and then alone to nothing."""
    with pytest.raises(InvalidProgramError, match=r"process \(0, 0\) waits for .*; process \(1, 0\) ends"):
        expand(branches(exchange("y", "x"), "", behind=exchange("c", "b")))


def test_branches_that_depend_on_values_are_left_to_the_run() -> None:
    expand(branches(exchange("y", "x"), "", predicate="").replace("%p)", "%unknown)"))


def test_loops_are_left_to_the_run() -> None:
    loop = f"""
    %y = stablehlo.while(%i = %x) : tensor<4xf32>
    cond {{
      stablehlo.return %unknown : tensor<i1>
    }} do {{{exchange("j", "i")}
      stablehlo.return %j : tensor<4xf32>
    }}"""
    expand(branches(loop, exchange("y", "x")))
