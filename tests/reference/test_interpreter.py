"""Running functions and single ops, and the errors a caller can cause."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl_xla.errors import ArgumentError, InvalidProgramError, UnsupportedError
from xdsl_xla.reference.interpreter import evaluate_op, run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

from .harness import f32, f64, i32, same

PROGRAM = """
func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
  %y = stablehlo.add %x, %x : tensor<2xf32>
  return %y, %n : tensor<2xf32>, tensor<i32>
}
"""


def op_of(text: str) -> Operation:
    """The last op of a function of `text`."""
    module = parse_module(text, "test.mlir")
    function = module.body.block.first_op
    assert function is not None
    *_, op, _ = function.regions[0].block.ops
    return op


def test_run() -> None:
    first, second = run(parse_module(PROGRAM), "main", [f32(1, 2), np.int32(3)])
    same(first, f32(2, 4))
    same(second, np.int32(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([f32(1, 2)], "@main takes 2 arguments, got 1"),
        ([f64(1, 2), np.int32(3)], r"argument 0 of @main: expected float32\[2\], got float64\[2\]"),
        ([f32(1, 2, 3), np.int32(3)], r"expected float32\[2\], got float32\[3\]"),
    ],
)
def test_arguments_of_other_types_are_errors(arguments: list[np.ndarray], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        run(parse_module(PROGRAM), "main", arguments)


def test_a_function_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="no function @other"):
        run(parse_module(PROGRAM), "other", [])


def test_arguments_may_have_dynamic_sizes() -> None:
    text = """func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
      %y = stablehlo.add %x, %x : tensor<?xi32>
      return %y : tensor<?xi32>
    }"""
    same(run(parse_module(text), "main", [i32(1, 2, 3)])[0], i32(2, 4, 6))
    bounded = text.replace("tensor<?xi32>", "tensor<?xi32, #stablehlo.bounds<2>>")
    with pytest.raises(ArgumentError, match="argument 0"):
        run(parse_module(bounded), "main", [i32(1, 2, 3)])


def test_an_op_without_meaning_is_an_error_with_its_place() -> None:
    text = """func.func @main(%x: tensor<2xf32>) {
      %y = "other.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return
    }"""
    module: ModuleOp = parse_module(text, "test.mlir", new_context(allow_unregistered=True))
    with pytest.raises(UnsupportedError, match=r"test\.mlir:2:7: other.op has no"):
        run(module, "main", [f32(1, 2)])


def test_evaluate_op() -> None:
    op = op_of("func.func @f(%x: tensor<2xi32>) { %y = stablehlo.multiply %x, %x : tensor<2xi32>\n return }")
    (result,) = evaluate_op(op, [i32(3, -4), i32(2, 5)])
    same(result, i32(6, -20))


def test_evaluate_op_with_a_region() -> None:
    op = op_of("""func.func @f(%x: tensor<2x3xi32>, %z: tensor<i32>) {
      %y = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
        : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
      return
    }""")
    (result,) = evaluate_op(op, [i32([1, 2, 3], [4, 5, 6]), np.int32(0)])
    same(result, i32(6, 15))


def test_evaluate_op_outside_of_any_module() -> None:
    op = op_of("func.func @f(%x: tensor<2xi32>) { %y = stablehlo.negate %x : tensor<2xi32>\n return }")
    (result,) = evaluate_op(op.clone(), [i32(3, -4)])
    same(result, i32(-3, 4))


def test_evaluate_op_does_not_change_its_operands() -> None:
    op = op_of("""func.func @f(%x: tensor<3xi32>, %u: tensor<1xi32>, %i: tensor<i32>) {
      %y = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
      return
    }""")
    value = i32(1, 2, 3)
    value.flags.writeable = False
    (result,) = evaluate_op(op, [value, i32(9), np.int32(1)])
    same(result, i32(1, 9, 3))
    same(value, i32(1, 2, 3))


def test_warnings_of_numpy_stay_quiet() -> None:
    op = op_of("func.func @f(%x: tensor<2xf32>) { %y = stablehlo.log %x : tensor<2xf32>\n return }")
    with np.errstate(all="raise"):
        same(evaluate_op(op, [f32(0, 1)])[0], f32(-np.inf, 0))


def test_results_are_checked_against_their_types() -> None:
    op = op_of("""func.func @f(%s: tensor<1xi64>) {
      %y = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xi32, #stablehlo.bounds<4>>
      return
    }""")
    assert evaluate_op(op, [np.array([3])])[0].shape == (3,)
    with pytest.raises(InvalidProgramError, match="result 0 has shape 5"):
        evaluate_op(op, [np.array([5])])


def test_a_function_of_several_blocks_is_an_error() -> None:
    module = parse_module("""func.func @main(%x: tensor<i32>) -> tensor<i32> {
      cf.br ^last(%x : tensor<i32>)
    ^last(%y: tensor<i32>):
      return %y : tensor<i32>
    }""")
    with pytest.raises(UnsupportedError, match="@main has 2 blocks; one can be run"):
        run(module, "main", [np.int32(1)])
