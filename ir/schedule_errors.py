"""Errors of schedules."""

from __future__ import annotations

from typing import NoReturn

from ..dialects.schedule.syntax import heading
from ..dialects.schedule.tree import (
    Node,
)
from ..errors import InvalidProgramError


class ScheduleError(InvalidProgramError):
    """A schedule that does not do what its kernel says, or that does it too late."""


def refuse(node: Node | None, message: str) -> NoReturn:
    """Raises `ScheduleError`, which names file and line of the schedule."""
    if node is None:
        raise ScheduleError(f"schedule: {message}")
    place = None if node.place is None else str(node.place)
    raise ScheduleError(f"schedule: '{heading(node)}': {message}", location=place)
