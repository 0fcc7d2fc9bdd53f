"""`python -m xdsl_xla.benchmarks`: run and compile time against XLA:CPU, as a table and as JSON."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from ..errors import UnsupportedError, XlaError
from . import suite
from .measure import Comparison, compare
from .peers import Native, XlaCpu


def _geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def _row(c: Comparison) -> str:
    return (
        f"{c.program:18}{c.ours.run_seconds * 1e3:10.3f}{c.theirs.run_seconds * 1e3:10.3f}{c.run_ratio:8.2f}"
        f"{c.ours.compile_seconds:10.3f}{c.theirs.compile_seconds:10.3f}{c.compile_ratio:8.2f}{c.worst_difference:10.1e}"
    )


HEADER = (
    f"{'program':18}{'ours ms':>10}{'XLA ms':>10}{'ratio':>8}{'compile s':>10}{'XLA s':>10}{'ratio':>8}{'differ':>10}"
)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.benchmarks",
        description="Times programs against XLA:CPU in alternation; ratios are ours / XLA's, below 1 is faster.",
    )
    parser.add_argument("programs", nargs="*", help=f"which programs (default: all): {', '.join(suite.names())}")
    parser.add_argument("--threads", type=int, help="threads for both sides (default: all CPUs of this process)")
    parser.add_argument("--blocks", type=int, default=10, help="alternating blocks of runs per side (default 10)")
    parser.add_argument("--json", type=Path, help="also write all figures to this file")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the comparison; 0 when every program ran, 1 when one failed."""
    options = parse_arguments(arguments)
    cpus = sorted(os.sched_getaffinity(0))
    threads = options.threads or len(cpus)
    if threads > len(cpus):
        print(f"error: --threads {threads}: this process may use {len(cpus)} CPUs", file=sys.stderr)
        return 2
    os.sched_setaffinity(0, cpus[:threads])
    try:
        ours, theirs = Native(threads), XlaCpu()
        programs = [suite.load(name) for name in options.programs or suite.names()]
    except XlaError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{platform.processor() or platform.machine()}, {threads} threads, medians of alternating runs")
    print(HEADER)
    warm_up = suite.load("reduce_rows")
    ours.compile(warm_up)
    theirs.compile(warm_up)
    done: list[Comparison] = []
    failed: dict[str, str] = {}
    for program in programs:
        try:
            comparison = compare(program, ours, theirs, options.blocks)
        except UnsupportedError as error:
            failed[program.name] = str(error)
            print(f"{program.name:18}{'not supported: ' + str(error).splitlines()[0]:.100}")
            continue
        done.append(comparison)
        print(_row(comparison), flush=True)
    runs = _geometric_mean([c.run_ratio for c in done])
    compiles = _geometric_mean([c.compile_ratio for c in done])
    print(f"{'geometric mean':38}{runs:8.2f}{'':20}{compiles:8.2f}   ({len(done)} of {len(programs)} programs)")
    if options.json:
        figures = {
            "threads": threads,
            "programs": [c.as_dict() for c in done],
            "failed": failed,
            "geometric_mean_run_ratio": runs,
            "geometric_mean_compile_ratio": compiles,
        }
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
