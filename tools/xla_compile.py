"""`xla-compile`: a StableHLO program to a library with a C interface, or to a Python package that needs NumPy alone.

    xla-compile model.mlir -o libmodel.so --header model.h
    xla-compile model.mlir -o libmodel.a --header model.h --threads 1
    xla-compile model.mlir -o libmodel.so --target-triple aarch64-linux-gnu --target-cpu cortex-a72
    xla-compile model.mlir --wheel dist --version 1.0

docs/ahead_of_time.md describes the interface, and what a library needs.

Exit codes: 0 success, 1 the program cannot be compiled or linked, 2 wrong usage.
"""

from __future__ import annotations

if __name__ == "__main__":  # of `python -m`: as the installed command, before anything heavy is imported
    from .commands import xla_compile

    raise SystemExit(xla_compile())

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..decisions.denormals import MODES
from ..pipelines import PIPELINES
from ..runtime.input_files import read_stream
from ..runtime.output_files import all_or_none, check_writable
from .compile_options import (
    COST_MODEL_HELP,
    DENORMALS_HELP,
    LOAD_PASS_HELP,
    SCHEDULES_HELP,
    check_machine,
    load_cost_model,
)
from .driver.command_line import CommandParser
from .reporting import SUCCESS, UsageError, guarded, standard_input

if TYPE_CHECKING:
    from ..runtime.ahead_of_time.library import Library, LibraryOptions

KINDS = (".so", ".a", ".o", ".whl")


def argument_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = CommandParser(
        "xla-compile",
        "Compile a StableHLO program to a library for C and C++, or to a Python package (wheel).",
        epilog="Examples: xla-compile model.mlir -o libmodel.so --header model.h;"
        " xla-compile model.mlir --wheel dist --version 1.0",
    )
    parser.add_argument(
        "file", nargs="?", help="the program, in MLIR (text or bytecode) or HLO text (.hlo); - for standard input"
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "-o",
        metavar="FILE",
        dest="output",
        help="lib*.so, .a, .o, or a wheel NAME-VERSION-py3-none-PLATFORM.whl; by default libNAME.so",
    )
    output.add_argument("--header", metavar="FILE.h", help="write the header for C and C++")
    output.add_argument("--wheel", metavar="FOLDER", help="write a wheel of the right name into the folder")
    output.add_argument("--version", metavar="VERSION", help="of the wheel (default 0.1.0)")
    output.add_argument("--name", help="what goes in front of all names of the interface, by default that of the file")
    output.add_argument(
        "--constants", metavar="FILE", help="write large constants to this file instead of linking them"
    )
    output.add_argument("--info", action="store_true", help="print arguments, results and memory")
    _add_compilation(parser)
    _add_target(parser)
    _add_linking(parser)
    parser.add_argument("--debug", action="store_true", help="show tracebacks (also XDSL_XLA_DEBUG=1)")
    return parser


def _add_compilation(parser: argparse.ArgumentParser) -> None:
    compilation = parser.add_argument_group("compilation")
    compilation.add_argument("--entry", metavar="NAME", help="function to compile, if not 'main'")
    compilation.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="for parallel loops; by default as many as this machine has, 1 for other machines",
    )
    compilation.add_argument(
        "--pipeline",
        default="xla-cpu",
        metavar="PASSES",
        help=f"as for xla-opt -p; named pipelines: {', '.join(PIPELINES)}",
    )
    compilation.add_argument("--load-pass", action="append", default=[], metavar="FILE.py", help=LOAD_PASS_HELP)
    compilation.add_argument("--vector-bits", type=int, metavar="BITS", help="for vectors of this width")
    compilation.add_argument("--opt-level", type=int, default=2, choices=range(4), help="LLVM's (default 2)")
    compilation.add_argument("--denormals", choices=MODES, help=DENORMALS_HELP)
    compilation.add_argument("--donate", action="store_true", help="results take the memory of donated arguments")
    compilation.add_argument("--cost-model", metavar="FILE.py:NAME", help=COST_MODEL_HELP)
    compilation.add_argument("--schedules", metavar="FILE", help=SCHEDULES_HELP)
    compilation.add_argument(
        "--custom-call",
        action="append",
        default=[],
        metavar="NAME",
        help="a target of custom calls is a C function of this name (may be repeated)",
    )


def _add_target(parser: argparse.ArgumentParser) -> None:
    target = parser.add_argument_group("target", "by default this machine")
    target.add_argument("--target-triple", metavar="TRIPLE", help="x86_64-linux-gnu, aarch64-linux-gnu, ...")
    target.add_argument(
        "--target-cpu", metavar="CPU", help="as LLVM calls it; 'native' is this machine's, 'help' lists all"
    )
    target.add_argument("--target-features", metavar="+A,-B", help="features to add and to leave out")


def _add_linking(parser: argparse.ArgumentParser) -> None:
    linking = parser.add_argument_group("linking")
    linking.add_argument("--cc", metavar="COMMAND", help="the compiler that links, by default $CC or what is found")
    linking.add_argument(
        "-l", action="append", default=[], metavar="LIBRARY", dest="libraries", help="link with it too, as -l lapack"
    )
    linking.add_argument("--no-openmp", action="store_true", help="do not link libgomp, which runs parallel loops")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argument_parser()
    args = parser.parse_args(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: run(args), debug=args.debug)


