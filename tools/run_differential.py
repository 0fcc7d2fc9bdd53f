"""`xla-run --compare` and `--check-passes`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..decisions.denormals import DEFAULT
from .comparison import AskedTolerance
from .compile_options import load_cost_model
from .loaded_program import refined_by_inputs, request_of, schedules_file
from .reporting import FAILURE, SUCCESS
from .run_reports import report_compilation

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def run_differential(args: argparse.Namespace) -> int:
    """Carry out `--compare` and `--check-passes`; the exit code."""
    source = refined_by_inputs(args)
    status = run_comparison(source, args) if args.compare else SUCCESS
    if not args.check_passes:
        return status
    from .pass_report import run_pass_check

    return max(status, run_pass_check(source, args, request_of(args), AskedTolerance(args.rtol, args.atol)))


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
        AskedTolerance(args.rtol, args.atol),
        observe=lambda executable: report_compilation(executable, args),
        **options,
    ):
        print(difference)
        if difference.mismatch is not None:
            status = FAILURE
    return status
