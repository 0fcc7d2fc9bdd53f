"""What xDSL's generic clean-ups may do with the operations."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl_xla.dialects import chlo, stablehlo
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

IMPURE = {
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.async_done",
    "stablehlo.async_start",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.composite",
    "stablehlo.cross-replica-sum",
    "stablehlo.infeed",
    "stablehlo.outfeed",
    "stablehlo.recv",
    "stablehlo.reduce_scatter",
    "stablehlo.rng",
    "stablehlo.send",
}
"""Operations that must neither be merged nor removed nor reordered."""


@pytest.mark.parametrize("op_type", stablehlo.OPS + chlo.OPS, ids=lambda op_type: op_type.name)
def test_pure_unless_listed(op_type: type[Operation]) -> None:
    assert is_side_effect_free(op_type.create()) == (op_type.name not in IMPURE)


def test_cleanups() -> None:
    module = parse_module("""
    !v = tensor<4xf32>
    !s = tensor<f32>
    func.func @f(%x: !v, %f: !s) -> (!v, !s, !s) {
      %0 = stablehlo.tanh %x : !v
      %1 = stablehlo.tanh %x : !v
      %2 = stablehlo.add %0, %1 : !v
      %3 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [0] : (!v, !s) -> !s
      %4 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [0] : (!v, !s) -> !s
      %dead = stablehlo.exponential %x : !v
      %dead_loop = stablehlo.while(%i = %x) : !v cond {
        %true = stablehlo.constant dense<true> : tensor<i1>
        stablehlo.return %true : tensor<i1>
      } do {
        stablehlo.return %i : !v
      }
      stablehlo.custom_call @effect(%x) {has_side_effect = true} : (!v) -> ()
      %dead_call = stablehlo.custom_call @pure(%x) : (!v) -> !v
      return %2, %3, %4 : !v, !s, !s
    }
    """)
    CommonSubexpressionElimination().apply(new_context(), module)
    DeadCodeElimination().apply(new_context(), module)
    (function,) = module.body.block.ops
    assert isinstance(function, FuncOp)
    names = [op.name for op in function.body.block.ops]
    assert names == ["stablehlo.tanh", "stablehlo.add", "stablehlo.reduce", "stablehlo.custom_call", "func.return"]
