"""What is in a relocatable object: functions, and contents of sections.

ELF of 64 bits, little-endian, as LLVM writes it on Linux. The reference is the System V ABI, chapters 4 and 5.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..properties import cached_property

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")

_SYMTAB, _RELA = 2, 4
_FUNCTION = 2
_LOCAL = 0
_VISIBILITY = 5
"""Where a symbol has its visibility, in bytes behind its start."""


class Section(NamedTuple):
    """A section: its contents are `size` bytes at `offset` of the file."""

    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int


class Function(NamedTuple):
    """A function, `size` bytes at `offset` of the section of this index."""

    name: str
    section: int
    offset: int
    size: int
    is_global: bool
    entry: int
    """Where its symbol stands in the file."""


@dataclass
class ObjectFile:
    """An object; `machine` is ELF's number of the CPU. Raises `ValueError` for another format."""

    data: bytes
    machine: int = field(init=False)
    sections: list[Section] = field(init=False)

    def __post_init__(self) -> None:
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no ELF of 64 bits, little-endian")
        header = self._numbers(_HEADER, 0)
        self.machine, start, size, count, names = (header[place] for place in (2, 6, 11, 12, 13))
        raw = [self._numbers(_SECTION, start + size * index) for index in range(count)]
        base = raw[names][4]
        self.sections = [Section(self._text(base + row[0]), row[1], row[4], row[5], row[6], row[7]) for row in raw]

    def _numbers(self, form: struct.Struct, place: int) -> Sequence[int]:
        return form.unpack_from(self.data, place)

    def _text(self, start: int) -> str:
        return self.data[start : self.data.index(b"\0", start)].decode("utf-8", "replace")

    def contents(self, section: Section) -> bytes:
        """The bytes of a section, before relocation."""
        return self.data[section.offset : section.offset + section.size]

    def section(self, name: str) -> Section | None:
        """The first one of that name."""
        return next((section for section in self.sections if section.name == name), None)

    @cached_property
    def _symbols(self) -> list[tuple[int, Sequence[int]]]:
        """All symbols, with their places in the file."""
        table = next((section for section in self.sections if section.kind == _SYMTAB), None)
        if table is None:
            return []
        places = range(table.offset, table.offset + table.size, _SYMBOL.size)
        return [(place, self._numbers(_SYMBOL, place)) for place in places]

    @cached_property
    def functions(self) -> list[Function]:
        """Those that are defined here, in their order in memory."""
        table = next((section for section in self.sections if section.kind == _SYMTAB), None)
        if table is None:
            return []
        names = self.sections[table.link].offset
        found = [
            Function(self._text(names + name), section, value, size, info >> 4 != _LOCAL, place)
            for place, (name, info, _, section, value, size) in self._symbols
            if info & 15 == _FUNCTION and 0 < section < len(self.sections)
        ]
        return sorted(found, key=lambda function: (function.section, function.offset))

    def with_visible(self, function: Function) -> bytes:
        """The object with a global function that others may look up."""
        data = bytearray(self.data)
        data[function.entry + _VISIBILITY] = 0
        return bytes(data)

    def relocated(self, section: Section) -> bytes:
        """The contents of a section with the addends of its absolute relocations of 8 bytes: what refers to a place in
        a section holds its offset there.
        """
        content = bytearray(self.contents(section))
        for relocations in self.sections:
            if relocations.kind != _RELA or self.sections[relocations.info] is not section:
                continue
            for place in range(relocations.offset, relocations.offset + relocations.size, _RELOCATION.size):
                offset, info, addend = self._numbers(_RELOCATION, place)
                value = self._symbols[info >> 32][1][4]
                if offset + 8 <= len(content) and info & 0xFFFFFFFF in _ABSOLUTE[self.machine]:
                    struct.pack_into("<Q", content, offset, (value + addend) & (1 << 64) - 1)
        return bytes(content)


_ABSOLUTE = {62: (1,), 183: (257,)}
"""By machine (x86-64, AArch64) the relocations that write an address of 8 bytes: `R_X86_64_64`, `R_AARCH64_ABS64`."""
