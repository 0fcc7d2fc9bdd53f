"""What a loop does not change is computed in front of it, and is there in every iteration."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

PROGRAM = """
func.func @main(%a: tensor<64x8xf32>, %x: tensor<64xf32>, %n: tensor<i32>) -> (tensor<64xf32>, tensor<8x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x64xf32>
  %0:3 = stablehlo.while(%i = %zero, %y = %x, %sum = %zeros) : tensor<i32>, tensor<64xf32>, tensor<8x64xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %sine = stablehlo.sine %a : tensor<64x8xf32>
      %t = stablehlo.transpose %sine, dims = [1, 0] : (tensor<64x8xf32>) -> tensor<8x64xf32>
      %p = stablehlo.dot_general %t, %y, contracting_dims = [1] x [0]
        : (tensor<8x64xf32>, tensor<64xf32>) -> tensor<8xf32>
      %q = stablehlo.dot_general %p, %t, contracting_dims = [0] x [0]
        : (tensor<8xf32>, tensor<8x64xf32>) -> tensor<64xf32>
      %row = stablehlo.reshape %q : (tensor<64xf32>) -> tensor<1x64xf32>
      %changed = stablehlo.dynamic_update_slice %t, %row, %i, %zero
        : (tensor<8x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<8x64xf32>
      %next = stablehlo.add %sum, %changed : tensor<8x64xf32>
      %norm = stablehlo.constant dense<0.01> : tensor<64xf32>
      %scaled = stablehlo.multiply %q, %norm : tensor<64xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %scaled, %next : tensor<i32>, tensor<64xf32>, tensor<8x64xf32>
    }
  return %0#1, %0#2 : tensor<64xf32>, tensor<8x64xf32>
}
"""


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("trips", [0, 1, 5])
def test_an_update_does_not_change_it(trips: int, threads: int) -> None:
    rng = np.random.default_rng(0)
    arguments = [rng.normal(size=s).astype(np.float32) for s in ((64, 8), (64,))] + [np.array(trips, np.int32)]
    results = xdsl_xla.compile(PROGRAM, threads=threads)(*arguments)
    for result, expected in zip(results, run(parse_module(PROGRAM), "main", arguments), strict=True):
        np.testing.assert_allclose(result, np.asarray(expected), rtol=1e-4, atol=1e-4)


def test_random_numbers_are_those_of_each_iteration() -> None:
    """Their sum reads nothing that the loop changes, and may not leave it all the same."""
    executable = xdsl_xla.compile(
        """func.func @main() -> tensor<4xf32> {
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %end = stablehlo.constant dense<4> : tensor<i32>
          %low = stablehlo.constant dense<0.0> : tensor<f32>
          %high = stablehlo.constant dense<1.0> : tensor<f32>
          %shape = stablehlo.constant dense<[1000]> : tensor<1xi64>
          %none = stablehlo.constant dense<0.0> : tensor<4xf32>
          %0:2 = stablehlo.while(%i = %zero, %sums = %none) : tensor<i32>, tensor<4xf32>
            cond {
              %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1>
            } do {
              %r = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
                : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<1000xf32>
              %s = stablehlo.reduce(%r init: %low) applies stablehlo.add across dimensions = [0]
                : (tensor<1000xf32>, tensor<f32>) -> tensor<f32>
              %s1 = stablehlo.reshape %s : (tensor<f32>) -> tensor<1xf32>
              %u = stablehlo.dynamic_update_slice %sums, %s1, %i
                : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
              %next = stablehlo.add %i, %one : tensor<i32>
              stablehlo.return %next, %u : tensor<i32>, tensor<4xf32>
            }
          return %0#1 : tensor<4xf32>
        }""",
        cache=False,
    )
    (sums,) = executable()
    assert len(set(sums.tolist())) == 4
