"""`python -m xdsl_xla.tools.accuracy --sums`: how far sums of many terms are off, ours and XLA:CPU's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ... import compile as compile_program
from ...errors import UnsupportedError
from .sum_cases import SIGNS, Array, SumCase, cases, distance

THREADS = (1, 2, 4)

RESULTS, FEWEST_SEEDS, MOST_SEEDS = 2000, 3, 16
"""About how many results a figure is of, and of how many sets of arguments."""

NOISE, ROUNDING = 1.15, 0.8
"""What a figure may be above another by chance, and what errors are those of a handful of roundings: no further off
than that, a sum may be further off than another."""

TITLE = "## Sums"

INTRODUCTION = """
How far sums of n terms are from the exact sum: the root of the mean square over results and arguments, in units of
2^-24 (f32) and 2^-53 (f64) of the sum of the absolute terms. Rounding the exact sum gives 0.4. Terms are random, of one
sign, where all roundings count, or of both. {peer}What has to hold, and the exit code of `{command}` says so, is that
no sum is further off than XLA:CPU's, and none further on one thread than on four (beyond chance, a factor of {noise},
and {rounding} units).

Reductions, windows and scans add up partial sums of some hundred terms with the errors of the additions (two-sum);
contractions have chains of at most 256 products, in groups, and add up with errors what is done in chunks.
"""


class Row(NamedTuple):
    """One case: for each of `SIGNS` the figures for `THREADS`, and XLA's if it was there."""

    case: SumCase
    ours: list[list[float]]
    peer: list[float] | None

    @property
    def failed(self) -> bool:
        """Whether a sum is further off than it may be."""
        limits = [max(ROUNDING, NOISE * figures[-1]) for figures in self.ours]
        if any(figures[0] > limit for figures, limit in zip(self.ours, limits, strict=True)):
            return True
        if self.peer is None:
            return False
        limits = [max(ROUNDING, NOISE * figure) for figure in self.peer]
        return any(max(figures) > limit for figures, limit in zip(self.ours, limits, strict=True))


def measure(
    work: Iterable[SumCase], peer: Any = None, threads: Sequence[int] = THREADS, most_seeds: int = MOST_SEEDS
) -> Iterator[Row]:
    """The figures of each case, for each number of `threads`. `peer`: XLA:CPU, as in `benchmarks/peers.py`."""
    for case in work:
        runs = [compile_program(case.text, threads=count) for count in threads]
        other = peer.compile_text(case.text) if peer is not None else None
        figures = [_figures(case, sign, runs, other, most_seeds) for sign in SIGNS]
        yield Row(case, [each[: len(threads)] for each in figures], [each[-1] for each in figures] if other else None)


def _figures(case: SumCase, sign: str, runs: Sequence[Any], other: Any, most_seeds: int = MOST_SEEDS) -> list[float]:
    found: list[list[Array]] = []
    for seed in range(most_seeds):
        arguments = case.arguments(sign, seed)
        results: list[Array] = [np.asarray(run(*arguments)[0]) for run in runs]
        if other is not None:
            results.append(other(*arguments)[0])
        found.append(distance(case, arguments, results))
        if seed + 1 >= FEWEST_SEEDS and (seed + 1) * results[0].size >= RESULTS:
            break
    return [float(np.sqrt(np.mean(np.concatenate(each) ** 2))) for each in zip(*found, strict=True)]


def xla() -> Any:
    """XLA:CPU, or None where it is not installed."""
    from ...benchmarks.peers import XlaCpu

    try:
        return XlaCpu()
    except UnsupportedError:
        return None


def table(rows: Sequence[Row], command: str) -> str:
    """The section of the document."""
    has_peer = any(row.peer for row in rows)
    threads = " and ".join([", ".join(map(str, THREADS[:-1])), str(THREADS[-1])])
    peer = "XLA:CPU was run beside it, with the threads of this machine. " if has_peer else ""
    heads = [f"{sign}, {threads} threads" for sign in SIGNS]
    columns = [text for head in heads for text in ([head, "XLA"] if has_peer else [head])]
    lines = [
        TITLE,
        INTRODUCTION.format(peer=peer, command=command, noise=NOISE, rounding=ROUNDING),
        f"| type | sum | n | {' | '.join(columns)} |",
        f"| --- | --- | --- |{' --- |' * len(columns)}",
    ]
    for row in rows:
        cells: list[str] = []
        for index, figures in enumerate(row.ours):
            cells.append(", ".join(f"{figure:.2f}" for figure in figures))
            if has_peer:
                cells.append(f"{row.peer[index]:.2f}" if row.peer else "")
        lines.append(f"| {row.case.type} | {row.case.name} | {row.case.count:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def section(document: str) -> str:
    """The section of sums in `document`, empty if it has none."""
    _, found, rest = document.partition(f"\n{TITLE}\n")
    return f"{TITLE}\n{rest.split(chr(10) + '## ')[0].rstrip()}\n" if found else ""


def with_section(document: str, text: str) -> str:
    """`document` with its section of sums replaced by `text`, which is put at the end if there is none."""
    old = section(document)
    return document.replace(old, text) if old else f"{document.rstrip()}\n\n{text}"


def run(types: Sequence[str], output: Path | None, command: str, quiet: bool) -> bool:
    """The command: writes the table to `output`, or into the section of it. Whether all sums are close enough."""
    rows: list[Row] = []
    peer = xla()
    for row in measure((case for type in types for case in cases(type)), peer):
        rows.append(row)
        if not quiet:
            figures = "  ".join(" ".join(f"{figure:7.2f}" for figure in each) for each in row.ours)
            beside = "" if row.peer is None else "  XLA " + " ".join(f"{figure:7.2f}" for figure in row.peer)
            mark = "  FAILED" if row.failed else ""
            print(
                f"{row.case.type} {row.case.name:26} {row.case.count:9} {figures}{beside}{mark}",
                file=sys.stderr,
                flush=True,
            )
    text = table(rows, command)
    if output is None:
        print(text, end="")
    else:
        output.write_text(with_section(output.read_text() if output.exists() else "", text))
    return not any(row.failed for row in rows)
