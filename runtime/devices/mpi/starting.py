"""The thread that starts MPI and ends it: MPI wants one to do both, and another one can see how long that takes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable


class Task:
    """What the thread has been asked to do."""

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function
        self._error: BaseException | None = None
        self._ended = threading.Event()

    @property
    def has_ended(self) -> bool:
        return self._ended.is_set()

    def run(self) -> None:
        try:
            self._function()
        except BaseException as error:
            self._error = error
        self._ended.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Whether it has ended within so many seconds; else it goes on. Raises what the function has raised."""
        if not self._ended.wait(seconds):
            return False
        if self._error is not None:
            raise self._error
        return True


class LastingThread:
    """Runs functions, one after the other, until the process ends."""

    def __init__(self, name: str) -> None:
        self._tasks = queue.SimpleQueue[Task]()
        self._last: Task | None = None
        threading.Thread(target=self._work, name=name, daemon=True).start()

    @property
    def is_busy(self) -> bool:
        """Whether a function has not returned yet."""
        return self._last is not None and not self._last.has_ended

    def start(self, function: Callable[[], object]) -> Task:
        """Have `function` run, after those that were given before."""
        self._last = task = Task(function)
        self._tasks.put(task)
        return task

    def _work(self) -> None:
        while True:
            self._tasks.get().run()
