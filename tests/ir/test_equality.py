"""Ops, and what is in them, are equal if they compute the same."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl_xla.dialects.editing import walk
from xdsl_xla.dialects.stablehlo import AddOp, ReduceOp
from xdsl_xla.ir.equality import Structures
from xdsl_xla.runtime.mlir_text import parse_module

PROGRAM = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %zero: tensor<f32>) {
  %a = stablehlo.add %x, %y : tensor<4xf32>
  %b = stablehlo.add %y, %y : tensor<4xf32>
  %c = stablehlo.add %x, %y {xrt.contract} : tensor<4xf32>
  %d = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %e = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %f = stablehlo.reduce(%y init: %zero) applies stablehlo.multiply across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
"""


def ops(op_class: type[Operation], module: ModuleOp) -> list[Operation]:
    """Those that do not stand in a reduction."""
    return [op for op in walk(module) if isinstance(op, op_class) and not isinstance(op.parent_op(), ReduceOp)]


def test_operands_do_not_count_and_attributes_of_values_do() -> None:
    structures = Structures()
    first, second, contracted = map(structures.of, ops(AddOp, parse_module(PROGRAM)))
    assert first == second != contracted


def test_what_is_in_regions_counts() -> None:
    structures = Structures()
    first, second, product = map(structures.of_values, ops(ReduceOp, parse_module(PROGRAM)))
    assert first == second != product


def test_attributes_are_equal_by_value() -> None:
    structures = Structures()
    numbers = [
        [structures.of_attribute(op.results[0].type) for op in ops(AddOp, parse_module(PROGRAM))] for _ in range(2)
    ]
    assert numbers[0] == numbers[1] and len(set(numbers[0])) == 1


def test_values_from_outside_are_what_the_caller_says_and_differing_ops_are_equal() -> None:
    structures, module = Structures(), parse_module(PROGRAM)
    first, second, product = ops(ReduceOp, module)
    keys = [structures.inside(op, {}, id) for op in (first, second, product)]
    assert keys[0] == keys[1] != keys[2]
    (function,) = module.body.block.ops
    named = structures.inside(function, {}, id)
    assert named == structures.inside(function, {}, lambda _: None)
    assert named != structures.inside(function, {}, id, {first})
