"""Objects that clients have given back are forgotten here, at the next call that has Python's lock anyway; a program
that runs stays until that is over.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from .objects import Opaque, live


class Forgetting:
    """Empties the list of dead objects."""

    def __init__(self) -> None:
        self._take: Callable[[], int] = int
        self._first = ctypes.c_size_t(0)
        self._busy: list[int] = []

    def connect(self, first: ctypes.c_size_t, take: Callable[[], int]) -> None:
        """Take dead objects from this list."""
        self._first, self._take = first, take

    def __call__(self) -> None:
        if not self._first.value and not self._busy:
            return
        dead, self._busy = self._busy, []
        address = self._take()
        while address:
            dead.append(address)
            address = Opaque.from_address(address).next or 0
        for each in dead:
            if getattr(live.get(each), "is_busy", False):
                self._busy.append(each)
            else:
                live.pop(each, None)


forget_dead = Forgetting()
