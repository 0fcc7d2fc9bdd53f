"""All results as one JSON document, and as a page of Markdown with charts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .sections.section import Result, Settings
from .svg import ratio_chart
from .table import Table, show_figure


@dataclass
class Report:
    """The machine, and the result of each section by name."""

    machine: dict[str, str]
    results: dict[str, Result] = field(default_factory=dict[str, Result])

    def failures(self) -> list[str]:
        return [f"{name}: {failure}" for name, result in self.results.items() for failure in result.failures]

    def as_dict(self) -> dict[str, Any]:
        sections = {name: result.as_dict() for name, result in self.results.items()}
        return {"machine": self.machine, "sections": sections}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Report:
        results = {name: Result.from_dict(result) for name, result in data["sections"].items()}
        return Report(dict(data["machine"]), results)

    def write_json(self, path: Path) -> None:
        path.write_text(json.dumps(self.as_dict(), indent=2) + "\n", encoding="utf-8")


class Chart(NamedTuple):
    """What of a table is drawn: the column of the ratios, and that of their names."""

    ratios: str
    names: str
    title: str
    below_is_better: bool = True


CHARTS = {
    "run": Chart("xla_ratio", "program", "Run time, ours / XLA:CPU (left of 1 is faster)"),
    "more": Chart("xla_ratio", "program", "Run time of more programs, ours / XLA:CPU (left of 1 is faster)"),
    "models": Chart("xla_ratio", "program", "Run time of whole models, ours / XLA:CPU (left of 1 is faster)"),
    "pytorch": Chart("torch_ratio", "program", "Run time, ours / PyTorch (left of 1 is faster)"),
    "matmul": Chart("xla_speed", "product", "Speed of matrix products, ours / XLA:CPU (right of 1 is faster)", False),
    "compile": Chart("ratio", "program", "Compile time, ours / XLA:CPU (left of 1 is faster)"),
}
"""By the name of the table."""

DETAILS = {"ablation_programs"}
"""Tables that are in the JSON document only."""

INTRODUCTION = """# Benchmarks

<!-- not run: it installs, and measures for minutes; tests/benchmarks runs small parts of it -->

    pip install -e '.[jax]' && python -m xdsl_xla.benchmarks

compares this package with XLA:CPU (the one in jaxlib) and with NumPy where it has the function. It takes some minutes,
with `--quick` less than one. Names of sections or programs limit it: `python -m xdsl_xla.benchmarks compile`,
`python -m xdsl_xla.benchmarks softmax conv3x3 --threads 1`. `--json FILE` keeps all figures, `--report FILE.md` writes
this page.

Each section runs in a process of its own, all sides of it in that process, with the same number of threads and the
same inputs: in turn, each side runs for a block of 50 milliseconds, and tables show medians over all blocks. A ratio is
ours / the other's, the median over turns that followed each other where sides are run in turn (a shared machine is
slower for seconds at a time); of times below 1 is faster, of speeds above 1. `differ` is the largest difference of an
output element from XLA's, relative to the largest magnitude of that output; of whole models, the distance of an output
from XLA's, relative to its norm. Nothing is cached between compilations except where a section says so; functions that
all programs share, those of the runtime and of register tiles, are compiled by the first one that calls them (with a
compile cache, by the first one of all processes).

`of limit` is what our run time achieves of what this machine could do: the least time for the program's arithmetic at
the rate of multiply-adds that is measured here, or for its arguments and results out of the nearest cache or memory
that holds them all, whichever is longer. A multiply-add is two operations, an elementary function twenty. Loops whose
length nobody knows have no limit.
"""

NOTES = {
    "run": "The programs of `benchmarks/programs`, StableHLO as JAX writes it. `compile s` and `XLA s` are the first "
    "compilation in the process. NumPy computes elementwise functions and reductions on one thread.",
    "more": "The functions of `benchmarks/more_programs`, lowered by JAX.",
    "models": "The functions of `benchmarks/models`, lowered by JAX, weights and inputs drawn at random. `compile s` "
    "and `XLA s` are the first compilation in the process; peak memory is arguments, results, temporaries, constants "
    "and code, as each compiler states them.",
    "pytorch": "The functions of `benchmarks/library_programs`, lowered by JAX, and PyTorch's operators for the same, "
    "which call MKL and oneDNN, run eagerly, with images laid out with the channels last. (MKL takes other code on "
    "AMD's processors than on Intel's.)",
    "matmul": "On one thread; NumPy's BLAS too. `T` marks an operand that is stored transposed.",
    "calls": "Our executable and `xdsl_xla.jit` are called with NumPy arrays, `jax.jit` and `execute` with JAX's.",
    "warm": "`warm` is from the import of the package on, until a program that is in the cache can be called.",
    "memory": "Arguments, results, temporaries, constants and code in MB, as each compiler states them. `grows` is "
    "what a fresh process grows by while the program runs.",
    "growth": "The exponent is the slope of the logarithms: 1 is linear.",
    "directions": "Three sizes of each program of `benchmarks/growing_programs.py`, the largest of so many parts, each "
    "compilation in a fresh process; processor time of all its threads, the least of three.",
    "ablation": "Each candidate of `benchmarks/ablation_candidates.py` turned off: geometric means over all programs, "
    "and the programs that gain and lose most. `changed`: programs whose code is another one without it; `fails`: "
    "programs that do not compile without it; `lines`: of its own files. The first row is the compiler against itself.",
    "threads": "Of one thread: the difference from XLA:CPU or, where that rounds at other places, from the reference "
    "interpreter; of more threads: from one thread.",
}


def write_page(report: Report, path: Path) -> None:
    """The page at `path`, and beside it an SVG file for each chart."""
    parts = [INTRODUCTION, "## The machine\n", _machine(report.machine), "## In short\n", _summary(report)]
    for result in report.results.values():
        for table in (table for table in result.tables if table.name not in DETAILS):
            parts += [f"## {table.title}\n", _notes(table, result.settings)]
            if chart := _chart(table):
                file = path.with_name(f"{path.stem}_{table.name}.svg")
                file.write_text(chart, encoding="utf-8")
                parts.append(f"![{CHARTS[_kind(table)].title}]({file.name})\n")
            parts.append(table.markdown())
    path.write_text("\n".join(parts), encoding="utf-8")


def _machine(facts: Mapping[str, str]) -> str:
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in facts.items())]) + "\n"


def _summary(report: Report) -> str:
    rows = [
        f"| {name} | {figure} | {show_figure(value)} |"
        for name, result in report.results.items()
        for table in result.tables
        for figure, value in table.figures.items()
    ]
    return "\n".join(["| section | figure | |", "| --- | --- | ---: |", *rows]) + "\n"


def _notes(table: Table, settings: Settings) -> str:
    measured = f" Measured with {settings.count()}." if _kind(table) == table.name else ""
    return f"{NOTES.get(_kind(table), '')}{measured}".strip() + "\n"


def _kind(table: Table) -> str:
    """The name of a table without a number of threads."""
    name, _, threads = table.name.rpartition("_")
    return name if threads.isdigit() else table.name


def _chart(table: Table) -> str | None:
    chart = CHARTS.get(_kind(table))
    if chart is None:
        return None
    ratios = {
        str(row[chart.names]): float(ratio)
        for row in table.rows
        if isinstance(ratio := row.get(chart.ratios), int | float) and math.isfinite(ratio) and ratio > 0
    }
    return ratio_chart(chart.title, ratios, below_is_better=chart.below_is_better) if ratios else None
