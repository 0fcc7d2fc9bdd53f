"""What ran when, for profilers: machine code notes runs in a table while there is one, Python those that it calls."""

from __future__ import annotations

import ctypes
import itertools
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...decisions.dispatch import Dispatch
from ...runtime.clock import MONOTONIC
from .machine_code.layout import LoggedRun, RunLog


class Run(NamedTuple):
    """A run of a program on a device."""

    program: bytes
    """As it came."""
    device: int
    start: int
    """In nanoseconds of `now`."""
    nanoseconds: int


def now() -> int:
    """The clock that runs are noted by, in nanoseconds."""
    return time.clock_gettime_ns(MONOTONIC) if hasattr(time, "clock_gettime_ns") else time.monotonic_ns()


class Log:
    """The runs since the log was begun."""

    def __init__(self) -> None:
        self.is_on = False
        self._place = ctypes.c_size_t(0)
        self._table: ctypes.Array[ctypes.c_char] | None = None
        self._others: list[Run] = []
        self._programs: dict[int, tuple[bytes, int]] = {}
        self._gone: list[int] = []
        self._numbers = itertools.count(1)

    def connect(self, place: int) -> None:
        """Machine code looks there for the address of the table."""
        self._place = ctypes.c_size_t.from_address(place)

    def enter(self, program: bytes, device: int) -> int:
        """A number for a program that machine code calls, on a device."""
        number = next(self._numbers)
        self._programs[number] = program, device
        return number

    def leave(self, number: int) -> None:
        """There is no such program any more; it is known as long as the log is on."""
        if self.is_on:
            self._gone.append(number)
        else:
            self._programs.pop(number, None)

    def begin(self) -> None:
        """Forget all runs, and note those from now on."""
        count = Dispatch().logged_runs
        if self._table is None:  # for ever: a thread may be about to write
            self._table = (ctypes.c_char * (ctypes.sizeof(RunLog) + count * ctypes.sizeof(LoggedRun)))()
        ctypes.memset(self._table, 0, ctypes.sizeof(self._table))
        RunLog.from_buffer(self._table).capacity = count
        self._others.clear()
        self._place.value, self.is_on = ctypes.addressof(self._table), True

    def end(self) -> list[Run]:
        """The runs, in no order."""
        if not self.is_on:
            return []
        self._place.value, self.is_on = 0, False
        found = [*self._of_machine_code(), *self._others]
        while self._gone:
            self._programs.pop(self._gone.pop(), None)
        return found

    def _of_machine_code(self) -> Iterator[Run]:
        assert self._table is not None
        head = RunLog.from_buffer(self._table)
        runs = (LoggedRun * min(head.count, head.capacity)).from_buffer(self._table, ctypes.sizeof(RunLog))
        for run in runs:
            if run.program in self._programs:
                yield Run(*self._programs[run.program], run.start, run.nanoseconds)

    def note(self, program: bytes, devices: Sequence[int], start: int) -> None:
        """A program that Python calls has run on these devices from `start` to now."""
        if self.is_on:
            self._others += [Run(program, device, start, now() - start) for device in devices]


log = Log()
"""That of the process."""
