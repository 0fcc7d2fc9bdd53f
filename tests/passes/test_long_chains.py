"""Programs whose chains of ops are longer than Python's stack is deep."""

from __future__ import annotations

import numpy as np
import xdsl_xla


def test_chain_of_elementwise_ops() -> None:
    count = 600
    steps = "\n".join(f"%{i + 1} = stablehlo.add %{i}, %x : tensor<4xf32>" for i in range(count))
    text = f"""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.negate %x : tensor<4xf32>
      {steps}
      return %{count} : tensor<4xf32>
    }}"""
    x = np.array([0, 1, -2, 3], np.float32)
    (result,) = xdsl_xla.compile(text, threads=1)(x)
    np.testing.assert_array_equal(result, (count - 1) * x)
