"""The threads that are in LLVM, and those kept for it.

A process may be forked at any time, by any thread. The child has a copy of LLVM's memory, but none of the other
threads: a lock that one of these holds is never released there. So a fork waits until no other thread is in LLVM, for
the time of one part of a program at most, and none enters it meanwhile.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_ffi: Any = llvmlite.binding.ffi  # has no type annotations

_LLVMLITE = getattr(_ffi.lib.LLVMPY_ParseAssembly, "_lock", None)
"""The lock of all functions of llvmlite that are called with one."""


class _Gate:
    """`with gate:` around calls of LLVM without llvmlite's lock; threads pass it at once but while one forks."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._inside: list[int] = []
        self._forking: int | None = None

    def __enter__(self) -> None:
        thread = threading.get_ident()
        with self._changed:
            self._changed.wait_for(lambda: self._forking in (None, thread))
            self._inside.append(thread)

    def __exit__(self, *exception: object) -> None:
        with self._changed:
            self._inside.remove(threading.get_ident())
            self._changed.notify_all()

    def close(self) -> None:
        """Wait for all others to leave, and let none in."""
        thread = threading.get_ident()
        with self._changed:
            self._changed.wait_for(lambda: self._forking is None)
            self._forking = thread
            self._changed.wait_for(lambda: all(other == thread for other in self._inside))
        if _LLVMLITE is not None:
            _LLVMLITE.__enter__()

    def open(self) -> None:
        """In the parent."""
        if _LLVMLITE is not None:
            _LLVMLITE.__exit__()
        with self._changed:
            self._forking = None
            self._changed.notify_all()

    def open_in_child(self) -> None:
        """Where nobody waits. The locks may be held by threads that are missing if C code has forked without notice."""
        self._changed = threading.Condition(threading.Lock())
        thread = threading.get_ident()
        self._inside = [other for other in self._inside if other == thread]
        if self._forking == thread:
            self.open()
        elif _LLVMLITE is not None:
            _LLVMLITE._lock = threading.RLock()
        self._forking = None
        workers.cache_clear()


gate = _Gate()


@cache
def workers(jobs: int) -> ThreadPoolExecutor:
    """Threads that compile parts; they stay for the next program: to start one takes 0.2 ms, and on a busy machine
    several.
    """
    # What only a compilation needs is imported by it: programs from the cache start without.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(jobs, "xdsl-xla-llvm")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=gate.close, after_in_parent=gate.open, after_in_child=gate.open_in_child)
