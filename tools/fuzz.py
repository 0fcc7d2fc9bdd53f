"""`python -m xdsl_xla.tools.fuzz`: random programs on native code and on the reference.

    python -m xdsl_xla.tools.fuzz --seed 0 --count 200 --keep /tmp/failures

Program number `seed + i` is made by `program_generator`, compiled, run and compared. Programs run in batches in another
process, so that a crash or a loop without end is a failure of one program. A failing program is cut down to the least
one that is wrong (`fuzz_reduction.py`); `--keep` stores it as NAME.mlir with inputs and the reference's outputs in
NAME.npz, for `xla-run --input --expect`. Programs that need what the compiler rejects with a reason are counted as not
supported.
`--coverage` adds which element types each op was generated with, and which it never was. With `--sharded` programs say
how their values are spread over up to eight devices (`random_sharding/`); partitioned for these they have to give what
one device gives. The exit code is 1 if a program failed. `docs/testing.md` says how results are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import selectors
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from ..dialects.printing import ExactPrinter
from ..errors import UnsupportedError, XlaError
from ..runtime.entry import select_entry
from .differential import Subject, prefix
from .fuzz_coverage import coverage_report
from .fuzz_outcomes import Failure, Unsupported, inputs_of
from .fuzz_reduction import least_part
from .program_generator import Program, generate
from .program_runs import (
    Running,
    Setting,
    describe_exception,
    native_results,
    run_beside,
    symptom,
    wrong_outputs,
)
from .random_sharding.checks import check_program as check_sharded_program
from .random_sharding.programs import ShardedProgram, generate_sharded
from .stored_arrays import save_arrays
from .tensor_io import from_stored

BATCH = 500
"""Programs of one process."""

TIMEOUT_SECONDS = 120
"""For a program: twice what a large one takes on a busy machine, and its process to start."""

TOGETHER = 4
"""How many programs that passed run beside one another, on threads, when so many have come together."""


def check(seed: int, pipeline: str | None = None, threads: int | None = None) -> Failure | Unsupported | None:
    """Run program number `seed`, and cut it down if it fails."""
    program = generate(seed)
    return check_program(program, Setting.of(seed, pipeline, threads).for_program(program))


def check_program(program: Program, setting: Setting) -> Failure | Unsupported | None:
    """Run a program, and cut it down if it fails."""
    outcome = _run(program, setting)
    return None if isinstance(outcome, Running) else outcome


def _run(program: Program, setting: Setting) -> Failure | Unsupported | Running:
    """Run a program, and cut it down if it fails; it can be run again if it does not."""
    try:
        subject = Subject.parse(program.text.encode(), f"program {program.seed}", None, setting.denormals)
    except Exception as error:
        return Failure(f"not a program: {type(error).__name__}: {error}", program.text)
    try:
        problems, executable = wrong_outputs(subject, program, program.returned, setting)
        if not problems:
            return Running(program.seed, executable, program.rows, native_results(executable, program.rows))
        reason = "\n".join(problems)
    except UnsupportedError as error:
        return Unsupported(error.message)
    except Exception as error:
        reason = describe_exception(error)
    part, reason = _cut_down(subject, program, reason, setting)
    part, inputs = least_part(subject, part, program, setting)
    text = StringIO()
    ExactPrinter(stream=text).print_op(part.module)
    return Failure(reason, text.getvalue() + "\n", inputs)


def _cut_down(subject: Subject, program: Program, reason: str, setting: Setting) -> tuple[Subject, str]:
    """The program up to the first op that shows anything wrong by itself, and what it shows."""
    entry = select_entry(subject.module, subject.signature.entry)
    for index, op in enumerate(list(entry.body.block.ops)[:-1]):
        if op.name == "stablehlo.constant":
            continue
        try:
            part = prefix(subject, index)
            found = symptom(part, program, program.tolerances[index], setting)
        except XlaError:  # values that no program may return, and what is not supported
            continue
        if found is not None:
            return part, found
    return subject, reason


def keep(
    seed: int, text: str, directory: str, inputs: Sequence[np.ndarray] | None = None, sharded: bool = False
) -> Path:
    """Store a program with its inputs (those of program `seed` if not given, whose bits will do) and the outputs of the
    reference, if that can run it: of a sharded program those of one device.
    """
    path = Path(directory) / f"fuzz{'_sharded' if sharded else ''}_{seed}.mlir"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    program = generate_sharded(seed) if sharded else generate(seed)
    given: Sequence[np.ndarray] = program.inputs if inputs is None else inputs
    arrays: dict[str, np.ndarray] = {}
    try:
        subject = Subject.parse(text.encode(), str(path), None)
        given = [from_stored(array, spec) for array, spec in zip(given, subject.signature.inputs, strict=True)]
        if isinstance(program, ShardedProgram) or program.grid == (1, 1):
            outputs = subject.reference(given)
            arrays.update({f"out{i}": array for i, array in enumerate(outputs)})
    except Exception as error:
        print(f"  the reference cannot run it: {type(error).__name__}: {error}")
    arrays.update({f"in{i}": array for i, array in enumerate(given)})
    save_arrays(path.with_suffix(".npz"), arrays)
    return path


# -- batches in another process ----------------------------------------------------------------------------------


def work(seed: int, count: int, pipeline: str | None, threads: int | None, sharded: bool = False) -> None:
    """Run programs, announcing each and its outcome as a line of JSON on stdout."""
    gc.freeze()
    if sharded:
        _work_sharded(seed, count)
        return
    together: list[Running] = []
    for number in range(seed, seed + count):
        print(json.dumps({"seed": number}), flush=True)
        program = generate(number)
        outcome = _run(program, Setting.of(number, pipeline, threads).for_program(program))
        ops = [[*op, times] for op, times in program.operations.items()]
        report: dict[str, Any] = {"seed": number, "ops": ops}
        if isinstance(outcome, Failure):
            report.update(outcome.report())
        elif isinstance(outcome, Unsupported):
            report["unsupported"] = outcome.reason
        elif not any(name == "stablehlo.rng" for name, _ in program.operations):
            together.append(outcome)
        if len(together) == TOGETHER:
            if problem := run_beside(together):
                seeds = ", ".join(str(running.seed) for running in together)
                report.update(failure=f"beside one another, {seeds}: {problem}", program=generate(problem[0]).text)
            together = []
        print(json.dumps(report), flush=True)


def _work_sharded(seed: int, count: int) -> None:
    """The same for sharded programs."""
    for number in range(seed, seed + count):
        print(json.dumps({"seed": number}), flush=True)
        program = generate_sharded(number)
        outcome = check_sharded_program(program)
        report: dict[str, Any] = {"seed": number, "ops": [[*op, times] for op, times in program.operations.items()]}
        if isinstance(outcome, Failure):
            report.update(outcome.report())
        elif isinstance(outcome, Unsupported):
            report["unsupported"] = outcome.reason
        print(json.dumps(report), flush=True)


def run_batches(
    seed: int, count: int, pipeline: str | None, threads: int | None, sharded: bool = False
) -> Iterator[dict[str, Any]]:
    """The report on each program; one that ends its process fails, and the rest go on in a new one."""
    end = seed + count
    while seed < end:
        size = min(BATCH, end - seed)
        problem = ""
        for report in _run_batch(seed, size, pipeline, threads, sharded):
            if "ops" not in report:
                problem = report["problem"]
                break
            yield report
            seed, size = seed + 1, size - 1
        if size:
            program = generate_sharded(seed) if sharded else generate(seed)
            yield {"seed": seed, "ops": [], "failure": problem, "program": program.text}
            seed += 1


def _run_batch(
    seed: int, count: int, pipeline: str | None, threads: int | None, sharded: bool
) -> Iterator[dict[str, Any]]:
    """The reports of one process as they come; the last one may be a `problem` that ended it."""
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "xdsl_xla.tools.fuzz", "--worker"]
    command += ["--seed", str(seed), "--count", str(count)]
    command += ["--threads", str(threads)] if threads else []
    command += ["--pipeline", pipeline] if pipeline else []
    command += ["--sharded"] if sharded else []
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        try:
            for line in _lines(process):
                report: dict[str, Any] = json.loads(line) if line.startswith("{") and line.endswith("}") else {}
                if "ops" in report:
                    yield report
                    count -= 1
        except TimeoutError:
            yield {"problem": "does not end"}
            return
        finally:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if count:
            errors.seek(0)
            text = errors.read().decode(errors="replace")[-2000:]
            yield {"problem": f"the process ended with code {process.returncode}\n{text}"}


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    """The lines that a process prints. Raises TimeoutError if nothing comes for too long."""
    assert process.stdout is not None
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(TIMEOUT_SECONDS):
                raise TimeoutError
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                process.wait()
                return
            *lines, rest = (rest + data).split(b"\n")
            yield from (line.decode() for line in lines)


@dataclass
class Totals:
    """What a run has seen; an interrupted one is counted as far as it came."""

    programs: int = 0
    failed: int = 0
    unsupported: Counter[str] = field(default_factory=Counter[str])
    operations: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def add(self, report: Mapping[str, Any]) -> None:
        self.programs += 1
        self.failed += "failure" in report
        self.operations.update({(name, element): times for name, element, times in report["ops"]})
        if "unsupported" in report:
            self.unsupported[report["unsupported"]] += 1

    def lines(self, coverage: bool) -> Iterator[str]:
        for reason, times in self.unsupported.most_common():
            yield f"not supported ({times}): {reason}"
        if coverage:
            yield from coverage_report(self.operations)
        kinds = len({name for name, _ in self.operations})
        yield (
            f"{self.programs} programs, {self.failed} failed, {self.unsupported.total()} not supported,"
            f" {kinds} kinds of ops, {len(self.operations)} with their element types"
        )


# -- the command -------------------------------------------------------------------------------------------------


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.tools.fuzz",
        description="Compare native code with the reference on random StableHLO programs.",
        epilog="Integers, and floats that are defined bit for bit, must be equal. Other results may differ by"
        " |got - expected| <= absolute + relative * |expected|: 1e-5 and 1e-4 for f32, 1e-9 and 1e-9 for f64, 1e-3 and"
        " 4e-3 for f16, 1e-2 and 3e-2 for bf16, two steps for floats of a byte, or by the error that rounding explains"
        " where that is more.",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the number of the first program")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="how many programs")
    parser.add_argument("--threads", type=int, metavar="T", help="by default 1 to 4 in turn")
    text = "by default xla-cpu, and xla-cpu-O0 for every fourth program; xla-cpu-drawn has random legal schedules"
    parser.add_argument("--pipeline", metavar="P", help=text)
    parser.add_argument("--keep", metavar="DIR", help="store failing programs here")
    parser.add_argument("--coverage", action="store_true", help="print which op met which element types")
    text = "programs spread over devices, against one device; they take the default pipeline and a thread a device"
    parser.add_argument("--sharded", action="store_true", help=text)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)
    if args.worker:
        work(args.seed, args.count, args.pipeline, args.threads, args.sharded)
        return 0
    totals = Totals()
    with contextlib.suppress(KeyboardInterrupt):
        for report in run_batches(args.seed, args.count, args.pipeline, args.threads, args.sharded):
            totals.add(report)
            if "failure" in report:
                show_failure(report, args)
    print(*totals.lines(args.coverage), sep="\n")
    return 1 if totals.failed else 0


def show_failure(report: Mapping[str, Any], args: argparse.Namespace) -> None:
    """Print what went wrong with a program, and how to repeat it; store or print the part that shows it."""
    number = report["seed"]
    setting = Setting.of(number, args.pipeline, args.threads)
    print(f"program {number} FAILED: {report['failure']}")
    command = f"--pipeline {setting.pipeline} --threads {setting.threads}"
    command = f"--seed {number} --count 1 {'--sharded' if args.sharded else command}"
    print(f"  repeat: python -m xdsl_xla.tools.fuzz {command}")
    if args.keep:
        print(f"  stored: {keep(number, report['program'], args.keep, inputs_of(report), args.sharded)}")
    else:
        print(report["program"])
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
