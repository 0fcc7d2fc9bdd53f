"""Exceptions of signal handlers, which may be raised between any two bytecodes, in the midst of anything.

Code that turns every exception into an error of its own, or into another way to go on, lets these through. Libraries do
not: what they have made of such an exception still has it as its context, where `unwrapped` finds it. And Python itself
prints what is raised in a destructor or in a callback of the garbage collector, and goes on: `none_missed` keeps it.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any, cast


def is_interruption(error: BaseException) -> bool:
    """Whether the handler of a signal has raised `error`: one that is installed now, written in Python."""
    return not _handlers().isdisjoint(_codes(error))


@contextmanager
def unwrapped() -> Generator[None]:
    """Whatever is raised inside after a handler has raised something is replaced by that."""
    try:
        yield
    except Exception as error:
        cause = next(filter(is_interruption, _chain(error)), None)
        if cause is None or cause is error:
            raise
    else:
        return
    raise cause


_missed: list[BaseException] = []


@contextmanager
def none_missed() -> Generator[None]:
    """What a handler raises inside where nobody can catch it, in a destructor say, is raised by `raise_missed` or at
    the end; Python would print it and go on. Handlers run on the main thread alone: on others this does nothing.
    """
    if threading.get_ident() != threading.main_thread().ident:
        yield
        return
    others = sys.unraisablehook

    def note(unraisable: sys.UnraisableHookArgs) -> None:
        error = unraisable.exc_value
        if error is not None and (isinstance(error, KeyboardInterrupt) or is_interruption(error)):
            _missed.append(error)
        else:
            others(unraisable)

    sys.unraisablehook = note
    try:
        yield
    finally:
        sys.unraisablehook = others
        raise_missed()


def raise_missed() -> None:
    """Raise what `none_missed` has noted so far, if anything."""
    if _missed:
        error = _missed[0]
        _missed.clear()
        raise error


def _chain(error: BaseException) -> Iterator[BaseException]:
    """`error`, what it was made of, and so on."""
    seen: set[int] = set()
    rest = [error]
    while rest:
        error = rest.pop()
        if id(error) not in seen:
            seen.add(id(error))
            yield error
            rest += [cause for cause in (error.__cause__, error.__context__) if cause is not None]


def _codes(error: BaseException) -> Iterator[CodeType]:
    """Those of the functions that `error` came through."""
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame.f_code
        traceback = traceback.tb_next


def _handlers() -> set[CodeType]:
    handlers = (_code(signal.getsignal(number)) for number in signal.valid_signals())
    return {code for code in handlers if code is not None}


def _code(handler: Any) -> CodeType | None:
    """That of a function, a method, a partial application or an object with `__call__`; None for the other handlers."""
    if not callable(handler):
        return None
    while isinstance(handler, partial):
        handler = cast("partial[Any]", handler).func
    if not isinstance(handler, FunctionType | MethodType):
        handler = cast(Any, type(handler)).__call__
    return getattr(handler, "__code__", None)
