"""The threads that call LLVM for a compilation.

The main thread may be interrupted at any time: a handler of a signal raises between any two steps of Python code. In
the midst of `__enter__` of a lock of Python's own library, or of llvmlite, nobody releases it then; what llvmlite has
just destroyed, it destroys again. So the main thread leaves LLVM to these, which no signal interrupts, and what they
share is held by locks and queues of C alone.
"""

from __future__ import annotations

import atexit
import threading
from _thread import start_new_thread
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from ..locks import in_forked_processes

Result = TypeVar("Result")


class Job(Generic[Result]):
    """What a worker is to compute, or who needs it first."""

    def __init__(self, function: Callable[..., Result], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments
        self._claimed = threading.Lock()
        self._running = threading.Lock()
        self._running.acquire()
        self._results: list[Result] = []
        self._error: BaseException | None = None
        self.is_left = False
        """To the one that needs it, as there are no threads."""

    def cancel(self) -> bool:
        """Whether nobody has begun with it; nobody does any more."""
        return self._claimed.acquire(blocking=False)

    def compute(self) -> Result:
        """By the calling thread, which has cancelled it for others."""
        return self._function(*self._arguments)

    def run(self) -> None:
        """Compute it, unless somebody else does. What it raises is raised by `result`."""
        if not self.cancel():
            return
        try:
            self._results.append(self.compute())
        except BaseException as error:
            self._error = error
        self._running.release()

    def result(self) -> Result:
        """Wait for the worker that has begun with it. Raises what its function has raised."""
        with self._running:
            pass
        if self._error is not None:
            raise self._error
        return self._results[0]


def is_interrupted() -> bool:
    """Whether the calling thread is the one in which handlers of signals run."""
    return threading.get_ident() == threading.main_thread().ident


def results_of(jobs: Sequence[Job[Result]]) -> list[Result]:
    """The calling thread, which has nothing else to do, computes those that none has begun with, unless signals may
    interrupt it.
    """
    own = [[job.compute()] if (job.is_left or not is_interrupted()) and job.cancel() else [] for job in jobs]
    others = [job.result() for job, results in zip(reversed(jobs), reversed(own), strict=True) if not results]
    return [results[0] if results else others.pop() for results in own]


class Workers:
    """Up to `count` threads for jobs; they start as jobs come.

    Not a `ThreadPoolExecutor`: if a signal interrupts one of its calls, Python may wait at its end for a thread that
    was started and not taken down, or a call for a lock that nobody releases. Nor a `Thread`: its start waits.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._jobs: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._started: list[int] = []
        self._threads: list[threading.Lock] = []
        """Of each thread, what it holds until it ends."""
        self._has_ended = False
        atexit.register(self._end)

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Job[Result]:
        """Have it computed, perhaps: by `results_of` at the latest."""
        job = Job(function, arguments)
        if len(self._started) < self._count and not self._has_ended:
            with suppress(RuntimeError):  # there are too many
                self._started.append(start_new_thread(self._work, ()))
        if self._started:  # else it would stay there for ever
            self._jobs.put(job)
        job.is_left = self._has_ended or not self._started
        return job

    def _work(self) -> None:
        running = threading.Lock()
        with running:
            self._threads.append(running)
            while not self._has_ended:
                job = self._jobs.get()
                if job is not None:
                    job.run()
                del job

    def _end(self) -> None:
        """Python ends: no thread may be in LLVM then."""
        self._has_ended = True
        for _ in self._threads:
            self._jobs.put(None)
        for running in tuple(self._threads):
            with running:
                pass


@cache
def workers(count: int) -> Workers:
    """Threads that compile parts; they stay for the next program: to start one takes 0.2 ms, and on a busy machine
    several.
    """
    return Workers(count)


in_forked_processes(workers.cache_clear)
