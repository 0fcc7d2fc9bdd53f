"""Threads that stay for the next run: one for each device of a grid, with the threads of its parallel loops."""

from __future__ import annotations

import queue
import threading
from _thread import start_new_thread
from collections.abc import Callable

from ...locks import in_forked_processes

Task = Callable[[], None]

_idle: list[queue.SimpleQueue[Task]] = []
_lock = threading.Lock()


def run_on_worker(task: Task) -> None:
    """Have a thread run `task`, which raises nothing."""
    with _lock:
        tasks = _idle.pop() if _idle else None
    if tasks is None:
        tasks = queue.SimpleQueue[Task]()
        start_new_thread(_work, (tasks,))  # one of `threading` is waited for, where a signal may come
    tasks.put(task)


def _work(tasks: queue.SimpleQueue[Task]) -> None:
    while True:
        tasks.get()()
        with _lock:
            _idle.append(tasks)


def _forget() -> None:
    """A forked process has none of the threads."""
    global _lock
    _idle.clear()
    _lock = threading.Lock()


in_forked_processes(_forget)
