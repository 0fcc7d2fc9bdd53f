"""What rounding explains, and what it does not."""

from __future__ import annotations

from typing import Any

import broken_passes as broken
import numpy as np
import pytest
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.tools.comparison import default_tolerance
from xdsl_xla.tools.conditioning import input_spread, mismatch_beyond, rounding_spread
from xdsl_xla.tools.differential import Subject
from xdsl_xla.tools.observed_runs import OutOfTimeError, Recording, run_observed
from xdsl_xla.tools.pass_checks import PassCheck

CANCELLATION = b"""func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %big = stablehlo.constant dense<1.0e+06> : tensor<64xf32>
  %0 = stablehlo.add %x, %big : tensor<64xf32>
  %1 = stablehlo.subtract %0, %big : tensor<64xf32>
  %2 = stablehlo.negate %x : tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}
"""
"""The first result has few digits that mean anything; the second one all of them."""


def spreads(x: np.ndarray) -> tuple[list[np.ndarray], list[Any]]:
    subject = Subject.parse(CANCELLATION, "program", None)

    def run(noise: np.random.Generator | None = None) -> list[np.ndarray]:
        return [np.asarray(a) for a in run_observed(subject.module, "main", [x], noise=noise)]

    plain = run()
    found = rounding_spread(run, plain)
    assert found is not None
    return plain, found


def test_cancellation_is_ill_conditioned_and_negation_is_not() -> None:
    x = np.random.default_rng(0).uniform(-1, 1, 64).astype(np.float32)
    plain, found = spreads(x)
    tolerance = default_tolerance(x.dtype)
    assert mismatch_beyond(x, plain[0], tolerance, None) is not None
    assert mismatch_beyond(x, plain[0], tolerance, found[0]) is None
    assert mismatch_beyond(x, plain[1], tolerance, found[1]) is not None
    assert not found[1].deviation.any()
    assert mismatch_beyond(x + 100, plain[0], tolerance, found[0]) is not None


def test_exact_arithmetic_stays_exact() -> None:
    plain, found = spreads(np.arange(64, dtype=np.float32))
    assert plain[0].tolist() == list(range(64))
    assert not found[0].deviation.any()


def test_inputs_that_are_a_little_off() -> None:
    x = np.random.default_rng(0).uniform(1, 2, 16).astype(np.float32)
    (found,) = input_spread(lambda row: [np.sin(row[0] * np.float32(1e6))], [x], [np.sin(x * np.float32(1e6))]) or []
    assert found.deviation.max() > 0.05
    (stable,) = input_spread(lambda row: [row[0] * 2], [x], [x * 2]) or []
    assert stable.deviation.max() < 1e-5


def test_a_run_is_recorded_and_ends_in_time() -> None:
    subject = Subject.parse(CANCELLATION, "program", None)
    recording = Recording()
    run_observed(subject.module, "main", [np.ones(64, np.float32)], recording=recording)
    values = {op.name: recording[op.results[0]] for op in subject.module.walk() if op.results}
    assert (values["stablehlo.add"] == np.float32(1000001)).all()
    endless = b"""func.func @main(%x: tensor<i1>) -> tensor<i1> {
      %0 = stablehlo.while(%y = %x) : tensor<i1>
      cond {
        stablehlo.return %y : tensor<i1>
      } do {
        stablehlo.return %y : tensor<i1>
      }
      return %0 : tensor<i1>
    }"""
    loop = Subject.parse(endless, "loop", None)
    with pytest.raises(OutOfTimeError):
        run_observed(loop.module, "main", [np.array(True)], seconds=0.2)


class ReassociatingPass(broken.BrokenPass):
    """(x + c) - c becomes x: right for real numbers."""

    name = "broken-reassociating"
    types = (broken.stablehlo.SubtractOp,)

    @staticmethod
    def change(op: Any) -> None:
        lhs = op.lhs.owner
        if isinstance(lhs, broken.stablehlo.AddOp) and lhs.rhs is op.rhs:
            broken.forward(op, lhs.lhs)


def test_an_ill_conditioned_program_is_not_called_wrong() -> None:
    passes = parse_passes("xla-cpu", defaults={"threads": (1,)})
    passes.insert(10, ReassociatingPass())
    request = Request(1, "xla-cpu", None, None, 0, None, None, False)
    check = PassCheck(CANCELLATION, "program.mlir", request, passes=passes)
    assert check.run() is None
    assert any("out0 (tensor<64xf32>) is ill-conditioned" in note for note in check.notes)
    assert not any("out1" in note for note in check.notes)
