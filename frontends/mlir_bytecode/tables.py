"""The tables of an MLIR bytecode file that is being written, and the primitives they are made of.

Attributes and types are in their assembly text. An item gets its number when it is first asked for.

Source: MLIR Bytecode Format, sections "Primitives" and "MLIR Encoding".
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from xdsl.ir import Attribute

from ...dialects.printing import ExactPrinter
from ...errors import UnsupportedError
from .container import SectionNumber

Item = TypeVar("Item", bound=Hashable)

BUILTIN = "builtin"

DIALECT = re.compile(r"[#!]([A-Za-z_][\w$]*)[.<]")
"""How the text of an attribute or type begins that is of another dialect than `builtin`."""


def varint(value: int) -> bytes:
    """An unsigned integer of up to 64 bits, in as few bytes as hold it."""
    for extra in range(8):
        if value < 1 << 7 * (extra + 1):
            return ((value << 1 | 1) << extra).to_bytes(extra + 1, "little")
    return b"\0" + value.to_bytes(8, "little")


def flagged_varint(value: int, flag: bool) -> bytes:
    """A number with a flag in its lowest bit."""
    return varint(value << 1 | flag)


def varints(values: Iterable[int]) -> bytes:
    """A list of numbers, with its length."""
    parts = [varint(value) for value in values]
    return varint(len(parts)) + b"".join(parts)


def section(number: SectionNumber, content: bytes) -> bytes:
    """A section without an alignment."""
    return bytes((number,)) + varint(len(content)) + content


class Table(Generic[Item]):
    """Items and their numbers."""

    def __init__(self) -> None:
        self._numbers: dict[Item, int] = {}

    def number(self, item: Item) -> int:
        return self._numbers.setdefault(item, len(self._numbers))

    @property
    def items(self) -> list[Item]:
        return list(self._numbers)


class Entry(NamedTuple):
    """A named thing of a dialect: the name of an op without the dialect, the text of an attribute or type."""

    dialect: str
    text: str


class Tables:
    """All tables of a file."""

    def __init__(self) -> None:
        self._strings: Table[str] = Table()
        self._dialects: Table[str] = Table()
        self._op_names: Table[Entry] = Table()
        self._attributes: Table[Entry] = Table()
        self._types: Table[Entry] = Table()

    def op_name(self, name: str) -> int:
        """The number of an op's full name."""
        dialect, _, rest = name.partition(".")
        return self._op_names.number(Entry(dialect, rest))

    def attribute(self, attribute: Attribute) -> int:
        """The number of an attribute, a location included."""
        return self._attributes.number(_entry(attribute))

    def type(self, type: Attribute) -> int:
        """The number of a type."""
        return self._types.number(_entry(type))

    def sections(self) -> bytes:
        """The sections of all tables, for version 4 of the format."""
        attributes, types = self._attributes.items, self._types.items
        offsets = varint(len(attributes)) + varint(len(types)) + self._sizes(attributes) + self._sizes(types)
        content = b"".join(entry.text.encode() + b"\0" for entry in (*attributes, *types))
        op_names = self._grouped(self._op_names.items, lambda entry: varint(self._strings.number(entry.text)))
        dialects = [flagged_varint(self._strings.number(name), False) for name in self._dialects.items]
        names = varint(len(dialects)) + b"".join(dialects) + varint(len(self._op_names.items)) + op_names
        return b"".join(
            (
                section(SectionNumber.DIALECTS, names),
                section(SectionNumber.ATTRIBUTE_AND_TYPE_OFFSETS, offsets),
                section(SectionNumber.ATTRIBUTES_AND_TYPES, content),
                section(SectionNumber.STRINGS, self._string_section()),
            )
        )

    def _sizes(self, entries: list[Entry]) -> bytes:
        return self._grouped(entries, lambda entry: flagged_varint(len(entry.text.encode()) + 1, False))

    def _grouped(self, entries: list[Entry], encode: Callable[[Entry], bytes]) -> bytes:
        """Each run of entries of one dialect: the dialect, their number, each as encoded."""
        output = bytearray()
        for dialect, group in groupby(entries, lambda entry: entry.dialect):
            encoded = [encode(entry) for entry in group]
            output += varint(self._dialects.number(dialect)) + varint(len(encoded)) + b"".join(encoded)
        return bytes(output)

    def _string_section(self) -> bytes:
        strings = [text.encode() + b"\0" for text in self._strings.items]
        return varints(len(text) for text in reversed(strings)) + b"".join(strings)


def _entry(attribute: Attribute) -> Entry:
    """Raises `UnsupportedError` for an attribute that refers to a resource, which its text does not hold."""
    stream = io.StringIO()
    printer = _FragmentPrinter(stream)
    printer.print_attribute(attribute)
    if resources := printer.resources():
        raise UnsupportedError(
            f"bytecode is written without resources, and the program has dense_resource<{resources[0]}>;"
            " write text, or make it a dense constant"
        )
    text = stream.getvalue()
    match = DIALECT.match(text)
    return Entry(match[1] if match else BUILTIN, text)


class _FragmentPrinter(ExactPrinter):
    """Knows which resources it has printed."""

    def resources(self) -> list[str]:
        return [key for keys in self._dialect_resources.values() for key in sorted(keys)]
