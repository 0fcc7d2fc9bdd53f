"""Elementwise ops, reductions by rows and over the rows in one pass: as the reference computes them, at every number of
threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import xdsl_xla

from .programs import Line, line, program, tensor
from .test_sibling_reductions import check, prologue

SHAPES: list[tuple[int, ...]] = [(37, 129), (1100, 65), (6, 9, 10, 33), (3, 5, 17, 16), (700, 3), (5003,), (2, 300, 40)]


@pytest.fixture(autouse=True)
def small_tensors(decide: Callable[..., object]) -> None:
    decide(fusion={"reduced_once_bytes": 1})
    decide(fusion={"read_once_bytes": 1})
    decide(parallelism={"parallel_region_bytes": 1})


def reduce(operand: str, shape: Sequence[int], axes: Sequence[int], element: str, op: str = "add") -> Line:
    kept = tensor([size for axis, size in enumerate(shape) if axis not in axes], element)
    init = {"add": "%zero", "maximum": "%least", "minimum": "%greatest"}[op]
    return line(
        f"stablehlo.reduce({operand} init: {init}) applies stablehlo.{op} across dimensions = {list(axes)} "
        f": ({tensor(shape, element)}, tensor<{element}>) -> {kept}",
        kept,
    )


def elementwise(op: str, operands: str, shape: Sequence[int], element: str) -> Line:
    return line(f"stablehlo.{op} {operands} : {tensor(shape, element)}", tensor(shape, element))


def axes_of(shape: Sequence[int]) -> list[list[int]]:
    """All leading dimensions, all trailing ones, the first, the last, all."""
    last = len(shape) - 1
    found = [list(range(last)), list(range(1, last + 1)), [0], [last], list(range(last + 1))]
    return [list(axes) for axes in dict.fromkeys(map(tuple, found)) if axes]


CASES = [*((shape, "f32") for shape in SHAPES), *(((37, 129), element) for element in ("f64", "f16", "bf16", "i32"))]


@pytest.mark.sample(14)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("shape, element", CASES)
def test_reductions_of_what_is_computed(shape: tuple[int, ...], element: str, threads: int) -> None:
    lines = [elementwise("multiply", "%x, %y", shape, element)]
    for axes in axes_of(shape):
        lines += [reduce("%r0", shape, axes, element), reduce("%x", shape, axes, element, "maximum")]
    check(program(f"%x: {tensor(shape, element)}, %y: {tensor(shape, element)}", lines, prologue(element)), threads)


@pytest.mark.sample(10)
@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_random_mixtures(seed: int, threads: int) -> None:
    random = np.random.default_rng(seed)
    shape = SHAPES[random.integers(len(SHAPES))]
    full = ["%x", "%y"]
    lines: list[Line] = []
    for _ in range(8):
        operand = full[random.integers(len(full))]
        if random.random() < 0.4:
            other = full[random.integers(len(full))]
            op = ["add", "multiply", "maximum", "subtract"][random.integers(4)]
            full.append(f"%r{len(lines)}")
            lines.append(elementwise(op, f"{operand}, {other}", shape, "f32"))
            continue
        choices = axes_of(shape)
        axes = choices[random.integers(len(choices))]
        kept = [axis for axis in range(len(shape)) if axis not in axes]
        lines.append(reduce(operand, shape, axes, "f32", ["add", "maximum", "minimum"][random.integers(3)]))
        if random.random() < 0.5:
            # What is reduced is used at every point again.
            source = f"%r{len(lines) - 1}"
            kind = tensor([shape[axis] for axis in kept])
            full.append(f"%r{len(lines)}")
            broadcast = f"stablehlo.broadcast_in_dim {source}, dims = {kept} : ({kind}) -> {tensor(shape)}"
            lines.append(line(broadcast, tensor(shape)))
    check(program(f"%x: {tensor(shape)}, %y: {tensor(shape)}", lines, prologue("f32")), threads)


LONG_SUMS = """
func.func @main(%x: tensor<{n}x{m}x{k}xf32>) -> (tensor<{n}x{m}xf32>, tensor<{m}xf32>) {{
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2]
    : (tensor<{n}x{m}x{k}xf32>, tensor<f32>) -> tensor<{n}x{m}xf32>
  %b = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<{n}x{m}xf32>) -> tensor<{n}x{m}x{k}xf32>
  %d = stablehlo.subtract %x, %b : tensor<{n}x{m}x{k}xf32>
  %e = stablehlo.exponential %d : tensor<{n}x{m}x{k}xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
    : (tensor<{n}x{m}x{k}xf32>, tensor<f32>) -> tensor<{n}x{m}xf32>
  %t = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [0]
    : (tensor<{n}x{m}xf32>, tensor<f32>) -> tensor<{m}xf32>
  return %s, %t : tensor<{n}x{m}xf32>, tensor<{m}xf32>
}}
"""


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("shape", [(50, 2, 10001), (64, 2, 8192), (53, 3, 20000)])
def test_long_sums_in_blocks_of_rows(shape: tuple[int, int, int], threads: int) -> None:
    """Rows are in blocks for threads, and the sums of each in parts."""
    n, m, k = shape
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    sums, largest = xdsl_xla.compile(LONG_SUMS.format(n=n, m=m, k=k), threads=threads)(x)
    expected = np.exp((x - x.max(2, keepdims=True)).astype(np.float64)).sum(2)
    np.testing.assert_allclose(sums, expected, rtol=1e-6)
    np.testing.assert_allclose(largest, expected.max(0), rtol=1e-6)
