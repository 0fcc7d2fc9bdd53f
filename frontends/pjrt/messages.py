"""Messages of protocol buffers (https://protobuf.dev/programming-guides/encoding), by the numbers of their fields."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from .calls import Code, PjrtError

_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5

Value = int | bytes


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if position >= len(data):
            raise PjrtError(Code.INVALID_ARGUMENT, "a message of protocol buffers ends in the midst of a number")
        byte = data[position]
        value |= (byte & 127) << shift
        shift += 7
        position += 1
        if byte < 128:
            return value, position


def _fields(data: bytes) -> Iterator[tuple[int, Value]]:
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        kind = tag & 7
        if kind == _VARINT:
            value, position = _varint(data, position)
            yield tag >> 3, value
            continue
        if kind == _BYTES:
            size, position = _varint(data, position)
        elif kind in (_FIXED_64, _FIXED_32):
            size = 8 if kind == _FIXED_64 else 4
        else:
            raise PjrtError(Code.INVALID_ARGUMENT, f"a message of protocol buffers has a field of kind {kind}")
        yield tag >> 3, data[position : position + size]
        position += size


class Message:
    """The fields of a message; of one that is not there, what stands for it."""

    def __init__(self, data: bytes) -> None:
        self._values: dict[int, list[Value]] = {}
        for number, value in _fields(data):
            self._values.setdefault(number, []).append(value)

    def __contains__(self, number: int) -> bool:
        return number in self._values

    def integer(self, number: int, default: int = 0) -> int:
        """A number: the last one given."""
        value = self._values.get(number, [default])[-1]
        return value if isinstance(value, int) else default

    def double(self, number: int) -> float:
        """A float of 64 bits."""
        (value,) = struct.unpack("<d", self.bytes(number).ljust(8, b"\0"))
        return value

    def bytes(self, number: int) -> bytes:
        """A text or some bytes."""
        value = self._values.get(number, [b""])[-1]
        return value if isinstance(value, bytes) else b""

    def message(self, number: int) -> Message:
        """A message inside."""
        return Message(self.bytes(number))

    def messages(self, number: int) -> list[Message]:
        """All messages of a field that may be there several times."""
        return [Message(value) for value in self._values.get(number, []) if isinstance(value, bytes)]

    def integers(self, number: int) -> list[int]:
        """All numbers of a field, packed or not."""
        found: list[int] = []
        for value in self._values.get(number, []):
            if isinstance(value, int):
                found.append(value)
                continue
            position = 0
            while position < len(value):
                each, position = _varint(value, position)
                found.append(each)
        return found


def varint(value: int) -> bytes:
    """A number that is not negative."""
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def number_field(number: int, value: int) -> bytes:
    """A field with a number."""
    return varint(number << 3 | _VARINT) + varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """A field with a message, a text or bytes."""
    return varint(number << 3 | _BYTES) + varint(len(value)) + value


def packed_field(number: int, values: Iterable[int]) -> bytes:
    """A field with several numbers."""
    return bytes_field(number, b"".join(map(varint, values)))
