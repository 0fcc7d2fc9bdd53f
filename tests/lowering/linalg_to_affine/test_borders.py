"""Padding, concatenation and updates of large tensors: only what is not overwritten is filled."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla

PAD = """
func.func @main(%x: tensor<{source}xf32>, %v: tensor<f32>) -> tensor<{result}xf32> {{
  %0 = stablehlo.pad %x, %v, low = {low}, high = {high}, interior = {interior}
    : (tensor<{source}xf32>, tensor<f32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}
"""

CASES = {
    "image": ((4, 30, 31, 40), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0)),
    "images": ((9, 3, 30, 40), (0, 0, 1, 1), (0, 0, 2, 1), (0, 0, 0, 0)),
    "few_images": ((3, 1, 80, 90), (0, 0, 2, 2), (0, 0, 2, 2), (0, 0, 0, 0)),
    "volumes": ((2, 12, 13, 14, 9), (0, 1, 1, 1, 0), (0, 1, 1, 2, 0), (0, 0, 0, 0, 0)),
    "batch_and_rows": ((8, 30, 5, 40), (1, 1, 0, 3), (2, 0, 0, 3), (0, 0, 0, 0)),
    "in_front": ((200, 300), (3, 0), (0, 0), (0, 0)),
    "behind": ((200, 300), (0, 0), (0, 5), (0, 0)),
    "all_around": ((60, 50, 40), (1, 2, 3), (3, 2, 1), (0, 0, 0)),
    "of_one": ((1, 40000), (0, 7), (1, 0), (0, 0)),
    "rather_small": ((20, 30), (1, 1), (1, 1), (0, 0)),
    "mostly_padding": ((100, 100), (100, 90), (0, 9), (0, 0)),
    "interior": ((100, 200), (1, 1), (1, 1), (0, 1)),
    "cut_off": ((100, 400), (1, -3), (-1, 2), (0, 0)),
    "line": ((70000,), (5,), (6,), (0,)),
}


@pytest.mark.parametrize("name", CASES)
def test_pad(name: str) -> None:
    source, low, high, interior = CASES[name]
    steps = [i + 1 for i in interior]
    result = tuple((n - 1) * s + 1 + a + b for n, s, a, b in zip(source, steps, low, high, strict=True))
    text = PAD.format(
        source="x".join(map(str, source)),
        result="x".join(map(str, result)),
        low=list(low),
        high=list(high),
        interior=list(interior),
    )
    x = np.random.default_rng(0).normal(size=source).astype(np.float32)
    spread = np.full([(n - 1) * s + 1 for n, s in zip(source, steps, strict=True)], 7.5, np.float32)
    spread[tuple(slice(None, None, s) for s in steps)] = x
    cut = spread[tuple(slice(max(-a, 0), n - max(-b, 0)) for n, a, b in zip(spread.shape, low, high, strict=True))]
    expected = np.pad(cut, [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], constant_values=7.5)
    for threads in range(1, 5):
        (ours,) = xdsl_xla.compile(text, threads=threads)(x, np.float32(7.5))
        np.testing.assert_array_equal(ours, expected)


WRITERS = {
    "transposed": "stablehlo.transpose %x, dims = [0, 2, 3, 1] : (tensor<9x8x40x30xf32>) -> tensor<9x40x30x8xf32>",
    "computed": """stablehlo.add %y, %y : tensor<9x40x30x8xf32>""",
    "broadcast": "stablehlo.broadcast_in_dim %r, dims = [2, 3] : (tensor<30x8xf32>) -> tensor<9x40x30x8xf32>",
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_computed_into_a_pad(name: str) -> None:
    text = f"""
    func.func @main(%x: tensor<9x8x40x30xf32>, %y: tensor<9x40x30x8xf32>, %r: tensor<30x8xf32>)
        -> tensor<9x42x32x8xf32> {{
      %v = stablehlo.constant dense<-1.5> : tensor<f32>
      %0 = {WRITERS[name]}
      %1 = stablehlo.pad %0, %v, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0]
        : (tensor<9x40x30x8xf32>, tensor<f32>) -> tensor<9x42x32x8xf32>
      return %1 : tensor<9x42x32x8xf32>
    }}"""
    generator = np.random.default_rng(1)
    x, y, r = (generator.normal(size=size).astype(np.float32) for size in ((9, 8, 40, 30), (9, 40, 30, 8), (30, 8)))
    inside = {"transposed": x.transpose(0, 2, 3, 1), "computed": y + y, "broadcast": np.broadcast_to(r, y.shape)}[name]
    expected = np.pad(inside, [(0, 0), (1, 1), (1, 1), (0, 0)], constant_values=-1.5)
    for threads in range(1, 5):
        (ours,) = xdsl_xla.compile(text, threads=threads)(x, y, r)
        np.testing.assert_array_equal(ours, expected)
