"""Compile time of the 25 programs against XLA:CPU's: from text to code in memory, without any cache."""

from __future__ import annotations

from statistics import median

from .. import suite
from ..figures import geometric_mean
from ..peers import Native, XlaCpu
from ..table import Column, Table, TablePrinter
from .section import Result, Settings

QUICK = ("softmax", "matmul256", "sort1m", "embed", "transformer_fwd")
REPETITIONS = 3
"""XLA's first compilation of a program takes up to three times as long as the next ones: the median is one of those."""

COLUMNS = (
    Column("program", "program"),
    Column("ours_seconds", "ours ms", ".1f", 1e3),
    Column("xla_seconds", "XLA ms", ".1f", 1e3),
    Column("ratio", "ours/XLA", ".2f"),
)


def measure(settings: Settings) -> Result:
    """Medians of compilations of both sides in alternation, all of them from scratch."""
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table("compile", f"Compile time, medians of {REPETITIONS}", COLUMNS)
    printer = TablePrinter(table)
    for name in ("reduce_rows", "matmul256", "mlp_train"):
        ours.compile(suite.load(name))
        xla.compile(suite.load(name))
    for name in settings.chosen(suite.names(), QUICK):
        program = suite.load(name)
        times = [(ours.compile(program).seconds, xla.compile(program).seconds) for _ in range(REPETITIONS)]
        mine, theirs = (median(side) for side in zip(*times, strict=True))
        printer.add({"program": name, "ours_seconds": mine, "xla_seconds": theirs, "ratio": mine / theirs})
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
