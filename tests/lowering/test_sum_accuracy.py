"""Long sums of floats keep their digits, whichever dimension they run along and however many threads there are."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize(("shape", "dims"), [((20000, 64), [0]), ((8, 50, 50, 3), [0, 1, 2]), ((5, 20000), [1])])
def test_sums(shape: tuple[int, ...], dims: list[int], pipeline: str, threads: int) -> None:
    """Numbers of one sign: adding them one after the other would be wrong in the sixth digit."""
    kept = [size for dim, size in enumerate(shape) if dim not in dims]
    operand, result = (f"tensor<{'x'.join(map(str, sizes))}xf32>" for sizes in (shape, kept))
    text = f"""
    func.func @main(%x: {operand}) -> {result} {{
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = {dims} :
        ({operand}, tensor<f32>) -> {result}
      return %r : {result}
    }}"""
    x = np.random.default_rng(0).uniform(0.1, 1, shape).astype(np.float32)
    (sums,) = xdsl_xla.compile(text, pipeline=pipeline, threads=threads)(x)
    np.testing.assert_allclose(sums, x.astype(np.float64).sum(tuple(dims)), rtol=1e-6)
