"""When Python's garbage collector stays out of the way."""

from __future__ import annotations

import gc


class CyclicGCPaused:
    """No search for garbage in circles: IR and definitions of dialects are such circles, and alive.

    While they grow, each search costs time and finds nothing: half of the time of many passes, a sixth of importing
    the compiler. A class, since the end of a generator is something that Python searches after.
    """

    __slots__ = ("_enabled",)

    def __enter__(self) -> None:
        self._enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception: object) -> None:
        if self._enabled:
            gc.enable()
