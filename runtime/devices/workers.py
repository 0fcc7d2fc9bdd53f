"""Threads that stay for the next run: one for each device of a grid, with the threads of its parallel loops."""

from __future__ import annotations

import queue
import threading
from _thread import start_new_thread
from collections.abc import Callable

from ...locks import in_forked_processes

Task = Callable[[], None]
Queue = queue.SimpleQueue[tuple[Task, bool]]
"""Of tasks, and whether another one has asked for it."""

MOST_NESTED = 512
"""How many devices may run programs that other devices have called. Python counts the calls of a thread only, and each
device has its own. Beyond that none begins any more until all have ended: each of them would make more.
"""

_worker = threading.local()
_nested = 0
_are_too_many = False
_idle: list[Queue] = []
_lock = threading.Lock()


def run_on_worker(task: Task) -> None:
    """Have a thread run `task`, which raises nothing. Raises `RecursionError` where too many call each other."""
    global _nested, _are_too_many
    is_nested = getattr(_worker, "is_one", False)
    with _lock:
        _are_too_many = _nested == MOST_NESTED or (_are_too_many and _nested > 0)
        if is_nested and _are_too_many:
            raise RecursionError(f"programs on several devices that call each other, over {MOST_NESTED} devices")
        _nested += is_nested
        tasks = _idle.pop() if _idle else None
    if tasks is None:
        tasks = Queue()
        start_new_thread(_work, (tasks,))  # one of `threading` is waited for, where a signal may come
    tasks.put((task, is_nested))


def _work(tasks: Queue) -> None:
    global _nested
    _worker.is_one = True
    while True:
        task, is_nested = tasks.get()
        task()
        del task
        with _lock:
            _nested -= is_nested
            _idle.append(tasks)


def _forget() -> None:
    """A forked process has none of the threads."""
    global _lock, _nested, _are_too_many
    _idle.clear()
    _nested, _are_too_many = 0, False
    _lock = threading.Lock()


in_forked_processes(_forget)
