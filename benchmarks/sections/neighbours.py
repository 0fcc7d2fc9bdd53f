"""Programs of thousands of small parallel loops: on an idle machine, and beside a process that never sleeps."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

from .. import models, stepwise_programs
from ..agreement import difference
from ..figures import geometric_mean
from ..measure import alternate
from ..peers import Native, XlaCpu
from ..suite import Program
from ..table import Column, Table, Value
from .rows import compare_all
from .section import Result, Settings

QUICK = ("lstm_one",)

MODELS = ("llama_decode", "gru_1000")
"""Of the whole models, those that are such programs."""

SETTLE_SECONDS = 0.3
"""Until the system has found a core for the neighbour."""

COLUMNS = (
    Column("program", "program"),
    Column("ours_seconds", "ours ms", ".1f", 1e3),
    Column("xla_seconds", "XLA ms", ".1f", 1e3),
    Column("xla_ratio", "ours/XLA", ".2f"),
    Column("ours_beside_seconds", "ours beside ms", ".1f", 1e3),
    Column("xla_beside_seconds", "XLA beside ms", ".1f", 1e3),
    Column("xla_beside_ratio", "ours/XLA beside", ".2f"),
    Column("difference", "differ", ".0e"),
)


def names() -> list[str]:
    """What it can be limited to."""
    return [*MODELS, *stepwise_programs.names()]


def measure(settings: Settings) -> Result:
    """Each program compiled once on both sides and run by both in alternation, first alone, then beside a neighbour."""
    ours, xla = Native(settings.threads), XlaCpu()
    title = f"Beside one busy process, {settings.count()}"
    table = Table(f"neighbours_{settings.threads}", title, COLUMNS)
    chosen = settings.chosen(names(), QUICK)
    return compare_all(table, chosen, lambda name: _row(_load(name), ours, xla, settings.blocks), summary)


def _load(name: str) -> Program:
    return models.load(name) if name in MODELS else stepwise_programs.load(name)


def _row(program: Program, ours: Native, xla: XlaCpu, blocks: int) -> dict[str, Value]:
    theirs, mine = xla.compile(program), ours.compile(program)
    differs = difference(ours.outputs(mine.run()), xla.outputs(theirs.run()))
    alone = alternate([mine.run, theirs.run], blocks)
    with busy_neighbour():
        beside = alternate([mine.run, theirs.run], blocks)
    return {
        "program": program.name,
        "ours_seconds": alone[0].median,
        "xla_seconds": alone[1].median,
        "xla_ratio": alone[0].ratio_to(alone[1]),
        "ours_beside_seconds": beside[0].median,
        "xla_beside_seconds": beside[1].median,
        "xla_beside_ratio": beside[0].ratio_to(beside[1]),
        "difference": differs,
    }


@contextmanager
def busy_neighbour() -> Generator[None]:
    """Inside, another process wants one of the CPUs of this one, at the same priority, all the time."""
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        time.sleep(SETTLE_SECONDS)
        yield
    finally:
        neighbour.kill()
        neighbour.wait()


def summary(table: Table) -> dict[str, float]:
    """Means and worst of the ratios."""
    figures: dict[str, float] = {}
    for key, where in (("xla_ratio", "alone"), ("xla_beside_ratio", "beside a busy process")):
        if ratios := table.values(key):
            figures[f"{where}, geometric mean of ours/XLA:CPU"] = geometric_mean(ratios)
            figures[f"{where}, largest ours/XLA:CPU"] = max(ratios)
    return figures
