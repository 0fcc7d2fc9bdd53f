"""The primitives of MLIR bytecode, read from a range of bytes that nothing reads past.

Source: MLIR Bytecode Format, sections "Primitives" and "Sections".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from ...errors import InvalidProgramError

Item = TypeVar("Item")

ALIGNMENT_FLAG = 0x80
"""Of the byte that names a section."""


class Section(NamedTuple):
    """A numbered range of bytes."""

    number: int
    stream: Stream


class Stream:
    """A position in `data[start:end]` of the file `name`.

    All reading raises `InvalidProgramError` with the offset in the file where the range ends too early.
    """

    __slots__ = ("data", "end", "name", "position")

    def __init__(self, data: bytes, name: str, start: int = 0, end: int | None = None) -> None:
        self.data = data
        self.name = name
        self.position = start
        self.end = len(data) if end is None else end

    @property
    def left(self) -> int:
        """How many bytes there still are."""
        return self.end - self.position

    def copy(self) -> Stream:
        """The same range at the same position."""
        return Stream(self.data, self.name, self.position, self.end)

    def error(self, message: str) -> InvalidProgramError:
        """An error about what stands at the position."""
        return InvalidProgramError(message, location=f"{self.name}: byte {self.position}")

    def byte(self) -> int:
        if self.position >= self.end:
            raise self.error("the bytecode ends in the middle of a value")
        value = self.data[self.position]
        self.position += 1
        return value

    def bytes(self, count: int) -> bytes:
        if count > self.left:
            raise self.error(f"{count} bytes expected, {self.left} left: the bytecode is truncated")
        start = self.position
        self.position += count
        return self.data[start : self.position]

    def part(self, count: int) -> Stream:
        """The next `count` bytes as a stream of their own."""
        if count > self.left:
            raise self.error(f"a section of {count} bytes, {self.left} left: the bytecode is truncated")
        start = self.position
        self.position += count
        return Stream(self.data, self.name, start, self.position)

    def varint(self) -> int:
        """An unsigned integer of up to 64 bits: the zeros at the low end of the first byte count the bytes after it."""
        first = self.byte()
        if first & 1:
            return first >> 1
        if first == 0:
            return int.from_bytes(self.bytes(8), "little")
        extra = (first & -first).bit_length() - 1
        return (first | int.from_bytes(self.bytes(extra), "little") << 8) >> (extra + 1)

    def signed_varint(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def flagged_varint(self) -> tuple[int, bool]:
        """A number and the flag in its lowest bit."""
        value = self.varint()
        return value >> 1, bool(value & 1)

    def count(self) -> int:
        """The length of a list; each of its elements takes a byte at least."""
        count = self.varint()
        if count > self.left:
            raise self.error(f"a list of {count} elements in {self.left} bytes: the bytecode is damaged")
        return count

    def list(self, item: Callable[[], Item]) -> list[Item]:
        return [item() for _ in range(self.count())]

    def c_string(self) -> bytes:
        """The bytes up to a zero byte."""
        end = self.data.find(b"\0", self.position, self.end)
        if end < 0:
            raise self.error("a string without end")
        start, self.position = self.position, end + 1
        return self.data[start:end]

    def section(self) -> Section:
        """A section: its number, its length, its alignment, its bytes."""
        number = self.byte()
        length = self.varint()
        if number & ALIGNMENT_FLAG:
            number &= ~ALIGNMENT_FLAG
            self.align(self.varint())
        return Section(number, self.part(length))

    def align(self, alignment: int) -> None:
        """Skip padding up to a multiple of `alignment` from the beginning of the file."""
        if alignment <= 0 or alignment & (alignment - 1):
            raise self.error(f"{alignment} is not an alignment")
        self.bytes(-self.position % alignment)
