"""Random programs agree on both engines, and a wrong pass does not go unnoticed."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.passes.linalg.linalg_fuse_elementwise import LinalgFuseElementwisePass
from xdsl_xla.tools import fuzz
from xdsl_xla.tools.comparison import EXACT, Tolerance
from xdsl_xla.tools.differential import Subject
from xdsl_xla.tools.operations_table import standings
from xdsl_xla.tools.program_generator import generate
from xdsl_xla.tools.random_programs.elements import ELEMENTS


@pytest.mark.parametrize("seed", range(24))
def test_engines_agree(seed: int) -> None:
    assert fuzz.check(seed) is None


def test_a_seed_is_a_program() -> None:
    first, second = generate(7), generate(7)
    assert first.text == second.text
    assert all(np.array_equal(a, b) for a, b in zip(first.inputs, second.inputs, strict=True))
    assert first.text != generate(8).text


NEED_A_PARTNER = {f"stablehlo.{name}" for name in ("infeed", "outfeed", "send", "recv")}
"""Ops that talk to someone outside of the program."""


NOT_WRITTEN_BY_USERS = {"stablehlo.collective_reduce", "chlo._asin_acos_kernel"}
"""Ops between passes."""


def test_programs_cover_what_is_native() -> None:
    left = {op.name for op, _ in standings().items() if op.name.startswith(("stablehlo.", "chlo."))}
    left -= NEED_A_PARTNER | NOT_WRITTEN_BY_USERS
    for seed in range(4000):
        left -= {name for name, _ in generate(seed).operations}
        if not left:
            return
    assert left == set()


def test_programs_cover_element_types_and_shapes() -> None:
    programs = [generate(seed) for seed in range(300)]
    assert {element for program in programs for _, element in program.operations} >= {str(e) for e in ELEMENTS}
    shapes = [array.shape for program in programs for array in program.inputs]
    assert {len(shape) for shape in shapes} >= set(range(6))
    assert any(0 in shape for shape in shapes) and any(1 in shape for shape in shapes)
    floats = [a for p in programs for a in p.inputs if a.dtype == np.float32 and a.size]
    assert any(np.isnan(a).any() for a in floats) and any(np.isinf(a).any() for a in floats)


@pytest.mark.parametrize(
    ("error", "dtype", "tolerance"),
    [
        (None, np.float32, EXACT),
        (0.0, np.int8, EXACT),
        (0.0, np.float32, Tolerance(1e-4, 1e-5)),
        (0.5, np.float32, Tolerance(1e-4, 0.5)),
        (1e-9, np.float32, Tolerance(1e-4, 1e-5)),
    ],
)
def test_tolerance_of_results(error: float | None, dtype: type[np.generic], tolerance: Tolerance) -> None:
    assert fuzz.tolerance_of(np.dtype(dtype), error) == tolerance


def test_a_wrong_pass_is_caught_and_the_program_cut_down(monkeypatch: pytest.MonkeyPatch) -> None:
    right = LinalgFuseElementwisePass.apply

    def wrong(self: Any, ctx: Context, op: ModuleOp) -> None:
        right(self, ctx, op)
        for add in op.walk():
            if isinstance(add, arith.AddfOp):
                add.operands = (add.lhs, add.lhs)

    monkeypatch.setattr(LinalgFuseElementwisePass, "apply", wrong)
    failures = [found for seed in range(40, 60) if isinstance(found := fuzz.check(seed, "xla-cpu"), fuzz.Failure)]
    assert failures
    parts = [Subject.parse(failure.program.encode(), "part", None) for failure in failures]
    assert all("expected" in failure.reason or "Error" in failure.reason for failure in failures)
    assert all(len(list(part.module.walk())) > 0 for part in parts)


def test_a_crash_is_the_failure_of_one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = iter([[{"problem": "the process ended with code -11"}], [{"seed": 6, "ops": []}]])
    monkeypatch.setattr(fuzz, "_run_batch", lambda *_: iter(next(outcomes)))
    reports = list(fuzz.run_batches(5, 2, None, 1))
    assert [report["seed"] for report in reports] == [5, 6]
    assert "code -11" in reports[0]["failure"]
    assert "failure" not in reports[1]


def test_a_process_that_ends_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    (report,) = fuzz.run_batches(5, 1, None, 1)
    assert report["failure"].startswith("the process ended with code 1")


def test_the_command_counts_and_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seed", "0", "--count", "2", "--coverage"]) == 0
    output = capsys.readouterr().out
    assert "2 programs, 0 failed" in output
    assert "stablehlo.infeed: never" in output
