"""The table of lines in the debug information of an object: which line each instruction is from.

Version 4 of DWARF, which the compiler asks LLVM for: section 6.2 of its specification.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

from .object_files import ObjectFile

VERSION = 4


class Row(NamedTuple):
    """From `offset` of the code on, instructions are from this line."""

    offset: int
    file: str
    line: int


class _Reader:
    """Numbers and strings one after the other."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        self.data = data
        self.position = position

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from("<" + form, self.data, self.position)
        self.position += struct.calcsize("<" + form)
        return value

    def unsigned(self) -> int:
        """LEB128."""
        value = shift = 0
        while True:
            byte = self.number("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self) -> int:
        """LEB128 with a sign."""
        value = shift = 0
        while True:
            byte = self.number("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value - (1 << shift) if byte & 0x40 else value

    def text(self) -> str:
        end = self.data.index(b"\0", self.position)
        found = self.data[self.position : end].decode("utf-8", "replace")
        self.position = end + 1
        return found


def line_table(code: ObjectFile) -> list[Row]:
    """The rows of an object, by offset in its section `.text`; none if it has no debug information of this version."""
    section = code.section(".debug_line")
    if section is None:
        return []
    reader, rows = _Reader(code.relocated(section)), list[Row]()
    while reader.position < len(reader.data):
        length = reader.number("I")
        end = reader.position + length
        if reader.number("H") == VERSION:
            rows += _unit(reader, end)
        reader.position = end
    return sorted(rows, key=lambda row: row.offset)


def _unit(reader: _Reader, end: int) -> Iterator[Row]:
    """The rows of one unit, whose version has been read."""
    program = reader.number("I") + reader.position
    shortest, _, is_statement = reader.number("B"), reader.number("B"), reader.number("B")
    del is_statement
    line_base, line_range, first_special = reader.number("b"), reader.number("B"), reader.number("B")
    lengths = [reader.number("B") for _ in range(first_special - 1)]
    folders, files = [""], [""]
    while folder := reader.text():
        folders.append(folder)
    while name := reader.text():
        index = reader.unsigned()
        reader.unsigned()
        reader.unsigned()
        folder = folders[index] if index < len(folders) else ""
        files.append(os.path.join(folder, name) if folder else name)
    reader.position = program
    address, file, line = 0, 1, 1
    while reader.position < end:
        code = reader.number("B")
        if code >= first_special:
            advance = code - first_special
            address += advance // line_range * shortest
            line += line_base + advance % line_range
            yield Row(address, files[file], line)
        elif code == 0:
            size = reader.unsigned()
            following = reader.position + size
            kind = reader.number("B")
            if kind == 1:  # end of sequence
                address, file, line = 0, 1, 1
            elif kind == 2:  # address
                address = reader.number("Q")
            reader.position = following
        elif code == 1:  # copy
            yield Row(address, files[file], line)
        elif code == 2:
            address += reader.unsigned() * shortest
        elif code == 3:
            line += reader.signed()
        elif code == 4:
            file = reader.unsigned()
        elif code == 8:  # as the largest special code, without a row
            address += (255 - first_special) // line_range * shortest
        elif code == 9:
            address += reader.number("H")
        else:
            for _ in range(lengths[code - 1]):
                reader.unsigned()
