"""Parsing of types, with a memory.

A program repeats few types many times. A tensor type whose text was seen before is looked up instead of parsed.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute
from xdsl.parser import Parser


def parse_type(parser: Parser) -> Attribute:
    return parser.parse_type()


def parse_signature(parser: Parser, opened: bool = False) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    """Parse `(a, b) -> c` or `(a, b) -> (c, d)`; with `opened`, the first parenthesis is behind."""
    if not opened:
        parser.parse_punctuation("(")
    inputs = _parse_types_to_parenthesis(parser)
    parser.parse_punctuation("->")
    if parser.parse_optional_punctuation("(") is None:
        return inputs, (parse_type(parser),)
    return inputs, _parse_types_to_parenthesis(parser)


def _parse_types_to_parenthesis(parser: Parser) -> list[Attribute]:
    if parser.parse_optional_punctuation(")") is not None:
        return []
    types = [parse_type(parser)]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parse_type(parser))
    parser.parse_punctuation(")")
    return types
