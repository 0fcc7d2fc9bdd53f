"""Random programs agree on both engines, and a wrong pass does not go unnoticed."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from xdsl_xla.frontends import xla_builder
from xdsl_xla.pipelines import XLA_CPU, expand
from xdsl_xla.tools import fuzz, program_runs, xla_run
from xdsl_xla.tools.builder_transcription import SAYINGS, is_transcribable, transcribed
from xdsl_xla.tools.comparison import EXACT, Tolerance
from xdsl_xla.tools.differential import Subject
from xdsl_xla.tools.operations_table import standings
from xdsl_xla.tools.program_generator import generate
from xdsl_xla.tools.random_programs.elements import ELEMENTS, F32
from xdsl_xla.tools.random_programs.generator import Program
from xdsl_xla.tools.random_programs.known import FLUSHED, Known, correctly_rounded, joined
from xdsl_xla.tools.reduction.engine import count_ops

PIPELINES = ("xla-cpu", "xla-cpu-O0")
COLLECTIVES = (
    "all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "reduce_scatter",
)  # fmt: skip


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_programs_hold_what_is_rare() -> None:
    programs = [generate(seed) for seed in range(1500)]
    assert {program.grid for program in programs} >= {(1, 1), (2, 1), (1, 2), (2, 2), (8, 1), (1, 8), (2, 4)}
    assert sum(program.grid != (1, 1) for program in programs) > 50
    assert any(program.donates for program in programs) and any("tf.aliasing_output" in p.text for p in programs)
    arrays = [array for program in programs for array in program.inputs if array.size]
    assert max(array.size for array in arrays) > 500_000
    singles = [array for array in arrays if array.dtype == np.float32]
    assert any(((np.abs(a) < np.finfo(np.float32).tiny) & (a != 0)).any() for a in singles)
    longs = [array for array in arrays if array.dtype == np.int64]
    assert any((a == np.iinfo(np.int64).min).any() for a in longs)
    routines = {match[1] for program in programs for match in re.finditer(r"lapack_[sdcz](\w+)_ffi", program.text)}
    assert len(routines & {"getrf", "geqrf", "orgqr", "potrf", "trsm", "syevd", "gesdd", "gtsv"}) >= 5
    threads = {program_runs.Setting.of(seed, None, None) for seed in range(64)}
    assert {s.builder for s in threads} == {True, False}
    assert {(s.pipeline, s.threads) for s in threads} == {(p, t) for p in PIPELINES for t in range(1, 5)}
    assert program_runs.Setting.of(3, "xla-cpu", 2)[:2] == ("xla-cpu", 2)


@pytest.mark.slow
def test_collectives_stand_in_loops_of_programs_of_several_processes() -> None:
    looped = Counter[str]()
    for seed in range(1500):
        program = generate(seed)
        if program.grid == (1, 1):
            continue
        module = Subject.parse(program.text.encode(), str(seed), None).module
        looped.update(op.name for loop in module.walk() if loop.name == "stablehlo.while" for op in loop.walk())
    assert looped.keys() >= {f"stablehlo.{name}" for name in COLLECTIVES}


def test_programs_are_said_with_the_builder() -> None:
    """Each op is of the type it was, and most are said by a function of the builder."""
    said = Counter[str]()
    for seed in range(250):
        program = generate(seed)
        module = Subject.parse(program.text.encode(), str(seed), None).module
        if not is_transcribable(module):
            continue
        built = transcribed(module, "main")
        built.verify()
        before, after = (Counter(op.name for op in m.walk()) for m in (module, built))
        assert after["stablehlo.while"] == before["stablehlo.while"]
        said.update(name for name in before if name in SAYINGS)
    assert len(said) > 60


def test_what_the_builder_gets_wrong_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.subtract %x, %y : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    inputs: list[np.ndarray] = [np.array([1, 2], np.float32), np.array([4, 8], np.float32)]
    program = Program(0, text, inputs, [[None]], [None], Counter())
    setting = program_runs.Setting("xla-cpu", 1, builder=True)
    assert fuzz.check_program(program, setting) is None
    monkeypatch.setitem(SAYINGS, "stablehlo.subtract", lambda t, op, operands: xla_builder.sub(*operands[::-1]))
    failure = fuzz.check_program(program, setting)
    assert isinstance(failure, fuzz.Failure) and "got 3" in failure.reason


def test_processes_have_inputs_of_their_own() -> None:
    program = next(p for seed in range(400) if (p := generate(seed)).grid == (2, 2) and p.inputs)
    assert [len(row) for row in program.rows] == [2, 2]
    for position, array in enumerate(program.inputs):
        values = [row[position] for rows in program.rows for row in rows]
        assert all(np.array_equal(np.sort(v, None), np.sort(array, None), equal_nan=True) for v in values)


class Fake:
    """An executable that gives another result now and then."""

    grid = (1, 1)

    def __init__(self, wrong_after: int) -> None:
        self.calls, self.wrong_after = 0, wrong_after

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray]:
        self.calls += 1
        x += 1  # what is given away may be written to
        return (np.full(2, float(self.calls > self.wrong_after)),)


def test_programs_run_beside_one_another() -> None:
    rows = [[[np.zeros(2)]]]
    right = program_runs.Running(1, Fake(1000), rows, [[np.zeros(2)]])  # pyright: ignore[reportArgumentType]
    wrong = program_runs.Running(2, Fake(12), rows, [[np.zeros(2)]])  # pyright: ignore[reportArgumentType]
    assert program_runs.run_beside([right, right]) is None
    assert program_runs.run_beside([right, wrong]) == (2, "out0 of process 0 differs from that of a program alone")
    assert rows[0][0][0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("error", "dtype", "tolerance"),
    [
        (None, np.float32, EXACT),
        (0.0, np.int8, EXACT),
        (0.0, np.float32, Tolerance(1e-4, 1e-5)),
        (0.5, np.float32, Tolerance(1e-4, 0.5)),
        (1e-9, np.float32, Tolerance(1e-4, 1e-5)),
        (FLUSHED, np.float32, Tolerance(0, 2.0**-126)),
        (FLUSHED, np.complex128, Tolerance(0, 2.0**-1021)),
        (FLUSHED, np.float16, EXACT),
    ],
)
def test_tolerance_of_results(error: float | None, dtype: type[np.generic], tolerance: Tolerance) -> None:
    assert program_runs.tolerance_of(np.dtype(dtype), error) == tolerance
    if error == FLUSHED:
        assert program_runs.tolerance_of(np.dtype(dtype), error, "preserve") == EXACT


def test_subnormal_numbers_that_are_computed_with_are_kept_or_flushed() -> None:
    subnormal, on_grid = Known(0.0, 2.0**-126), Known(0.5, 4.0)
    for operands in ((subnormal, on_grid), (subnormal, subnormal)):
        assert joined(*operands).computed.tolerance == FLUSHED
        assert correctly_rounded(F32, operands, 0.0, 4.0).tolerance == FLUSHED
    assert joined(on_grid, on_grid).computed.tolerance is None
    assert joined(subnormal, on_grid).tolerance is None  # chosen without arithmetic


@pytest.mark.parametrize("op", ["maximum", "minimum", "add"])
@pytest.mark.parametrize("seed", [1, 5])
def test_an_op_that_the_compiler_removes_may_keep_them(op: str, seed: int) -> None:
    """Seed 5 preserves subnormal numbers, where nothing may differ."""
    zero = "stablehlo.constant dense<-0.0> : tensor<2xf32>" if op == "add" else "stablehlo.abs %x : tensor<2xf32>"
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = {zero}
      %1 = stablehlo.{op} %x, {"%0" if op == "add" else "%x"} : tensor<2xf32>
      return %1 : tensor<2xf32>
    }}"""
    x = np.array([2.0**-149, -(2.0**-127)], np.float32)
    program = Program(seed, text, [x], [[FLUSHED], [FLUSHED]], [FLUSHED], Counter(), (1, 1), False)
    assert fuzz.check_program(program, program_runs.Setting.of(seed, "xla-cpu", 1)) is None
    exact = replace(program, returned=[None])
    failure = fuzz.check_program(exact, program_runs.Setting.of(seed, "xla-cpu", 1))
    assert (failure is None) == (seed == 5)


