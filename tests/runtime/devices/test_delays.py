"""Random pauses of devices."""

from __future__ import annotations

import time

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ProgramTimeoutError
from xdsl_xla.runtime.devices.delays import random_delays
from xdsl_xla.runtime.devices.local import LocalTransport

PROGRAM = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x0: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xi32> {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<20> : tensor<i32>
  %w:2 = stablehlo.while(%i = %c0, %x = %x0) : tensor<i32>, tensor<4xi32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %r = stablehlo.reverse %x, dims = [0] : tensor<4xi32>
    %y = stablehlo.add %r, %x : tensor<4xi32>
    %j = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %j, %y : tensor<i32>, tensor<4xi32>
  }
  return %w#1 : tensor<4xi32>
}"""


def test_values_are_the_same_and_come_later() -> None:
    executable = xdsl_xla.compile(PROGRAM, devices=2)
    x = np.arange(4, dtype=np.int32)
    (wanted,) = executable(x)
    with random_delays(3, 0.01):
        start = time.monotonic()
        (result,) = executable(x)
        assert time.monotonic() - start > 0.01
    assert result.tobytes() == wanted.tobytes() and wanted[0] == 3 << 19


def test_only_what_is_made_within_pauses() -> None:
    usual = LocalTransport(1, lambda device: (0, device))
    with random_delays(0):
        pausing = LocalTransport(1, lambda device: (0, device))
    assert pausing.begin != usual.begin and pausing.end != usual.end
    assert LocalTransport(1, lambda device: (0, device)).begin == usual.begin


def test_a_pause_that_is_too_long_is_an_error() -> None:
    executable = xdsl_xla.compile(PROGRAM, devices=2).with_collective_timeout(0.05)
    with random_delays(1, 0.9), pytest.raises(ProgramTimeoutError, match=r"has waited 0\.05 seconds"):
        executable(np.arange(4, dtype=np.int32))
