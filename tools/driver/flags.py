"""The flags that mlir-opt has, under their names, beside those of xDSL's driver."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import argparse

from .command_line import CommandParser, add_flag

SPLIT_MARKER = "// -----"

FILL_ELIDED_HELP = (
    "make up the constants whose values the text leaves out: {...} in HLO, dense_resource<__elided__> in MLIR"
)


def add_mlir_flags(parser: CommandParser) -> None:
    """Add them to `parser`, by what they are about."""
    _add_passes(parser.add_argument_group("passes"))
    _add_input(parser.add_argument_group("input, output, checks"))
    _add_printing(parser.add_argument_group("what is printed between passes"))
    _add_form(parser.add_argument_group("how IR is printed"))
    _add_measurement(parser.add_argument_group("time and statistics"))
    _add_lists(parser.add_argument_group("information"))


def _add_passes(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--pass-pipeline",
        metavar="PIPELINE",
        help="'builtin.module(func.func(cse),canonicalize{a=1 b=2})': passes on the ops that are named; each pass is a"
        " flag of its own too (--cse), run in the order of the command line",
    )
    add_flag(group, "--dump-pass-pipeline", help="print the pipeline that runs to stderr")
    add_flag(group, "--verify-each", default=True, help="verify after each pass (on, --verify-each=false is off)")
    group.add_argument(
        "--mlir-pass-pipeline-crash-reproducer",
        metavar="FILE",
        help="where a pass fails, write the program as it was and the pipeline, for --run-reproducer",
    )
    add_flag(
        group,
        "--mlir-pass-pipeline-local-reproducer",
        help="the reproducer holds the program as the failing pass gets it, and that pass alone",
    )
    group.add_argument("--mlir-generate-reproducer", metavar="FILE", help="write one, whether a pass fails or not")
    add_flag(group, "--run-reproducer", help="run the pipeline that the file itself holds")
    add_flag(group, "--mlir-disable-threading", help="accepted; passes run on one thread")


def _add_input(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--split-input-file",
        nargs="?",
        const=SPLIT_MARKER,
        metavar="MARKER",
        help=f"the file is several programs, with '{SPLIT_MARKER}' or the marker between them; those behind one that"
        " fails are processed too",
    )
    group.add_argument(
        "--output-split-marker", default=SPLIT_MARKER, metavar="MARKER", help="what is printed between their results"
    )
    add_flag(
        group,
        "--verify-diagnostics",
        help="errors, warnings, remarks and notes are exactly those that the file expects"
        " (// expected-error @below {{text}})",
    )
    add_flag(group, "--verify-roundtrip", help="the program, printed and read again, is the same one")
    add_flag(group, "--emit-bytecode", help="write MLIR bytecode in place of text")
    add_flag(group, "--fill-elided", help=FILL_ELIDED_HELP)


def _add_printing(group: argparse._ArgumentGroup) -> None:
    for when in ("before", "after"):
        group.add_argument(
            f"--mlir-print-ir-{when}", metavar="PASSES", action="append", default=[], help=f"print IR {when} these"
        )
        add_flag(group, f"--mlir-print-ir-{when}-all", help=f"print IR {when} each pass")
    add_flag(group, "--mlir-print-ir-after-change", help="of what is printed after passes, only where they changed it")
    add_flag(group, "--mlir-print-ir-after-failure", help="print IR after a pass that failed, and after no other")
    add_flag(group, "--mlir-print-ir-module-scope", help="print the whole program, also for passes on parts of it")
    group.add_argument(
        "--mlir-print-ir-tree-dir", metavar="DIR", help="into files, in folders named as the ops the passes run on"
    )


def _add_form(group: argparse._ArgumentGroup) -> None:
    add_flag(group, "--mlir-print-op-generic", help="ops in their generic form")
    add_flag(group, "--mlir-print-debuginfo", help="locations")
    add_flag(group, "--mlir-print-local-scope", help="accepted; attributes and locations are always printed in place")
    add_flag(
        group,
        "--mlir-print-assume-verified",
        help="the custom form also where a pass has left invalid IR (else generic)",
    )
    add_flag(group, "--mlir-use-nameloc-as-prefix", help='values are called as their locations say: loc("name")')
    add_flag(group, "--mlir-print-skip-regions", help="{...} in place of regions")
    add_flag(
        group,
        "--mlir-print-value-names",
        default=True,
        help="names of values as the program has them; with =false numbers, as mlir-opt prints them",
    )
    add_flag(
        group,
        "--mlir-print-unique-ssa-ids",
        help="numbers for values, of which no two are the same in the whole program",
    )
    group.add_argument(
        "--mlir-elide-elementsattrs-if-larger",
        type=int,
        metavar="N",
        help="dense_resource<__elided__> in place of constants of more elements",
    )
    group.add_argument(
        "--mlir-elide-resource-strings-if-larger",
        type=int,
        metavar="N",
        help="leave out resources of more characters at the end of the file",
    )


def _add_measurement(group: argparse._ArgumentGroup) -> None:
    add_flag(group, "--mlir-timing", help="print to stderr where the time went")
    group.add_argument("--mlir-timing-display", choices=("tree", "list"), default="tree", help="default: tree")
    group.add_argument("--mlir-output-format", choices=("text", "json"), default="text", help="of the times")
    add_flag(group, "--mlir-pass-statistics", help="print to stderr what each pass did")
    group.add_argument(
        "--mlir-pass-statistics-display", choices=("pipeline", "list"), default="pipeline", help="default: pipeline"
    )


def _add_lists(group: argparse._ArgumentGroup) -> None:
    add_flag(group, "--show-dialects", help="print the names of the dialects and exit")
    group.add_argument(
        "--print-completion",
        choices=("bash", "zsh", "fish"),
        help="print a script that completes flags, passes and pipelines in this shell, and exit",
    )
