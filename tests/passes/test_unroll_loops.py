"""Loops of a few iterations over large tensors: unrolled or not, native code agrees with the reference."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

LOOP = """
!t = tensor<70000xi32>
func.func @main(%x: !t, %y: !t) -> (!t, !t, tensor<{type}>) {{
  %start = stablehlo.constant dense<{start}> : tensor<{type}>
  %end = stablehlo.constant dense<{end}> : tensor<{type}>
  %step = stablehlo.constant dense<{step}> : tensor<{type}>
  %0:3 = stablehlo.while(%i = %start, %a = %x, %b = %y) : tensor<{type}>, !t, !t
  cond {{
    %c = stablehlo.compare {compare} : (tensor<{type}>, tensor<{type}>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }} do {{
    %n = stablehlo.convert %i : (tensor<{type}>) -> tensor<i32>
    %m = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> !t
    %s = stablehlo.multiply %a, %m : !t
    %t = stablehlo.add %s, %b : !t
    %j = stablehlo.add {add} : tensor<{type}>
    stablehlo.return %j, %b, %t : tensor<{type}>, !t, !t
  }}
  return %0#1, %0#2, %0#0 : !t, !t, tensor<{type}>
}}
"""

CASES = {
    "up": ("i32", 0, 5, 1, "LT, %i, %end", "%i, %step", True),
    "up_to_and_with": ("i64", 3, 9, 3, "LE, %i, %end", "%step, %i", True),
    "down": ("i32", 7, 2, -1, "GT, %i, %end", "%i, %step", True),
    "until": ("ui8", 0, 4, 2, "NE, %i, %end", "%i, %step", True),
    "turned_around": ("i32", 1, 4, 1, "GT, %end, %i", "%i, %step", True),
    "never": ("i32", 5, 5, 1, "LT, %i, %end", "%i, %step", True),
    "long": ("i32", 0, 40, 1, "LT, %i, %end", "%i, %step", False),
    "past_zero": ("i32", 2, -2, -1, "GT, %i, %end", "%i, %step", False),
}


@pytest.mark.parametrize("name", CASES)
def test_against_the_reference(name: str) -> None:
    type_name, start, end, step, compare, add, unrolled = CASES[name]
    text = LOOP.format(type=type_name, start=start, end=end, step=step, compare=compare, add=add)
    generator = np.random.default_rng(0)
    inputs = [generator.integers(-9, 9, 70000).astype(np.int32) for _ in range(2)]
    module = parse_module(text, "<text>", new_context())
    expected = run(module, "main", inputs)
    load_pass("stablehlo-unroll-loops")().apply(new_context(), module)
    assert any(op.name == "stablehlo.while" for op in module.walk()) is not unrolled
    for threads in range(1, 5):
        for ours, theirs in zip(xdsl_xla.compile(text, threads=threads)(*inputs), expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)
