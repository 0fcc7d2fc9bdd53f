"""Functions of the table that are written in Python: what they raise becomes an error of the interface."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeVar

from ...errors import ArgumentError, InternalError, InvalidProgramError, UnsupportedError, XlaError
from ...interruptions import is_interruption, none_missed
from .c_api import ALL_FUNCTIONS
from .machine_code.layout import Stopped
from .objects import Kept, give, live, new

Function = TypeVar("Function", bound=Callable[..., None])


class Code(IntEnum):
    """Kinds of errors (https://abseil.io/docs/cpp/guides/status-codes)."""

    CANCELLED = 1
    INVALID_ARGUMENT = 3
    RESOURCE_EXHAUSTED = 8
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14


class PjrtError(Exception):
    """An error that a client gets."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code


def error_object(code: Code, message: str) -> int:
    """The address of a new error."""
    error, kept = new("Error"), Kept()
    give(error, "Error_Message", *kept.text(message))
    give(error, "Error_GetCode", code)
    address = ctypes.addressof(error)
    live[address] = error, kept
    return address


CODES: tuple[tuple[type[BaseException], Code], ...] = (
    (UnsupportedError, Code.UNIMPLEMENTED),
    (InvalidProgramError, Code.INVALID_ARGUMENT),
    (ArgumentError, Code.INVALID_ARGUMENT),
    (InternalError, Code.INTERNAL),
    (XlaError, Code.INTERNAL),
    (MemoryError, Code.RESOURCE_EXHAUSTED),
)


class LatestError:
    """The latest error of this package that became one of the interface, for callers in this process.

    Compilations come on threads of the client, so this is not one for each thread.
    """

    def __init__(self) -> None:
        self._error: XlaError | None = None

    def note(self, error: BaseException) -> None:
        """Keep `error`, if it is one of this package."""
        if isinstance(error, XlaError):
            self._error = error

    def take(self, text: str) -> XlaError | None:
        """The error, if it is the one that `text` quotes."""
        error, self._error = self._error, None
        return error if error is not None and str(error) in text else None


latest_error = LatestError()


def described(error: BaseException) -> tuple[Code, str]:
    """How a client gets to know of `error`."""
    if isinstance(error, PjrtError):
        return error.code, str(error)
    code = next((code for kind, code in CODES if isinstance(error, kind)), Code.INTERNAL)
    text = str(error)
    return code, text if isinstance(error, XlaError) else f"{type(error).__name__}: {text}"


IMPLEMENTED: dict[str, Callable[[Any], None]] = {}


def implements(*names: str) -> Callable[[Function], Function]:
    """The decorated function takes the struct of a call of one of these functions."""

    def register(function: Function) -> Function:
        for name in names:
            IMPLEMENTED[name] = function
        return function

    return register


def _unimplemented(name: str) -> Callable[[Any], None]:
    def refuse(arguments: Any) -> None:
        raise PjrtError(Code.UNIMPLEMENTED, f"xdsl-xla has no PJRT_{name}")

    return refuse


def entry(name: str, interrupt: Callable[[], None]) -> Callable[[int], int | None]:
    """What machine code calls for the function `name`: takes the address of the struct, returns that of an error."""
    function, struct = IMPLEMENTED.get(name) or _unimplemented(name), ALL_FUNCTIONS.get(name, Stopped)

    def call(address: int) -> int | None:
        try:
            with none_missed():
                function(struct.from_address(address))
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) or is_interruption(error):
                interrupt()
                return error_object(Code.CANCELLED, "interrupted")
            latest_error.note(error)
            return error_object(*described(error))
        return None

    return call
