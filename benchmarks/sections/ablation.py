"""What each optional step, fast path and tuned constant is worth: everything with it, and with it turned off.

Of each program every candidate (`ablation_candidates.py`) is turned off in turn, in one process. Compile time is
processor time, of all threads, the least of some compilations in alternation. Code that comes out the same takes the
same time to run; other code runs in alternation with that of everything turned on, and the least of the times counts:
of one thread processor time, which other programs on the machine change least.
A ratio is off / on: above 1 the candidate pays. The compiler with everything turned on is a candidate too, against
itself: what its ratios are away from 1 is noise.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...runtime.compilation import compile_program
from ...runtime.compiler import Request
from ...runtime.executable import Executable
from ...runtime.garbage_collection import CyclicGCPaused
from ...runtime.loading import load
from .. import suite
from ..ablation_candidates import Candidate, candidates
from ..agreement import difference
from ..figures import geometric_mean
from ..measure import alternate
from ..suite import Program
from ..table import Column, Table, TablePrinter, Value
from .rows import LARGEST_DIFFERENCE
from .section import Result, Settings

QUICK = ("gelu", "matmul256", "embed", "transpose_add", "cumsum")
QUICK_CANDIDATES = (
    "linalg-fuse-elementwise",
    "loops-vectorize",
    "calls made in machine code",
    "transposes in registers",
)

ON = Candidate("nothing (noise)")

CALLS_INSIDE = 10
"""Calls of a new executable before its candidate is turned on again: enough to decide how it is called."""

PROGRAM_COLUMNS = (
    Column("candidate", "turned off"),
    Column("program", "program"),
    Column("run_ratio", "run", ".3f"),
    Column("compile_ratio", "compile", ".3f"),
    Column("code_ratio", "code", ".3f"),
)

COLUMNS = (
    Column("candidate", "turned off"),
    Column("lines", "lines"),
    Column("changed", "changed"),
    Column("run_ratio", "run", ".3f"),
    Column("least_ratio", "least", ".2f"),
    Column("least_program", "of"),
    Column("largest_ratio", "largest", ".2f"),
    Column("largest_program", "of"),
    Column("compile_ratio", "compile", ".3f"),
    Column("needed", "fails"),
)


class _Side(NamedTuple):
    """A program compiled without a candidate."""

    candidate: Candidate
    objects: Sequence[bytes]
    run: Any
    outputs: list[Any]
    seconds: float

    @property
    def code_bytes(self) -> int:
        return sum(map(len, self.objects))


def measure(settings: Settings) -> Result:
    """A row for each candidate, and one for each program whose code it changes."""
    chosen = [candidate for candidate in candidates() if candidate.name in settings.programs]
    if not chosen:
        chosen = [c for c in candidates() if not settings.quick or c.name in QUICK_CANDIDATES]
    printer = TablePrinter(Table("ablation_programs", "Without a part of the compiler, off / on", PROGRAM_COLUMNS))
    failures: list[str] = []
    rows: list[dict[str, Value]] = []
    for name in _programs(settings):
        rows += _measured(_load(name), [ON, *chosen], settings, printer, failures)
    details = printer.finish({})
    table = TablePrinter(Table("ablation", "What each part of the compiler is worth, off / on", COLUMNS))
    for candidate in (ON, *chosen):
        table.add(_summary(candidate, [row for row in rows if row["candidate"] == candidate.name]))
    return Result([table.finish({}), details], failures)


def names() -> list[str]:
    """What the section can be limited to, beside programs."""
    return [candidate.name for candidate in candidates()]


def _programs(settings: Settings) -> list[str]:
    from .. import more_programs

    everything = [*suite.names(), *more_programs.names()]
    wanted = [name for name in everything if name in settings.programs]
    return wanted or [name for name in everything if not settings.quick or name in QUICK]


def _load(name: str) -> Program:
    from .. import more_programs

    return suite.load(name) if name in suite.names() else more_programs.load(name)


def _measured(
    program: Program, chosen: Sequence[Candidate], settings: Settings, printer: TablePrinter, failures: list[str]
) -> list[dict[str, Value]]:
    """The row of each candidate; those of changed code, and of noise, are printed."""
    _compiled(program, ON, settings.threads)
    on = _compiled(program, ON, settings.threads)
    sides: list[_Side] = []
    rows: list[dict[str, Value]] = []
    for candidate in chosen:
        try:
            side = _compiled(program, candidate, settings.threads)
        except Exception as error:
            rows.append({"candidate": candidate.name, "program": program.name, "needed": str(error)})
            continue
        differs = difference(side.outputs, on.outputs)
        if not differs <= LARGEST_DIFFERENCE:
            failures.append(f"{program.name} without {candidate.name}: results differ by {differs:.1e}")
        sides.append(side)
    seconds = _compile_seconds(program, [on, *sides], settings)
    changed = [side for side in sides if _runs_differently(side, on)]
    clock = time.process_time if settings.threads == 1 else time.perf_counter
    timings = alternate([on.run, *(side.run for side in changed)], settings.blocks, clock=clock)
    times = [timing.best for timing in timings]
    run_ratios = {side.candidate.name: best / times[0] for side, best in zip(changed, times[1:], strict=True)}
    for side, own in zip(sides, seconds[1:], strict=True):
        name = side.candidate.name
        row: dict[str, Value] = {
            "candidate": name,
            "program": program.name,
            "run_ratio": run_ratios.get(name, 1.0),
            "compile_ratio": own / seconds[0],
            "code_ratio": side.code_bytes / on.code_bytes,
            "changed": int(name in run_ratios),
        }
        rows.append(row)
        if name in run_ratios:
            printer.add(row)
    return rows


def _runs_differently(side: _Side, on: _Side) -> bool:
    return side.objects != on.objects or side.candidate.is_of_calls or side.candidate is ON


def _compile_seconds(program: Program, sides: Sequence[_Side], settings: Settings) -> list[float]:
    """The least processor time of each side's compilations, in turn."""
    least = [side.seconds for side in sides]
    for _ in range(settings.blocks // 4):
        for number, side in enumerate(sides):
            least[number] = min(least[number], _compiled(program, side.candidate, settings.threads, run=False).seconds)
    return least


def _compiled(program: Program, candidate: Candidate, threads: int, run: bool = True) -> _Side:
    """`program`, compiled and, with `run`, called while `candidate` is turned off."""
    request = Request(threads, candidate.pipeline, None, None, 2, None, None, False)
    with candidate.turned_off():
        start = time.process_time()
        with CyclicGCPaused():
            compiled = compile_program(program.text, "<text>", request, {})
        seconds = time.process_time() - start
        if not run:
            return _Side(candidate, compiled.objects, None, [], seconds)
        executable: Executable = load(compiled, {})
        outputs = [list(executable(*program.inputs)) for _ in range(CALLS_INSIDE if candidate.is_of_calls else 1)]
    return _Side(candidate, compiled.objects, lambda: executable(*program.inputs), outputs[0], seconds)


def _summary(candidate: Candidate, rows: Sequence[dict[str, Value]]) -> dict[str, Value]:
    """What the programs come to."""
    measured = {str(row["program"]): float(str(row["run_ratio"])) for row in rows if "run_ratio" in row}
    needed = [row for row in rows if "needed" in row]
    summary: dict[str, Value] = {
        "candidate": candidate.name,
        "lines": candidate.lines,
        "changed": sum(bool(row.get("changed")) for row in rows),
        "needed": len(needed),
    }
    if measured:
        least, largest = min(measured, key=measured.__getitem__), max(measured, key=measured.__getitem__)
        summary |= {
            "run_ratio": geometric_mean(list(measured.values())),
            "least_ratio": measured[least],
            "least_program": least,
            "largest_ratio": measured[largest],
            "largest_program": largest,
            "compile_ratio": geometric_mean([float(str(row["compile_ratio"])) for row in rows if "run_ratio" in row]),
        }
    return summary
