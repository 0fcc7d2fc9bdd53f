"""Compiling a program of twice the size takes twice the work: function calls are counted, not time."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest
from xdsl_xla.lowering.llvm_to_text import emit
from xdsl_xla.runtime.entry import isolate_entry, resolve_entry
from xdsl_xla.runtime.mlir_text import new_context, parse_module, verify_module
from xdsl_xla.runtime.pass_manager import parse_passes

BLOCK = """
  %mean{n} = stablehlo.dot_general %x{n}, %ones, contracting_dims = [1] x [0]
      : (tensor<16x8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %wide{n} = stablehlo.broadcast_in_dim %mean{n}, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
  %centred{n} = stablehlo.subtract %x{n}, %wide{n} : tensor<16x8xf32>
  %max{n} = stablehlo.reduce(%centred{n} init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
  %highest{n} = stablehlo.broadcast_in_dim %max{n}, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
  %less{n} = stablehlo.subtract %centred{n}, %highest{n} : tensor<16x8xf32>
  %e{n} = stablehlo.exponential %less{n} : tensor<16x8xf32>
  %h{n} = stablehlo.dot_general %e{n}, %w, contracting_dims = [1] x [0]
      : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %t{n} = stablehlo.transpose %h{n}, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
  %r{n} = stablehlo.reshape %t{n} : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %s{n} = stablehlo.slice %r{n} [0:1, 0:8] : (tensor<16x8xf32>) -> tensor<1x8xf32>
  %i{n} = stablehlo.constant dense<{n}> : tensor<i32>
  %u{n} = stablehlo.dynamic_update_slice %r{n}, %s{n}, %i{n}, %i{n}
      : (tensor<16x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
  %x{m} = stablehlo.add %x{n}, %u{n} : tensor<16x8xf32>
"""
"""A residual block with a bit of everything: row statistics, a product, movement, an update."""

PROGRAM = """
func.func public @main(%x0: tensor<16x8xf32>, %w: tensor<8x8xf32>, %ones: tensor<8xf32>) -> tensor<16x8xf32> {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
{blocks}
  return %x{count} : tensor<16x8xf32>
}}
"""


def calls_by_step(count: int) -> Counter[str]:
    """How many Python functions each step of compiling a stack of `count` blocks calls."""
    blocks = "".join(BLOCK.format(n=n, m=n + 1) for n in range(count))
    text = PROGRAM.format(blocks=blocks, count=count)
    calls: Counter[str] = Counter()
    step = ""

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            calls[step] += 1

    context = new_context()
    passes = parse_passes("xla-cpu", defaults={"threads": (2,)})
    sys.setprofile(note)
    try:
        step = "parse"
        module = parse_module(text, "<text>", context)
        step = "verify"
        verify_module(module)
        isolate_entry(module, resolve_entry(module, None))
        for each in passes:
            step = each.name
            each.apply(context, module)
        step = "llvm-emit"
        emit(module)
    finally:
        sys.setprofile(None)
    return calls


@pytest.fixture(scope="module")
def growth() -> dict[str, tuple[int, int]]:
    calls_by_step(4)
    small, large = calls_by_step(8), calls_by_step(32)
    return {step: (small[step], large[step]) for step in large}


def test_no_step_grows_faster_than_the_program(growth: dict[str, tuple[int, int]]) -> None:
    assert growth["parse"][1] > 2 * growth["parse"][0]
    superlinear = {step: calls for step, calls in growth.items() if calls[1] > 4.5 * calls[0]}
    assert not superlinear
