"""Tokens of MLIR for `fast_parser.py`: one match of a regular expression each, and few calls to look at one."""

from __future__ import annotations

import re

from xdsl.parser import Parser
from xdsl.utils.lexer import Input, Position, Span, Token
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRLexer,
    MLIRToken,
    MLIRTokenKind,
    PunctuationSpelling,
)

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

_KINDS = (
    MLIRTokenKind.EOF,
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.PERCENT_IDENT,
    None,
    MLIRTokenKind.FLOAT_LIT,
    MLIRTokenKind.INTEGER_LIT,
)
"""By group of `_TOKEN`; punctuation is looked up by its text."""


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
    """The lexer of MLIR, one match per token."""

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
        kind = _KINDS[group] or KIND_BY_PUNCTUATION_SPELLING[text]  # pyright: ignore[reportArgumentType]
        return _FastToken(kind, FastSpan(start, end, input), text)


class TokenParser(Parser):
    """A parser whose methods for single tokens do not go through one another."""

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
