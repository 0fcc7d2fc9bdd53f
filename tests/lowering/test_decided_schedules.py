"""Schedules that are decided pass the verifier when they are printed and read again, and compute the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.tools import xla_opt

from .stablehlo_harness import check
from .test_kernels_schedule import ROWS

DECIDED = {
    "tiles of transposes, some alone": """func.func @main(%x: tensor<127x127xf32>) -> tensor<127x127xf32> {
      %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<127x127xf32>) -> tensor<127x127xf32>
      %r = stablehlo.multiply %t, %x : tensor<127x127xf32>
      return %r : tensor<127x127xf32>
    }""",
    "one of two pieces in tiles": """
    func.func @main(%x: tensor<16x10x2xf32>, %a: tensor<1x1x1xf32>, %b: tensor<1x1x1xf32>) -> tensor<16x10x2xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %p = stablehlo.pad %a, %zero, low = [0, 0, 1], high = [15, 9, 0], interior = [0, 0, 0]
        : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<16x10x2xf32>
      %q = stablehlo.pad %b, %zero, low = [0, 0, 0], high = [15, 9, 1], interior = [0, 0, 0]
        : (tensor<1x1x1xf32>, tensor<f32>) -> tensor<16x10x2xf32>
      %s = stablehlo.add %x, %p : tensor<16x10x2xf32>
      %t = stablehlo.add %s, %q : tensor<16x10x2xf32>
      %r = stablehlo.exponential %t : tensor<16x10x2xf32>
      return %r : tensor<16x10x2xf32>
    }""",
    "tiles of dimensions taken as one": """
    func.func @main(%x: tensor<1x18x12x64xbf16>, %b: tensor<64xbf16>) -> tensor<1x64x18x12xbf16> {
      %t = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<1x18x12x64xbf16>) -> tensor<1x64x18x12xbf16>
      %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xbf16>) -> tensor<1x64x18x12xbf16>
      %r = stablehlo.add %t, %c : tensor<1x64x18x12xbf16>
      return %r : tensor<1x64x18x12xbf16>
    }""",
    "tiles of joined dimensions, and a rest": """
    func.func @main(%x: tensor<4x127x16xf32>) -> tensor<1x16x4x127xf32> {
      %two = stablehlo.constant dense<2.0> : tensor<1x16x4x127xf32>
      %t = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<4x127x16xf32>) -> tensor<16x4x127xf32>
      %r = stablehlo.reshape %t : (tensor<16x4x127xf32>) -> tensor<1x16x4x127xf32>
      %m = stablehlo.multiply %r, %two : tensor<1x16x4x127xf32>
      return %m : tensor<1x16x4x127xf32>
    }""",
    "groups of rows, the last smaller": ROWS.replace("64x", "61x").replace("<64", "<61"),
    "groups of rows, the last smaller, that an op goes through as one": """
    func.func @main(%a: tensor<65x4xf32>, %b: tensor<65x4xf32>, %x: tensor<65x4xf32>) -> tensor<65x4xf32> {
      %y = stablehlo.add %a, %b : tensor<65x4xf32>
      %r = stablehlo.reverse %y, dims = [1] : tensor<65x4xf32>
      %z = stablehlo.multiply %r, %x : tensor<65x4xf32>
      %w = stablehlo.add %z, %y : tensor<65x4xf32>
      return %w : tensor<65x4xf32>
    }""",
    "staged operands in groups of rows, the last smaller": """
    func.func @main(%x: tensor<127x32x2xf16>)
        -> (tensor<127x4x2xf16>, tensor<127x1x2xf16>, tensor<127x32x2xf16>) {
      %y = stablehlo.tanh %x : tensor<127x32x2xf16>
      %a = stablehlo.slice %y [0:127, 0:32:8, 0:2] : (tensor<127x32x2xf16>) -> tensor<127x4x2xf16>
      %b = stablehlo.slice %y [0:127, 1:32:8, 0:2] : (tensor<127x32x2xf16>) -> tensor<127x4x2xf16>
      %m = stablehlo.multiply %a, %b : tensor<127x4x2xf16>
      %c = stablehlo.slice %y [0:127, 0:1, 0:2] : (tensor<127x32x2xf16>) -> tensor<127x1x2xf16>
      %d = stablehlo.slice %y [0:127, 1:2, 0:2] : (tensor<127x32x2xf16>) -> tensor<127x1x2xf16>
      %s = stablehlo.add %c, %d : tensor<127x1x2xf16>
      return %m, %s, %y : tensor<127x4x2xf16>, tensor<127x1x2xf16>, tensor<127x32x2xf16>
    }""",
    "a staged operand in a loop of two dimensions": """
    func.func @main(%x: tensor<2x2x32x32xf32>, %y: tensor<32x32xf64>) -> tensor<2x2x32x32xf64> {
      %t = stablehlo.transpose %x, dims = [0, 1, 3, 2] : (tensor<2x2x32x32xf32>) -> tensor<2x2x32x32xf32>
      %c = stablehlo.convert %t : (tensor<2x2x32x32xf32>) -> tensor<2x2x32x32xf64>
      %b = stablehlo.broadcast_in_dim %y, dims = [3, 2] : (tensor<32x32xf64>) -> tensor<2x2x32x32xf64>
      %r = stablehlo.add %c, %b : tensor<2x2x32x32xf64>
      return %r : tensor<2x2x32x32xf64>
    }""",
    "staged operands of a dimension in two": """
    func.func @main(%x: tensor<93x40xf32>, %y: tensor<31x20xf32>) -> (tensor<40x93xf32>, tensor<40x93xf32>) {
      %r = stablehlo.concatenate %y, %y, %y, dim = 0
        : (tensor<31x20xf32>, tensor<31x20xf32>, tensor<31x20xf32>) -> tensor<93x20xf32>
      %c = stablehlo.concatenate %r, %r, dim = 1 : (tensor<93x20xf32>, tensor<93x20xf32>) -> tensor<93x40xf32>
      %a = stablehlo.add %x, %c : tensor<93x40xf32>
      %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<93x40xf32>) -> tensor<40x93xf32>
      %e = stablehlo.tanh %t : tensor<40x93xf32>
      %m = stablehlo.multiply %e, %t : tensor<40x93xf32>
      return %e, %m : tensor<40x93xf32>, tensor<40x93xf32>
    }""",
    "partial sums of groups of rows": """
    func.func @main(%x: tensor<2x7x130x20xf32>) -> (tensor<130xf32>, tensor<130xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<280.0> : tensor<130xf32>
      %s = stablehlo.multiply %x, %x : tensor<2x7x130x20xf32>
      %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1, 3]
        : (tensor<2x7x130x20xf32>, tensor<f32>) -> tensor<130xf32>
      %d = stablehlo.divide %r, %n : tensor<130xf32>
      %t = stablehlo.tanh %d : tensor<130xf32>
      return %d, %t : tensor<130xf32>, tensor<130xf32>
    }""",
    "pieces of rows in one loop": """
    func.func @main(%x: tensor<48x12xf32>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %c = stablehlo.concatenate %x, %x, dim = 1 : (tensor<48x12xf32>, tensor<48x12xf32>) -> tensor<48x24xf32>
      %r = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<48x24xf32>, tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    }""",
    "quotients of sums in sums": """
    func.func @main(%x: tensor<4x32x25x16xf64>) -> tensor<f64> {
      %zero = stablehlo.constant dense<0.0> : tensor<f64>
      %a = stablehlo.concatenate %x, %x, dim = 1
        : (tensor<4x32x25x16xf64>, tensor<4x32x25x16xf64>) -> tensor<4x64x25x16xf64>
      %c = stablehlo.concatenate %a, %a, %a, dim = 2
        : (tensor<4x64x25x16xf64>, tensor<4x64x25x16xf64>, tensor<4x64x25x16xf64>) -> tensor<4x64x75x16xf64>
      %r = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3]
        : (tensor<4x64x75x16xf64>, tensor<f64>) -> tensor<f64>
      return %r : tensor<f64>
    }""",
    "digits of digits in a sum": """
    func.func @main(%x: tensor<12x15x3xi32>) -> tensor<36x15x3xf32> {
      %c = stablehlo.concatenate %x, %x, %x, dim = 0
        : (tensor<12x15x3xi32>, tensor<12x15x3xi32>, tensor<12x15x3xi32>) -> tensor<36x15x3xi32>
      %r = stablehlo.convert %c : (tensor<36x15x3xi32>) -> tensor<36x15x3xf32>
      return %r : tensor<36x15x3xf32>
    }""",
    "a product of one tile": """
    func.func @main(%x: tensor<2x2048xf32>, %w: tensor<2048x16xf32>, %b: tensor<16xf32>) -> tensor<2x16xf32> {
      %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<2x2048xf32>, tensor<2048x16xf32>) -> tensor<2x16xf32>
      %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<2x16xf32>
      %r = stablehlo.add %p, %c : tensor<2x16xf32>
      return %r : tensor<2x16xf32>
    }""",
}


@pytest.mark.parametrize("name", DECIDED)
def test_what_is_decided_is_accepted(name: str, tmp_path: Path) -> None:
    """Printed and read again it passes the verifier, and computes the same; both as the reference."""
    (path := tmp_path / "program.mlir").write_text(DECIDED[name])
    scheduled = tmp_path / "scheduled.mlir"
    assert xla_opt.main([str(path), "-p", "xla-cpu-to-schedules{threads=1}", "-o", str(scheduled)]) == 0
    assert "schedule.kernel<{" in scheduled.read_text()
    executable = xdsl_xla.compile(path, threads=1)
    generator = np.random.default_rng(0)
    inputs = [(4 * generator.normal(size=each.shape)).astype(each.dtype) for each in executable.signature.inputs]
    again = xdsl_xla.compile(scheduled, threads=1, pipeline="xla-cpu-from-schedules")
    check(DECIDED[name], *inputs)
    for one, other in zip(executable(*inputs), again(*inputs), strict=True):
        assert one.tobytes() == other.tobytes()
