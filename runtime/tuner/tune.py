"""`tune`: for the kernels that take the time of a program, schedules that take less, for the database.

Each kernel is searched by itself, as long as its part of the time allows. What is best there has to be no slower in the
whole program as well.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from ...dialects.schedule.tree import Tree
from ...errors import ArgumentError, InternalError, XlaError
from ...ir.schedule_files import Entry
from ..compiler import Request
from ..schedule_texts import VARIABLE, database_paths, record
from .job import Job
from .kernels import Kernel
from .progress import Progress
from .search import Search
from .stopwatch import Stopwatch
from .summary import Row, Summary, milli
from .whole_program import Inputs, WholeProgram
from .workbench import Workbench

LEAST_PART = 0.02
"""Of the time of all kernels: less is not searched."""

LEAST_SECONDS = 1e-5
"""What is over sooner is a call more than a kernel."""

SEARCHED = 0.75
"""Of a kernel's time; the rest is for the whole program with what was found."""


def tune(
    source: str | bytes | ModuleOp,
    filename: str,
    request: Request,
    seconds: float,
    *,
    inputs: Inputs = None,
    seed: int = 0,
    progress: Progress | None = None,
    stopwatch: Stopwatch | None = None,
) -> Summary:
    """Searches for `seconds`, writes what was found into the first database, and says what that is.

    `inputs`: gives the arguments of the program, by default random ones. Kernels of which a file beside the program or
    a database says something are not searched again. Ctrl-C ends the search; what was found is kept. Raises `XlaError`
    as `compile` does, and `ArgumentError` if there is no database.
    """
    paths = database_paths()
    if not paths:
        raise ArgumentError(f"argument tune: there is no database to write to, {VARIABLE} is empty")
    stopwatch = stopwatch or Stopwatch()
    deadline = stopwatch.clock() + seconds
    bench = Workbench(source, filename, request)
    tuning = Tuning(bench, filename, stopwatch, deadline, seconds, random.Random(seed), Summary(paths[0]), progress)
    try:
        tuning.run(inputs)
    except KeyboardInterrupt:
        tuning.summary.interrupted = True
    finally:
        if progress is not None:
            progress.close()
        if tuning.entries:
            record(paths[0], tuning.entries)
    return tuning.summary


@dataclass
class Tuning:
    """The search for one program."""

    bench: Workbench
    filename: str
    stopwatch: Stopwatch
    deadline: float
    seconds: float
    rnd: random.Random
    summary: Summary
    progress: Progress | None = None
    entries: list[Entry] = field(default_factory=list[Entry])

    def left(self) -> float:
        """Seconds."""
        return self.deadline - self.stopwatch.clock()

    def run(self, inputs: Inputs) -> None:
        """All kernels that are worth it, and what they make of the program."""
        jobs = self._jobs()
        if not jobs:
            return
        self._show("the whole program")
        whole = WholeProgram.of(self.bench.program, inputs, self.stopwatch, max(1.0, self.left()))
        if whole.obstacle:
            self.summary.skipped["the whole program"] = whole.obstacle
        first, remaining = whole.current, sum(job.weight for job in jobs)
        for job in jobs:
            if self.left() <= 0 or self.summary.interrupted:
                self.summary.skipped[job.kernel.name] = "there was no time left"
                continue
            self._search(job, whole, self.left() * job.weight / remaining)
            remaining -= job.weight
        if first is not whole.current:
            found = self.stopwatch.compare(first, whole.current)
            self.summary.program = found.old, found.new

    def _jobs(self) -> list[Job]:
        """The kernels to search, those that take the most time first."""
        jobs: list[Job] = []
        self.summary.skipped.update(self.bench.others)
        for kernel in sorted(self.bench.kernels, key=lambda kernel: -kernel.calls * kernel.bytes):
            reason = self._reason_against(kernel)
            if not reason:
                self._show(kernel.name)
                try:
                    jobs.append(Job.of(kernel, self.bench.alone(kernel), self.stopwatch))
                except (XlaError, InternalError) as error:
                    reason = f"does not run by itself: {error}"
            if reason:
                self.summary.skipped[kernel.name] = reason
        total = sum(job.weight for job in jobs)
        small = [job for job in jobs if job.weight < LEAST_PART * total or job.seconds < LEAST_SECONDS]
        for job in small:
            is_short = job.seconds < LEAST_SECONDS
            share = "a call more than a kernel" if is_short else f"{job.weight / total:.1%} of the time of all kernels"
            reason = f"takes {milli(job.seconds)}, {share}"
            self.summary.skipped[job.kernel.name] = reason
        return sorted((job for job in jobs if job not in small), key=lambda job: -job.weight)

    def _reason_against(self, kernel: Kernel) -> str:
        """Why a kernel is not searched; nothing if it is."""
        known = next(self.bench.written.of(kernel.function, kernel.key.cpu, kernel.key.threads), None)
        if known is not None:
            return f"its schedule is known, from {known[0].place}"
        if self.bench.fixed.intersection(kernel.names):
            return "the program says its schedule"
        if not kernel.calls:
            return "nothing calls it"
        return "" if self.left() > 0 else "there was no time left"

    def _search(self, job: Job, whole: WholeProgram, seconds: float) -> None:
        kernel, search = job.kernel, job.search(self.rnd)
        end = self.stopwatch.clock() + SEARCHED * seconds

        def has_time() -> bool:
            self._show(f"{kernel.name}: {len(search.seen)} schedules, {search.best.cost:.0%} of the time")
            return self.stopwatch.clock() < end

        try:
            search.run(has_time)
        except KeyboardInterrupt:
            self.summary.interrupted = True
        row, tree = _outcome(job, search, whole)
        self.summary.rows.append(row)
        if self.progress is not None:
            self.progress.line(f"{row.name}: {milli(row.before)} to {milli(row.after)}: {row.change}")
        if tree is not None or search.is_over:
            times = milli(row.before) if tree is None else f"{milli(row.after)}, was {milli(row.before)}"
            comment = f"{kernel.name} of {os.path.basename(self.filename)}: {times}"
            self.entries.append(Entry(kernel.key, tree, comment))

    def _show(self, text: str) -> None:
        if self.progress is not None:
            self.progress.update(self.seconds - self.left(), text)


def _outcome(job: Job, search: Search, whole: WholeProgram) -> tuple[Row, Tree | None]:
    """What a search has found, if the program takes it."""
    kernel, best = job.kernel, search.best
    row = Row(kernel.name, kernel.calls, job.seconds, job.seconds, f"none: nothing better in {len(search.seen)}")
    if best is search.start:
        return row, None
    is_faster, found = job.stopwatch.faster(job.first, job.best)
    row = row._replace(before=found.old, after=found.old)
    if not is_faster:
        return row._replace(change=f"none: nothing in {len(search.seen)} that is better for sure"), None
    refusal = whole.accepts(dict.fromkeys(kernel.names, best.tree))
    if refusal is not None:
        return row._replace(change=f"none: {found.most:.0%} of the time by itself, but {refusal} with it"), None
    return row._replace(after=found.new, change=", ".join(best.changes)), best.tree
