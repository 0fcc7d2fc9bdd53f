"""Exceptions of signal handlers, which may be raised between any two bytecodes, in the midst of anything.

Code that turns every exception into an error of its own, or into another way to go on, lets these through. Libraries do
not: what they have made of such an exception still has it as its context, where `unwrapped` finds it.
"""

from __future__ import annotations

import signal
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
