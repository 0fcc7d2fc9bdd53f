"""Compile time of the 25 programs against XLA:CPU's: from text to code in memory, without any cache."""

from __future__ import annotations

import time

from .. import suite
from ..figures import geometric_mean
from ..measure import Timing
from ..peers import Native, XlaCpu
from ..suite import Program
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

QUICK = ("softmax", "matmul256", "sort1m", "embed", "transformer_fwd")
FEWEST, MOST = 3, 9
"""Compilations of each side. XLA's first one of a program takes up to three times as long as the next ones: the median
is one of those."""

BUDGET_SECONDS = 2.5
"""After this time a program is not compiled more often than `FEWEST` times."""

COLUMNS = (
    Column("program", "program"),
    Column("ours_seconds", "ours ms", ".1f", 1e3),
    Column("xla_seconds", "XLA ms", ".1f", 1e3),
    Column("ratio", "ours/XLA", ".2f"),
)


def measure(settings: Settings) -> Result:
    """Medians of compilations of both sides in alternation, all of them from scratch."""
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table("compile", f"Compile time, medians of {FEWEST} to {MOST}", COLUMNS)
    printer = TablePrinter(table)
    for name in ("reduce_rows", "matmul256", "mlp_train"):
        ours.compile(suite.load(name))
        xla.compile(suite.load(name))
    for name in settings.chosen(suite.names(), QUICK):
        mine, theirs = _compilations(suite.load(name), ours, xla)
        printer.add(
            {
                "program": name,
                "ours_seconds": mine.median,
                "xla_seconds": theirs.median,
                "ratio": mine.ratio_to(theirs),
            }
        )
    ratios = table.values("ratio")
    ours_sum, xla_sum = sum(table.values("ours_seconds")), sum(table.values("xla_seconds"))
    figures = {
        "sum, ours (s)": ours_sum,
        "sum, XLA (s)": xla_sum,
        "ratio of the sums": ours_sum / xla_sum,
        "geometric mean": geometric_mean(ratios),
        "largest ratio": max(ratios),
    }
    return Result([printer.finish(figures)])


def _compilations(program: Program, ours: Native, xla: XlaCpu) -> tuple[Timing, Timing]:
    """The times of both sides in turn."""
    mine, theirs = list[list[float]](), list[list[float]]()
    start = time.perf_counter()
    while len(mine) < FEWEST or (len(mine) < MOST and time.perf_counter() - start < BUDGET_SECONDS):
        mine.append([ours.compile(program).seconds])
        theirs.append([xla.compile(program).seconds])
    return Timing.of(mine), Timing.of(theirs)
