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

import argparse
import gc
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..decisions.denormals import DEFAULT, MODES, PRESERVE
from ..dialects.xrt_names import INTERFACE
from ..errors import ArgumentError
from ..pipelines import PIPELINES
from ..runtime.compiler import Request, compile, definitions_of
from ..runtime.devices.local import TIMEOUT
from ..runtime.dump_form import with_locations
from ..runtime.executable import Executable
from ..runtime.formats import format_of
from ..runtime.garbage_collection import CyclicGCPaused
from ..runtime.progress import Progress
from ..runtime.schedule_texts import beside, schedule_texts
from ..runtime.signature import Signature, TensorSpec, tensors_of
from ..runtime.threads import MAX_THREADS, effective_threads
from .cost_models import (
    COST_MODEL_HELP,
    COST_MODEL_PLACE,
    DENORMALS_HELP,
    LOAD_PASS_HELP,
    SCHEDULES_HELP,
    load_cost_model,
)
from .driver.command_line import CommandParser, PrintText
from .html_options import HTML_HELP, HTML_PROFILE_HELP, HtmlPage
from .reporting import FAILURE, INTERRUPTED, SUCCESS, UsageError, describe, guarded, standard_input
from .run_modes import check_options_of_modes, modes_of, runs_when_tuned
from .stored_arrays import check_output_name, save_outputs
from .tensor_io import load_archive, load_inputs, random_inputs, show
from .tuning import seconds_of, tune_program

if TYPE_CHECKING:  # a program from the compile cache runs without xDSL
    from xdsl.dialects.builtin import ModuleOp

    from .comparison import Tolerance

BENCHMARK_SECONDS = 1.0
"""How long `--benchmark` without a number keeps running."""

WARM_UP_SECONDS = 0.2
"""How long the program runs before anything is measured: caches, page tables and the clock
settle.
"""

MIN_RUNS, MAX_RUNS = 5, 10_000

INSTRUMENTS = re.compile(rb"\bcheck\.|\binterpreter\.")
"""Found in files whose functions hold checks, print or probe."""


class Program(NamedTuple):
    """A program ready to run."""

    run: Callable[..., Sequence[np.ndarray]]
    signature: Signature
    executable: Executable | None


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
    compilation.add_argument(
        "--fill-elided", action="store_true", help="make up the constants that HLO text leaves out as {...}"
    )


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


def schedules_file(args: argparse.Namespace) -> str | Path | None:
    """The file with schedules, if there is one."""
    return args.schedules or beside(args.file)


def read_program(path: str) -> bytes:
    """The text of the program; `-` is standard input."""
    if path == "-":
        return standard_input().read()
    with open(path, "rb") as file:
        return file.read()


