"""Parsing of types, with a memory.

A program repeats few types many times, and xDSL's parser spends most of its time on them. Types and
whole signatures whose text was seen before are looked up instead of parsed. Only texts that mean
the same in every context are kept: no aliases, no types of other dialects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import Attribute
from xdsl.parser import Parser

Signature = tuple[Sequence[Attribute], Sequence[Attribute]]

T = TypeVar("T")

_CAPACITY = 10_000
_types: dict[str, Attribute] = {}
_signatures: dict[str, Signature] = {}


def parse_type(parser: Parser) -> Attribute:
    """Parse a type."""
    start, source = parser.pos, _source(parser)
    if not source.startswith("tensor<", start):
        return parser.parse_type()
    end = source.find(">", start) + 1
    if source.startswith(">", end):  # tensor<2xcomplex<f32>>
        end += 1
    text = source[start:end]
    known = _types.get(text)
    if known is not None:
        _resume(parser, end)
        return known
    type = parser.parse_type()
    if _is_context_free(text) and text.count("<") == text.count(">"):
        _remember(_types, text, type)
    return type


def parse_signature(parser: Parser, opened: bool = False) -> Signature:
    """Parse `(a, b) -> c` or `(a, b) -> (c, d)`; with `opened`, the first parenthesis is behind."""
    if not opened:
        start, source = parser.pos, _source(parser)
        end = source.find("\n", start)
        text = source[start : end if end >= 0 else None].rstrip()
        known = _signatures.get(text)
        if known is not None:
            _resume(parser, start + len(text))
            return known
        parser.parse_punctuation("(")
        signature = _parse_opened_signature(parser)
        if _is_context_free(text) and source[start : parser.pos].rstrip() == text:
            _remember(_signatures, text, signature)
        return signature
    return _parse_opened_signature(parser)


def _parse_opened_signature(parser: Parser) -> Signature:
    inputs = _parse_types_to_parenthesis(parser)
    parser.parse_punctuation("->")
    if parser.parse_optional_punctuation("(") is None:
        return inputs, (parse_type(parser),)
    return inputs, _parse_types_to_parenthesis(parser)


def _parse_types_to_parenthesis(parser: Parser) -> Sequence[Attribute]:
    if parser.parse_optional_punctuation(")") is not None:
        return ()
    types = [parse_type(parser)]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parse_type(parser))
    parser.parse_punctuation(")")
    return tuple(types)


def _source(parser: Parser) -> str:
    content = parser.lexer.input.content
    assert isinstance(content, str)
    return content


def _resume(parser: Parser, position: int) -> None:
    """Go on parsing at `position`."""
    parser._resume_from(position)  # pyright: ignore[reportPrivateUsage]


def _is_context_free(text: str) -> bool:
    return "#" not in text and "!" not in text


def _remember(memory: dict[str, T], text: str, value: T) -> None:
    if len(memory) >= _CAPACITY:
        memory.clear()
    memory[text] = value
