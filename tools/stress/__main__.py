"""`python -m xdsl_xla.tools.stress`: sharded programs many times in a row, while their devices pause at random.

    python -m xdsl_xla.tools.stress tests/corpus/sharded/*.mlir --times 200
    mpiexec -n 2 python -m xdsl_xla.tools.stress tests/corpus/sharded/*.mlir --times 1 --transport mpi

Beside each NAME.mlir stands NAME.npz with the arguments in0, in1, ... and the results out0, ... of one device, and
`rtol` where the program is ill-conditioned. The first run has to give these within the tolerance, relative to the
largest element; all others have to give the bits of the first one. A program without manual computations also runs on
other numbers of devices than its mesh has (`--devices`). The exit code is 1 if a program failed; one that does not go
on is ended with the stacks of its threads.
"""

from __future__ import annotations

import argparse
import faulthandler
import math
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import product

from ...errors import ArgumentError, UnsupportedError
from ...runtime.devices.delays import LONGEST, random_delays
from ...runtime.devices.local import TIMEOUT
from ..reporting import FAILURE, SUCCESS, describe
from .runs import Outcome, in_job, in_process, rank_in_job, run_times
from .subject import Subject

HANG_SECONDS = 300
"""A program that has not ended after so much more than `--seconds` hangs."""


STANDARD_ERROR = 2
"""The file descriptor."""


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m xdsl_xla.tools.stress",
        description="Run sharded programs many times in a row, while their devices pause at random.",
    )
    parser.add_argument("files", nargs="+", metavar="NAME.mlir", help="programs, each beside its NAME.npz")
    parser.add_argument("--times", type=int, default=200, metavar="N", help="runs of each (default 200)")
    text = "of each, at most (default 60); in a job all processes run it as often"
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help=text)
    text = "on so many devices, if not as many as the mesh of the program has; several numbers: one after the other"
    parser.add_argument("--devices", type=int, nargs="+", default=[None], metavar="N", help=text)
    text = f"the longest pause, in seconds (default {LONGEST:g}); 0: none"
    parser.add_argument("--longest-delay", type=float, default=LONGEST, metavar="S", help=text)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the pauses")
    parser.add_argument("--rtol", type=float, metavar="R", help="tolerance, if not that of NAME.npz, or 1e-5")
    text = "seconds that a device waits for others in an op"
    parser.add_argument("--collective-timeout", type=float, default=TIMEOUT, metavar="S", help=text)
    text = "mpi: in the processes of this job, each with its share of the devices"
    parser.add_argument("--transport", choices=("mpi",), help=text)
    return parser


class Totals:
    """What has been run so far."""

    def __init__(self) -> None:
        self.programs = self.runs = self.failed = self.left_out = 0

    def __str__(self) -> str:
        left_out = f", {self.left_out} left out" if self.left_out else ""
        return f"{self.programs} programs, {self.runs} runs, {self.failed} failed{left_out}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with the arguments `argv` (those of the process if None); the exit code."""
    args = argument_parser().parse_args(argv)
    args.is_first = args.transport is None or rank_in_job() == 0
    totals = Totals()
    for path, devices in product(args.files, args.devices):
        faulthandler.dump_traceback_later(args.seconds + HANG_SECONDS, exit=True, file=STANDARD_ERROR)
        _try(path, devices, args, totals)
        faulthandler.cancel_dump_traceback_later()
        if totals.failed and args.transport:  # the processes of a job cannot go on together
            break
    if args.is_first:
        print(totals)
    return FAILURE if totals.failed else SUCCESS


def _try(path: str, devices: int | None, args: argparse.Namespace, totals: Totals) -> None:
    """Run a program, and say how that went."""
    name = f"{path}{f' on {devices} devices' if devices else ''}"
    try:
        subject = Subject(path, devices, args.rtol)
    except (ArgumentError, UnsupportedError) as error:
        totals.left_out += 1
        if args.is_first:
            print(f"{name}: left out: {error.message}", flush=True)
        return
    except Exception as error:
        _count(name, Outcome(0, 0, describe(error)), args, totals)
        return
    with random_delays(args.seed, args.longest_delay) if args.longest_delay else nullcontext():
        outcome = _outcome(subject, args)
    _count(f"{subject.name} on {subject.devices} devices", outcome, args, totals)


def _outcome(subject: Subject, args: argparse.Namespace) -> Outcome:
    runner, most_seconds = (in_job, math.inf) if args.transport else (in_process, args.seconds)
    return run_times(subject, runner, args.times, most_seconds, args.collective_timeout)


def _count(name: str, outcome: Outcome, args: argparse.Namespace, totals: Totals) -> None:
    totals.programs += 1
    totals.runs += outcome.runs
    if outcome.problem is not None:
        totals.failed += 1
        print(f"{name} FAILED in run {outcome.runs} with --seed {args.seed}: {outcome.problem}", flush=True)
    elif args.is_first:
        each = outcome.seconds / outcome.runs * 1e3
        print(f"{name}: {outcome.runs} times, {each:.3g} ms each", flush=True)


if __name__ == "__main__":
    sys.exit(main())
