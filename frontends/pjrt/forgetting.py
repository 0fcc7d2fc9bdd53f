"""Objects that clients have given back are forgotten here, at the next call that has Python's lock anyway."""

from __future__ import annotations

from collections.abc import Callable

from .objects import Opaque, live


class Forgetting:
    """Empties the list of dead objects."""

    def __init__(self) -> None:
        self._take: Callable[[], int] = int

    def connect(self, take: Callable[[], int]) -> None:
        """Take dead objects from this list."""
        self._take = take

    def __call__(self) -> None:
        address = self._take()
        while address:
            following = Opaque.from_address(address).next or 0
            live.pop(address, None)
            address = following


forget_dead = Forgetting()
