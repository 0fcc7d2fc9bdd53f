"""Exceptions of signal handlers, which may be raised between any two bytecodes, in the midst of anything.

Code that turns every exception into an error of its own, or into another way to go on, lets these through.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any, cast


def is_interruption(error: BaseException) -> bool:
    """Whether the handler of a signal has raised `error`: one that is installed now, written in Python."""
    return not _handlers().isdisjoint(_codes(error))


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
