"""What a pass or a verifier has to say that is no error: warnings, remarks, and notes to them.

    from ..diagnostics import remark, warning

    warning(op, "the loop is not vectorised", Note("this access is not contiguous", place_of(access)))

They go to the handler of the running command, or to stderr as `file:line:col: warning: message`. Errors are
`XlaError`s, which end what is running; `xla-opt --verify-diagnostics` compares both with what a
file expects (docs/xla_opt.md).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from .errors import Note, place_of, shortened

if TYPE_CHECKING:
    from xdsl.ir import Operation


class Severity(StrEnum):
    """The kinds of diagnostics, as MLIR calls them."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


class Diagnostic(NamedTuple):
    """A message at a place (`file:line:col`, None where none is known), with notes at places of their own."""

    severity: Severity
    message: str
    location: str | None = None
    notes: tuple[Note, ...] = ()

    def parts(self) -> list[Diagnostic]:
        """The diagnostic itself, and each note as one."""
        return [
            self._replace(notes=()),
            *(Diagnostic(Severity.NOTE, note.message, note.location) for note in self.notes),
        ]

    def __str__(self) -> str:
        lines: list[str] = []
        for part in self.parts():
            place = "" if part.location is None else f"{part.location}: "
            lines.append(f"{place}{part.severity}: {part.message}")
        return "\n".join(lines)


Handler = Callable[[Diagnostic], None]


def _print(diagnostic: Diagnostic) -> None:
    print(diagnostic, file=sys.stderr)


_handler: ContextVar[Handler] = ContextVar("_handler", default=_print)


def emit(diagnostic: Diagnostic) -> None:
    """Hand `diagnostic` to the handler that is set."""
    _handler.get()(diagnostic)


def warning(op: Operation | None, message: str, *notes: Note) -> None:
    """Say that something about `op` may not be what its author wants."""
    emit(Diagnostic(Severity.WARNING, shortened(message), place_of(op), notes))


def remark(op: Operation | None, message: str, *notes: Note) -> None:
    """Say what was done with `op`, or why it was not."""
    emit(Diagnostic(Severity.REMARK, shortened(message), place_of(op), notes))


@contextmanager
def handled_by(handler: Handler) -> Generator[None]:
    """With `handler` for all diagnostics of this thread."""
    token = _handler.set(handler)
    try:
        yield
    finally:
        _handler.reset(token)
