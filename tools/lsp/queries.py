"""Where things are defined and used, and which symbols a file has: offsets in the text of a chunk."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .analysis import Chunk, symbol_name
from .recording import Name, OpText

Range = tuple[int, int]

_ALIAS = re.compile(r"[#!][A-Za-z_][\w$-]*(?![\w$.<-])")
"""The name of an attribute or a type; what has a dot or brackets behind it is of a dialect."""

_ALIAS_DEFINITION = re.compile(r"^[ \t]*([#!][A-Za-z_][\w$-]*)[ \t]*=", re.MULTILINE)


@dataclass
class Occurrences:
    """One thing in a text: where it is defined, and where it is used."""

    definitions: list[Range] = field(default_factory=list[Range])
    uses: list[Range] = field(default_factory=list[Range])


def name_at(chunk: Chunk, offset: int) -> Name | None:
    """The name of a value or block at `offset`, its end included; one that defines comes first."""
    found = [name for name in chunk.names if name.start <= offset <= name.end]
    return min(found, key=lambda name: (not name.defines, offset == name.end), default=None)


def op_at(chunk: Chunk, offset: int) -> OpText | None:
    """The op whose own name is at `offset`."""
    return next((text for text in chunk.ops if text.name_start <= offset <= text.name_end), None)


def op_around(chunk: Chunk, offset: int) -> OpText | None:
    """The innermost op around `offset`."""
    return min(
        (text for text in chunk.ops if text.start <= offset <= text.end), key=lambda t: t.end - t.start, default=None
    )


def symbol_at(chunk: Chunk, offset: int) -> re.Match[str] | None:
    """The name of a symbol at `offset`."""
    return next((match for match in chunk.symbols if match.start() <= offset <= match.end()), None)


def occurrences_at(chunk: Chunk, offset: int) -> Occurrences:
    """Those of the value, block, symbol or alias at `offset`; none if there is nothing of the kind."""
    if (name := name_at(chunk, offset)) is not None:
        return _of_meaning(chunk, chunk.meaning(name))
    if (symbol := symbol_at(chunk, offset)) is not None:
        return _of_symbol(chunk, symbol[0])
    for match in _ALIAS.finditer(chunk.text):
        if match.start() <= offset <= match.end():
            return _of_alias(chunk, match[0])
    return Occurrences()


def _of_meaning(chunk: Chunk, meaning: object) -> Occurrences:
    found: dict[tuple[Range, bool], None] = {}
    for name in chunk.names:
        if chunk.meaning(name) is meaning:
            found[(name.start, name.end), name.defines] = None
    definitions, uses = ([place for place, defines in found if defines is kind] for kind in (True, False))
    return Occurrences(definitions, uses)


def _of_symbol(chunk: Chunk, symbol: str) -> Occurrences:
    definitions = {match.span() for _, match in chunk.symbol_definitions() if match[0] == symbol}
    if not definitions:  # in what cannot be read
        pattern = re.compile(rf"\bfunc\.func\s+(?:\w+\s+)?({re.escape(symbol)})(?![\w$.-])")
        definitions = {match.span(1) for match in pattern.finditer(chunk.text)}
    uses = [match.span() for match in chunk.symbols if match[0] == symbol and match.span() not in definitions]
    return Occurrences(sorted(definitions), uses)


def _of_alias(chunk: Chunk, alias: str) -> Occurrences:
    definitions = [match.span(1) for match in _ALIAS_DEFINITION.finditer(chunk.text) if match[1] == alias]
    places = [match.span() for match in _ALIAS.finditer(chunk.text) if match[0] == alias]
    return Occurrences(definitions, [place for place in places if place not in definitions])


@dataclass
class Symbol:
    """An op that has a name, and those inside of it."""

    name: str
    detail: str
    text: OpText
    place: Range
    children: list[Symbol] = field(default_factory=list["Symbol"])


def symbols_of(chunk: Chunk) -> list[Symbol]:
    """The outermost symbols, in order."""
    outermost: list[Symbol] = []
    stack: list[Symbol] = []
    named = sorted(chunk.symbol_definitions(), key=lambda pair: (pair[0].start, -pair[0].end))
    for text, match in named:
        symbol = Symbol(symbol_name(text.op) or "", _detail(text), text, match.span())
        while stack and stack[-1].text.end < text.end:
            stack.pop()
        (stack[-1].children if stack else outermost).append(symbol)
        stack.append(symbol)
    return outermost


def _detail(text: OpText) -> str:
    """The type of a function, or what kind of op it is."""
    type = text.op.properties.get("function_type")
    return text.op.name if type is None else str(type)
