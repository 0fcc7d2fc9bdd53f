"""Files of executable tests on the command line of `xla-run`."""

from __future__ import annotations

import argparse
import re
import sys

from ..decisions.denormals import PRESERVE
from .compile_options import load_cost_model
from .loaded_program import read_program
from .reporting import FAILURE, SUCCESS, describe

INSTRUMENTS = re.compile(rb"\bcheck\.|\binterpreter\.")
"""Found in files whose functions hold checks, print or probe."""


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
