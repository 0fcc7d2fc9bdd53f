"""What ops have to do."""

from __future__ import annotations

import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl_xla.decisions.model import host_model
from xdsl_xla.runtime.formats import read_program
from xdsl_xla.runtime.work import elements_of, stays_in_registers, work_of

PROGRAM = b"""
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  %2 = stablehlo.add %1, %0 : tensor<8x4xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}
"""

MODEL = host_model()


@pytest.fixture(scope="module")
def ops() -> dict[str, Operation]:
    (function,) = read_program(PROGRAM, "work.mlir").ops
    assert isinstance(function, FuncOp)
    return {op.name.removeprefix("stablehlo."): op for op in function.body.block.ops}


def test_operations(ops: dict[str, Operation]) -> None:
    function_cost = MODEL.operations.function_cost
    counted = {name: work_of(op, MODEL).operations for name, op in ops.items()}
    wanted = {"dot_general": 2 * 8 * 4 * 16, "tanh": function_cost * 32, "add": 32, "constant": 0, "reduce": 32}
    assert {name: counted[name] for name in wanted} == wanted


def test_bytes_are_those_that_reach_memory(ops: dict[str, Operation]) -> None:
    assert work_of(ops["dot_general"], MODEL).bytes == 4 * (8 * 16 + 16 * 4 + 8 * 4)
    assert stays_in_registers(ops["tanh"].results[0])
    assert work_of(ops["tanh"], MODEL).bytes == 4 * 32  # what it reads
    assert not stays_in_registers(ops["dot_general"].results[0])


def test_elements(ops: dict[str, Operation]) -> None:
    assert elements_of(ops["add"].results[0]) == 32
    assert elements_of(ops["constant"].results[0]) == 1
