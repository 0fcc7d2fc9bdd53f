"""Schedules of installed packages, by the names of their entry points in the group `xdsl_xla.schedules`."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

from ...errors import XlaError, similar_names
from ...interruptions import is_interruption
from ...user_code import load_error
from .entry_points import SCHEDULES, load_entry, names


def schedules_named(name: str) -> tuple[str, str] | None:
    """What errors call the schedules `name`, and their text; None if no package has any of that name.

    The entry point is the text, a `Path`, a file of `importlib.resources`, or a function without parameters that
    returns one of these. Raises `XlaError` for anything else.
    """
    found = load_entry(SCHEDULES, "schedules", name)
    if found is None:
        return None
    value, origin = found
    label = f"<{name} of {origin}>"
    try:
        if callable(value):
            value = value()
        if isinstance(value, Path):
            return str(value), value.read_text("utf-8")
        if isinstance(value, Traversable):
            return label, value.read_text("utf-8")
    except (Exception, SystemExit) as error:
        if is_interruption(error):
            raise
        raise load_error(error, f"schedules '{name}' of {origin}") from error
    if not isinstance(value, str):
        raise XlaError(f"schedules '{name}' of {origin}: expected a text or a path, got {value!r:.200}")
    return label, value


def similar(name: str) -> str:
    """`; did you mean ...?` for names that packages have."""
    return similar_names(name, names(SCHEDULES))
