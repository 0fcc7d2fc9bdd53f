"""`dense_resource<name> : type`: dense constants whose bytes stand at the end of the file (MLIR's language reference).

    %0 = stablehlo.constant dense_resource<weights> : tensor<2xf32>
    ...
    {-#
      dialect_resources: { builtin: { weights: "0x040000000000803F00000040" } }
    #-}

The first four bytes of a resource are its alignment, the others the elements, least significant byte first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, TensorType, VectorType
from xdsl.ir import Attribute

from ..properties import cached_property
from .dense import attribute_of_bytes
from .dense_literals import DenseLiteralParser

ALIGNMENT_BYTES = 4

_RESOURCE = re.compile(r'(?:(?<![\w.$-])([\w.$-]++)|"([^"\n]*+)")\s*+:\s*+"0x([0-9A-Fa-f]*+)"')


class DenseResourceParser(DenseLiteralParser):
    """A parser that reads resources as the dense constants they are."""

    made_up: Callable[[TensorType[Attribute], int], DenseIntOrFPElementsAttr] | None = None
    """What makes up a constant that the text leaves out, from its type and place; without it that is an error."""

    @cached_property
    def _resources(self) -> dict[str, str]:
        """The resources of the file by name, in hexadecimal."""
        text = self._parser_state.lexer.input.content
        start = text.rfind("{-#")
        found = _RESOURCE.finditer(text, start) if start >= 0 else ()
        return {match[1] or match[2]: match[3] for match in found}

    def parse_optional_dense_resource(self) -> DenseIntOrFPElementsAttr | None:
        """Parse `dense_resource<name> : type`, if that is what follows."""
        if self.parse_optional_keyword("dense_resource") is None:
            return None
        return self._parse_builtin_dense_resource_attr()

    def _parse_builtin_dense_resource_attr(self) -> Any:
        start = self.pos
        self.parse_punctuation("<", " in dense_resource attribute")
        name = self.parse_optional_str_literal() or self.parse_identifier(" for resource handle")
        self.parse_punctuation(">", " in dense_resource attribute")
        self.parse_punctuation(":", " in dense_resource attribute")
        parsed = self.parse_type()
        if not isinstance(parsed, TensorType | VectorType) or DYNAMIC_INDEX in parsed.get_shape():
            self.raise_error(f"a dense resource has a tensor type of static shape, not {parsed}", start)
        type = cast(Any, parsed)
        digits = self._resources.get(name)
        if digits is None:
            if self.made_up is not None and isinstance(parsed, TensorType):
                return self.made_up(type, start)
            self.raise_error(
                f"the file does not hold the resource '{name}'; was it printed without its data? --fill-elided makes up"
                " values",
                start,
            )
        size = math.prod(type.get_shape()) * type.element_type.compile_time_size
        if len(digits) != 2 * (ALIGNMENT_BYTES + size):
            given = len(digits) / 2 - ALIGNMENT_BYTES
            self.raise_error(f"the resource '{name}' has {given:g} bytes, {type} takes {size}", start)
        return attribute_of_bytes(type, bytes.fromhex(digits[2 * ALIGNMENT_BYTES :]))

    def _parse_file_metadata_dictionary(self) -> None:
        """Pass over the resources: those that are used are found by name, all others have no meaning here."""
        state = self._parser_state
        end = state.lexer.input.content.find("#-}", state.current_token.span.end)
        if end < 0:
            self.raise_error("file metadata without its end, '#-}'", state.current_token.span.start)
        state.lexer.pos = end + len("#-}")
        state.current_token = state.lexer.lex()
