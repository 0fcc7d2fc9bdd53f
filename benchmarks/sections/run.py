"""Run time of the 25 programs against XLA:CPU, in alternation, and NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import suite
from ..agreement import difference
from ..figures import geometric_mean
from ..measure import alternate
from ..peers import Native, NumPy, XlaCpu
from ..roofline import limit_of
from ..suite import Program
from ..table import Column, Table, Value
from .rows import compare_all
from .section import Result, Settings

QUICK = ("gelu", "softmax", "matmul256", "matvec", "reduce_cols", "embed", "cholesky")

COLUMNS = (
    Column("program", "program"),
    Column("ours_seconds", "ours ms", ".3f", 1e3),
    Column("xla_seconds", "XLA ms", ".3f", 1e3),
    Column("xla_ratio", "ours/XLA", ".2f"),
    Column("numpy_seconds", "NumPy ms", ".3f", 1e3),
    Column("numpy_ratio", "ours/NumPy", ".2f"),
    Column("of_limit", "of limit", ".0%"),
    Column("difference", "differ", ".0e"),
    Column("ours_compile_seconds", "compile s", ".3f"),
    Column("xla_compile_seconds", "XLA s", ".3f"),
)


def measure(settings: Settings) -> Result:
    """The programs of `programs/`."""
    return compare("run", "Run time", settings.chosen(suite.names(), QUICK), suite.load, settings)


def compare(
    name: str, title: str, programs: Sequence[str], load: Callable[[str], Program], settings: Settings
) -> Result:
    """A table of the programs, each compiled on both sides and run by both in alternation.

    NumPy has its turn after them: the threads that its BLAS starts get in the way of others'.

    A program that one side cannot compile, or whose results differ, is a failure. Compile times are those of the first
    compilation in this process.
    """
    ours, xla, numpy = Native(settings.threads), XlaCpu(), NumPy()
    table = Table(name, title, COLUMNS)
    warm_up = suite.load("reduce_rows")
    ours.compile(warm_up)
    xla.compile(warm_up)
    return compare_all(table, programs, lambda name: _row(load(name), ours, xla, numpy, settings), summary)


def _row(program: Program, ours: Native, xla: XlaCpu, numpy: NumPy, settings: Settings) -> dict[str, Value]:
    theirs, mine = xla.compile(program), ours.compile(program)
    expected = xla.outputs(theirs.run())
    differs = difference(ours.outputs(mine.run()), expected)
    times = alternate([mine.run, theirs.run], settings.blocks)
    if numpy.has(program):
        third = numpy.compile(program)
        differs = max(differs, difference(numpy.outputs(third.run()), expected))
        times += alternate([third.run], settings.blocks)
    limit = limit_of(program.text, settings.threads)
    row: dict[str, Value] = {
        "program": program.name,
        "ours_seconds": times[0].median,
        "xla_seconds": times[1].median,
        "xla_ratio": times[0].ratio_to(times[1]),
        "ours_best_seconds": times[0].best,
        "xla_best_seconds": times[1].best,
        "of_limit": limit and limit.reached(times[0].median),
        "difference": differs,
        "ours_compile_seconds": mine.seconds,
        "xla_compile_seconds": theirs.seconds,
    }
    if len(times) > 2:
        row["numpy_seconds"] = times[2].median
        row["numpy_ratio"] = times[0].median / times[2].median
    return row


def summary(table: Table) -> dict[str, float]:
    """What the rows come to: mean and worst of the ratios."""
    figures: dict[str, float] = {}
    for key, peer in (("xla_ratio", "XLA:CPU"), ("numpy_ratio", "NumPy")):
        if ratios := table.values(key):
            figures[f"geometric mean of ours/{peer}"] = geometric_mean(ratios)
            figures[f"largest ours/{peer}"] = max(ratios)
    return figures
