"""How a trial of a damaged program may end."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Phase(IntEnum):
    """What a trial is doing."""

    READ = 0
    VERIFY = 1
    COMPILE = 2
    REFERENCE = 3
    RUN = 4


class Kind(IntEnum):
    """How a trial ended; a defect of this package from `NO_LOCATION` on."""

    REFUSED = 0
    """With an error of the family in `errors.py`."""
    ACCEPTED = 1
    """Read and verified; not run."""
    AGREED = 2
    """Both engines gave the same."""
    NOT_COMPARED = 3
    """Too large or too long to run, not supported, or a change of the last digits of its inputs changes the result."""
    NO_LOCATION = 4
    """Refused without saying where."""
    TRACEBACK = 5
    """Another exception."""
    WRONG = 6
    """The engines differ in values, or only one gives an error."""
    MEMORY = 7
    HANG = 8
    CRASH = 9
    """The process ended."""


FIRST_DEFECT = Kind.NO_LOCATION


class Outcome(NamedTuple):
    """The end of a trial."""

    kind: Kind
    phase: Phase
    signature: str = ""
    """What defects of one cause have in common."""
    detail: str = ""

    @property
    def is_defect(self) -> bool:
        return self.kind >= FIRST_DEFECT
