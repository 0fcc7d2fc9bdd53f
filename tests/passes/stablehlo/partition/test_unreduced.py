"""Arguments and results of which devices have parts of a sum."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.passes.sdy.sdy_propagate import SdyPropagatePass
from xdsl_xla.passes.stablehlo.stablehlo_partition_spmd import StablehloPartitionSpmdPass
from xdsl_xla.reference.interpreter import run_grid
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.verifying import verify_module

X = np.arange(6, dtype=np.float32)


def partitioned(body: str, argument: str, result: str, propagate: bool = False) -> ModuleOp:
    module = parse_module(
        f"""
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<6xf32> {{sdy.sharding = #sdy.sharding<@mesh, {argument}>}})
    -> (tensor<6xf32> {{sdy.sharding = #sdy.sharding<@mesh, {result}>}}) {{
  {body}
  return %0 : tensor<6xf32>
}}""",
        "unreduced.mlir",
    )
    if propagate:
        SdyPropagatePass().apply(new_context(), module)
    StablehloPartitionSpmdPass().apply(new_context(), module)
    verify_module(module)
    return module


def run(module: ModuleOp, *arguments: np.ndarray) -> list[np.ndarray]:
    return [results[0] for results in run_grid(module, [["main"] * 2], [[[x] for x in arguments]])[0]]


def test_parts_that_come_in_are_added():
    module = partitioned("%0 = stablehlo.negate %x : tensor<6xf32>", '[{}], unreduced={"x"}', "[{}]")
    for found in run(module, X, 10 * X):
        np.testing.assert_array_equal(found, -11 * X)


@pytest.mark.parametrize("argument", ["[{}]", '[{"x"}]'])
def test_parts_that_go_out_add_up(argument: str):
    module = partitioned("%0 = stablehlo.negate %x : tensor<6xf32>", argument, '[{}], unreduced={"x"}')
    arguments = (X, X) if argument == "[{}]" else (X[:3], X[3:])
    np.testing.assert_array_equal(sum(run(module, *arguments)), -X)


def test_a_maximum_of_parts_is_no_sum_of_parts():
    body = """
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0]
      : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<6xf32>"""
    module = partitioned(body, '[{"x"}]', '[{}], unreduced={"x"}')
    np.testing.assert_array_equal(sum(run(module, X[:3], X[3:])), np.full(6, 5, np.float32))


def test_parts_of_a_maximum_are_refused():
    with pytest.raises(UnsupportedError, match="combined by 'max' in a sharding"):
        partitioned("%0 = stablehlo.negate %x : tensor<6xf32>", '[{}], unreduced=max{"x"}', "[{}]")


def test_parts_that_a_manual_computation_adds():
    body = """
  %1 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}], unreduced={"x"}>] out_shardings=[<@mesh, [{}]>]
      manual_axes={"x"} (%a: tensor<6xf32>) {
    %2 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %3 = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<6xf32>) -> tensor<6xf32>
    sdy.return %2 : tensor<6xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  %0 = stablehlo.negate %1 : tensor<6xf32>"""
    for found in run(partitioned(body, "[{}]", "[{}]", propagate=True), X, X):
        np.testing.assert_array_equal(found, -X)


def test_parts_of_a_constant_are_terms_where_they_are():
    body = """
  %c = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<1.0> : tensor<6xf32>
  %0 = sdy.reshard %c <@mesh, [{}], unreduced={"x"}> : tensor<6xf32>"""
    module = partitioned(body, "[{}]", '[{}], unreduced={"x"}')
    first, second = run(module, X, X)
    np.testing.assert_array_equal(first, [1, 1, 1, 0, 0, 0])
    np.testing.assert_array_equal(second, [0, 0, 0, 1, 1, 1])
