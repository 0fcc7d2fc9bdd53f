"""Meshes whose devices are in orders that no digits describe together: parts change places where they come and go."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.ir.device_programs import between_partitions
from xdsl_xla.passes.sdy.sdy_propagate import SdyPropagatePass
from xdsl_xla.passes.stablehlo.stablehlo_partition_spmd import StablehloPartitionSpmdPass
from xdsl_xla.reference.interpreter import run_grid
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.runtime.sharding.splitting import Splitting
from xdsl_xla.runtime.verifying import verify_module

X = np.arange(32, dtype=np.float32).reshape(8, 4)
AXES = (("x", 2), ("y", 2))
SPLIT = '[{"x"}, {"y"}]'


def partitioned(first: str, second: str, body: str) -> ModuleOp:
    module = parse_module(
        f"""
sdy.mesh @first = <["x"=2, "y"=2]{first}>
sdy.mesh @second = <["x"=2, "y"=2]{second}>
func.func @main(%x: tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@first, {SPLIT}>}})
    -> (tensor<8x4xf32> {{sdy.sharding = #sdy.sharding<@second, [{{"x"}}, {{}}]>}}) {{
  {body}
  return %0 : tensor<8x4xf32>
}}""",
        "strangers.mlir",
    )
    SdyPropagatePass().apply(new_context(), module)
    StablehloPartitionSpmdPass().apply(new_context(), module)
    verify_module(module)
    return module


def splitting(order: tuple[int, ...] | None, *dimensions: tuple[AxisRef, ...]) -> Splitting:
    sharding = Sharding(Mesh(AXES, order), tuple(map(DimensionSharding, dimensions)))
    return Splitting(X.shape, sharding, 4)


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (0, 1, 3, 2), (2, 0, 1, 3)])
@pytest.mark.parametrize("is_first", [False, True])
def test_same_as_one_device(order: tuple[int, ...], is_first: bool):
    ids = f", device_ids={list(order)}"
    body = "%1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>\n"
    body += "%2 = stablehlo.reverse %1, dims = [1] : tensor<4x8xf32>\n"
    body += "%0 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>"
    module = partitioned(*((ids, "") if is_first else ("", ids)), body)
    parts = splitting(order if is_first else None, (AxisRef("x"),), (AxisRef("y"),)).split(X)
    results = run_grid(module, [["main"] * 4], [[[part] for part in parts]])[0]
    joining = splitting(None if is_first else order, (AxisRef("x"),), ())
    np.testing.assert_array_equal(joining.join([row[0] for row in results]), X[::-1])


def test_what_every_device_has_stays():
    module = parse_module(
        """
sdy.mesh @first = <["x"=4], device_ids=[0, 1, 3, 2]>
sdy.mesh @second = <["x"=4], device_ids=[0, 2, 3, 1]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@first, [{"x"}]>},
                %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@second, [{}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@first, [{"x"}]>}, tensor<8xf32>) {
  return %x, %y : tensor<8xf32>, tensor<8xf32>
}""",
        "strangers.mlir",
    )
    StablehloPartitionSpmdPass().apply(new_context(), module)
    assert not any(between_partitions(module))


LOCAL = """
  %{result} = sdy.manual_computation(%{operand}) in_shardings=[<@{mesh}, [{{"x"}}, {{}}]>]
      out_shardings=[<@{mesh}, [{{"x"}}, {{}}]>] manual_axes={{"x"}} (%{mesh}: tensor<4x4xf32>) {{
    sdy.return %{mesh} : tensor<4x4xf32>
  }} : (tensor<8x4xf32>) -> tensor<8x4xf32>"""


@pytest.mark.parametrize("mesh", ["first", "second"])
def test_meshes_of_local_computations_are_no_strangers(mesh: str):
    partitioned("", ", device_ids=[3, 2, 1, 0]", LOCAL.format(operand="x", result="0", mesh=mesh))


SHIFTED = """
  %{result} = sdy.manual_computation(%{operand}) in_shardings=[<@{mesh}, [{{"x"}}, {{}}]>]
      out_shardings=[<@{mesh}, [{{"x"}}, {{}}]>] manual_axes={{"x"}} (%{mesh}: tensor<4x4xf32>) {{
    %all = "stablehlo.all_gather"(%{mesh}) <{{all_gather_dim = 0 : i64,
      replica_groups = dense<{groups}> : tensor<2x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}>
      : (tensor<4x4xf32>) -> tensor<8x4xf32>
    %sums = stablehlo.transpose %all, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %back = stablehlo.reverse %sums, dims = [0] : tensor<4x8xf32>
    %whole = stablehlo.transpose %back, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %top = stablehlo.slice %whole [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %part = stablehlo.add %{mesh}, %top : tensor<4x4xf32>
    sdy.return %part : tensor<4x4xf32>
  }} : (tensor<8x4xf32>) -> tensor<8x4xf32>"""


def shifted(x: np.ndarray) -> np.ndarray:
    return x + np.concatenate([x[:4, ::-1]] * 2)


@pytest.mark.parametrize(
    ("order", "groups"),
    [
        ((3, 2, 1, 0), [[3, 1], [2, 0]]),
        ((0, 1, 3, 2), [[0, 3], [1, 2]]),
        ((2, 0, 1, 3), [[2, 1], [0, 3]]),
    ],
)
def test_local_computations_over_a_stranger(order: tuple[int, ...], groups: list[list[int]]):
    body = SHIFTED.format(operand="x", result="1", mesh="first", groups="[[0, 2], [1, 3]]")
    body += SHIFTED.format(operand="1", result="0", mesh="second", groups=groups)
    module = partitioned("", f", device_ids={list(order)}", body)
    parts = splitting(None, (AxisRef("x"),), (AxisRef("y"),)).split(X)
    results = run_grid(module, [["main"] * 4], [[[part] for part in parts]])[0]
    joining = splitting(order, (AxisRef("x"),), ())
    np.testing.assert_array_equal(joining.join([row[0] for row in results]), shifted(shifted(X)))


def test_a_stranger_inside_of_a_local_computation_is_refused():
    body = """
  %0 = sdy.manual_computation(%x) in_shardings=[<@first, [{"x"}, {}]>] out_shardings=[<@first, [{"x"}, {}]>]
      manual_axes={"x"} (%a: tensor<4x4xf32>) {
    %1 = sdy.manual_computation(%a) in_shardings=[<@second, [{"y"}, {}]>] out_shardings=[<@second, [{"y"}, {}]>]
        manual_axes={"y"} (%b: tensor<2x4xf32>) {
      sdy.return %b : tensor<2x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>"""
    with pytest.raises(UnsupportedError, match="in an order of its own inside of another one"):
        partitioned("", ", device_ids=[3, 2, 1, 0]", body)


def test_tensors_that_one_device_has_are_whole_on_all() -> None:
    text = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @device = <[], device_ids=[3]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>})
    -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@device, []>}) {
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@device, []>]>} : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}"""
    (result,) = xdsl_xla.compile(text, devices=4)(X, X)
    np.testing.assert_array_equal(result, X + X)


def test_calls_of_tokens_that_nobody_knows_are_refused() -> None:
    text = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%t: !stablehlo.token, %a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (!stablehlo.token, tensor<4x4xf32>) {
  %0 = stablehlo.custom_call @unknown(%t) {has_side_effect = false} : (!stablehlo.token) -> !stablehlo.token
  return %0, %a : !stablehlo.token, tensor<4x4xf32>
}"""
    module = parse_module(text, "tokens.mlir")
    with pytest.raises(UnsupportedError, match="other values than tensors cannot be partitioned"):
        StablehloPartitionSpmdPass().apply(new_context(), module)
