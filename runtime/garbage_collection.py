"""When Python's garbage collector stays out of the way."""

from __future__ import annotations

import gc
import threading

from ..locks import in_forked_processes


class CyclicGCPaused:
    """No search for garbage in circles: IR and definitions of dialects are such circles, and alive.

    While they grow, each search costs time and finds nothing: half of the time of many passes, a sixth of importing
    the compiler. A class, since the end of a generator is something that Python searches after.
    """

    __slots__ = ("_enabled",)

    paused_by: int | None = None
    """The thread that will let the collector go on."""

    def __enter__(self) -> None:
        self._enabled = gc.isenabled()
        gc.disable()
        if self._enabled:
            CyclicGCPaused.paused_by = threading.get_ident()

    def __exit__(self, *exception: object) -> None:
        if self._enabled:
            CyclicGCPaused.paused_by = None
            gc.enable()


def _go_on_in_child() -> None:
    """Where the thread that has paused the collector may be missing."""
    if CyclicGCPaused.paused_by not in (None, threading.get_ident()):
        CyclicGCPaused.paused_by = None
        gc.enable()


in_forked_processes(_go_on_in_child)
