"""Tokens of MLIR: one match of a regular expression each, and few calls to look at one.

`TokenParser` is the parser for any text that comes from outside: xDSL's own lexer takes exponential time to refuse
a text in quotes that is never closed.
"""

from __future__ import annotations

import re
from typing import NoReturn

from xdsl.context import Context
from xdsl.parser import Parser, ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Position, Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRLexer,
    MLIRToken,
    MLIRTokenKind,
    PunctuationSpelling,
)

from .limits import LARGEST_SIZE, MOST_DIMENSIONS

_TOKEN = re.compile(
    r"(?:[ \t\n\r\f\v]++|//[^\n]*+)*+"
    r"(?:([a-zA-Z_][a-zA-Z0-9_$.]*)"
    r"|(%(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))"
    r"|(->|[:,()}\[\]<>=+/*?|]|-(?!>)|\{(?!-#))"
    r"|([0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)"
    r"|(0x[0-9a-fA-F]+|[0-9]+))"
)
"""Blanks and comments, then the most frequent tokens; the group that matches tells the kind.

The quantifiers of the first line are possessive: a comment must not be given back to be read as a token.
"""

_INTEGER = 5
"""The group of integers."""

_KINDS = (
    MLIRTokenKind.EOF,
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.PERCENT_IDENT,
    None,
    MLIRTokenKind.FLOAT_LIT,
    MLIRTokenKind.INTEGER_LIT,
)
"""By group of `_TOKEN`; punctuation is looked up by its text."""


_STRING = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')
"""A text in quotes, with the escapes that MLIR knows."""

_UNFINISHED_STRING = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+')

_SIZES = re.compile(r"(?:[0-9]++x)++")

MOST_DIGITS = 3500
"""Of an integer in a text. Python refuses to print numbers of more than 4300 decimal digits."""


class FastSpan(Span[str]):
    """A span that skips the checks of a frozen dataclass."""

    def __init__(self, start: Position, end: Position, input: Input) -> None:
        values = self.__dict__
        values["start"] = start
        values["end"] = end
        values["input"] = input
        values["line_offset"] = 0


class _FastToken(Token[MLIRTokenKind, str]):
    """A token that knows its text."""

    text = ""  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

    def __init__(self, kind: MLIRTokenKind, span: FastSpan, text: str) -> None:
        self.kind = kind
        self.span = span
        self.__dict__["text"] = text


class FastLexer(MLIRLexer):
    """The lexer of MLIR, one match per token.

    Any token, and any text that is none, is told in a time linear in its length.
    """

    _unescaped_characters_regex = _STRING

    def lex(self) -> MLIRToken:
        input = self.input
        match = _TOKEN.match(input.content, self.pos)
        if match is None:
            return super().lex()
        group = match.lastindex
        assert group is not None
        start, end = match.span(group)
        self.pos = end
        text = match[group]
        if group == _INTEGER and end - start > MOST_DIGITS:
            self._raise(f"an integer of {end - start} digits; at most {MOST_DIGITS} are read", start, end)
        kind = _KINDS[group] or KIND_BY_PUNCTUATION_SPELLING[text]  # pyright: ignore[reportArgumentType]
        return _FastToken(kind, FastSpan(start, end, input), text)

    def _raise(self, message: str, start: Position, end: Position) -> NoReturn:
        raise ParseError(FastSpan(start, end, self.input), message)

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        text = self.input.content
        if _STRING.match(text, start_pos) is None:
            unfinished = _UNFINISHED_STRING.match(text, start_pos)
            end = start_pos + 1 if unfinished is None else unfinished.end()
            if text.startswith("\\", end):
                self._raise(f"unknown escape {text[end : end + 2]!r} in a string literal", end, end + 2)
            self._raise("string literal without its closing quote", start_pos, end)
        return super()._lex_string_literal(start_pos)

    def _lex_prefixed_ident(self, start_pos: Position) -> MLIRToken:
        text = self.input.content
        if self._suffix_id.match(text, start_pos + 1) is None:
            self._raise(f"expected a name after '{text[start_pos]}'", start_pos, start_pos + 1)
        return super()._lex_prefixed_ident(start_pos)


class TokenParser(Parser):
    """A parser whose methods for single tokens do not go through one another. `line_offset` counts the lines before
    `input` in the file.
    """

    line_offset = 0

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>") -> None:
        super().__init__(ctx, "", name)
        text = input.decode("utf-8") if isinstance(input, bytes) else input
        self._parser_state = ParserState(FastLexer(Input(text, name)))

    def parse_shape_dimension(self, allow_dynamic: bool = True) -> int:
        start = self._parser_state.current_token.span.start
        sizes = _SIZES.match(self._parser_state.lexer.input.content, start)
        if sizes is not None and (rank := sizes[0].count("x")) > MOST_DIMENSIONS:
            # Before xDSL reads them: it reads the rest of the word again for each.
            self.raise_error(f"{rank} dimensions; there are at most {MOST_DIMENSIONS}", start, sizes.end())
        size = super().parse_shape_dimension(allow_dynamic)
        if size > LARGEST_SIZE:
            self.raise_error(f"the size {size} is beyond 64 bits", start)
        return size

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> MLIRToken:
        state = self._parser_state
        token = state.current_token
        assert expected_kind is None or token.kind is expected_kind
        state.current_token = state.lexer.lex()
        return token

    def _parse_optional_token(self, expected_kind: MLIRTokenKind) -> MLIRToken | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not expected_kind:
            return None
        state.current_token = state.lexer.lex()
        return token

    def parse_optional_characters(self, text: str) -> str | None:
        state = self._parser_state
        if state.current_token.text != text:
            return None
        state.current_token = state.lexer.lex()
        return text

    def parse_optional_keyword(self, keyword: str) -> str | None:
        state = self._parser_state
        token = state.current_token
        if token.kind is not MLIRTokenKind.BARE_IDENT or token.text != keyword:
            return None
        state.current_token = state.lexer.lex()
        return keyword

    def parse_optional_punctuation(self, punctuation: PunctuationSpelling) -> PunctuationSpelling | None:
        state = self._parser_state
        if state.current_token.kind is not KIND_BY_PUNCTUATION_SPELLING[punctuation]:
            return None
        state.current_token = state.lexer.lex()
        return punctuation

    def parse_punctuation(self, punctuation: PunctuationSpelling, context_msg: str = "") -> PunctuationSpelling:
        if self.parse_optional_punctuation(punctuation) is None:
            return super().parse_punctuation(punctuation, context_msg)
        return punctuation
