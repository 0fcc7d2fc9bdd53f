"""Loops, branches, tuples and calls."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.reference.values import TOKEN

from .harness import evaluate, f32, i32, same

WHILE = """stablehlo.while(%i = %a, %sum = %b) : tensor<i64>, tensor<i64>
  cond {
    %ten = stablehlo.constant dense<10> : tensor<i64>
    %more = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %next = stablehlo.add %i, %one : tensor<i64>
    %more = stablehlo.add %sum, %next : tensor<i64>
    stablehlo.return %next, %more : tensor<i64>, tensor<i64>
  }"""


def test_while() -> None:
    assert [int(x) for x in evaluate(WHILE, np.int64(0), np.int64(0), results=2)] == [10, 55]


def test_while_that_never_runs() -> None:
    assert [int(x) for x in evaluate(WHILE, np.int64(10), np.int64(7), results=2)] == [10, 7]


@pytest.mark.parametrize(("pred", "expected"), [(True, 10), (False, 11)])
def test_if(pred: bool, expected: int) -> None:
    text = """%low = stablehlo.constant dense<10> : tensor<i32>
      %r = "stablehlo.if"(%a) ({
        "stablehlo.return"(%low) : (tensor<i32>) -> ()
      }, {
        %high = stablehlo.constant dense<11> : tensor<i32>
        "stablehlo.return"(%high) : (tensor<i32>) -> ()
      }) : (tensor<i1>) -> tensor<i32>"""
    same(evaluate(text, np.bool_(pred)), np.int32(expected))


@pytest.mark.parametrize(("index", "expected"), [(0, 10), (1, 11), (2, 12), (3, 12), (-1, 12), (-(2**31), 12)])
def test_case_index_out_of_range_runs_the_last_branch(index: int, expected: int) -> None:
    branches = ", ".join(
        f"{{ %v = stablehlo.constant dense<{n}> : tensor<i64>\n stablehlo.return %v : tensor<i64> }}"
        for n in (10, 11, 12)
    )
    text = f'"stablehlo.case"(%a) ({branches}) : (tensor<i32>) -> tensor<i64>'
    same(evaluate(text, np.int32(index)), np.int64(expected))


def test_optimization_barrier() -> None:
    text = "stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<i32>"
    first, second = evaluate(text, f32(1, 2), np.int32(3), results=2)
    same(first, f32(1, 2))
    same(second, np.int32(3))


def test_tuples_are_values() -> None:
    text = """%pair = stablehlo.tuple %a, %b : tuple<tensor<2xf32>, tensor<i32>>
      %nested = stablehlo.tuple %pair, %b : tuple<tuple<tensor<2xf32>, tensor<i32>>, tensor<i32>>
      %inner = stablehlo.get_tuple_element %nested[0]
        : (tuple<tuple<tensor<2xf32>, tensor<i32>>, tensor<i32>>) -> tuple<tensor<2xf32>, tensor<i32>>
      %r = stablehlo.get_tuple_element %inner[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>"""
    same(evaluate(text, f32(1, 2), np.int32(3)), f32(1, 2))


def test_empty_and_single_tuples() -> None:
    assert evaluate("%r = stablehlo.tuple : tuple<>") == ()
    (element,) = evaluate("%r = stablehlo.tuple %a : tuple<tensor<1xf32>>", f32(1))
    same(element, f32(1))


def test_tokens() -> None:
    text = """%t = stablehlo.create_token : !stablehlo.token
      %r = stablehlo.after_all %t, %t : !stablehlo.token"""
    assert evaluate(text) is TOKEN


DOUBLE = """func.func private @double(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = stablehlo.add %x, %x : tensor<2xi32>
  return %r : tensor<2xi32>
}"""


def test_call() -> None:
    same(evaluate("func.call @double(%a) : (tensor<2xi32>) -> tensor<2xi32>", i32(1, 2), functions=DOUBLE), i32(2, 4))


def test_composite_is_its_decomposition() -> None:
    text = 'stablehlo.composite "my.double" %a {decomposition = @double} : (tensor<2xi32>) -> tensor<2xi32>'
    same(evaluate(text, i32(1, 2), functions=DOUBLE), i32(2, 4))


def test_call_of_a_declaration_is_an_error() -> None:
    text = "func.call @other(%a) : (tensor<2xi32>) -> tensor<2xi32>"
    declaration = "func.func private @other(tensor<2xi32>) -> tensor<2xi32>"
    with pytest.raises(UnsupportedError, match="@other, which is declared only"):
        evaluate(text, i32(1, 2), functions=declaration)


def test_values_do_not_leak_between_calls_of_a_recursive_function() -> None:
    functions = """func.func private @factorial(%n: tensor<i64>) -> tensor<i64> {
      %one = stablehlo.constant dense<1> : tensor<i64>
      %done = stablehlo.compare LE, %n, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %r = "stablehlo.if"(%done) ({
        stablehlo.return %one : tensor<i64>
      }, {
        %less = stablehlo.subtract %n, %one : tensor<i64>
        %rest = func.call @factorial(%less) : (tensor<i64>) -> tensor<i64>
        %product = stablehlo.multiply %n, %rest : tensor<i64>
        stablehlo.return %product : tensor<i64>
      }) : (tensor<i1>) -> tensor<i64>
      return %r : tensor<i64>
    }"""
    text = "func.call @factorial(%a) : (tensor<i64>) -> tensor<i64>"
    same(evaluate(text, np.int64(6), functions=functions), np.int64(720))
