"""`python -m xdsl_xla.tools.fuzz`: random programs on native code and on the reference.

    python -m xdsl_xla.tools.fuzz --seed 0 --count 200 --keep /tmp/failures

Program number `seed + i` is made by `program_generator`, compiled, run and compared. Programs run in batches in another
process, so that a crash or a loop without end is a failure of one program. A failing program is cut down to the first
op of its entry that is wrong; `--keep` stores it as NAME.mlir with inputs and the reference's outputs in NAME.npz, for
`xla-run --input --expect`. Programs that need what the compiler rejects with a reason are counted as not supported.
`--coverage` adds which element types each op was generated with, and which it never was. The exit code is 1 if a
program failed. `docs/testing.md` says how results are compared.
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
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..dialects.printing import ExactPrinter
from ..errors import UnsupportedError
from ..runtime.compiler import compile
from ..runtime.entry import select_entry
from .comparison import EXACT, Tolerance, compare, default_tolerance
from .differential import (
    Subject,
    _prefix,  # pyright: ignore[reportPrivateUsage]
)
from .fuzz_coverage import coverage_report
from .program_generator import Program, generate
from .tensor_io import to_stored

BATCH = 500
"""Programs of one process."""

TIMEOUT_SECONDS = 120
"""For a program: twice what a large one takes on a busy machine, and its process to start."""

PIPELINES = ("xla-cpu", "xla-cpu", "xla-cpu", "xla-cpu-O0")
"""Pipelines the programs take in turn."""


class Failure(NamedTuple):
    """What went wrong with one program."""

    reason: str
    program: str
    """The part of the program that shows it."""


class Unsupported(NamedTuple):
    """Why the compiler rejects a program."""

    reason: str


def pipeline_of(seed: int, pipeline: str | None) -> str:
    return pipeline or PIPELINES[seed % len(PIPELINES)]


def tolerance_of(dtype: np.dtype, error: float | None) -> Tolerance:
    """None at all for results without rounding; else that of the type, with the error the result may carry if more."""
    tolerance = default_tolerance(dtype)
    if error is None or tolerance == EXACT:
        return EXACT
    return Tolerance(tolerance.relative, max(tolerance.absolute, error))


def wrong_outputs(
    subject: Subject, inputs: Sequence[np.ndarray], errors: Sequence[float | None], pipeline: str, threads: int
) -> list[str]:
    """The outputs of native code outside their tolerance."""
    executable = compile(subject.module, threads=threads, pipeline=pipeline, entry=subject.signature.entry, cache=False)
    got, wanted = executable(*inputs), subject.reference(inputs)
    found: list[str] = []
    for index, (a, b, error) in enumerate(zip(got, wanted, errors, strict=True)):
        if mismatch := compare(a, b, tolerance_of(a.dtype, error)):
            found.append(f"out{index} ({subject.signature.outputs[index]}) {mismatch}")
    return found


def symptom(
    subject: Subject, inputs: Sequence[np.ndarray], errors: Sequence[float | None], pipeline: str, threads: int
) -> str | None:
    """What is wrong with the program, None if nothing is. Raises UnsupportedError."""
    try:
        return "\n".join(wrong_outputs(subject, inputs, errors, pipeline, threads)) or None
    except UnsupportedError:
        raise
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {error}"


def check(seed: int, pipeline: str | None = None, threads: int = 1) -> Failure | Unsupported | None:
    """Run program number `seed`, and cut it down if it fails."""
    return check_program(generate(seed), pipeline_of(seed, pipeline), threads)


def check_program(program: Program, pipeline: str, threads: int) -> Failure | Unsupported | None:
    """Run a program, and cut it down if it fails."""
    try:
        subject = Subject.parse(program.text.encode(), f"program {program.seed}", None)
        reason = symptom(subject, program.inputs, program.returned, pipeline, threads)
    except UnsupportedError as error:
        return Unsupported(error.message)
    except Exception as error:
        return Failure(f"not a program: {type(error).__name__}: {error}", program.text)
    if reason is None:
        return None
    part, reason = _cut_down(subject, program, reason, pipeline, threads)
    text = StringIO()
    ExactPrinter(stream=text).print_op(part.module)
    return Failure(reason, text.getvalue() + "\n")


def _cut_down(subject: Subject, program: Program, reason: str, pipeline: str, threads: int) -> tuple[Subject, str]:
    """The program up to the first op that shows anything wrong by itself, and what it shows."""
    entry = select_entry(subject.module, subject.signature.entry)
    for index, op in enumerate(list(entry.body.block.ops)[:-1]):
        if op.name == "stablehlo.constant":
            continue
        part = _prefix(subject, index)
        try:
            found = symptom(part, program.inputs, program.tolerances[index], pipeline, threads)
        except UnsupportedError:
            continue
        if found is not None:
            return part, found
    return subject, reason


def keep(seed: int, text: str, directory: str) -> Path:
    """Store a program with its inputs and the outputs of the reference, if that can run it."""
    path = Path(directory) / f"fuzz_{seed}.mlir"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    program = generate(seed)
    arrays: dict[str, Any] = {f"in{i}": to_stored(array) for i, array in enumerate(program.inputs)}
    try:
        outputs = Subject.parse(text.encode(), str(path), None).reference(program.inputs)
        arrays.update({f"out{i}": to_stored(array) for i, array in enumerate(outputs)})
    except Exception as error:
        print(f"  the reference cannot run it: {type(error).__name__}: {error}")
    np.savez(path.with_suffix(".npz"), **arrays)
    return path


# -- batches in another process ----------------------------------------------------------------------------------


def work(seed: int, count: int, pipeline: str | None, threads: int) -> None:
    """Run programs, announcing each and its outcome as a line of JSON on stdout."""
    gc.freeze()
    for number in range(seed, seed + count):
        print(json.dumps({"seed": number}), flush=True)
        program = generate(number)
        outcome = check_program(program, pipeline_of(number, pipeline), threads)
        ops = [[*op, times] for op, times in program.operations.items()]
        report: dict[str, Any] = {"seed": number, "ops": ops}
        if isinstance(outcome, Failure):
            report.update(failure=outcome.reason, program=outcome.program)
        elif outcome is not None:
            report["unsupported"] = outcome.reason
        print(json.dumps(report), flush=True)


def run_batches(seed: int, count: int, pipeline: str | None, threads: int) -> Iterator[dict[str, Any]]:
    """The report on each program; one that ends its process fails, and the rest go on in a new one."""
    end = seed + count
    while seed < end:
        size = min(BATCH, end - seed)
        problem = ""
        for report in _run_batch(seed, size, pipeline, threads):
            if "ops" not in report:
                problem = report["problem"]
                break
            yield report
            seed, size = seed + 1, size - 1
        if size:
            yield {"seed": seed, "ops": [], "failure": problem, "program": generate(seed).text}
            seed += 1


def _run_batch(seed: int, count: int, pipeline: str | None, threads: int) -> Iterator[dict[str, Any]]:
    """The reports of one process as they come; the last one may be a `problem` that ended it."""
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "xdsl_xla.tools.fuzz", "--worker"]
    command += ["--seed", str(seed), "--count", str(count), "--threads", str(threads)]
    command += ["--pipeline", pipeline] if pipeline else []
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
    parser.add_argument("--threads", type=int, default=1, metavar="T")
    parser.add_argument("--pipeline", metavar="P", help="by default xla-cpu, and xla-cpu-O0 for every fourth program")
    parser.add_argument("--keep", metavar="DIR", help="store failing programs here")
    parser.add_argument("--coverage", action="store_true", help="print which op met which element types")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)
    if args.worker:
        work(args.seed, args.count, args.pipeline, args.threads)
        return 0
    totals = Totals()
    with contextlib.suppress(KeyboardInterrupt):
        for report in run_batches(args.seed, args.count, args.pipeline, args.threads):
            totals.add(report)
            if "failure" in report:
                show_failure(report, args)
    print(*totals.lines(args.coverage), sep="\n")
    return 1 if totals.failed else 0


def show_failure(report: Mapping[str, Any], args: argparse.Namespace) -> None:
    """Print what went wrong with a program, and how to repeat it; store or print the part that shows it."""
    number = report["seed"]
    pipeline = pipeline_of(number, args.pipeline)
    print(f"program {number} FAILED: {report['failure']}")
    command = f"--seed {number} --count 1 --pipeline {pipeline} --threads {args.threads}"
    print(f"  repeat: python -m xdsl_xla.tools.fuzz {command}")
    if args.keep:
        print(f"  stored: {keep(number, report['program'], args.keep)}")
    else:
        print(report["program"])
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
