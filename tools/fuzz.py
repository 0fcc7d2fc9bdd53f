"""`python -m xdsl_xla.tools.fuzz`: random programs on native code and on the reference.

    python -m xdsl_xla.tools.fuzz --seed 0 --count 200 --keep /tmp/failures

Program number `seed + i` is made by `program_generator`, compiled, run and compared. Programs run in batches in another
process, so that a crash is a failure of one program. A failing program is cut down to the first op of its entry that
is wrong; `--keep` stores it as NAME.mlir with inputs and the reference's outputs in NAME.npz, for `xla-run --input
--expect`. Programs that need what the compiler rejects with a reason are counted as not supported. The exit code is
1 if a program failed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..dialects.printing import ExactPrinter
from ..errors import UnsupportedError
from ..runtime.compiler import compile
from ..runtime.signature import select_entry
from .comparison import EXACT, Tolerance, compare, default_tolerance
from .differential import (
    Subject,
    _prefix,  # pyright: ignore[reportPrivateUsage]
)
from .program_generator import Program, generate
from .tensor_io import to_stored

BATCH = 25
TIMEOUT_SECONDS = 120
"""For a batch, with ten more for each of its programs."""

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


def wrong_outputs(
    subject: Subject, inputs: Sequence[np.ndarray], errors: Sequence[float], pipeline: str, threads: int
) -> list[str]:
    """The outputs of native code outside the tolerance of their type plus the error they may carry."""
    executable = compile(subject.module, threads=threads, pipeline=pipeline, entry=subject.signature.entry)
    got, wanted = executable(*inputs), subject.reference(inputs)
    found: list[str] = []
    for index, (a, b, error) in enumerate(zip(got, wanted, errors, strict=True)):
        tolerance = default_tolerance(a.dtype)
        if tolerance != EXACT:
            tolerance = Tolerance(tolerance.relative, max(tolerance.absolute, error))
        if mismatch := compare(a, b, tolerance):
            found.append(f"out{index} ({subject.signature.outputs[index]}) {mismatch}")
    return found


def symptom(
    subject: Subject, inputs: Sequence[np.ndarray], errors: Sequence[float], pipeline: str, threads: int
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
            found = symptom(part, program.inputs, program.errors[index], pipeline, threads)
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
    for number in range(seed, seed + count):
        print(json.dumps({"seed": number}), flush=True)
        program = generate(number)
        outcome = check_program(program, pipeline_of(number, pipeline), threads)
        report: dict[str, Any] = {"seed": number, "ops": Counter(program.operations)}
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
        reports, problem = _run_batch(seed, size, pipeline, threads)
        yield from reports
        seed += len(reports)
        if len(reports) < size:
            yield {"seed": seed, "ops": {}, "failure": problem, "program": generate(seed).text}
            seed += 1


def _run_batch(seed: int, count: int, pipeline: str | None, threads: int) -> tuple[list[dict[str, Any]], str]:
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "xdsl_xla.tools.fuzz", "--worker"]
    command += ["--seed", str(seed), "--count", str(count), "--threads", str(threads)]
    command += ["--pipeline", pipeline] if pipeline else []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS + 10 * count)
        output, problem = done.stdout, f"the process ended with code {done.returncode}\n{done.stderr[-2000:]}"
    except subprocess.TimeoutExpired as error:
        output = error.stdout.decode() if isinstance(error.stdout, bytes) else ""
        problem = "does not end"
    reports = [json.loads(line) for line in output.splitlines() if line.startswith("{") and line.endswith("}")]
    return [report for report in reports if "ops" in report], problem


# -- the command -------------------------------------------------------------------------------------------------


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.tools.fuzz",
        description="Compare native code with the reference on random StableHLO programs.",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the number of the first program")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="how many programs")
    parser.add_argument("--threads", type=int, default=1, metavar="T")
    parser.add_argument("--pipeline", metavar="P", help="by default xla-cpu, and xla-cpu-O0 for every fourth program")
    parser.add_argument("--keep", metavar="DIR", help="store failing programs here")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)
    if args.worker:
        work(args.seed, args.count, args.pipeline, args.threads)
        return 0
    counts: Counter[str] = Counter()
    unsupported: Counter[str] = Counter()
    failed = 0
    for report in run_batches(args.seed, args.count, args.pipeline, args.threads):
        counts.update(report["ops"])
        if "unsupported" in report:
            unsupported[report["unsupported"]] += 1
        if "failure" not in report:
            continue
        failed += 1
        number = report["seed"]
        pipeline = pipeline_of(number, args.pipeline)
        print(f"program {number} FAILED: {report['failure']}")
        print(
            f"  repeat: python -m xdsl_xla.tools.fuzz --seed {number} --count 1 --pipeline {pipeline}"
            f" --threads {args.threads}"
        )
        if args.keep:
            print(f"  stored: {keep(number, report['program'], args.keep)}")
        else:
            print(report["program"])
        sys.stdout.flush()
    for reason, times in unsupported.most_common():
        print(f"not supported ({times}): {reason}")
    for name, times in sorted(counts.items()):
        print(f"{times:6} {name}")
    print(f"{args.count} programs, {failed} failed, {unsupported.total()} not supported, {len(counts)} kinds of ops")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
