"""What depends on the partition that runs a program."""

from __future__ import annotations

from xdsl_xla.ir.device_programs import between_partitions
from xdsl_xla.runtime.mlir_text import parse_module

PERMUTED = """"stablehlo.collective_permute"(%{0}) <{{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>{1}}}>
      : (tensor<2xf32>) -> tensor<2xf32>"""
CHANNEL = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"


def test_ops_between_partitions() -> None:
    """Collectives between replicas, and those inside of manual computations, do not count."""
    module = parse_module(f"""
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {{
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x"}}]>] out_shardings=[<@mesh, [{{"x"}}]>]
        manual_axes={{"x"}} (%z: tensor<2xf32>) {{
      %1 = {PERMUTED.format("z", CHANNEL)}
      sdy.return %1 : tensor<2xf32>
    }} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = {PERMUTED.format("y", "")}
    %3 = {PERMUTED.format("y", CHANNEL)}
    %4 = stablehlo.partition_id : tensor<ui32>
    return %0 : tensor<4xf32>
  }}""")
    found = [op.name for op in between_partitions(module)]
    assert found == ["stablehlo.collective_permute", "stablehlo.partition_id"]
