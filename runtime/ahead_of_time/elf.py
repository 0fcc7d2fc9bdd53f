"""An ELF object with large constants: their bytes as they are, which as text for LLVM would be several times as many.

The format is that of the System V ABI, chapters 4 and 5, https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html,
64 bits and little-endian. Machine and flags are copied from an object that LLVM has made for the same CPU.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from .code import ObjectFile

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")

_RELOCATABLE, _VERSION = 1, 1
_PROGBITS, _SYMTAB, _STRTAB = 1, 2, 3
_ALLOC = 2
_GLOBAL_OBJECT, _HIDDEN = 1 << 4 | 1, 2
_NAMES = b"\0.rodata\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack\0"

ALIGNMENT = 64


def offsets(constants: Sequence[bytes]) -> list[int]:
    """Where each constant begins when they lie one behind the other at multiples of `ALIGNMENT`, and where they end."""
    places = [0]
    for data in constants:
        places.append(places[-1] + len(data) + -len(data) % ALIGNMENT)
    return places


def joined(constants: Sequence[bytes]) -> bytes:
    """The constants at their `offsets`."""
    return b"".join(data + bytes(-len(data) % ALIGNMENT) for data in constants)


def data_object(like: bytes, symbol: str, data: bytes) -> ObjectFile:
    """An object for the machine of the object `like` that defines `symbol` as `data`, read-only and hidden."""
    identification, _, machine, _, _, _, _, flags, *_ = _HEADER.unpack_from(like)
    names = f"\0{symbol}\0".encode()
    symbols = bytes(_SYMBOL.size) + _SYMBOL.pack(1, _GLOBAL_OBJECT, _HIDDEN, 1, 0, len(data))
    contents = [data, symbols, names, _NAMES, b""]
    place = _HEADER.size + -_HEADER.size % ALIGNMENT
    start, sections, body = place, [bytes(_SECTION.size)], [bytes(place - _HEADER.size)]
    for index, (name, kind, content) in enumerate(
        zip(
            (b".rodata", b".symtab", b".strtab", b".shstrtab", b".note.GNU-stack"),
            (_PROGBITS, _SYMTAB, _STRTAB, _STRTAB, _PROGBITS),
            contents,
            strict=True,
        ),
        1,
    ):
        is_data, is_symbols = index == 1, kind == _SYMTAB
        sections.append(
            _SECTION.pack(
                _NAMES.index(b"\0" + name + b"\0") + 1,
                kind,
                _ALLOC if is_data else 0,
                0,
                start,
                len(content),
                3 if is_symbols else 0,  # the section with the names of symbols
                1 if is_symbols else 0,  # the first symbol that is not local
                ALIGNMENT if is_data else 8 if is_symbols else 1,
                _SYMBOL.size if is_symbols else 0,
            )
        )
        padding = -len(content) % 8
        body += content, bytes(padding)
        start += len(content) + padding
    header = _HEADER.pack(
        identification,
        _RELOCATABLE,
        machine,
        _VERSION,
        0,
        0,
        start,
        flags,
        _HEADER.size,
        0,
        0,
        _SECTION.size,
        len(sections),
        4,  # the section with the names of sections
    )
    return ObjectFile(b"".join((header, *body, *sections)), [symbol])
