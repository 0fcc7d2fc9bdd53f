"""A parser that reads dense constants bit for bit, wherever they stand (MLIR's language reference, "Attributes").

xDSL's parser takes `dense<0xFF800000> : tensor<f32>` for the number 4286578688; here it is minus infinity, as upstream.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.parser import Parser

from .dense_syntax import parse_dense_body


class DenseLiteralParser(Parser):
    """A parser whose dense constants are those of `dense_syntax`."""

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        return parse_dense_body(self, type)
