"""Statistics per channel and their gradients, as of a batch norm: what is cheap is computed again where it is read."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla

TEXT = """
!x = tensor<8x24x24x48xf32>
!c = tensor<48xf32>
func.func @main(%x: !x, %g: !x) -> (!x, !c, !c, !x) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %scale = stablehlo.constant dense<2.1701389e-4> : tensor<1x1x1x48xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
    : (!x, tensor<f32>) -> !c
  %row = stablehlo.reshape %sum : (!c) -> tensor<1x1x1x48xf32>
  %mean = stablehlo.multiply %row, %scale : tensor<1x1x1x48xf32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [0, 1, 2, 3] : (tensor<1x1x1x48xf32>) -> !x
  %centred = stablehlo.subtract %x, %means : !x
  %squares = stablehlo.multiply %centred, %centred : !x
  %variance = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
    : (!x, tensor<f32>) -> !c
  %products = stablehlo.multiply %centred, %g : !x
  %slope = stablehlo.reduce(%products init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
    : (!x, tensor<f32>) -> !c
  %slopes = stablehlo.broadcast_in_dim %slope, dims = [3] : (!c) -> !x
  %y = stablehlo.multiply %centred, %slopes : !x
  return %y, %variance, %slope, %centred : !x, !c, !c, !x
}
"""


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_channels(threads: int) -> None:
    generator = np.random.default_rng(0)
    x, g = (generator.normal(1.0, 1.0, (8, 24, 24, 48)).astype(np.float32) for _ in range(2))
    y, variance, slope, centred = xdsl_xla.compile(TEXT, threads=threads)(x, g)
    exact = x.astype(np.float64)
    exact = exact - exact.mean((0, 1, 2))
    np.testing.assert_allclose(centred, exact, rtol=0, atol=1e-5)
    np.testing.assert_allclose(variance, (exact * exact).sum((0, 1, 2)), rtol=1e-5)
    np.testing.assert_allclose(slope, (exact * g).sum((0, 1, 2)), rtol=1e-4, atol=1e-2)
    np.testing.assert_allclose(y, centred * slope, rtol=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", [(100003,), (37, 5000), (5000, 37)])
def test_dot_products(shape: tuple[int, ...], threads: int) -> None:
    """Products of which nothing is read twice: over all elements, or per element of the last dimension."""
    last = shape[-1:] if len(shape) > 1 else ()
    kept = "batching_dims = [1] x [1], " if last else ""
    types = ["tensor<" + "".join(f"{n}x" for n in dims) + "f32>" for dims in (shape, last)]
    text = f"""
    func.func @main(%x: {types[0]}, %y: {types[0]}) -> {types[1]} {{
      %0 = stablehlo.add %x, %y : {types[0]}
      %1 = stablehlo.dot_general %0, %y, {kept}contracting_dims = [0] x [0]
        : ({types[0]}, {types[0]}) -> {types[1]}
      return %1 : {types[1]}
    }}"""
    generator = np.random.default_rng(0)
    x, y = (generator.normal(size=shape).astype(np.float32) for _ in range(2))
    (result,) = xdsl_xla.compile(text, threads=threads)(x, y)
    exact = ((x + y).astype(np.float64) * y).sum(0)
    np.testing.assert_allclose(result, exact, rtol=1e-4, atol=1e-2)


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", [(64, 256, 64), (9, 70, 33), (5, 3, 2, 40), (4, 300, 16)])
def test_outer_and_inner_dimensions(shape: tuple[int, ...], threads: int) -> None:
    """Reductions over the first and the last dimensions."""
    type, kept = (f"tensor<{''.join(f'{n}x' for n in dims)}f32>" for dims in (shape, shape[1:2]))
    axes = (0, *range(2, len(shape)))
    reduces = [
        f"%{op} = stablehlo.reduce(%x init: %i{op}) applies stablehlo.{op} across dimensions = {list(axes)} "
        f": ({type}, tensor<f32>) -> {kept}"
        for op in ("add", "maximum")
    ]
    text = f"""
    func.func @main(%x: {type}) -> ({kept}, {kept}) {{
      %iadd = stablehlo.constant dense<0.0> : tensor<f32>
      %imaximum = stablehlo.constant dense<0xFF800000> : tensor<f32>
      {reduces[0]}
      {reduces[1]}
      return %add, %maximum : {kept}, {kept}
    }}"""
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    x[1, 2, 1] = np.nan
    total, largest = xdsl_xla.compile(text, threads=threads)(x)
    np.testing.assert_allclose(total, x.astype(np.float64).sum(axes), rtol=1e-5, atol=1e-4)
    np.testing.assert_array_equal(largest, x.max(axes))