def refined_by_inputs(args: argparse.Namespace) -> bytes | ModuleOp:
    """The program; one whose entry has dynamic dimensions gets the shapes of `--input`, if that is given."""
    text = read_program(args.file)
    if args.fill_elided:
        from ..frontends.hlo_text import parse_hlo

        return parse_hlo(text, args.file, fill_elided=True)
    if not args.input or (b"?" not in text and format_of(text, args.file) is None):
        return text
    from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType

    from ..dialects.stablehlo.shapes import is_tensor
    from ..passes.stablehlo.shape_refinement import refine
    from ..runtime.entry import bounded_shape, select_entry
    from ..runtime.formats import read_program as read_module
    from ..runtime.mlir_types import numpy_dtype
    from ..runtime.verifying import verify_module

    module = read_module(text, args.file)
    verify_module(module)
    if any(INTERFACE in op.attributes for op in module.ops):  # on a lower level, where shapes are static
        return module
    entry = select_entry(module, args.entry)
    types = [arg.type for arg in entry.args if is_tensor(arg.type)]
    if len(types) != len(entry.args) or all(DYNAMIC_INDEX not in bounded_shape(type) for type in types):
        return module
    specs = [TensorSpec(f"arg{i}", (), numpy_dtype(type.element_type)) for i, type in enumerate(types)]
    shapes = [array.shape for array in load_inputs(args.input, specs)]
    refine(module, entry, [TensorType(type.element_type, shape) for type, shape in zip(types, shapes, strict=True)])
    return module


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Those of `compile` that a command line asks for."""
    return {
        "filename": args.file,
        "threads": args.threads,
        "pipeline": args.pipeline,
        "entry": args.entry,
        "vector_bits": args.vector_bits,
        "opt_level": args.opt_level,
        "dump_dir": args.dump_dir,
        "verify": args.verify,
        "seed": args.seed,
        "donate": args.donate,
        "cost_model": load_cost_model(args.cost_model),
        "schedules": schedules_file(args),
        "passes": args.load_pass,
        "cache": False if args.no_cache else None,
        "debug_info": args.debug_info,
        "profile": args.profile is not None,
        "denormals": args.denormals,
    }


def load_program(args: argparse.Namespace) -> Program:
    """Compile the program, or prepare it for the reference interpreter."""
    if args.engine == "native":
        args.source = refined_by_inputs(args)
        options = _options(args)
        if args.devices is not None:
            compiled = compile(args.source, devices=args.devices, **options)
            sharded = compiled.with_collective_timeout(args.collective_timeout or TIMEOUT)
            return Program(sharded, sharded.signature, sharded.local)
        executable = compile(args.source, devices=None, **options)
        signature = executable.signature

        def run_native(*arrays: np.ndarray) -> Sequence[np.ndarray]:
            return list(tensors_of(executable(*signature.arguments(arrays))))

        return Program(executable if signature.is_plain else run_native, signature, executable)

    from xdsl.dialects.builtin import ModuleOp

    from ..passes.stablehlo.stablehlo_refuse_internals import refuse_internals
    from ..reference import interpreter
    from ..reference.environment import Environment
    from ..runtime.arguments import convert_argument
    from ..runtime.entry import read_signature
    from ..runtime.formats import read_program as read_module
    from ..runtime.verifying import verify_module
    from .entries import resolve_entry

    program = refined_by_inputs(args)
    module = program if isinstance(program, ModuleOp) else read_module(program, args.file)
    verify_module(module)
    refuse_internals(module)
    signature = read_signature(resolve_entry(module, args.entry))

    def run(*arrays: np.ndarray) -> Sequence[np.ndarray]:
        specs = zip(arrays, signature.inputs, strict=True)
        converted = [
            np.asarray(array) if spec.bounded else convert_argument(array, spec, i)
            for i, (array, spec) in enumerate(specs)
        ]
        arguments = signature.arguments(converted)
        environment = Environment(seed=args.seed, denormals=args.denormals or DEFAULT)
        return list(tensors_of(interpreter.run(module, signature.entry, arguments, environment)))

    return Program(run, signature, None)


def request_of(args: argparse.Namespace) -> Request:
    """The options of the compilation."""
    return Request(
        effective_threads(args.threads),
        args.pipeline,
        args.entry,
        args.vector_bits,
        args.opt_level,
        None,
        None,
        args.donate,
        load_cost_model(args.cost_model),
        schedule_texts(schedules_file(args)),
        debug_info=args.debug_info,
        definitions=definitions_of(args.load_pass),
        denormals=args.denormals,
    )


def check(path: str, outputs: Sequence[np.ndarray], signature: Signature, args: argparse.Namespace) -> int:
    """Compare `outputs` with those in the archive `path`, reporting each that differs."""
    from .comparison import Tolerance, compare, default_tolerance

    status = SUCCESS
    expected = load_archive(path, "out", signature.outputs)
    for index, (got, want) in enumerate(zip(outputs, expected, strict=True)):
        spec = signature.outputs[index]
        if want.shape != got.shape or want.dtype != got.dtype:
            raise ArgumentError(f"{path}: out{index} is {want.dtype}{list(want.shape)}, the program gives {spec}")
        tolerance = default_tolerance(got.dtype)
        tolerance = Tolerance(
            tolerance.relative if args.rtol is None else args.rtol,
            tolerance.absolute if args.atol is None else args.atol,
        )
        if mismatch := compare(got, want, tolerance):
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


def is_test_file(args: argparse.Namespace) -> bool:
    """Whether the file is to be run as executable tests."""
    if args.split_input_file or args.args is not None:
        return True
    return args.file != "-" and not args.input and INSTRUMENTS.search(read_program(args.file)) is not None


def run_test_file(args: argparse.Namespace) -> int:
    """Run the functions of a file of executable tests; the exit code."""
    from .executable_tests import parse_arguments, read_cases, reference_runner, run_cases
    from .native_tests import native_runner

    arguments = [] if args.args is None else parse_arguments(args.args)
    denormals = args.denormals or PRESERVE  # what such files expect is what the specification says
    if args.engine == "native":
        run = native_runner(
            threads=args.threads,
            pipeline=args.pipeline,
            vector_bits=args.vector_bits,
            opt_level=args.opt_level,
            cost_model=load_cost_model(args.cost_model),
            passes=args.load_pass,
            dump_dir=args.dump_dir,
            verify=args.verify,
            seed=args.seed,
            probe_directory=args.probe_output_dir,
            denormals=denormals,
        )
    else:
        run = reference_runner(args.probe_output_dir, args.seed, denormals)
    text = read_program(args.file)
    cases, errors = read_cases(text, args.file, split=args.split_input_file, entry=args.entry)
    for error in errors:
        print(describe(error), file=sys.stderr)
    if args.skip is not None:
        cases = [case for case in cases if re.search(args.skip, case.function.sym_name.data) is None]
    return FAILURE if run_cases(cases, run, arguments) == FAILURE or errors else SUCCESS


def run_differential(args: argparse.Namespace) -> int:
    """Carry out `--compare` and `--check-passes`; the exit code."""
    source = refined_by_inputs(args)
    status = run_comparison(source, args) if args.compare else SUCCESS
    if not args.check_passes:
        return status
    from .pass_report import run_pass_check

    return max(status, run_pass_check(source, args, request_of(args), tolerance_of(args)))


def tolerance_of(args: argparse.Namespace) -> Tolerance | None:
    """What `--rtol` and `--atol` ask for."""
    from .comparison import Tolerance

    if args.rtol is None and args.atol is None:
        return None
    return Tolerance(args.rtol or 0.0, args.atol or 0.0)


def run_comparison(source: bytes | ModuleOp, args: argparse.Namespace) -> int:
    """Print how outputs differ between the engines; the exit code."""
    from .differential import Subject, compare_engines

    status = SUCCESS
    subject = Subject.parse(source, args.file, args.entry, args.denormals or DEFAULT)
    options = {"vector_bits": args.vector_bits, "opt_level": args.opt_level, "donate": args.donate}
    options["cost_model"] = load_cost_model(args.cost_model)
    options["schedules"] = schedules_file(args)
    options["passes"] = args.load_pass
    options["debug_info"] = args.debug_info
    options["denormals"] = args.denormals
    options |= {"verify": args.verify, "dump_dir": args.dump_dir}
    for difference in compare_engines(
        subject,
        args.seed,
        args.threads,
        args.pipeline,
        tolerance_of(args),
        observe=lambda executable: report_compilation(executable, args),
        **options,
    ):
        print(difference)
        if difference.mismatch is not None:
            status = FAILURE
    return status


def print_profile(program: Program, inputs: Sequence[np.ndarray], args: argparse.Namespace) -> None:
    """What `--profile` asks for; `--benchmark N` says for how many runs."""
    from .profiling.command import profile_program

    assert program.executable is not None
    request, runs = request_of(args), args.benchmark or 0
    print(
        profile_program(program.executable, inputs, args.source, args.file, request, runs=runs, directory=args.profile)
    )


def check_options(args: argparse.Namespace) -> None:
    """Raises `UsageError` for a value that an option does not take, though its type is right."""
    if args.threads is not None and not 1 <= args.threads <= MAX_THREADS:
        raise UsageError(f"--threads {args.threads}: at least 1, at most {MAX_THREADS}")
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


def run_on_devices(args: argparse.Namespace) -> int:
    """What `--transport` asks for; the exit code."""
    from .mpi_run import run_in_job

    def load() -> Program:
        program = load_program(args)
        args.signature = program.signature
        return program

    return run_in_job(args, load, lambda path, outputs: check(path, outputs, args.signature, args))


def execute(args: argparse.Namespace) -> int:
    """Everything after the command line; the exit code."""
    check_options(args)
    if args.transport is not None:
        check_options_of_modes(args, modes_of(args, is_test_file=False), argument_parser())
        return run_on_devices(args)
    if args.simulate is not None:
        check_options_of_modes(args, modes_of(args, is_test_file=False), argument_parser())
        from .simulation.command import simulate

        print(simulate(refined_by_inputs(args), args.file, args.simulate, args.machine, request_of(args)))
        return SUCCESS
    is_differential = args.compare is not None or args.check_passes
    is_of_tests = not is_differential and args.tune is None and is_test_file(args)
    check_options_of_modes(args, modes_of(args, is_of_tests), argument_parser())
    if is_differential:
        return run_differential(args)
    if is_of_tests:
        return run_test_file(args)
    if args.tune is not None:
        seconds_of(args.tune)
        summary = tune_program(refined_by_inputs(args), args.file, request_of(args), args)
        print(summary)
        if summary.interrupted:
            return INTERRUPTED
        if not runs_when_tuned(args):
            return SUCCESS
    if args.html is not None:
        HtmlPage(args.html, args.file, args.html_profile).write_program(refined_by_inputs(args), request_of(args))
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run `xla-run` with the arguments `argv` (those of the process if None); the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    args = argument_parser().parse_args(["--profile=" if each == "--profile" else each for each in arguments])
    with with_locations(args.mlir_print_debuginfo):
        return guarded(lambda: execute(args), debug=args.debug)


if __name__ == "__main__":
    sys.exit(main())
