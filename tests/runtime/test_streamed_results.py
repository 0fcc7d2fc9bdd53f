"""Results that are stored past the caches are there when the program is over, wherever they begin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.decisions.copies import Copies
from xdsl_xla.decisions.model import host_model

SUM = """
func.func @main(%x: tensor<RxCxf32>) -> tensor<RxCxf32> {
  %r = stablehlo.add %x, %x : tensor<RxCxf32>
  return %r : tensor<RxCxf32>
}"""
TRANSPOSE = """
func.func @main(%x: tensor<CxRxf32>) -> tensor<RxCxf32> {
  %r = stablehlo.transpose %x, dims = [1, 0] : (tensor<CxRxf32>) -> tensor<RxCxf32>
  return %r : tensor<RxCxf32>
}"""
CENTRED = """
func.func @main(%x: tensor<RxCxf32>) -> tensor<RxCxf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<RxCxf32>, tensor<f32>) -> tensor<Rxf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<Rxf32>) -> tensor<RxCxf32>
  %r = stablehlo.subtract %x, %b : tensor<RxCxf32>
  return %r : tensor<RxCxf32>
}"""  # noqa: E501
STREAMED = replace(host_model(), copies=Copies(streamed_share=0.0))
PLAIN = replace(host_model(), copies=Copies(streamed_share=1e9))


@pytest.mark.parametrize("program", [SUM, TRANSPOSE, CENTRED])
@pytest.mark.parametrize(("rows", "columns"), [(64, 128), (33, 1000), (128, 1023), (600, 512)])
@pytest.mark.parametrize("threads", [1, 2])
def test_same_values(program: str, rows: int, columns: int, threads: int) -> None:
    text = program.replace("RxC", f"{rows}x{columns}").replace("CxR", f"{columns}x{rows}").replace("Rx", f"{rows}x")
    plain, streamed = (xdsl_xla.compile(text, threads=threads, cost_model=model) for model in (PLAIN, STREAMED))
    shape = (columns, rows) if program is TRANSPOSE else (rows, columns)
    x = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
    for _ in range(20):
        (expected,), (result,) = plain(x), streamed(x)
        np.testing.assert_array_equal(result, expected)


def test_results_at_multiples_of_16_bytes() -> None:
    executable = xdsl_xla.compile(SUM.replace("RxC", "64x128"), threads=1, cost_model=STREAMED)
    x = np.arange(64 * 128, dtype=np.float32).reshape(64, 128)
    storage = np.zeros(64 * 128 * 4 + 256, np.uint8)
    first = -storage.ctypes.data % 64
    for offset in (0, 16, 32, 48):
        out = np.ndarray((64, 128), np.float32, storage, first + offset)
        out[:] = 0
        executable._run([x.ctypes.data, out.ctypes.data])  # pyright: ignore[reportPrivateUsage]
        np.testing.assert_array_equal(out, x + x)
