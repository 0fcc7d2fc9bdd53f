"""Programs that nest deeper than Python's stack.

Parsing, verifying, lowering and printing recurse by the depth of a program: regions in regions, types in types. Python
allows a thousand calls in one another, some hundred levels less than a program may have. `with_deep_stack` runs a
function as it is and, where that is not enough, once more in a thread with a stack of its own.
"""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from .errors import UnsupportedError
from .locks import RenewedLock, in_forked_processes

Result = TypeVar("Result")

DEEP_CALLS = 30_000
"""How deep calls may go in the thread. Ten to thirty of them are one level of a program."""

SHALLOW = 20
"""The depth of programs that need no other stack than Python's."""

STACK_BYTES = 1 << 29
"""Of the thread: 16 KiB a call. Only what is used of it takes memory."""

_local = threading.local()
_lock = RenewedLock()
_deep_threads = 0
_own_limit = 0


def with_deep_stack(function: Callable[[], Result]) -> Result:
    """What `function` returns or raises. It is called again from the beginning if Python's stack is too small, so it
    must not have effects. Raises `UnsupportedError` where the deep stack is too small as well.
    """
    if is_deep():
        return function()
    try:
        return function()
    except RecursionError:
        pass
    return in_deep_thread(function)


def in_deep_thread(function: Callable[[], Result]) -> Result:
    """What `function` returns or raises, with a deep stack from the start. Raises `UnsupportedError` where that is too
    small.
    """
    if is_deep():
        return function()
    outcome: list[Result] = []
    failures: list[BaseException] = []
    context = contextvars.copy_context()

    def run() -> None:
        _local.is_deep = True
        try:
            with _DeepRecursion():
                outcome.append(context.run(function))
        except BaseException as error:
            failures.append(error)

    _run_in_thread(run)
    if not failures:
        return outcome[0]
    error = failures[0]
    if isinstance(error, RecursionError):
        raise UnsupportedError("the program nests too deeply") from None
    raise error


def at_depth(depth: int, function: Callable[[], Result]) -> Result:
    """What `function` returns or raises, which recurses over a program of that depth."""
    return function() if depth <= SHALLOW else in_deep_thread(function)


def is_deep() -> bool:
    """Whether the calling thread has the deep stack: a `RecursionError` in it means that there is none deeper."""
    return getattr(_local, "is_deep", False)


def _run_in_thread(run: Callable[[], None]) -> None:
    with _lock.current:
        previous = threading.stack_size(STACK_BYTES)
        try:
            thread = threading.Thread(target=run, name="xdsl-xla-deep", daemon=True)
            thread.start()
        except RuntimeError as error:
            raise UnsupportedError(f"the program nests too deeply for the memory of a stack: {error}") from None
        finally:
            threading.stack_size(previous)
    thread.join()


class _DeepRecursion:
    """A limit of recursion, which is that of all threads, that fits the deep stack."""

    def __enter__(self) -> None:
        global _deep_threads, _own_limit
        with _lock.current:
            _deep_threads += 1
            if _deep_threads == 1:
                _own_limit = sys.getrecursionlimit()
                sys.setrecursionlimit(max(_own_limit, DEEP_CALLS))

    def __exit__(self, *_: object) -> None:
        global _deep_threads
        with _lock.current:
            _deep_threads -= 1
            if _deep_threads == 0:
                sys.setrecursionlimit(_own_limit)


def _forget_other_threads() -> None:
    """In a forked process, which has only the thread that has forked."""
    global _deep_threads
    if _deep_threads and not is_deep():
        sys.setrecursionlimit(_own_limit)
    _deep_threads = int(is_deep())


in_forked_processes(_forget_other_threads)
