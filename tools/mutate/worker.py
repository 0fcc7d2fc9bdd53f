"""Trials in forked processes, which may crash, hang or take all memory.

A worker says in shared memory which mutant it is at and counts how trials end; defects come through a pipe. A trial
that computes for too long is ended by the kernel (SIGPROF), one that waits for ever by the watchdog; faulthandler
writes where either was.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import mmap
import os
import re
import resource
import select
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, NamedTuple, NoReturn

import numpy as np

from .mutants import Mutant
from .outcomes import Kind, Outcome, Phase
from .trial import attempt

WAITING_FACTOR = 6
"""A process that stays at a mutant for this many times the limit of computing waits for something."""

TRACE_LINE = re.compile(r'File "(?:.*/)?([^/"]+)", line \d+ in (\S+)')


class Limits(NamedTuple):
    """What a trial may take."""

    seconds: float = 10.0
    """Of computing."""
    megabytes: int = 2048
    """Of memory on top of what the process begins with."""
    batch: int = 1000
    """Mutants that one process tries: what trials leave behind ends with it."""


class Tried(NamedTuple):
    """A mutant and how its trial ended."""

    mutant: Mutant
    outcome: Outcome


@dataclass
class Counts:
    """How often trials ended in which way."""

    by_kind: list[int] = field(default_factory=lambda: [0] * len(Kind))

    def add(self, kind: Kind) -> None:
        self.by_kind[kind] += 1


class _Board:
    """What a worker writes and the watchdog reads: place, phase, and counts of outcomes."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, mmap.PAGESIZE)
        self.cells = np.frombuffer(self.memory, np.int64)

    @property
    def place(self) -> int:
        return int(self.cells[0])

    @property
    def phase(self) -> Phase:
        return Phase(int(self.cells[1]))

    def go_to(self, place: int) -> None:
        self.cells[0] = place

    def announce(self, phase: Phase) -> None:
        self.cells[1] = phase

    def count(self, kind: Kind) -> None:
        self.cells[2 + kind] += 1

    def counts(self) -> list[int]:
        return [int(n) for n in self.cells[2 : 2 + len(Kind)]]


def _limit(limits: Limits, trace: IO[str]) -> None:
    """Limits of this process from now on, and where it was if it breaks them."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        present = int(statm.read().split()[0]) * resource.getpagesize()
    most = present + limits.megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.enable(trace)
    faulthandler.register(signal.SIGPROF, trace, all_threads=False, chain=True)


def _work(
    make: Callable[[int], tuple[Mutant, bool]],
    start: int,
    end: int,
    limits: Limits,
    board: _Board,
    pipe: int,
    trace: IO[str],
) -> None:
    _limit(limits, trace)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    for place in range(start, end):
        board.go_to(place)
        mutant, run = make(place)
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        outcome = attempt(mutant.data, file_name(mutant), run, board.announce)
        signal.setitimer(signal.ITIMER_PROF, 0)
        board.count(outcome.kind)
        if outcome.is_defect:
            os.write(pipe, json.dumps([place, *outcome]).encode() + b"\n")
    board.go_to(end)


def file_name(mutant: Mutant) -> str:
    return f"mutant{mutant.reader.extension}"


def _child(work: Callable[[], None]) -> NoReturn:
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def run_range(
    make: Callable[[int], tuple[Mutant, bool]], start: int, end: int, limits: Limits, counts: Counts
) -> Iterator[Tried | int]:
    """The defects of mutants from number `start` to `end`, and after each process the number up to which all is done.

    `make` gives a mutant by its number, and whether it is to be run if it is accepted.
    """
    gc.collect()
    gc.freeze()
    while start < end:
        stop = min(start + limits.batch, end)
        board = _Board()
        with tempfile.TemporaryFile("w+") as trace:
            for place, outcome in _one_process(make, start, stop, limits, board, trace):
                if outcome.kind is Kind.HANG or outcome.kind is Kind.CRASH:
                    board.count(outcome.kind)
                yield Tried(make(place)[0], outcome)
        for kind, times in enumerate(board.counts()):
            counts.by_kind[kind] += times
        start = stop if board.place == stop else board.place + 1
        yield start


def _one_process(
    make: Callable[[int], tuple[Mutant, bool]], start: int, end: int, limits: Limits, board: _Board, trace: IO[str]
) -> Iterator[tuple[int, Outcome]]:
    """The defects that one process finds; the last one may have ended it."""
    reading, writing = os.pipe()
    board.go_to(start)
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(lambda: _work(make, start, end, limits, board, writing, trace))
    os.close(writing)
    waiting = False
    try:
        data = b""
        place, since = board.place, time.monotonic()
        while True:
            ready, _, _ = select.select([reading], [], [], 0.5)
            if ready:
                new = os.read(reading, 1 << 16)
                if not new:
                    break
                *lines, data = (data + new).split(b"\n")
                yield from map(_reported, lines)
            if board.place != place:
                place, since = board.place, time.monotonic()
            elif time.monotonic() - since > WAITING_FACTOR * limits.seconds and not waiting:
                waiting = True
                os.kill(child, signal.SIGPROF)
                time.sleep(1)
                os.kill(child, signal.SIGKILL)
    finally:
        os.close(reading)
        if sys.exc_info()[0] is not None:
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if board.place != end:
        yield board.place, _ended(status, waiting, board.phase, trace)


def _reported(line: bytes) -> tuple[int, Outcome]:
    place, kind, phase, signature, detail = json.loads(line)
    return place, Outcome(Kind(kind), Phase(phase), signature, detail)


def _ended(status: int, waiting: bool, phase: Phase, trace: IO[str]) -> Outcome:
    """What a process that ended in the middle of a trial shows."""
    trace.seek(0)
    text = trace.read()
    places = [f"{file}:{function}" for file, function in TRACE_LINE.findall(text)]
    hang = waiting or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF)
    kind = Kind.HANG if hang else Kind.CRASH
    how = "" if hang else f"{_ending(status)} "
    where = places[0] if places else "?"
    return Outcome(kind, phase, f"{kind.name} {phase.name} {how}{where}", f"{_ending(status)}\n{text[:2000]}")


def _ending(status: int) -> str:
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"code {os.waitstatus_to_exitcode(status)}"


def try_one(mutant: Mutant, run: bool, limits: Limits) -> Outcome:
    """How the trial of one mutant ends, in a process of its own."""
    board = _Board()
    with tempfile.TemporaryFile("w+") as trace:
        for _, outcome in _one_process(lambda _: (mutant, run), 0, 1, limits, board, trace):
            return outcome
    kind = next((kind for kind in Kind if board.counts()[kind]), Kind.ACCEPTED)
    return Outcome(kind, board.phase)
