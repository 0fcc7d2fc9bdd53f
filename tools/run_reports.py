"""Reports of `xla-run`: `--expect`, `--benchmark`, `--profile`, `--time-passes`, `--stats`."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

import numpy as np

from ..errors import ArgumentError
from ..runtime.executable import Executable
from ..runtime.progress import Progress
from ..runtime.signature import Signature
from .loaded_program import Program, request_of
from .reporting import FAILURE, SUCCESS
from .tensor_io import load_archive

BENCHMARK_SECONDS = 1.0
"""How long `--benchmark` without a number keeps running."""

WARM_UP_SECONDS = 0.2
"""How long the program runs before anything is measured: caches, page tables and the clock
settle.
"""

MIN_RUNS, MAX_RUNS = 5, 10_000


def check(path: str, outputs: Sequence[np.ndarray], signature: Signature, args: argparse.Namespace) -> int:
    """Compare `outputs` with those in the archive `path`, reporting each that differs."""
    from .comparison import AskedTolerance, compare, default_tolerance

    status = SUCCESS
    asked = AskedTolerance(args.rtol, args.atol)
    expected = load_archive(path, "out", signature.outputs)
    for index, (got, want) in enumerate(zip(outputs, expected, strict=True)):
        spec = signature.outputs[index]
        if want.shape != got.shape or want.dtype != got.dtype:
            raise ArgumentError(f"{path}: out{index} is {want.dtype}{list(want.shape)}, the program gives {spec}")
        if mismatch := compare(got, want, asked.over(default_tolerance(got.dtype))):
            print(f"out{index} ({spec}) {mismatch}", file=sys.stderr)
            status = FAILURE
    if status == SUCCESS:
        print(f"{len(outputs)} outputs as expected")
    return status


def benchmark(program: Program, inputs: Sequence[np.ndarray], runs: int, progress: Progress) -> str:
    """Median and least time of a run."""
    warm_up_end = time.perf_counter() + WARM_UP_SECONDS
    start = time.perf_counter()
    program.run(*inputs)
    once = time.perf_counter() - start
    while time.perf_counter() < warm_up_end:
        program.run(*inputs)
    if runs == 0:
        runs = min(MAX_RUNS, max(MIN_RUNS, int(BENCHMARK_SECONDS / max(once, 1e-7))))
    seconds: list[float] = []
    for number in range(runs):
        progress.say(f"{number} of {runs} runs")
        start = time.perf_counter()
        program.run(*inputs)
        seconds.append(time.perf_counter() - start)
    median, least = statistics.median(seconds), min(seconds)
    threads = program.executable.statistics.threads if program.executable else 1
    times = f"median {median * 1e3:.4g} ms, min {least * 1e3:.4g} ms"
    return f"{times} ({runs} runs, {threads} threads)"


def report_compilation(executable: Executable, args: argparse.Namespace) -> None:
    """What `--time-passes` and `--stats` ask for."""
    if args.time_passes:
        for name, seconds in executable.timings.items():
            print(f"{seconds * 1e3:9.2f} ms  {name}", file=sys.stderr)
        print(f"{sum(executable.timings.values()) * 1e3:9.2f} ms  total", file=sys.stderr)
    if args.stats:
        for name, value in vars(executable.statistics).items():
            print(f"{name.replace('_', ' ')}: {value}")


def print_profile(program: Program, inputs: Sequence[np.ndarray], args: argparse.Namespace) -> None:
    """What `--profile` asks for; `--benchmark N` says for how many runs."""
    from .profiling.command import profile_program

    assert program.executable is not None
    request, runs = request_of(args), args.benchmark or 0
    print(
        profile_program(program.executable, inputs, args.source, args.file, request, runs=runs, directory=args.profile)
    )
