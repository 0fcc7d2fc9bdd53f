"""The exceptions a user of xdsl-xla may see.

Everything that is the fault of a program, an argument or a missing capability derives from
`XlaError`; the tools print its message and exit with 1. Anything else that escapes is a defect of
this package.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation


def describe_location(location: Attribute) -> str | None:
    """`file:line:col` of a location attribute, the innermost one of a fused, named or call-site
    location; or None.
    """
    from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc

    match location:
        case FileLineColLoc(filename=file, line=line, column=column):
            return f"{file.data}:{line.data}:{column.data}"
        case CallSiteLoc(callee=callee):
            return describe_location(callee)
        case NameLoc(desc=desc, location=inner):
            return describe_location(inner) or desc.data
        case FusedLoc(locations=ArrayAttr() as locations):
            return next(filter(None, map(describe_location, locations)), None)
        case _:
            return None


def place_of(op: Operation | None) -> str | None:
    """`file:line:col` of `op`, or of the closest op around it that has a location."""
    while op is not None:
        if (place := describe_location(op.location)) is not None:
            return place
        op = op.parent_op()
    return None


def similar_names(name: str, known: Iterable[str]) -> str:
    """`; did you mean a or b?`, or nothing where no known name is like `name`."""
    import difflib

    close = difflib.get_close_matches(name, known, 3)
    return f"; did you mean {' or '.join(close)}?" if close else ""


MESSAGE_LENGTH = 10_000
"""How many characters a message may have, so that a constant or type quoted in it does not bury what it says."""


def shortened(message: str) -> str:
    """`message` without the middle, if it is longer than `MESSAGE_LENGTH`."""
    if len(message) <= MESSAGE_LENGTH:
        return message
    half = MESSAGE_LENGTH // 2
    return f"{message[:half]} ... {message[-half:]}"


class Note(NamedTuple):
    """What belongs to a message and stands at a place of its own (`file:line:col`)."""

    message: str
    location: str | None = None


class XlaError(Exception):
    """A user-facing error: one paragraph that names what is wrong, `shortened`.

    Its `location` (`file:line:col`), if known, is given or that of `op` or of the closest op
    around it that has one. `notes` point at what else is involved.
    """

    message: str
    location: str | None
    notes: tuple[Note, ...]

    def __init__(
        self, message: str, op: Operation | None = None, *, location: str | None = None, notes: Iterable[Note] = ()
    ) -> None:
        super().__init__(message)
        self.message = shortened(message)
        self.location = place_of(op) if location is None else location
        self.notes = tuple(notes)

    @property
    def names_a_line(self) -> bool:
        """Whether it says which line it is about."""
        return self.location is not None and self.location.rpartition(":")[2].isdigit()

    def __str__(self) -> str:
        return self.message if self.location is None else f"{self.location}: {self.message}"


class InvalidProgramError(XlaError):
    """A program that does not parse or breaks a rule of an op it uses."""


class UnsupportedError(XlaError):
    """A valid program that this compiler cannot lower or execute (yet): names op, types and the
    missing part.
    """


class UnknownTargetError(UnsupportedError):
    """A custom call of a function that nobody has registered: `target`."""

    target: str = ""


class ArgumentError(XlaError):
    """A call with wrong arguments: names the argument, what came and what was expected."""


class ProgramTimeoutError(XlaError, TimeoutError):
    """A call that was given a time to end in and has not: it is stopped, its results are gone."""


class InternalError(Exception):
    """A pass failed in a way that no program should cause: a defect of this package, so not an
    `XlaError`.
    """

    notes: tuple[Note, ...] = ()
