"""Locations as upstream prints them with debug information.

Beyond xDSL's parser: aliases `#loc7 = loc(...)` may be defined after their use, as upstream's printer puts
them; a range `loc("model.py":7:2 to :54)` is read as its first position; fused locations may carry metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

_DEFINITION = re.compile(r"^(#[\w$.-]+)[ \t]*=[ \t]*(?=loc\()", re.MULTILINE)
_PART = re.compile(r'[()]|#[\w$.-]++|"(?:[^"\\\n]++|\\.)*+"?')
_LOCATIONS = (UnknownLoc, FileLineColLoc, CallSiteLoc, NameLoc, FusedLoc)


def _in_order_of_use(source: str, definitions: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """The definitions of aliases, each after those that it refers to."""
    waiting = {definition[1]: index for index, definition in reversed(list(enumerate(definitions)))}
    ends = [*(definition.start() for definition in definitions[1:]), len(source)]

    def references(index: int) -> Iterator[int]:
        for name in _references(source, definitions[index].end(), ends[index]):
            if (found := waiting.pop(name, None)) is not None:
                yield found

    for index, definition in enumerate(definitions):
        if waiting.get(definition[1]) != index:
            continue  # the second of this name, or done
        del waiting[definition[1]]
        stack = [(index, references(index))]
        while stack:
            current, rest = stack[-1]
            if (wanted := next(rest, None)) is not None:
                stack.append((wanted, references(wanted)))
            else:
                stack.pop()
                yield definitions[current]


def _references(source: str, start: int, end: int) -> Iterator[str]:
    """The aliases in the parentheses that open behind `start`."""
    depth = 0
    for match in _PART.finditer(source, start, end):
        part = match[0]
        if part[0] == "#":
            yield part
        elif part == "(":
            depth += 1
        elif part == ")":
            depth -= 1
            if depth == 0:
                return


class LocationParser(Parser):
    """A parser that reads every location upstream prints."""

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._early_aliases: set[str] = set()

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        self._define_location_aliases()
        return super().parse_module(allow_implicit_module)

    def _define_location_aliases(self) -> None:
        """Read the definitions of all location aliases, wherever they stand in the text."""
        start = self.pos
        source = self.lexer.input.content
        assert isinstance(source, str)
        definitions = list(_DEFINITION.finditer(source))
        for definition in _in_order_of_use(source, definitions):
            self._try_define(definition)
        if definitions:
            self._resume_from(start)

    def _try_define(self, definition: re.Match[str]) -> None:
        """Define one alias. An error comes up when the definition is parsed in its place."""
        try:
            self._resume_from(definition.end())
            location = self.parse_optional_location()
        except ParseError:
            return
        if location is not None and definition[1] not in self._early_aliases:
            self._early_aliases.add(definition[1])
            self.attribute_aliases[definition[1]] = location

    def _parse_alias_def(self) -> None:
        name = self._current_token.text
        if name in self._early_aliases:
            # Parsed again in its place; a second definition is then the error it should be.
            self._early_aliases.remove(name)
            del self.attribute_aliases[name]
        super()._parse_alias_def()

    def _parse_location(self) -> LocationAttr:
        position = self.pos
        if self.lexer.input.at(position) == "#":
            alias: Attribute = self.parse_attribute()
            if not isinstance(alias, _LOCATIONS):
                self.raise_error("expected the alias of a location", position)
            return alias
        if self.parse_optional_keyword("fused") is not None:
            metadata: Attribute = NoneAttr()
            if self.parse_optional_punctuation("<") is not None:
                metadata = self.parse_attribute()
                self.parse_punctuation(">")
            parts = self.parse_comma_separated_list(self.Delimiter.SQUARE, self._parse_location)
            return FusedLoc(tuple(parts), metadata)
        name = self._parse_optional_name()
        if name is None:
            return super()._parse_location()
        if self.parse_optional_punctuation("(") is not None:
            child = self._parse_location()
            self.parse_punctuation(")")
            return NameLoc(StringAttr(name), child)
        if self.parse_optional_punctuation(":") is None:
            return NameLoc(StringAttr(name), NoneAttr())
        line = self.parse_integer(False, False)
        self.parse_punctuation(":")
        column = self.parse_integer(False, False)
        if self.parse_optional_keyword("to") is not None:
            self.parse_optional_integer(False, False)
            self.parse_punctuation(":")
            self.parse_integer(False, False)
        return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))

    def _parse_optional_name(self) -> str | None:
        """A string; letters outside of ASCII are bytes for xDSL, as MLIR prints them."""
        if (name := self.parse_optional_str_literal()) is not None:
            return name
        data = self.parse_optional_bytes_literal()
        return None if data is None else data.decode(errors="replace")
