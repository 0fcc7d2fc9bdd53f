"""When Python's garbage collector stays out of the way."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def cyclic_gc_paused() -> Generator[None]:
    """No search for garbage in circles: IR and definitions of dialects are such circles, and alive.

    While they grow, each search costs time and finds nothing: half of the time of many passes, a sixth of importing
    the compiler.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
