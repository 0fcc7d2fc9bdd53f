"""The thread that starts MPI and ends it: MPI wants one to do both, and another one can see how long that takes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable


class _Task:
    def __init__(self, function: Callable[[], None]) -> None:
        self.function = function
        self.error: BaseException | None = None
        self.ended = threading.Event()


class LastingThread:
    """Runs functions, one after the other, until the process ends."""

    def __init__(self, name: str) -> None:
        self._tasks = queue.SimpleQueue[_Task]()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def run(self, function: Callable[[], None], seconds: float | None = None) -> bool:
        """Whether `function` has returned within so many seconds; else it goes on. Raises what it raises."""
        task = _Task(function)
        self._tasks.put(task)
        if not task.ended.wait(seconds):
            return False
        if task.error is not None:
            raise task.error
        return True

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            try:
                task.function()
            except BaseException as error:
                task.error = error
            task.ended.set()
