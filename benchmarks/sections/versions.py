"""This version of the package against another one: run time and compile time in alternation, in one run."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from ...errors import ArgumentError, XlaError
from .. import suite
from ..figures import geometric_mean
from ..measure import SETTLE_SECONDS
from ..suite import Program
from ..table import Column, Table, TablePrinter
from ..versions import ROOT, Side, Stored, checkout
from .section import Result, Settings

QUICK = ("softmax", "matmul256", "sort1m", "embed", "mlp_train")
BLOCK_SECONDS = 0.06
COMPILATIONS = 5
"""Of each side; the least time counts: what else the machine does only adds."""

COLUMNS = (
    Column("program", "program"),
    Column("ours_run", "ms", ".3f", 1e3),
    Column("run", "run", ".2f"),
    Column("ours_compile", "compile ms", ".1f", 1e3),
    Column("compile", "compile", ".2f"),
    Column("cpu", "CPU time", ".2f"),
)


def measure(settings: Settings) -> Result:
    """Ratios ours / theirs. Raises `ArgumentError` without another version."""
    if not settings.against:
        raise ArgumentError("section 'versions' needs --against REVISION or --against FOLDER")
    table = Table("versions", f"This version against {settings.against}", COLUMNS)
    printer = TablePrinter(table)
    failures: list[str] = []
    totals = [0.0] * 4
    with (
        checkout(settings.against) as other,
        Side(ROOT, settings.threads) as ours,
        Side(other, settings.threads) as theirs,
        tempfile.TemporaryDirectory() as folder,
    ):
        for program in _programs(settings):
            try:
                row, times = _row(Stored(program, Path(folder)), (ours, theirs), settings.blocks)
            except XlaError as error:
                failures.append(f"{program.name}: {error}")
                printer.note(program.name, str(error))
                continue
            totals = [total + time for total, time in zip(totals, times, strict=True)]
            printer.add(row)
    figures = {
        "run time, geometric mean": geometric_mean(table.values("run")),
        "run time, largest": max(table.values("run"), default=0.0),
        "compile time, ratio of the sums": totals[0] / totals[1] if totals[1] else 0.0,
        "CPU time of compilation, ratio of the sums": totals[2] / totals[3] if totals[3] else 0.0,
    }
    return Result([printer.finish(figures)], failures)


def _programs(settings: Settings) -> Sequence[Program]:
    first = settings.chosen(suite.names(), QUICK)
    programs = [suite.load(name) for name in first]
    if settings.quick or (settings.programs and len(first) == len(settings.programs)):
        return programs
    from .. import more_programs

    return [*programs, *(more_programs.load(name) for name in settings.chosen(more_programs.names()))]


def _row(
    program: Stored, sides: tuple[Side, Side], blocks: int
) -> tuple[dict[str, str | float | int | None], tuple[float, float, float, float]]:
    """The figures of a program, and the times of its compilation, ours and theirs, by the clock and of the CPU."""
    for side in sides:
        side.ask(f"inputs {program.inputs}")
    compilations: list[list[Mapping[str, float]]] = [[], []]
    for turn in range(COMPILATIONS):
        for number in (0, 1) if turn % 2 else (1, 0):
            compilations[number].append(sides[number].ask(f"compile {program.text}"))
    wall, cpu = ([min(each[key] for each in found) for found in compilations] for key in ("seconds", "cpu"))
    runs: list[list[Mapping[str, float]]] = [[], []]
    for turn in range(blocks):
        for number in (0, 1) if turn % 2 else (1, 0):
            time.sleep(SETTLE_SECONDS)
            runs[number].append(sides[number].ask(f"run {BLOCK_SECONDS}"))
    ratio = median(a["median"] / b["median"] for a, b in zip(*runs, strict=True))
    row: dict[str, str | float | int | None] = {
        "program": program.name,
        "ours_run": min(run["best"] for run in runs[0]),
        "run": ratio,
        "ours_compile": wall[0],
        "compile": wall[0] / wall[1],
        "cpu": cpu[0] / cpu[1],
    }
    return row, (wall[0], wall[1], cpu[0], cpu[1])
