"""The threads that are in LLVM.

A process may be forked at any time, by any thread. The child has a copy of LLVM's memory, but none of the other
threads: a lock that one of these holds is never released there. So a fork waits until no other thread is in LLVM, for
the time of one part of a program at most, and none enters it meanwhile.

Calls that are interrupted (see `llvm_workers.py`) leave locks held: `settled` puts that in order.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]

_ffi: Any = llvmlite.binding.ffi  # has no type annotations

_LLVMLITE = getattr(_ffi.lib.LLVMPY_ParseAssembly, "_lock", None)
"""The lock of all functions of llvmlite that are called with one."""

_PAUSE_SECONDS = 1e-4
"""Between two looks at whether a thread has come to an end in LLVM, or with forking."""


class _Gate:
    """`with gate:` around calls of LLVM without llvmlite's lock; threads pass it at once but while one forks."""

    def __init__(self) -> None:
        self._inside: list[int] = []
        self._forks: dict[str, int] = {}
        """The thread that forks."""

    def __enter__(self) -> None:
        thread = threading.get_ident()
        self._inside.append(thread)
        while self._forks.get("thread", thread) != thread:
            self._inside.remove(thread)
            time.sleep(_PAUSE_SECONDS)
            self._inside.append(thread)

    def __exit__(self, *exception: object) -> None:
        self._inside.remove(threading.get_ident())

    def leave(self) -> None:
        """The calling thread is not in LLVM, whatever has been interrupted."""
        thread = threading.get_ident()
        while thread in self._inside:
            self._inside.remove(thread)

    def close(self) -> None:
        """Wait for all others to leave, and let none in."""
        thread = threading.get_ident()
        while self._forks.setdefault("thread", thread) != thread:
            time.sleep(_PAUSE_SECONDS)
        while any(other != thread for other in tuple(self._inside)):
            time.sleep(_PAUSE_SECONDS)
        if _LLVMLITE is not None:
            _LLVMLITE.__enter__()

    def open(self) -> None:
        """In the parent. `close` may have been interrupted."""
        if self._forks.get("thread") != threading.get_ident():
            return
        if _LLVMLITE is not None and _LLVMLITE._lock._is_owned():
            _LLVMLITE.__exit__()
        del self._forks["thread"]

    def open_in_child(self) -> None:
        """Where nobody waits. The locks may be held by threads that are missing if C code has forked without notice."""
        thread = threading.get_ident()
        self._inside = [other for other in self._inside if other == thread]
        if self._forks.get("thread") == thread:
            self.open()
        elif _LLVMLITE is not None:
            _LLVMLITE._lock = threading.RLock()
        self._forks = {}


gate = _Gate()


@contextmanager
def settled() -> Generator[None]:
    """A block of calls of LLVM, by a thread that is in none. Where one is interrupted, or an object's end was before,
    the locks are free at the end of it, and at its beginning.
    """
    settle()
    try:
        yield
    finally:
        settle()


def settle() -> None:
    """Free what the calling thread, which is not in LLVM, still holds: its calls were interrupted."""
    gate.leave()
    lock = getattr(_LLVMLITE, "_lock", None)
    while lock is not None and lock._is_owned():
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=gate.close, after_in_parent=gate.open, after_in_child=gate.open_in_child)