def run(args: argparse.Namespace) -> int:
    """Carry out the command. Raises `UsageError`, and what compiling and linking raise."""
    if args.target_cpu == "help":
        from ..runtime.ahead_of_time.processors import known

        print(known(args.target_triple), end="")
        return SUCCESS
    _check(args)
    from ..runtime.ahead_of_time.library import compile_library, model_name

    name = model_name(args.file) if args.name is None else args.name
    if args.output is None and args.wheel is None:
        args.output = f"lib{name}.so"
    _check_files(args)
    options = _options(args, name)
    source = read_stream(standard_input()) if args.file == "-" else Path(args.file)
    library = compile_library(source, options, filename="<stdin>" if args.file == "-" else None)
    with all_or_none(filter(None, (args.output, args.header, args.constants))):
        _write(library, args)
    if args.info:
        print(_information(library))
    return SUCCESS


def _check(args: argparse.Namespace) -> None:
    """Raises `UsageError` for arguments that contradict each other."""
    if args.file is None:
        raise UsageError("no program: the file is missing")
    if args.file == "-" and args.name is None:
        raise UsageError("a program from standard input has no name: --name")
    suffix = Path(args.output).suffix if args.output else ""
    if args.output and suffix not in KINDS:
        raise UsageError(f"-o {args.output}: expected a name that ends in {', '.join(KINDS)}")
    is_wheel = args.wheel is not None or suffix == ".whl"
    if args.wheel is not None and args.output is not None:
        raise UsageError("--wheel FOLDER gives the file its name: without -o")
    if args.version is not None and args.wheel is None:
        raise UsageError("--version is that of a wheel: with --wheel FOLDER")
    if is_wheel and args.constants is not None:
        raise UsageError("a wheel has its constants inside: without --constants")
    if suffix in (".a", ".o") and args.libraries:
        raise UsageError(f"a file {suffix} is linked with nothing: -l is for .so")
    check_machine(args)


def _check_files(args: argparse.Namespace) -> None:
    """Raises `UsageError` where one file would take the place of another, or of the program, and `OSError` where there
    can be none.
    """
    named: dict[str, str] = {} if args.file == "-" else {os.path.realpath(args.file): "the program"}
    files = (("-o", args.output), ("--header", args.header), ("--constants", args.constants))
    for flag, path in files:
        if path is None:
            continue
        other = named.setdefault(os.path.realpath(path), flag)
        if other != flag:
            raise UsageError(f"{flag} {path}: {other} is that file")
        if not path.endswith(".whl"):  # whose folder is made
            check_writable(path)


def _options(args: argparse.Namespace, name: str) -> LibraryOptions:
    from ..runtime.ahead_of_time.library import LibraryOptions

    return LibraryOptions(
        name,
        threads=args.threads,
        pipeline=args.pipeline,
        entry=args.entry,
        vector_bits=args.vector_bits,
        opt_level=args.opt_level,
        donate=args.donate,
        denormals=args.denormals,
        cost_model=load_cost_model(args.cost_model),
        schedules=args.schedules,
        passes=args.load_pass,
        triple=args.target_triple,
        cpu=args.target_cpu,
        features=args.target_features,
        constants_in_file=args.constants is not None,
        custom_calls=tuple(args.custom_call),
    )


def _write(library: Library, args: argparse.Namespace) -> None:
    from ..runtime.ahead_of_time.header import header_text
    from ..runtime.ahead_of_time.linking import link
    from ..runtime.ahead_of_time.wheel import check_wheel_name, write_wheel
    from ..runtime.output_files import written

    version = "0.1.0" if args.version is None else args.version
    linking = {"compiler": args.cc, "libraries": args.libraries}
    if args.header is not None:
        with written(args.header) as file:
            file.write(header_text(library.tables).encode())
    if args.constants is not None:
        with written(args.constants) as file:
            file.write(library.constants_file or b"")
    if args.wheel is not None:
        print(write_wheel(library, Path(args.wheel), version, **linking))
    elif args.output.endswith(".whl"):
        path = Path(args.output)
        version = check_wheel_name(library, path.name)
        write_wheel(library, path.parent, version, **linking)
    else:
        link(library, Path(args.output), openmp=not args.no_openmp, **linking)


def _information(library: Library) -> str:
    """What `--info` prints."""
    tables = library.tables
    lines = [f"model {tables.name} for {tables.processor.triple}, {tables.processor.cpu}, {tables.threads} threads"]
    for side, specs in (("input", tables.inputs), ("output", tables.outputs)):
        lines += (f"{side} {index}: {spec} ({spec.name})" for index, spec in enumerate(specs))
    lines.append(f"arena: {tables.arena_bytes} bytes, of which {tables.thread_scratch_bytes} for each thread")
    lines.append(f"constants: {sum(map(len, tables.constants))} bytes outside of the code")
    lines += [f"calls: {name}" for name in tables.functions]
    return "\n".join(lines)
