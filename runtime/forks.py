"""What a forked process needs so that its programs run on an OpenMP runtime: threads, which a fork leaves behind.

GNU's libgomp keeps the threads of a parallel region for the next one that the same thread begins, and in a child waits
for ever for those of its parent. So they are given back before a fork (`omp_pause_resource_all`, OpenMP 5.0, section
3.6.2), and parent and child start theirs anew. Where that is not possible (an older libgomp, a fork in C code that
tells Python of the child only), the programs of the child run serially. LLVM's and Intel's runtimes see to forks
themselves.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

from .threads import OpenMP

_PAUSE_HARD = 2
"""OpenMP's `omp_pause_hard`: with the threads."""


def prepare_for_forks(runtime: OpenMP, run_serially: Callable[[], None]) -> None:
    """Have forks of this process leave `runtime` usable in the child, or call `run_serially` there."""
    if not hasattr(os, "register_at_fork") or "gomp" not in os.path.basename(runtime.path):
        return
    threads = _Threads(runtime.path, run_serially)
    os.register_at_fork(
        before=threads.give_back, after_in_parent=threads.forget_that, after_in_child=threads.check_in_child
    )


class _Threads:
    """Those of libgomp, around a fork."""

    def __init__(self, path: str, run_serially: Callable[[], None]) -> None:
        # Called with Python's lock: no other thread of Python may do anything between this and the fork.
        self._pause = getattr(ctypes.PyDLL(path), "omp_pause_resource_all", None)
        self._run_serially = run_serially
        self._are_given_back = False

    def give_back(self) -> None:
        """The threads that wait for the next region of the thread that forks; it is an error only within a region."""
        self._are_given_back = self._pause is not None and self._pause(_PAUSE_HARD) == 0

    def forget_that(self) -> None:
        self._are_given_back = False

    def check_in_child(self) -> None:
        if not self._are_given_back:
            self._run_serially()
        self._are_given_back = False
