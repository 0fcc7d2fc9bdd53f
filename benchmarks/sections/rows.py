"""The rows of a section that compares results: one for each program, and what fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..table import Table, TablePrinter, Value
from .section import Result

LARGEST_DIFFERENCE = 0.05
"""Beyond it results are not the same: a rounding of the narrowest type here, bf16, times a few."""


def compare_all(
    table: Table,
    names: Sequence[str],
    row_of: Callable[[str], dict[str, Value]],
    summary: Callable[[Table], dict[str, float]],
) -> Result:
    """The table with a row for each name, and its summary.

    A program that a side cannot compile, or whose results differ by more than `LARGEST_DIFFERENCE`, is a failure.
    """
    printer, failures = TablePrinter(table), list[str]()
    for name in names:
        try:
            row = row_of(name)
        except Exception as error:
            failures.append(f"{name}: {error}")
            printer.note(name, f"failed: {error}")
            continue
        printer.add(row)
        if not float(row["difference"] or 0) <= LARGEST_DIFFERENCE:
            failures.append(f"{name}: results differ by {row['difference']:.1e}")
    return Result([printer.finish(summary(table))], failures)
