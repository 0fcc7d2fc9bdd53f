"""How `dump_dir` prints programs, as far as a command decides that."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

LOCATIONS: ContextVar[bool] = ContextVar("LOCATIONS", default=False)
"""Whether each op is printed with its location."""


@contextmanager
def with_locations(wanted: bool) -> Generator[None]:
    """What this thread dumps has locations, if `wanted`."""
    token = LOCATIONS.set(wanted)
    try:
        yield
    finally:
        LOCATIONS.reset(token)
