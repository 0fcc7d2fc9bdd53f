"""A large value that is reduced piece by piece: which device reduces which pieces."""

from __future__ import annotations

from typing import NamedTuple


class Reduction(NamedTuple):
    """The operands of all members become one result. All pieces have the same size: one function reduces them."""

    order: tuple[int, ...]
    """The numbers of the devices by their places."""
    piece: int
    """Bytes of a piece."""
    bytes: int
    """Of the operand."""
    is_scattered: bool
    """Whether each member gets its part of the result, not all of it."""

    @property
    def end(self) -> int:
        """Where the last piece ends."""
        return self.bytes // len(self.order) if self.is_scattered else self.bytes

    def numbers(self, place: int) -> range:
        """The pieces that the member at `place` reduces."""
        count = -(-self.end // self.piece)
        if self.is_scattered:
            return range(count)
        each = -(-count // len(self.order))
        return range(min(place * each, count), min((place + 1) * each, count))

    def shift(self, place: int) -> int:
        """Where in the operands the pieces of the member at `place` are counted from."""
        return place * self.end if self.is_scattered else 0

    def start(self, number: int) -> int:
        """Where a piece begins: the last one may begin within the one before."""
        return min(number * self.piece, self.end - self.piece)

    def own(self, number: int) -> tuple[int, int]:
        """Start and size of what of a piece is in no other one."""
        start = number * self.piece
        return start, min(self.piece, self.end - start)
