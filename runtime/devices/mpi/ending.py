"""How a process of a job ends: decided here, whoever has started MPI, and whatever has failed.

MPI's own end waits for all processes. Some never come after a failure, so no process may get there then: neither by
our call of `MPI_Finalize` nor by that of mpi4py, which follows Python's exit handlers.
"""

from __future__ import annotations

import atexit
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from .starting import LastingThread

MARGIN = 1.0
"""After so many seconds more than it may stay a process ends, wherever it waits: in a call of MPI, above all."""

INTERRUPTED = 130
"""The exit code after Ctrl-C. Python ends of the signal itself; MPICH's launcher joins the bits of what its processes
have ended of, and SIGINT and SIGKILL make its "Segmentation fault".
"""

SOON = 0.8
"""How many seconds a process stays that has waited as long as it may, was stopped, or has no way to tell the others:
they have had their time, or are about to say what is wrong with them.
"""

LATE = 3.0
"""How many seconds at most a process stays that has waited for others in vain: those that came late may be waiting too,
and are to say so before the job ends.
"""

_LOOK = 0.05


class Ending:
    """That of this process, from when its MPI library is known."""

    def __init__(
        self,
        thread: LastingThread,
        is_finalized: Callable[[], bool],
        finalize: Callable[[], None],
        abort: Callable[[int], None],
    ) -> None:
        """thread: starts MPI; the end is said on it too, so that a call of MPI that does not return holds up nobody
        is_finalized: whether MPI has been ended
        finalize: ends it
        abort: ends all processes of the job, with an exit code
        """
        self.has_failed = False
        """Whether something in the job has: MPI is not ended then."""
        self.leaves = math.inf
        """After a failure: when this process ends, on the monotonic clock, though others have not answered."""
        self.is_foreign = False
        """Whether somebody else has started MPI, and ends it."""
        self.steps: list[Callable[[BaseException | None], None]] = []
        """Called first: with the exception that ends the process, if one does."""
        self.are_others_missing = False
        """Whether this process has waited in vain for all others to come: one that never comes may be waiting in
        `MPI_Finalize`, hears of nothing there, and is ended with the job.
        """
        self._thread = thread
        self._is_finalized, self._finalize, self._abort = is_finalized, finalize, abort
        self._process = os.getpid()
        self._is_over = False
        atexit.register(self._at_exit)

    def fail(self, stays: float) -> None:
        """Something has failed: the others have so many seconds to answer."""
        self.has_failed = True
        self.leaves = min(self.leaves, time.monotonic() + stays)

    def end(self, code: int, error: BaseException | None = None) -> None:
        """Take the steps, then end MPI or, where it must not be waited for, this process with `code`.

        That is also so where all was well here, and the first it hears of a failure is now.
        """
        if self._is_over or os.getpid() != self._process:
            return
        self._is_over = True
        self.has_failed |= error is not None
        is_known = self.has_failed
        if not self._thread.is_busy:
            if self._is_finalized():
                return
            try:
                self._take_steps(error)
            except KeyboardInterrupt:
                _leave(INTERRUPTED)
            except BaseException:
                traceback.print_exc()
                self.has_failed = True
        if self.has_failed and not self.steps:
            _stay(max(SOON, self.leaves - time.monotonic()) if self.are_others_missing else SOON)
        if self.are_others_missing and not self._thread.is_busy:
            _flush()
            self._thread.start(lambda: self._abort(code)).wait(MARGIN)
        if self._thread.is_busy or (self.has_failed and (self.is_foreign or code == INTERRUPTED or not is_known)):
            _leave(code)

    def _at_exit(self) -> None:
        error = _uncaught()
        self.end(_code(error), error)

    def _take_steps(self, error: BaseException | None) -> None:
        for step in self.steps:
            self._run(lambda step=step: step(error))
        if not self.has_failed and not self.is_foreign:
            self._run(self._finalize)

    def _run(self, function: Callable[[], object]) -> None:
        """Until this process leaves, at most."""
        if self._thread.is_busy:
            return
        task = self._thread.start(function)
        while not task.wait(_LOOK) and time.monotonic() < self.leaves + MARGIN:
            pass


def leave_before_start() -> None:
    """At exit: keep a process that an exception ends out of the end of mpi4py, where nothing of ours has started.

    `python -m mpi4py` ends the whole job instead.
    """
    mpi, error = sys.modules.get("mpi4py.MPI"), _uncaught()
    if mpi is None or error is None or "mpi4py.run" in sys.modules:
        return
    if mpi.Is_initialized() and not mpi.Is_finalized():
        leave_soon(_code(error))


def leave_soon(code: int) -> NoReturn:
    """End this process after a failure, without MPI's end, when the others have had time for theirs."""
    _stay(SOON)
    _leave(code)


def _uncaught() -> BaseException | None:
    """The exception that ends this process."""
    found: object = getattr(sys, "last_value", None)
    return found if isinstance(found, BaseException) and not hasattr(sys, "ps1") else None


def _code(error: BaseException | None) -> int:
    return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def _stay(seconds: float) -> None:
    with suppress(KeyboardInterrupt):
        time.sleep(seconds)


def _leave(code: int) -> NoReturn:
    """Print what was to be printed, and end at once."""
    _flush()
    os._exit(code)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # it is closed
            stream.flush()
