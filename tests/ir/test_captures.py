"""What ops with regions read of the values around them."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl_xla.dialects.stablehlo import IfOp, ReduceOp
from xdsl_xla.ir.captures import are_closed, captured, values_read
from xdsl_xla.runtime.mlir_text import parse_module

PROGRAM = """
func.func @main(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<4xf32>) {
  %0 = "stablehlo.if"(%p) ({
    %1 = "stablehlo.if"(%p) ({
      %2 = stablehlo.add %x, %x : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }, {
      stablehlo.return %x : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %3 = stablehlo.add %1, %1 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %4 = stablehlo.reduce(%y init: %x) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
"""


def ops() -> dict[type[Operation], Operation]:
    (function,) = parse_module(PROGRAM).body.block.ops
    return {type(op): op for op in function.regions[0].block.ops}


def test_each_read_of_a_value_from_outside_counts_at_any_depth() -> None:
    op = ops()[IfOp]
    assert [value.name_hint for value in captured(op.regions)] == ["p", "x", "x", "x", "x"]
    assert [value.name_hint for value in captured([op.regions[1]])] == ["x"]
    assert not are_closed(op.regions)


def test_operands_are_read_but_not_captured() -> None:
    op = ops()[ReduceOp]
    assert list(values_read(op)) == list(op.operands)
    assert are_closed(op.regions)


def test_what_a_region_around_defines_is_outside_of_one_in_it() -> None:
    inner = next(op for op in ops()[IfOp].regions[0].block.ops if isinstance(op, IfOp))
    assert {value.name_hint for value in values_read(inner)} == {"p", "x"}
