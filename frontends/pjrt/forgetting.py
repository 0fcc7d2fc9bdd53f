"""Objects that clients have given back are forgotten here, at the next call that has Python's lock anyway."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from .objects import Opaque, live


class Forgetting:
    """Empties the list of dead objects."""

    def __init__(self) -> None:
        self._take: Callable[[], int] = int
        self._first = ctypes.c_size_t(0)

    def connect(self, first: ctypes.c_size_t, take: Callable[[], int]) -> None:
        """Take dead objects from this list."""
        self._first, self._take = first, take

    def __call__(self) -> None:
        if not self._first.value:
            return
        address = self._take()
        while address:
            following = Opaque.from_address(address).next or 0
            live.pop(address, None)
            address = following


forget_dead = Forgetting()
