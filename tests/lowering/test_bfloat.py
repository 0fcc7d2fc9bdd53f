"""`bf16` that is only moved: LLVM 22 aborts the process on some vectors of bfloat, so its bits go by as integers."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import xdsl_xla


def test_transposed_vectors() -> None:
    program = xdsl_xla.compile(
        """
        func.func @main(%x: tensor<17x4x7xbf16>) -> (tensor<7x4x17xbf16>, tensor<17x4x7xbf16>) {
          %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<17x4x7xbf16>) -> tensor<7x4x17xbf16>
          %1 = stablehlo.negate %x : tensor<17x4x7xbf16>
          return %0, %1 : tensor<7x4x17xbf16>, tensor<17x4x7xbf16>
        }"""
    )
    x = np.random.default_rng(0).normal(size=(17, 4, 7)).astype(ml_dtypes.bfloat16)
    transposed, negated = program(x)
    np.testing.assert_array_equal(transposed, x.transpose(2, 1, 0))
    np.testing.assert_array_equal(negated, -x)
