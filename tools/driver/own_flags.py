"""The flags of `xla-opt` that neither mlir-opt nor xDSL's driver has, and those that it has in its own way."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from ...pipelines import PASSES, PIPELINES
from ..compile_options import COST_MODEL_HELP, COST_MODEL_PLACE, SCHEDULES_HELP
from ..extensions import add_extension_arguments
from ..html_options import HTML_HELP, HTML_PROFILE_HELP
from ..targets import TARGETS
from .command_line import CommandParser, PrintText, add_flag
from .help_text import PrintHelp
from .lists import version_text


class _ListPipelines(argparse.Action):
    """Print every named pipeline with the reason for each step, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        for name, steps in PIPELINES.items():
            print(f"{name}:")
            width = max(len(step.spec) for step in steps)
            for step in steps:
                print(f"  {step.spec:{width}}  {step.reason}")
        parser.exit()


def add_own_flags(parser: CommandParser, passes: Callable[[], Mapping[str, object]]) -> None:
    """Add them to `parser`; `passes` are all that are known, asked for when one wants a list of them."""

    def others() -> Mapping[str, object]:
        return {name: factory for name, factory in passes().items() if name not in PASSES}

    add = parser.add_argument
    add("-h", "--help", action=PrintHelp, help="show the flags, our passes and pipelines, and exit")
    add("--help-all", "--help-hidden", action=PrintHelp, others=others, help="xDSL's passes, too")
    add("-v", "--version", action=PrintText, text=version_text, help="print our version and those of xDSL and LLVM")
    add_flag(
        parser,
        "--list-passes",
        help="print all passes and pipelines, ours and xDSL's, with what they do, and exit",
    )
    add(
        "-p",
        "--passes",
        default="",
        metavar="PASSES",
        help="passes and pipelines with commas between them, in the"
        " syntax of xDSL, a{option=1},b, or of --pass-pipeline",
    )
    add(
        "-t",
        "--target",
        default="mlir",
        metavar="FORMAT",
        help=f"what to print: {', '.join(TARGETS)}, or a format of xDSL (default mlir)",
    )
    _add_reports(parser)


def _add_reports(parser: CommandParser) -> None:
    add = parser.add_argument
    add("--print-ir-after-all", action="store_true", help="print the IR after every pass to stderr")
    add(
        "--list-pipelines",
        nargs=0,
        action=_ListPipelines,
        help="print the named pipelines, with the reason for each step, and exit",
    )
    add("--cost-model", metavar=COST_MODEL_PLACE, help=COST_MODEL_HELP)
    add_extension_arguments(parser)
    add("--schedules", metavar="FILE", help=SCHEDULES_HELP)
    add(
        "--list-patterns",
        nargs="?",
        default=argparse.SUPPRESS,
        metavar="PASS",
        help="print the patterns of a pass (without PASS: of all) and exit",
    )
    add("--count-patterns", action="store_true", help="print to stderr how often each pattern was applied")
    add(
        "--trace-patterns",
        action="store_true",
        help="print behind each op, as a comment, the pass and the pattern that have made it",
    )
    add(
        "--print-schedule",
        action="store_true",
        help="print, in place of the module, each function as a loop nest, with the memory that each loop touches"
        " and its arithmetic operations beside it (made for what -p xla-cpu-to-loops leaves)",
    )
    add("--html", metavar="OUT.html", help=HTML_HELP)
    add("--html-profile", metavar="FILE.json", help=HTML_PROFILE_HELP)
    add("--debug", action="store_true", help="show tracebacks (also XDSL_XLA_DEBUG=1)")
