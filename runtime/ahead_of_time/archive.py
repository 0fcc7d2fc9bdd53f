"""Static libraries, `.a`: archives in the common form of System V and GNU, with an index of symbols as `ar s` writes.

https://man.freebsd.org/cgi/man.cgi?query=ar&sektion=5
"""

from __future__ import annotations

from collections.abc import Sequence

from .code import ObjectFile

_MAGIC = b"!<arch>\n"


def archive(objects: Sequence[ObjectFile]) -> bytes:
    """The objects as one file, `0.o`, `1.o`, ..."""
    symbols = [(symbol, number) for number, each in enumerate(objects) for symbol in each.symbols]
    names = b"".join(symbol.encode() + b"\0" for symbol, _ in symbols)
    index_bytes = 4 + 4 * len(symbols) + len(names)
    place = len(_MAGIC) + _padded(index_bytes)
    places: list[int] = []
    for each in objects:
        places.append(place)
        place += _padded(len(each.data))
    numbers = [len(symbols), *(places[number] for _, number in symbols)]
    index = b"".join(number.to_bytes(4, "big") for number in numbers) + names
    members = (_member(f"{number}.o/", each.data) for number, each in enumerate(objects))
    return b"".join((_MAGIC, _member("/", index), *members))


_HEADER_BYTES = 60


def _padded(size: int) -> int:
    return _HEADER_BYTES + size + size % 2


def _member(name: str, data: bytes) -> bytes:
    """With its header: name, time, owner, group, mode, size."""
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
    return header + data + b"\n" * (len(data) % 2)
