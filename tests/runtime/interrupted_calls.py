"""Calls that are interrupted wherever a signal can interrupt them, one place after the other."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FrameType
from typing import Any


class Interruption(BaseException):
    """What the handler of a signal raises."""


def interruptions(call: Callable[[], object], files: tuple[str, ...], step: int = 1) -> Iterator[int]:
    """Interrupt `call` at the first place in code of `files` (ends of their paths) where Python looks for signals, in
    the next call at the `step`th after that, and so on until a call ends; the number of the place each time.
    """
    number = 1
    while _is_interrupted(call, files, number):
        yield number
        number += step


def _is_interrupted(call: Callable[[], object], files: tuple[str, ...], number: int) -> bool:
    left = number

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.endswith(files):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti in _places(frame.f_code):
            left -= 1
            if not left:
                sys.settrace(None)
                raise Interruption
        return trace

    outer = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except Interruption:
        return True
    finally:
        sys.settrace(outer)
    return False


@cache
def _places(code: CodeType) -> frozenset[int]:
    """The instructions before which Python has just looked for signals: those behind calls and starts of functions, and
    first ones of loops. Where another handler of exceptions begins behind a call, an exception of the call would go to
    the one before: no place.
    """
    handlers: Any = dis.Bytecode(code)

    def handler(offset: int) -> int | None:
        return next((each.target for each in handlers.exception_entries if each.start <= offset < each.end), None)

    places: set[int] = set()
    behind: int | None = None
    for instruction in dis.get_instructions(code):
        if behind is not None and handler(behind) == handler(instruction.offset):
            places.add(instruction.offset)
        behind = instruction.offset if instruction.opname.startswith(("CALL", "RESUME")) else None
        if instruction.opname.startswith("JUMP_BACKWARD") and isinstance(instruction.argval, int):
            places.add(instruction.argval)
    return frozenset(places)
