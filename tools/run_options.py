"""The command line of `xla-run`; `run_modes.py` says which options go together."""

from __future__ import annotations

import argparse
import re

from ..decisions.denormals import MODES
from ..pipelines import PIPELINES
from ..runtime.devices.local import TIMEOUT
from .compile_options import (
    COST_MODEL_HELP,
    COST_MODEL_PLACE,
    DENORMALS_HELP,
    LOAD_PASS_HELP,
    SCHEDULES_HELP,
    check_machine,
)
from .driver.command_line import CommandParser, PrintText
from .driver.flags import FILL_ELIDED_HELP
from .html_options import HTML_HELP, HTML_PROFILE_HELP
from .reporting import UsageError


def argument_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = CommandParser("xla-run", "Compile a StableHLO program and execute, check or time it.")
    parser.add_argument("file", help="the program, in MLIR (text or bytecode) or HLO text (.hlo); - for standard input")
    parser.add_argument("--entry", metavar="NAME", help="function to execute, if not 'main'")
    _add_data(parser)
    _add_executable_tests(parser)
    _add_compilation(parser)
    _add_devices(parser)
    _add_checks(parser)
    report = parser.add_argument_group("reports")
    report.add_argument(
        "--tune",
        metavar="TIME",
        help="search so long (60, 60s, 2m) for better schedules of kernels, and keep them in the first database of"
        " XDSL_XLA_SCHEDULES",
    )
    report.add_argument("--benchmark", nargs="?", type=int, const=0, metavar="N", help="time N runs (or 1 second)")
    report.add_argument(
        "--profile",
        nargs="?",
        metavar="DIR",
        help="--profile: print the time of kernels and lines, beside what this machine could do; --profile=DIR: write"
        " the table, folded stacks, a trace for Perfetto and records there, too",
    )
    report.add_argument("--time-passes", action="store_true", help="time of each step, on stderr")
    report.add_argument("--stats", action="store_true", help="memory, kernels, code size")
    report.add_argument("--html", metavar="OUT.html", help=HTML_HELP)
    report.add_argument("--html-profile", metavar="FILE.json", help=HTML_PROFILE_HELP)
    report.add_argument(
        "-v",
        "--version",
        action=PrintText,
        text=_version,
        help="print our version and those of xDSL and LLVM",
    )
    report.add_argument("--debug", action="store_true", help="show tracebacks (also XDSL_XLA_DEBUG=1)")
    return parser


def _version() -> str:
    from .driver.lists import version_text

    return version_text()


def _add_data(parser: argparse.ArgumentParser) -> None:
    data = parser.add_argument_group("data")
    data.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="DATA",
        help="FILE.npz with in0, in1, ..., or once per argument FILE.npy or a tensor such as"
        " '2x2xf32=1 2 3 4', 'f32=3.5', '4xi32=7' (one value fills all); without it, random values",
    )
    data.add_argument("--seed", type=int, default=0, help="of random inputs and of `rng` ops (default 0)")
    data.add_argument(
        "--output",
        metavar="FILE",
        help="store the results, as out0, ... of FILE.npz, or a single one as FILE.npy",
    )
    data.add_argument("--expect", metavar="FILE.npz", help="compare the results with out0, out1, ...")
    data.add_argument("--rtol", type=float, help="relative tolerance, if not that of the type")
    data.add_argument("--atol", type=float, help="absolute tolerance, if not that of the type")


def _add_executable_tests(parser: argparse.ArgumentParser) -> None:
    tests = parser.add_argument_group("executable tests")
    tests.add_argument(
        "--split-input-file",
        "-split-input-file",
        action="store_true",
        help="the file holds several programs, between lines // -----",
    )
    tests.add_argument(
        "--args",
        metavar="ARRAY",
        help="arguments as '[dense<1> : tensor<2xi32>, ...]', @FILE with such an array, or @A.npy,@B.npy",
    )
    tests.add_argument("--skip", metavar="REGEX", help="leave out functions in whose names this is found")
    tests.add_argument("--probe-output-dir", metavar="DIR", help="where interpreter.probe stores values")


