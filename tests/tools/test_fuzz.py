"""Random programs agree on both engines, and a wrong pass does not go unnoticed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl_xla.passes.linalg.linalg_fuse_elementwise import LinalgFuseElementwisePass
from xdsl_xla.tools import fuzz
from xdsl_xla.tools.differential import Subject
from xdsl_xla.tools.program_generator import generate


@pytest.mark.parametrize("seed", range(24))
def test_engines_agree(seed: int) -> None:
    assert fuzz.check(seed) is None


def test_a_seed_is_a_program() -> None:
    first, second = generate(7), generate(7)
    assert first.text == second.text
    assert all(np.array_equal(a, b) for a, b in zip(first.inputs, second.inputs, strict=True))
    assert first.text != generate(8).text


def test_programs_cover_the_dialect() -> None:
    names = {name for seed in range(200) for name in generate(seed).operations}
    assert len(names) >= 65


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
    outcomes = iter([([], "the process ended with code -11"), ([{"seed": 6, "ops": {}}], "")])
    monkeypatch.setattr(fuzz, "_run_batch", lambda *_: next(outcomes))
    reports = list(fuzz.run_batches(5, 2, None, 1))
    assert [report["seed"] for report in reports] == [5, 6]
    assert "code -11" in reports[0]["failure"]
    assert "failure" not in reports[1]


def test_the_command_counts_and_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seed", "0", "--count", "2"]) == 0
    assert "2 programs, 0 failed" in capsys.readouterr().out
