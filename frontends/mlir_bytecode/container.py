"""The tables of an MLIR bytecode file: strings, dialects, names of ops, attributes, types, properties.

Attributes and types are decoded when something refers to them. How one is encoded is up to its dialect
(`builtin_encodings.py`, `vhlo_encodings.py`); an encoding by its text is read by the parser of MLIR.

Source: MLIR Bytecode Format, section "MLIR Encoding"; the numbers of versions and sections are those of
mlir/include/mlir/Bytecode/Encoding.h.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import BytesAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import ParseError, VerifyException

from ...errors import InvalidProgramError, UnsupportedError
from ...nesting import is_deep
from ...runtime.fast_parser import FastParser
from ...runtime.formats import BYTECODE_MAGIC
from ...runtime.mlir_text import parse_fragment
from ...runtime.program_context import new_context
from .stream import Stream

Item = TypeVar("Item")

NEWEST_VERSION = 6


class Version(IntEnum):
    """The first version of the format with a feature."""

    DIALECT_VERSIONS = 1
    ISOLATED_SECTIONS = 2
    USE_LIST_ORDERS = 3
    ELIDED_LOCATIONS = 4
    PROPERTIES = 5
    NUMBERS_OF_SEGMENTS = 6


class SectionNumber(IntEnum):
    STRINGS = 0
    DIALECTS = 1
    ATTRIBUTES_AND_TYPES = 2
    ATTRIBUTE_AND_TYPE_OFFSETS = 3
    IR = 4
    RESOURCES = 5
    RESOURCE_OFFSETS = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8


@irdl_attr_definition
class UndecodedAttr(ParametrizedAttribute):
    """An attribute in the binary encoding of a dialect that is not known. Dictionaries leave it out."""

    name = "bytecode.undecoded"

    dialect: StringAttr


class Entry(NamedTuple):
    """Where an attribute or type is encoded."""

    dialect: str
    stream: Stream
    is_text: bool


class Resource(NamedTuple):
    """A resource of a dialect: its name, and what it is in; nothing where it is only declared."""

    key: str
    content: Stream
    kind: int


BLOB = 0
"""The kind of a resource that is bytes; the others are truth values and strings."""

Decoder = Callable[["Container", Stream], Attribute]
"""Decodes what a stream holds; may ask the container for what it refers to."""


class Decoders(NamedTuple):
    """The encodings of a dialect."""

    attribute: Decoder
    type: Decoder


class Container:
    """The tables of the file `name` that holds `data`.

    `decoders` maps dialects to their encodings, `context` is for those by text. Raises `InvalidProgramError` for data
    that breaks the format, `UnsupportedError` for a newer version of it or for an encoding that is not known.
    """

    producer: str
    version: int
    ir: Stream

    def __init__(self, data: bytes, name: str, decoders: dict[str, Decoders], context: Context | None = None) -> None:
        self.name = name
        self._decoders = decoders
        self._context = context or new_context()
        stream = Stream(data, name)
        if stream.bytes(min(4, len(data))) != BYTECODE_MAGIC:
            raise InvalidProgramError(f"{name}: is not MLIR bytecode")
        self.version = stream.varint()
        if self.version > NEWEST_VERSION:
            raise UnsupportedError(
                f"{name}: MLIR bytecode of version {self.version}; versions up to {NEWEST_VERSION} are read"
            )
        self.producer = self._text(stream, stream.c_string())
        sections: dict[int, Stream] = {}
        while stream.left:
            number, content = stream.section()
            if number in sections:
                raise content.error(f"section {number} comes twice")
            sections[number] = content
        self._read_sections(sections, stream)

    def _read_sections(self, sections: dict[int, Stream], file: Stream) -> None:
        def section(number: SectionNumber) -> Stream:
            if number not in sections:
                raise file.error(f"there is no section {number.name.lower().replace('_', ' ')}")
            return sections[number]

        self.strings = self._read_strings(section(SectionNumber.STRINGS))
        self.dialects: list[str] = []
        self.op_names: list[str] = []
        self._read_dialects(section(SectionNumber.DIALECTS))
        self._attributes: list[Entry] = []
        self._types: list[Entry] = []
        self._read_entries(
            section(SectionNumber.ATTRIBUTES_AND_TYPES), section(SectionNumber.ATTRIBUTE_AND_TYPE_OFFSETS)
        )
        self._resources = self._read_resources(
            sections.get(SectionNumber.RESOURCE_OFFSETS), sections.get(SectionNumber.RESOURCES)
        )
        self._decoded: dict[Entry, Attribute | None] = {}
        self.properties = self._read_properties(sections.get(SectionNumber.PROPERTIES))
        self.ir = section(SectionNumber.IR)

    def _text(self, stream: Stream, data: bytes) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise stream.error("a string that is not UTF-8") from None

    def _read_strings(self, stream: Stream) -> list[str]:
        lengths = [length - 1 for length in stream.list(stream.varint)]
        if min(lengths, default=0) < 0 or sum(lengths) + len(lengths) != stream.left:
            raise stream.error("the lengths of the strings do not add up")
        strings: list[str] = []
        for length in reversed(lengths):
            strings.append(stream.bytes(length).decode("utf-8", "surrogateescape"))
            stream.byte()
        return strings

    def _read_dialects(self, stream: Stream) -> None:
        for _ in range(stream.count()):
            if self.version < Version.DIALECT_VERSIONS:
                self.dialects.append(self.string(stream))
                continue
            index, has_version = stream.flagged_varint()
            self.dialects.append(self._string(stream, index))
            if has_version:
                stream.section()
        if self.version >= Version.ELIDED_LOCATIONS:
            stream.varint()
        while stream.left:
            dialect = self._element(stream, self.dialects, stream.varint(), "dialect")
            for _ in range(stream.count()):
                if self.version < Version.PROPERTIES:
                    name = self.string(stream)
                else:
                    name = self._string(stream, stream.flagged_varint()[0])
                self.op_names.append(f"{dialect}.{name}")

    def _read_entries(self, content: Stream, offsets: Stream) -> None:
        counts = (offsets.varint(), offsets.varint())
        if sum(counts) > offsets.left:
            raise offsets.error("the bytecode announces more attributes and types than it holds")
        for count, table in zip(counts, (self._attributes, self._types), strict=True):
            while len(table) < count:
                dialect = self._element(offsets, self.dialects, offsets.varint(), "dialect")
                for _ in range(offsets.count()):
                    size, is_custom = offsets.flagged_varint()
                    table.append(Entry(dialect, content.part(size), not is_custom))

    def _read_properties(self, stream: Stream | None) -> list[Stream]:
        if stream is None:
            return []
        return [stream.part(stream.varint()) for _ in range(stream.count())]

    def _read_resources(self, offsets: Stream | None, content: Stream | None) -> list[Resource]:
        """Those of dialects, in the order of their numbers; those of tools are passed over."""
        found: list[Resource] = []
        if offsets is None or content is None:
            return found
        for _ in range(offsets.count()):
            self.string(offsets)
            self._read_group(offsets, content)
        while offsets.left:
            self._element(offsets, self.dialects, offsets.varint(), "dialect")
            found += self._read_group(offsets, content)
        return found

    def _read_group(self, offsets: Stream, content: Stream) -> list[Resource]:
        def resource() -> Resource:
            key, size = self.string(offsets), offsets.varint()
            return Resource(key, content.part(size), offsets.byte())

        return offsets.list(resource)

    def resource(self, stream: Stream) -> tuple[str, bytes]:
        """The name and the bytes of the resource whose number comes next."""
        key, content, kind = self._element(stream, self._resources, stream.varint(), "resource")
        if kind != BLOB or not content.left:
            raise stream.error(f"the file does not hold the bytes of the resource '{key}'")
        content = Stream(content.data, self.name, content.position, content.end)
        alignment, size = content.varint(), content.varint()
        content.align(alignment)
        return key, content.bytes(size)

    def _element(self, stream: Stream, table: list[Item], index: int, kind: str) -> Item:
        if index >= len(table):
            raise stream.error(f"{kind} number {index} of {len(table)}")
        return table[index]

    def string(self, stream: Stream) -> str:
        """The string whose number comes next."""
        return self._string(stream, stream.varint())

    def _string(self, stream: Stream, index: int) -> str:
        found = self._element(stream, self.strings, index, "string")
        if _is_binary(found):
            raise stream.error("a string that is not UTF-8")
        return found

    def string_attribute(self, stream: Stream) -> StringAttr | BytesAttr:
        """The attribute of the string whose number comes next, which may be any bytes: code for another machine."""
        found = self._element(stream, self.strings, stream.varint(), "string")
        return BytesAttr(found.encode("utf-8", "surrogateescape")) if _is_binary(found) else StringAttr(found)

    def op_name(self, stream: Stream) -> str:
        """The full name of an op whose number comes next."""
        return self._element(stream, self.op_names, stream.varint(), "operation name").removesuffix(".")

    def properties_of(self, stream: Stream) -> Stream:
        """The encoded properties of an op whose number comes next; they may be read more than once."""
        found = self._element(stream, self.properties, stream.varint(), "property")
        return Stream(found.data, found.name, found.position, found.end)

    def attribute(self, stream: Stream) -> Attribute:
        """The attribute whose number comes next."""
        return self.attribute_at(stream, stream.varint())

    def attribute_at(self, stream: Stream, index: int) -> Attribute:
        """Attribute number `index`; `stream` says where it was asked for."""
        return self._decode(stream, self._element(stream, self._attributes, index, "attribute"), False)

    def type(self, stream: Stream) -> Attribute:
        """The type whose number comes next."""
        return self.type_at(stream, stream.varint())

    def type_at(self, stream: Stream, index: int) -> Attribute:
        """Type number `index`; `stream` says where it was asked for."""
        return self._decode(stream, self._element(stream, self._types, index, "type"), True)

    def _decode(self, stream: Stream, entry: Entry, is_type: bool) -> Attribute:
        if entry in self._decoded:
            decoded = self._decoded[entry]
            if decoded is None:
                raise stream.error("an attribute or type that contains itself")
            return decoded
        self._decoded[entry] = None
        content = Stream(entry.stream.data, self.name, entry.stream.position, entry.stream.end)
        if entry.is_text:
            decoded = self._parse(content, is_type)
        elif entry.dialect not in self._decoders and not is_type:
            decoded = UndecodedAttr(StringAttr(entry.dialect))
        elif entry.dialect not in self._decoders:
            raise UnsupportedError(
                f"a type in the binary encoding of dialect '{entry.dialect}'; those of "
                f"{', '.join(sorted(self._decoders))} are read",
                location=f"{self.name}: byte {content.position}",
            )
        else:
            decoders = self._decoders[entry.dialect]
            try:
                decoded = (decoders.type if is_type else decoders.attribute)(self, content)
            except RecursionError:
                if is_deep():
                    raise stream.error("attributes or types nested too deeply") from None
                raise
            except (VerifyException, ValueError, TypeError, OverflowError) as error:
                # Parts of the right form that the attribute or type does not admit.
                raise content.error(" ".join(str(error).split())) from None
        self._decoded[entry] = decoded
        return decoded

    def _parse(self, stream: Stream, is_type: bool) -> Attribute:
        text = self._text(stream, stream.c_string())

        def parse(parser: FastParser) -> Attribute:
            return parser.parse_type() if is_type else parser.parse_attribute()

        try:
            return parse_fragment(text, self.name, parse, self._context)
        except ParseError as error:
            raise stream.error(f"{' '.join(error.msg.split())}, in {text}") from None


def _is_binary(text: str) -> bool:
    """Whether bytes that are no UTF-8 stand in `text`, as surrogates."""
    return not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text)
