"""The options of `xla-opt --reduce`. Importing this imports nothing heavy."""

from __future__ import annotations

import argparse
import re
import shlex

from ..reporting import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of a reduction."""
    group = parser.add_argument_group("reducing")
    group.add_argument(
        "--reduce", action="store_true", help="print the least part of the program that --test finds interesting"
    )
    group.add_argument(
        "--test", metavar="COMMAND", help="of the shell; {} is the file, and a code other than 0 means interesting"
    )
    group.add_argument(
        "--interesting",
        metavar="CODE",
        help="nonzero (as for mlir-reduce; the default), zero (as for C-Reduce), or the code itself",
    )
    group.add_argument("--test-timeout", type=float, metavar="S", help="of one run (default 60)")
    group.add_argument("--reduce-timeout", type=float, metavar="S", help="of all; the best by then is printed")
    group.add_argument(
        "--reduction-tree", "-reduction-tree", metavar="TEXT", help="as mlir-reduce takes it: 'test=script.sh'"
    )


def is_asked_for(args: argparse.Namespace) -> bool:
    """Whether the arguments are those of a reduction. Raises `UsageError` for options that do not go with it, or that
    go with it alone.
    """
    if args.reduction_tree is not None:
        args.reduce, args.test = True, _script(args.reduction_tree)
    if not args.reduce:
        for name in ("test", "interesting", "test_timeout", "reduce_timeout"):
            if getattr(args, name) is not None:
                raise UsageError(f"--{name.replace('_', '-')} is an option of --reduce")
        return False
    if args.test is None:
        raise UsageError("--reduce needs --test COMMAND, which says what is interesting")
    others = {"passes": "-p", "split_input_file": "--split-input-file", "verify_diagnostics": "--verify-diagnostics"}
    others |= {"print_schedule": "--print-schedule", "html": "--html", "pass_pipeline": "--pass-pipeline"}
    for name, option in others.items():
        if getattr(args, name, None):
            raise UsageError(f"--reduce does not take {option}: let the command of --test do that")
    if args.target != "mlir":
        raise UsageError("--reduce prints MLIR, without -t")
    args.interesting = "nonzero" if args.interesting is None else args.interesting
    args.test_timeout = 60.0 if args.test_timeout is None else args.test_timeout
    if not re.fullmatch(r"nonzero|zero|\d{1,3}", args.interesting):
        raise UsageError(f"--interesting {args.interesting}: nonzero, zero, or a code")
    for name in ("test_timeout", "reduce_timeout"):
        value = getattr(args, name)
        if value is not None and not value > 0:
            raise UsageError(f"--{name.replace('_', '-')} {value:g}: expected seconds, more than 0")
    return True


def _script(tree: str) -> str:
    """What `mlir-reduce -reduction-tree` calls `test`. Raises `UsageError`."""
    words = [word.partition("=") for word in shlex.split(tree)]
    options = {name: value for name, _, value in words}
    unknown = options.keys() - {"test", "test-args", "traversal-mode"}
    if unknown or "test" not in options:
        raise UsageError(f"--reduction-tree '{tree}': expected 'traversal-mode=0 test=SCRIPT'")
    if options.get("traversal-mode", "0") != "0":
        raise UsageError(f"--reduction-tree: traversal-mode={options['traversal-mode']} is not known, only 0")
    return " ".join([shlex.quote(options["test"]), *shlex.split(options.get("test-args", ""))])