TWICE_THE_FIRST = """from xdsl.dialects.arith import AddfOp
from xdsl.pattern_rewriter import RewritePattern

class TwiceTheFirst(RewritePattern):
    def match_and_rewrite(self, op, rewriter):
        if isinstance(op, AddfOp) and op.lhs is not op.rhs:
            rewriter.replace(op, AddfOp(op.lhs, op.lhs))
"""


@pytest.mark.slow
def test_a_wrong_pass_is_caught_and_the_program_cut_down(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(TWICE_THE_FIRST)
    wrong = f"linalg-fuse-elementwise,apply-patterns{{file={tmp_path / 'wrong.py'}}}"
    pipeline = expand(XLA_CPU).replace("linalg-fuse-elementwise", wrong)
    failures = [found for seed in range(40, 60) if isinstance(found := fuzz.check(seed, pipeline), fuzz.Failure)]
    assert failures
    parts = [Subject.parse(failure.program.encode(), "part", None) for failure in failures]
    assert all("expected" in failure.reason or "Error" in failure.reason for failure in failures)
    assert [count_ops(part.module) for part in parts if count_ops(part.module) > 4] == []


def test_what_is_kept_shows_the_failure(tmp_path: Path) -> None:
    """A part has inputs of its own."""
    (tmp_path / "wrong.py").write_text(TWICE_THE_FIRST)
    wrong = f"linalg-fuse-elementwise,apply-patterns{{file={tmp_path / 'wrong.py'}}}"
    pipeline = expand(XLA_CPU).replace("linalg-fuse-elementwise", wrong)
    found = ((seed, fuzz.check(seed, pipeline)) for seed in range(40, 60))
    seed, failure = next((seed, f) for seed, f in found if isinstance(f, fuzz.Failure) and f.inputs)
    report = {"seed": seed, **failure.report()}
    path = fuzz.keep(seed, report["program"], str(tmp_path), fuzz.inputs_of(report))
    data = str(path.with_suffix(".npz"))
    assert xla_run.main([str(path), "--input", data, "--expect", data]) == 0
    assert xla_run.main([str(path), "--input", data, "--expect", data, "--pipeline", pipeline]) == 1


def test_a_crash_is_the_failure_of_one_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process crashes, the next one goes on behind the program at which it was."""
    crashed, python = tmp_path / "crashed", tmp_path / "python"
    crash = f'[ -e "{crashed}" ] && exec "{sys.executable}" "$@"\ntouch "{crashed}"\nkill -SEGV $$\n'
    python.write_text(f"#!/bin/sh\n{crash}")
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
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
