"""What tests of the tuner share: programs, their kernels, and a stopwatch that knows the times in advance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.tuner.kernels import Kernel
from xdsl_xla.runtime.tuner.stopwatch import Comparison, Runnable, Stopwatch
from xdsl_xla.runtime.tuner.workbench import Workbench

EXP = """
func.func @main(%x: tensor<24x16xf32>) -> tensor<24x16xf32> {
  %0 = stablehlo.exponential %x : tensor<24x16xf32>
  return %0 : tensor<24x16xf32>
}
"""
ROWS = """
func.func @main(%x: tensor<24x16xf32>) -> tensor<24x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<24x16xf32>, tensor<f32>) -> tensor<24xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<24xf32>) -> tensor<24x16xf32>
  %e = stablehlo.exponential %x : tensor<24x16xf32>
  %r = stablehlo.divide %e, %s : tensor<24x16xf32>
  return %r : tensor<24x16xf32>
}
"""
TRANSPOSE_ADD = """
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = stablehlo.add %t, %x : tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
"""


def request(threads: int = 1) -> Request:
    return Request(threads, "xla-cpu", None, None, 2, None, None, False)


def bench(program: str, threads: int = 1) -> Workbench:
    return Workbench(program, "program", request(threads))


def kernel(program: str, threads: int = 1) -> tuple[Workbench, Kernel]:
    """The only kernel of a program."""
    found = bench(program, threads)
    (only,) = found.kernels
    return found, only


@dataclass(frozen=True)
class KnownTimes(Stopwatch):
    """`cost` says what a program takes, by its label. Every look at the clock takes a hundredth of a second."""

    cost: Callable[[str], float] = lambda _: 1.0
    compared: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def seconds(self, program: Runnable) -> float:
        return self.cost(program.label)

    def compare(self, old: Runnable, new: Runnable) -> Comparison:
        self.compared.append((old.label, new.label))
        times = self.cost(old.label), self.cost(new.label)
        return Comparison(*times, times[1] / times[0], times[1] / times[0])


def known_times(cost: Callable[[str], float]) -> KnownTimes:
    ticks = count()
    return KnownTimes(clock=lambda: next(ticks) / 100, cost=cost)
