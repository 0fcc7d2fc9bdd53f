"""What `xla-run --check-passes` prints, and what it stores with `--dump-dir`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..dialects.printing import ExactPrinter
from ..runtime.compiler import Request
from ..runtime.output_files import written
from ..runtime.progress import Progress
from .comparison import AskedTolerance
from .pass_checks import Finding, PassCheck
from .reduction.engine import count_ops
from .reporting import FAILURE, SUCCESS
from .stored_arrays import save_arrays


def run_pass_check(
    source: bytes | ModuleOp, args: argparse.Namespace, request: Request, tolerance: AskedTolerance
) -> int:
    """Name the first wrong pass, and print the least program that shows it; the exit code."""
    with Progress(f"checking the passes of {args.file}") as progress:
        check = PassCheck(
            source,
            args.file,
            request,
            args.seed,
            tolerance=tolerance,
            reduction_report=lambda size: progress.say(f"reducing: {size}"),
            report=lambda name: progress.say(f"after {name}"),
        )
        finding = check.run()
    for note in check.notes:
        print(f"{note}: roundings alone change it as much", file=sys.stderr)
    if finding is None:
        print("every pass keeps the values")
        return SUCCESS
    for line in described(finding):
        print(line, file=sys.stderr)
    assert finding.reduced is not None
    count = count_ops(finding.reduced)
    print(f"// the least program that shows it, of {count} op{'s' * (count != 1)}:")
    ExactPrinter().print_op(finding.reduced)
    print()
    if args.dump_dir is not None:
        store(finding, Path(args.dump_dir))
    return FAILURE


def described(finding: Finding) -> Sequence[str]:
    """The wrong pass and what is wrong with it, in lines."""
    name = f"pass {finding.number}, {finding.pass_name}" if finding.number else finding.pass_name
    place = f" ({finding.place})" if finding.place else ""
    failure = "" if finding.differences else f" {finding.failure}"
    return [f"wrong after {name}{place}:{failure}", *(f"  {difference}" for difference in finding.differences)]


def store(finding: Finding, directory: Path) -> None:
    """Write the least program as `reduced.mlir`, and what to call it with as `reduced.npz`."""
    assert finding.reduced is not None
    directory.mkdir(parents=True, exist_ok=True)
    with written(directory / "reduced.mlir") as file:
        from io import StringIO

        text = StringIO()
        ExactPrinter(text).print_op(finding.reduced)
        file.write(f"{text.getvalue()}\n".encode())
    save_arrays(directory / "reduced.npz", {f"in{i}": array for i, array in enumerate(finding.inputs)})
