"""Channels in groups: what runs over all channels at once computes what the reference does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.model import host_model
from xdsl_xla.dialects import stablehlo
from xdsl_xla.dialects.stablehlo.shapes import shape_of
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

PROGRAM = """
func.func @main(%x: tensor<4x9x24x{type}>, %scale: tensor<24x{type}>) -> (tensor<4x9x24x{type}>, tensor<{result}>) {{
  %zero = stablehlo.constant dense<0> : tensor<{type}>
  %five = stablehlo.constant dense<5> : tensor<4x9x8x3x{type}>
  %g = stablehlo.reshape %x : (tensor<4x9x24x{type}>) -> tensor<4x9x8x3x{type}>
  %sum = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = {dims}
      : (tensor<4x9x8x3x{type}>, tensor<{type}>) -> tensor<{result}>
  %total = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0, 1, 3]
      : (tensor<4x9x8x3x{type}>, tensor<{type}>) -> tensor<8x{type}>
  %per_group = stablehlo.broadcast_in_dim %total, dims = [2] : (tensor<8x{type}>) -> tensor<4x9x8x3x{type}>
  %s = stablehlo.reshape %scale : (tensor<24x{type}>) -> tensor<8x3x{type}>
  %per_channel = stablehlo.broadcast_in_dim %s, dims = [2, 3] : (tensor<8x3x{type}>) -> tensor<4x9x8x3x{type}>
  %a = stablehlo.subtract %g, %per_group : tensor<4x9x8x3x{type}>
  %is_less = stablehlo.compare LT, %a, %five : (tensor<4x9x8x3x{type}>, tensor<4x9x8x3x{type}>) -> tensor<4x9x8x3xi1>
  %b = stablehlo.select %is_less, %a, %per_channel : tensor<4x9x8x3xi1>, tensor<4x9x8x3x{type}>
  %y = stablehlo.reshape %b : (tensor<4x9x8x3x{type}>) -> tensor<4x9x24x{type}>
  return %y, %sum : tensor<4x9x24x{type}>, tensor<{result}>
}}
"""

RESULTS = {
    "[0, 1, 3]": "8x",
    "[1, 3]": "4x8x",
    "[0, 1]": "8x3x",
    "[1, 2]": "4x3x",
    "[0, 2, 3]": "9x",
    "[0, 1, 2, 3]": "",
    "[3]": "4x9x8x",
}


MODEL = replace(host_model(), loops=replace(host_model().loops, joined_group_elements=1))


@pytest.mark.parametrize("dims", RESULTS)
@pytest.mark.parametrize("type", ["f32", "i32"])
def test_joined_groups_compute_what_the_reference_does(dims: str, type: str) -> None:
    text = PROGRAM.format(type=type, dims=dims, result=RESULTS[dims] + type)
    generator = np.random.default_rng(0)
    dtype = np.float32 if type == "f32" else np.int32
    arguments = [generator.integers(-9, 9, shape).astype(dtype) for shape in ((4, 9, 24), (24,))]
    expected = run(parse_module(text), "main", arguments)
    module, context = parse_module(text), new_context()
    context.cost_model = MODEL
    load_pass("stablehlo-join-groups")().apply(context, module)
    module.verify()
    (difference,) = (op for op in module.walk() if isinstance(op, stablehlo.SubtractOp))
    assert shape_of(difference.results[0]) == (4, 9, 24)
    for results in (run(module, "main", arguments), xdsl_xla.compile(text, threads=1, cost_model=MODEL)(*arguments)):
        for result, other in zip(results, expected, strict=True):
            np.testing.assert_array_equal(np.asarray(result), np.asarray(other))
