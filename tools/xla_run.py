"""`xla-run`: compile a StableHLO program and execute, check or time it.

    xla-run program.mlir --input 2x2xf32='1 2 3 4' --input f32=0.5
    xla-run program.mlir --input data.npz --expect data.npz
    xla-run program.mlir --benchmark --threads 2
    xla-run tests.mlir --engine reference --split-input-file

A program whose entry has dynamic dimensions is refined to the shapes of the arguments that `--input` gives.

A file with `check` ops, or with `--split-input-file` or `--args`, is one of executable tests, as upstream's interpreter
takes them: see `executable_tests.py`.

Exit codes: 0 success, 1 the program, its arguments or a comparison failed, 2 wrong usage.
"""

from __future__ import annotations

if __name__ == "__main__":  # of `python -m`: as the installed command, before anything heavy is imported
    from .commands import xla_run

    raise SystemExit(xla_run())

import argparse
import gc
import sys
import time
from collections.abc import Sequence

from ..runtime.dump_form import with_locations
from ..runtime.garbage_collection import CyclicGCPaused
from ..runtime.progress import Progress
from .html_options import HtmlPage
from .loaded_program import Program, load_program, refined_by_inputs, request_of
from .reporting import INTERRUPTED, SUCCESS, guarded
from .run_modes import check_options_of_modes, modes_of, runs_when_tuned
from .run_options import argument_parser, check_options
from .run_reports import benchmark, check, print_profile, report_compilation
from .run_test_files import is_test_file, run_test_file
from .stored_arrays import check_output_name, save_outputs
from .tensor_io import load_inputs, random_inputs, show
from .tuning import seconds_of, tune_program


def run_on_devices(args: argparse.Namespace) -> int:
    """What `--transport` asks for; the exit code."""
    from .mpi_run import run_in_job

    def load() -> Program:
        program = load_program(args)
        args.signature = program.signature
        return program

    return run_in_job(args, load, lambda path, outputs: check(path, outputs, args.signature, args))


def run_program(args: argparse.Namespace) -> int:
    """Compile a program, run it and say what the command line asks of it; the exit code."""
    start = time.perf_counter()
    with CyclicGCPaused():
        program = load_program(args)
        gc.freeze()  # what has been imported stays to the end
    compile_seconds = time.perf_counter() - start
    if program.executable is not None:
        report_compilation(program.executable, args)
    specs = program.signature.inputs
    inputs = load_inputs(args.input, specs) if args.input else random_inputs(specs, args.seed)
    if args.output is not None:
        check_output_name(args.output, program.signature.outputs)
    with Progress(f"running @{program.signature.entry}"):
        outputs = program.run(*inputs)
    status = SUCCESS
    if args.output is not None:
        save_outputs(args.output, outputs)
    if args.expect is not None:
        status = check(args.expect, outputs, program.signature, args)
    if args.benchmark is not None:
        with Progress("measuring") as progress:
            measured = benchmark(program, inputs, args.benchmark, progress)
        print(f"compile {compile_seconds:.3f} s; {measured}")
    if args.profile is not None:
        print_profile(program, inputs, args)
    if args.output is args.expect is args.benchmark is args.tune is args.profile is None:
        for index, array in enumerate(outputs):
            print(show(f"out{index}", array, program.signature.outputs[index]))
    return status


def tune_and_run(args: argparse.Namespace) -> int:
    """What `--tune` asks for; the exit code."""
    seconds_of(args.tune)
    summary = tune_program(refined_by_inputs(args), args.file, request_of(args), args)
    print(summary)
    if summary.interrupted:
        return INTERRUPTED
    return write_page_and_run(args) if runs_when_tuned(args) else SUCCESS


def write_page_and_run(args: argparse.Namespace) -> int:
    """A run, after the page that `--html` asks for; the exit code."""
    if args.html is not None:
        HtmlPage(args.html, args.file, args.html_profile).write_program(refined_by_inputs(args), request_of(args))
    return run_program(args)


def print_simulation(args: argparse.Namespace) -> int:
    """What `--simulate` asks for; the exit code."""
    from .simulation.command import simulate

    print(simulate(refined_by_inputs(args), args.file, args.simulate, args.machine, request_of(args)))
    return SUCCESS


def run_comparisons(args: argparse.Namespace) -> int:
    """What `--compare` and `--check-passes` ask for; the exit code."""
    from .run_differential import run_differential

    return run_differential(args)


def execute(args: argparse.Namespace) -> int:
    """Everything after the command line; the exit code."""
    check_options(args)
    is_of_tests = False
    if args.transport is not None:
        run = run_on_devices
    elif args.simulate is not None:
        run = print_simulation
    elif args.compare is not None or args.check_passes:
        run = run_comparisons
    elif args.tune is not None:
        run = tune_and_run
    else:
        is_of_tests = is_test_file(args)
        run = run_test_file if is_of_tests else write_page_and_run
    check_options_of_modes(args, modes_of(args, is_of_tests), argument_parser())
    return run(args)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `xla-run` with the arguments `argv` (those of the process if None); the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    args = argument_parser().parse_args(["--profile=" if each == "--profile" else each for each in arguments])
    with with_locations(args.mlir_print_debuginfo):
        return guarded(lambda: execute(args), debug=args.debug)
