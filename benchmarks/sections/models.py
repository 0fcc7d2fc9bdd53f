"""Whole models against XLA:CPU: run time, compile time, peak memory, and how near they are to what is possible.

`differ` is the largest distance of an array of the results, relative to its norm.
"""

from __future__ import annotations

from .. import models
from ..agreement import distance
from ..figures import geometric_mean
from ..measure import alternate
from ..peers import Native, XlaCpu
from ..roofline import limit_of
from ..suite import Program, load
from ..table import Column, Table, Value
from .memory import MEGABYTE
from .rows import compare_all
from .section import Result, Settings

QUICK = ("gru_1000", "graph_network", "nuts_step")

COLUMNS = (
    Column("program", "model"),
    Column("ours_seconds", "ours ms", ".2f", 1e3),
    Column("xla_seconds", "XLA ms", ".2f", 1e3),
    Column("xla_ratio", "ours/XLA", ".2f"),
    Column("of_limit", "of limit", ".0%"),
    Column("ours_compile_seconds", "compile s", ".2f"),
    Column("xla_compile_seconds", "XLA s", ".2f"),
    Column("compile_ratio", "ours/XLA", ".2f"),
    Column("ours_bytes", "peak MB", ".1f", MEGABYTE),
    Column("xla_bytes", "XLA MB", ".1f", MEGABYTE),
    Column("memory_ratio", "ours/XLA", ".2f"),
    Column("difference", "differ", ".0e"),
)


def names() -> list[str]:
    """What it can be limited to."""
    return models.names()


def measure(settings: Settings) -> Result:
    """Each model compiled once on both sides and run by both in alternation, on the same arrays."""
    ours, xla = Native(settings.threads), XlaCpu()
    table = Table(f"models_{settings.threads}", f"Whole models, {settings.count()}", COLUMNS)
    for name in ("reduce_rows", "mlp_train"):
        ours.compile(load(name))
        xla.compile(load(name))
    chosen = settings.chosen(models.names(), QUICK)
    return compare_all(table, chosen, lambda name: _row(models.load(name), ours, xla, settings), summary)


def _row(program: Program, ours: Native, xla: XlaCpu, settings: Settings) -> dict[str, Value]:
    theirs, mine = xla.compile(program), ours.compile(program)
    differs = distance(ours.outputs(mine.run()), xla.outputs(theirs.run()))
    own, others = alternate([mine.run, theirs.run], settings.blocks)
    limit = limit_of(program.text, settings.threads)
    our_bytes, xla_bytes = ours.peak_bytes(mine), xla.peak_bytes(theirs)
    return {
        "program": program.name,
        "ours_seconds": own.median,
        "xla_seconds": others.median,
        "xla_ratio": own.ratio_to(others),
        "of_limit": limit and limit.reached(own.median),
        "ours_compile_seconds": mine.seconds,
        "xla_compile_seconds": theirs.seconds,
        "compile_ratio": mine.seconds / theirs.seconds,
        "ours_bytes": our_bytes,
        "xla_bytes": xla_bytes,
        "memory_ratio": our_bytes / xla_bytes,
        "difference": differs,
    }


def summary(table: Table) -> dict[str, float]:
    """Means and worst of the ratios."""
    figures: dict[str, float] = {}
    for key, what in (("xla_ratio", "run time"), ("compile_ratio", "compile time"), ("memory_ratio", "peak memory")):
        if ratios := table.values(key):
            figures[f"{what}, geometric mean of ours/XLA:CPU"] = geometric_mean(ratios)
            figures[f"{what}, largest ours/XLA:CPU"] = max(ratios)
    return figures
