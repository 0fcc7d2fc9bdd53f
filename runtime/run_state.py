"""What one run of a program knows about whether it is to stop: the words behind the slot `FAILED` of its context."""

from __future__ import annotations

import ctypes
import time
from typing import Any

from ..errors import ProgramTimeoutError, UnsupportedError
from ..lowering.to_llvm import context_layout as layout
from .context import RUN_WORDS, ContextTable

STOPPED, DEADLINE, TIMED_OUT, EXCEPTION = 0, 1, 2, 3
"""Words: whether the run is to stop, when in nanoseconds of `CLOCK_MONOTONIC` (0: never), whether that is why, and what
a handler of a signal has raised: the three parts of an exception of Python's C API, owned."""

_LONGEST_TIMEOUT = 1e9
"""In seconds: thirty years."""

_restore: Any = ctypes.PyDLL(None).PyErr_Restore if hasattr(ctypes, "pythonapi") else None
if _restore is not None:
    _restore.argtypes = [ctypes.c_void_p] * 3
    _restore.restype = None


class RunState:
    """The context of one run at a time, with its words."""

    __slots__ = ("_kept", "_slots", "_words", "address", "context")

    def __init__(self, context: ContextTable) -> None:
        self._kept = context
        self._words = (ctypes.c_int64 * RUN_WORDS)()
        self.address = ctypes.addressof(self._words)
        self._slots = context.copy()
        self._slots[layout.FAILED] = self.address
        self.context = ctypes.addressof(self._slots)

    def stop(self) -> None:
        """Have the run end soon. May be called by any thread."""
        self._words[STOPPED] = 1

    def clear(self) -> None:
        """Make ready for the next run."""
        ctypes.memset(self.address, 0, ctypes.sizeof(self._words))

    @property
    def is_stopped(self) -> bool:
        return self._words[STOPPED] != 0

    @property
    def is_interrupted(self) -> bool:
        """Whether a handler of a signal has raised something in it."""
        return self._words[EXCEPTION] != 0

    def limit(self, timeout: float) -> None:
        """Have the run, which begins now, end after so many seconds."""
        if not hasattr(time, "CLOCK_MONOTONIC"):
            raise UnsupportedError("timeouts of programs need the clocks of POSIX")
        nanoseconds = round(min(timeout, _LONGEST_TIMEOUT) * 1e9)
        self._words[DEADLINE] = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + nanoseconds

    def conclude(self, program: str, timeout: float | None = None) -> None:
        """After a run: make ready for the next one, and raise what has stopped this one, if something has."""
        conclude(self._words, f"'@{program}'", timeout)


def conclude(words: Any, program: str = "the program", timeout: float | None = None) -> None:
    """The same of a run that has these words."""
    stopped, timed_out, exception = words[STOPPED], words[TIMED_OUT], words[EXCEPTION:]
    ctypes.memset(ctypes.addressof(words), 0, ctypes.sizeof(words))
    if exception[0]:
        _restore(*exception)  # which raises it
    if timed_out:
        raise ProgramTimeoutError(f"{program} has not ended after {timeout:g} seconds")
    if stopped:
        raise KeyboardInterrupt(f"{program} was stopped")
