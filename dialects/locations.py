"""Locations as upstream prints them with debug information.

Beyond xDSL's parser: aliases `#loc7 = loc(...)` may be defined after their use, as upstream's printer puts
them; a range `loc("model.py":7:2 to :54)` is read as its first position; fused locations may carry metadata.
"""

from __future__ import annotations

import re

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
_LOCATIONS = (UnknownLoc, FileLineColLoc, CallSiteLoc, NameLoc, FusedLoc)


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
        pending = list(_DEFINITION.finditer(source))
        while pending:
            postponed = [match for match in pending if not self._try_define(match)]
            if len(postponed) == len(pending):
                break  # The errors come up when the definitions are parsed in their place.
            pending = postponed
        if self._early_aliases:
            self._resume_from(start)

    def _try_define(self, definition: re.Match[str]) -> bool:
        """Define one alias; not yet if it refers to one that is not defined."""
        try:
            self._resume_from(definition.end())
            location = self.parse_optional_location()
        except ParseError:
            return False
        if location is None or definition[1] in self._early_aliases:
            return True
        self._early_aliases.add(definition[1])
        self.attribute_aliases[definition[1]] = location
        return True

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
        name = self.parse_optional_str_literal()
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
