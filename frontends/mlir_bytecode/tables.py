"""The tables of an MLIR bytecode file that is being written, and the primitives they are made of.

Attributes and types are in their assembly text, but for constants that refer to a resource and what holds such. An item
gets its number when it is first asked for.

Source: MLIR Bytecode Format, sections "Primitives" and "MLIR Encoding".
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import ArrayAttr, Builtin, DenseResourceAttr, DictionaryAttr
from xdsl.ir import Attribute

from ...dialects.dense_resources import ALIGNMENT_BYTES
from ...dialects.printing import ExactPrinter
from ...errors import UnsupportedError
from .container import BLOB, SectionNumber

Item = TypeVar("Item", bound=Hashable)

BUILTIN = "builtin"

ARRAY, DICTIONARY, STRING, RESOURCE = 0, 1, 2, 16
"""The numbers of attributes that are not written as text (mlir/include/mlir/IR/BuiltinDialectBytecode.td)."""

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
    """A thing of a dialect: the name of an op without the dialect, the text of an attribute or type, with its end, or
    its encoding."""

    dialect: str
    data: bytes
    is_encoded: bool = False


class Tables:
    """All tables of a file."""

    def __init__(self) -> None:
        self._strings: Table[str] = Table()
        self._dialects: Table[str] = Table()
        self._op_names: Table[Entry] = Table()
        self._attributes: Table[Entry] = Table()
        self._types: Table[Entry] = Table()
        self._resources: Table[str] = Table()

    def op_name(self, name: str) -> int:
        """The number of an op's full name."""
        dialect, _, rest = name.partition(".")
        return self._op_names.number(Entry(dialect, rest.encode()))

    def attribute(self, attribute: Attribute) -> int:
        """The number of an attribute, a location included."""
        return self._attributes.number(self._entry(attribute))

    def type(self, type: Attribute) -> int:
        """The number of a type."""
        return self._types.number(self._entry(type))

    def _entry(self, attribute: Attribute) -> Entry:
        stream = io.StringIO()
        printer = _FragmentPrinter(stream)
        printer.print_attribute(attribute)
        if printer.resources():
            return Entry(BUILTIN, self._encoded(attribute), True)
        text = stream.getvalue()
        match = DIALECT.match(text)
        return Entry(match[1] if match else BUILTIN, text.encode() + b"\0")

    def _encoded(self, attribute: Attribute) -> bytes:
        """The encoding of an attribute that refers to resources, which its text does not hold."""
        match attribute:
            case ArrayAttr():
                return varint(ARRAY) + varints([self.attribute(element) for element in cast("Any", attribute.data)])
            case DictionaryAttr():
                pairs = [
                    varint(self._string_attribute(key)) + varint(self.attribute(value))
                    for key, value in sorted(attribute.data.items())
                ]
                return varint(DICTIONARY) + varint(len(pairs)) + b"".join(pairs)
            case DenseResourceAttr():
                key = attribute.resource_handle.data
                resource_bytes(key)
                return varint(RESOURCE) + varint(self.type(attribute.type)) + varint(self._resources.number(key))
            case _:
                raise UnsupportedError(f"bytecode of {attribute.name} that refers to a resource")

    def _string_attribute(self, text: str) -> int:
        return self._attributes.number(Entry(BUILTIN, varint(STRING) + varint(self._strings.number(text)), True))

    def sections(self) -> bytes:
        """The sections of all tables, for version 4 of the format."""
        attributes, types = self._attributes.items, self._types.items
        offsets = varint(len(attributes)) + varint(len(types)) + self._sizes(attributes) + self._sizes(types)
        content = b"".join(entry.data for entry in (*attributes, *types))
        op_names = self._grouped(self._op_names.items, lambda entry: varint(self._strings.number(entry.data.decode())))
        resources = self._resource_sections()
        dialects = [flagged_varint(self._strings.number(name), False) for name in self._dialects.items]
        names = varint(len(dialects)) + b"".join(dialects) + varint(len(self._op_names.items)) + op_names
        return b"".join(
            (
                section(SectionNumber.DIALECTS, names),
                section(SectionNumber.ATTRIBUTE_AND_TYPE_OFFSETS, offsets),
                section(SectionNumber.ATTRIBUTES_AND_TYPES, content),
                *resources,
                section(SectionNumber.STRINGS, self._string_section()),
            )
        )

    def _sizes(self, entries: list[Entry]) -> bytes:
        return self._grouped(entries, lambda entry: flagged_varint(len(entry.data), entry.is_encoded))

    def _resource_sections(self) -> list[bytes]:
        """The bytes of all resources, each a blob without an alignment, and where they are."""
        keys = self._resources.items
        if not keys:
            return []
        blobs = [varint(1) + varint(len(data)) + data for data in map(resource_bytes, keys)]
        entries = [
            varint(self._strings.number(key)) + varint(len(blob)) + bytes((BLOB,))
            for key, blob in zip(keys, blobs, strict=True)
        ]
        group = varint(self._dialects.number(BUILTIN)) + varint(len(entries)) + b"".join(entries)
        return [
            section(SectionNumber.RESOURCES, b"".join(blobs)),
            section(SectionNumber.RESOURCE_OFFSETS, varint(0) + group),
        ]

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


def resource_bytes(key: str) -> bytes:
    """The bytes of a resource, as xDSL has read them: in hexadecimal, behind four bytes of alignment.

    Raises `UnsupportedError` for one that is not there.
    """
    text = Builtin.get_interface(OpAsmDialectInterface).lookup(key)  # pyright: ignore[reportOptionalMemberAccess]
    if not text:
        raise UnsupportedError(
            f"the bytes of dense_resource<{key}> are not here: the text it was read from does not hold them"
        )
    return bytes.fromhex(text.removeprefix("0x"))[ALIGNMENT_BYTES:]


class _FragmentPrinter(ExactPrinter):
    """Knows which resources it has printed."""

    def resources(self) -> list[str]:
        return [key for keys in self._dialect_resources.values() for key in sorted(keys)]
