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
