"""Convolutions of padded images, at several numbers of threads."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla

CONVOLUTION = """
func.func @main(%x: tensor<{image}xf32>, %k: tensor<{kernel}xf32>) -> tensor<{result}xf32> {{
  %0 = stablehlo.convolution(%x, %k) dim_numbers = {dims}, window = {{stride = {stride}, pad = {pad}}}
    {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
    : (tensor<{image}xf32>, tensor<{kernel}xf32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}
"""

CASES = {
    "same": ((16, 20, 21, 32), (3, 3, 32, 48), (16, 20, 21, 48), [1, 1], [[1, 1], [1, 1]], 1),
    "few_images": ((3, 40, 41, 32), (3, 3, 32, 48), (3, 40, 41, 48), [1, 1], [[1, 1], [1, 1]], 1),
    "stride": ((9, 30, 30, 16), (5, 5, 16, 32), (9, 15, 15, 32), [2, 2], [[2, 2], [2, 2]], 1),
    "uneven": ((8, 25, 26, 24), (2, 4, 24, 40), (8, 25, 26, 40), [1, 1], [[1, 0], [1, 2]], 1),
    "groups": ((8, 24, 24, 32), (3, 3, 16, 64), (8, 24, 24, 64), [1, 1], [[1, 1], [1, 1]], 2),
}


@pytest.mark.parametrize("name", CASES)
def test_padded_convolutions(name: str) -> None:
    image, kernel, result, stride, pad, groups = CASES[name]
    text = CONVOLUTION.format(
        image="x".join(map(str, image)),
        kernel="x".join(map(str, kernel)),
        result="x".join(map(str, result)),
        dims="[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
        stride=stride,
        pad=pad,
        groups=groups,
    )
    generator = np.random.default_rng(3)
    x, k = (generator.normal(size=size).astype(np.float32) for size in (image, kernel))
    padded = np.pad(x, [(0, 0), *pad, (0, 0)]).astype(np.float64)
    expected = np.zeros(result)
    features = result[-1] // groups
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            rows, columns = (
                slice(at, at + (n - 1) * s + 1, s) for at, n, s in zip((i, j), result[1:3], stride, strict=True)
            )
            for group in range(groups):
                out = slice(group * features, (group + 1) * features)
                inputs = slice(group * kernel[2], (group + 1) * kernel[2])
                expected[..., out] += padded[:, rows, columns, inputs] @ k[i, j][:, out]
    for threads in range(1, 5):
        executable = xdsl_xla.compile(text, threads=threads)
        for _ in range(2):  # the second time with memory that has been used
            (ours,) = executable(x, k)
            np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4)
