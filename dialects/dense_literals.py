"""Reading dense constants exactly: a hexadecimal float is a bit pattern (MLIR's language reference, "Attributes").

xDSL's parser takes `dense<0xFF800000> : tensor<f32>` for the number 4286578688; here it is minus infinity, as upstream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat, ComplexType
from xdsl.parser import Parser
from xdsl.parser.attribute_parser import AttrParser
from xdsl.utils.lexer import Span


class BitPattern(int):
    """An integer literal written in hexadecimal."""

    def as_float(self, type: AnyFloat) -> float:
        """The float whose bits these are; raises ValueError where there are too many of them."""
        return next(iter(type.iter_unpack(int(self).to_bytes(type.compile_time_size, "little"))))


class DenseLiteralParser(Parser):
    """A parser whose tensor literals may hold hexadecimal floats, also as parts of complex numbers."""

    @dataclass
    class _TensorLiteralElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
        def to_type(self, parser: AttrParser, type: Any) -> Any:
            element = type.element_type if isinstance(type, ComplexType) else type
            if isinstance(element, AnyFloat):
                try:
                    if isinstance(self.value, BitPattern):
                        return self.value.as_float(element)
                    if isinstance(self.value, tuple):
                        parts = cast(tuple[Any, Any], self.value)
                        return tuple(p.as_float(element) if isinstance(p, BitPattern) else float(p) for p in parts)
                except OverflowError:
                    parser.raise_error(f"hexadecimal float does not fit {element}", at_position=self.span)
            return super().to_type(parser, type)

    def _parse_optional_bool_int_or_float(self) -> Any:
        parsed = super()._parse_optional_bool_int_or_float()
        if parsed is not None and isinstance(parsed[0], int) and not isinstance(parsed[0], bool):
            value, span = parsed
            if span.text[:2] in ("0x", "0X"):
                return BitPattern(value), span
        return parsed

    def _parse_optional_complex(self) -> Any:
        start = self._current_token.span.start
        if self.parse_optional_punctuation("(") is None:
            return None
        real, _ = self._parse_bool_int_or_float()
        self.parse_punctuation(",")
        imag, _ = self._parse_bool_int_or_float()
        self.parse_punctuation(")")
        return (real, imag), Span(start, self._current_token.span.start, self.lexer.input)
