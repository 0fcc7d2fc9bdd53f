"""Deliberately broken passes between ordinary ones: `--check-passes` names them, and a program of a few ops."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import broken_passes as broken
import pytest
import xdsl_xla
from xdsl.passes import ModulePass
from xdsl_xla.pipelines import XLA_CPU
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.verifying import verify_module
from xdsl_xla.tools.pass_checks import Finding, PassCheck
from xdsl_xla.tools.reduction.engine import count_ops

ROOT = Path(xdsl_xla.__file__).parent

TWO_ROUND_TRIPS = (
    """func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
"""
    + "".join(
        f"""  %d{i} = stablehlo.dot_general %{"x" if i == 0 else f"t{i - 1}"}, %w, contracting_dims = [1] x [0]
     : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %n{i} = stablehlo.convert %d{i} : (tensor<8x16xf32>) -> tensor<8x16xbf16>
  %m{i} = stablehlo.convert %n{i} : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %s{i} = stablehlo.add %m{i}, %x : tensor<8x16xf32>
  %t{i} = stablehlo.tanh %s{i} : tensor<8x16xf32>
"""
        for i in range(6)
    )
    + "  return %t5 : tensor<8x16xf32>\n}\n"
)
"""Thirty ops with numbers that are kept in bf16 for a while."""

OUTFEEDS = (
    """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %t0 = stablehlo.create_token : !stablehlo.token
"""
    + "".join(
        f"""  %a{i} = stablehlo.sine %{"x" if i == 0 else f"c{i - 1}"} : tensor<8xf32>
  %b{i} = stablehlo.multiply %a{i}, %x : tensor<8xf32>
  %c{i} = stablehlo.add %b{i}, %a{i} : tensor<8xf32>
  %t{i + 1} = "stablehlo.outfeed"(%c{i}, %t{i}) <{{outfeed_config = ""}}>
     : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
"""
        for i in range(8)
    )
    + "  return %c7 : tensor<8xf32>\n}\n"
)
"""Thirty ops that tell the host eight times how far they are."""


UPDATES = (
    """func.func @main(%x: tensor<6x8xf32>, %u: tensor<1x8xf32>, %at: tensor<i32>) -> tensor<6x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
"""
    + "".join(
        f"""  %a{i} = stablehlo.sine %{"x" if i == 0 else f"e{i - 1}"} : tensor<6x8xf32>
  %b{i} = stablehlo.dynamic_update_slice %a{i}, %u, %at, %zero
     : (tensor<6x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<6x8xf32>
  %c{i} = stablehlo.reverse %a{i}, dims = [0] : tensor<6x8xf32>
  %d{i} = stablehlo.multiply %b{i}, %c{i} : tensor<6x8xf32>
  %e{i} = stablehlo.add %d{i}, %a{i} : tensor<6x8xf32>
"""
        for i in range(5)
    )
    + "  return %e4 : tensor<6x8xf32>\n}\n"
)
"""Twenty-six ops, five of them updates of what is read once more."""


class Case(NamedTuple):
    """A broken pass, where it stands, and the program that it meets."""

    broken: type[ModulePass]
    behind: str
    program: str
    """One of `tests/corpus`, or the text."""
    most_ops: int
    """Of the least program."""
    failure: str = ""


CASES = [
    Case(broken.WrongFoldPass, "stablehlo-simplify", "transformer_block", 3),
    Case(broken.DroppedNegationPass, "stablehlo-fold-constants", "lstm", 1),
    Case(broken.OffByOneSlicePass, "stablehlo-expand-fft", "kv_cache_decode", 1),
    Case(broken.NanUnsafeMaxPass, "stablehlo-simplify", "reductions", 2),
    Case(broken.WrongInitPass, "stablehlo-canonicalize-dot-general", "reductions", 2),
    Case(broken.AliasingUpdatePass, "convert-tensor-to-memref", UPDATES, 5),
    Case(broken.SwappedSubtractPass, "stablehlo-unroll-loops", "vae", 1),
    Case(broken.LostConversionPass, "chlo-legalize-to-stablehlo", TWO_ROUND_TRIPS, 2),
    Case(broken.WrongClampPass, "stablehlo-erase-sharding", "control_flow", 1),
    Case(broken.ReorderedEffectPass, "func-inline-calls", OUTFEEDS, 3),
    Case(
        broken.CrashingPass,
        "stablehlo-simplify",
        "transformer_block",
        1,
        "pass broken-crashing: IndexError",
    ),
    Case(broken.InvalidIrPass, "stablehlo-expand-rng", "transformer_block", 1, "invalid IR after pass"),
    Case(broken.LastPass, "llvm-choose-tiers", "heat_stencil", 2),
]


def check(case: Case) -> tuple[Finding | None, PassCheck, int]:
    """What the check says of `xla-cpu` with the broken pass in it, and the place of that pass."""
    source = case.program.encode()
    if not case.program.startswith("func"):
        source = (ROOT / "tests" / "corpus" / f"{case.program}.mlir").read_bytes()
    passes = parse_passes("xla-cpu", defaults={"threads": (1,)})
    place = 1 + max(number for number, step in enumerate(XLA_CPU) if step.spec == case.behind)
    passes.insert(place, case.broken())
    request = Request(1, "xla-cpu", None, None, 0, None, None, False)
    run = PassCheck(source, "program.mlir", request, passes=passes, reduction_seconds=600.0)
    return run.run(), run, place + 1


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.broken.name)
def test_a_broken_pass_is_named_with_a_least_program(case: Case) -> None:
    finding, run, number = check(case)
    assert finding is not None
    assert (finding.pass_name, finding.number) == (case.broken.name, number)
    assert case.failure in finding.failure
    assert bool(case.failure) != bool(finding.differences)
    assert "broken_passes.py:" in finding.place
    assert finding.reduced is not None
    verify_module(finding.reduced)
    assert count_ops(run.prepared.module) >= 20
    assert count_ops(finding.reduced) <= case.most_ops
