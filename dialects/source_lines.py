"""What a location says, as lines of files: where the user's program asked for an op, and where that stands in the text.

JAX writes `loc("jit(f)/exp"(callsite("g"("model.py":9:8) at callsite("f"("model.py":14:17) at ...))))`: the name of the
operation, and the functions that were running, the innermost one first. Fused locations end with the place of the op in
the text that was read (`locating.in_text`), and otherwise tell of several ops, of which the first one counts.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute

from .locating import IN_TEXT
from .shared_attributes import cached_by_identity


class Frame(NamedTuple):
    """A line, in a function if that is known."""

    function: str | None
    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Origin(NamedTuple):
    """Where an op comes from."""

    name: str | None
    """What the user's program calls the operation: `jit(f)/exp`."""
    frames: tuple[Frame, ...]
    """The lines of the user's program, the innermost one first; none where it is the text itself."""
    text: Frame | None
    """The op in the text that was read."""

    @property
    def line(self) -> Frame | None:
        """The line to name: the user's if it is known."""
        return self.frames[0] if self.frames else self.text


NOWHERE = Origin(None, (), None)


@cached_by_identity
def origin_of(location: Attribute) -> Origin:
    """What `location` says."""
    if isinstance(location, FileLineColLoc):
        return Origin(None, (), _frame(location, None))
    if isinstance(location, FusedLoc):
        parts = [origin_of(part) for part in _parts(location)]
        if location.metadata == IN_TEXT:
            given, place = parts
            user = given.frames or ((given.text,) if given.text is not None else ())
            return Origin(given.name, user, place.text)
        return next((part for part in parts if part != NOWHERE), NOWHERE)
    name = None
    if isinstance(location, NameLoc):
        name, location = location.desc.data, location.location
    return Origin(name, tuple(_frames(location)), None)


def _frames(location: Attribute) -> list[Frame]:
    """The lines of a location, the innermost one first."""
    frames: list[Frame] = []
    pending, name = [location], None
    while pending:
        location = pending.pop()
        if isinstance(location, CallSiteLoc):
            pending += (location.caller, location.callee)
        elif isinstance(location, NameLoc):
            name = location.desc.data
            pending.append(location.location)
            continue
        elif isinstance(location, FileLineColLoc):
            frames.append(_frame(location, name))
        elif isinstance(location, FusedLoc):
            pending += _parts(location)[:1]
        name = None
    return frames


def _frame(location: FileLineColLoc, function: str | None) -> Frame:
    return Frame(function, location.filename.data, location.line.data, location.column.data)


def _parts(location: FusedLoc) -> tuple[Attribute, ...]:
    parts = location.locations
    return cast("ArrayAttr[Attribute]", parts).data if isinstance(parts, ArrayAttr) else ()