def _add_compilation(parser: argparse.ArgumentParser) -> None:
    compilation = parser.add_argument_group("compilation")
    compilation.add_argument("--engine", choices=("native", "reference"), default="native")
    compilation.add_argument("--threads", type=int, metavar="N")
    compilation.add_argument(
        "--pipeline",
        default="xla-cpu",
        metavar="PASSES",
        help=f"as for xla-opt -p; named pipelines: {', '.join(PIPELINES)}",
    )
    compilation.add_argument("--vector-bits", type=int, metavar="BITS")
    compilation.add_argument(
        "--devices", type=int, metavar="N", help="spread over N devices of this process, or job, as its shardings say"
    )
    compilation.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help=LOAD_PASS_HELP)
    compilation.add_argument("--cost-model", metavar=COST_MODEL_PLACE, help=COST_MODEL_HELP)
    compilation.add_argument("--schedules", metavar="FILE", help=SCHEDULES_HELP)
    compilation.add_argument("--opt-level", type=int, choices=range(4), default=2)
    compilation.add_argument("--denormals", choices=MODES, help=DENORMALS_HELP)
    compilation.add_argument("--verify", action="store_true", help="check the IR after every pass")
    compilation.add_argument(
        "--donate", action="store_true", help="results may take the memory of arguments that the program gives away"
    )
    compilation.add_argument(
        "--debug-info", action="store_true", help="have machine code say which lines of the source it is from"
    )
    compilation.add_argument("--no-cache", action="store_true", help="compile even what is in the compile cache")
    compilation.add_argument("--dump-dir", metavar="DIR", help="write the IR after every step here")
    compilation.add_argument(
        "--mlir-print-debuginfo", action="store_true", help="with the location of each op, in what --dump-dir gets"
    )
    compilation.add_argument("--fill-elided", action="store_true", help=FILL_ELIDED_HELP)


def _add_devices(parser: argparse.ArgumentParser) -> None:
    devices = parser.add_argument_group("devices")
    devices.add_argument(
        "--transport",
        choices=("mpi",),
        help="run the devices of a program with collectives in the processes of this job: mpiexec -n 4 xla-run ...;"
        " {device} in file names is the number of a device",
    )
    devices.add_argument(
        "--simulate",
        metavar="devices=N[,trips=N]",
        help="say how long the program would take on so many devices, and why, without running it",
    )
    devices.add_argument(
        "--machine", metavar="FILE.toml", help="what those devices can do (docs/devices.md), if not this machine's"
    )
    devices.add_argument(
        "--collective-timeout",
        type=float,
        metavar="SECONDS",
        help=f"how long a device waits for others in an op (default {TIMEOUT:g})",
    )


def _add_checks(parser: argparse.ArgumentParser) -> None:
    checks = parser.add_argument_group("differential testing")
    checks.add_argument(
        "--compare",
        choices=("reference",),
        help="run native code and the reference on ordinary inputs, edge values, NaN and infinity, and a wide range",
    )
    checks.add_argument(
        "--check-passes",
        action="store_true",
        help="run the program after every pass of the pipeline; name the first one that changes its values, crashes or"
        " leaves invalid IR, and a part of the program that shows it",
    )


def check_options(args: argparse.Namespace) -> None:
    """Raises `UsageError` for a value that an option does not take, though its type is right."""
    check_machine(args)
    if args.devices is not None and args.devices < 1:
        raise UsageError(f"--devices {args.devices}: at least 1")
    if args.devices is not None and (args.profile is not None or args.html is not None):
        raise UsageError("--profile and --html show the program of one device, not of --devices")
    if args.benchmark is not None and args.benchmark < 0:
        raise UsageError(f"--benchmark {args.benchmark}: at least 1")
    if args.html_profile is not None and args.html is None:
        raise UsageError("--html-profile is what the page of --html shows")
    if args.collective_timeout is not None and not args.collective_timeout > 0:
        raise UsageError(f"--collective-timeout {args.collective_timeout:g}: more than 0")
    if args.collective_timeout is not None and args.transport is None and args.devices is None:
        raise UsageError("--collective-timeout is for several devices: with --devices or --transport")
    if args.transport is not None and args.file == "-":
        raise UsageError("--transport mpi needs a file that all processes can read")
    if args.seed < 0:
        raise UsageError(f"--seed {args.seed}: at least 0")
    for name in ("rtol", "atol"):
        tolerance = getattr(args, name)
        if tolerance is not None and not tolerance >= 0:
            raise UsageError(f"--{name} {tolerance}: at least 0")
    if args.skip is not None:
        try:
            re.compile(args.skip)
        except re.error as error:
            raise UsageError(f"--skip {args.skip!r}: not a regular expression ({error})") from None
