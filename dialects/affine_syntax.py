"""Indices of `affine.load` and the like as upstream reads them: values are dimensions, `symbol(%n)` are symbols.

xDSL 0.74 makes symbols of all, which the verifier upstream refuses for induction variables.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind


class AffineIndexParser(Parser):
    """A parser that tells dimensions from symbols."""

    def parse_affine_map_of_ssa_ids(self) -> tuple[AffineMap, Sequence[SSAValue[IndexType]]]:
        """`[%i + 4, %j * symbol(%n)]`: the map, and its operands, dimensions first."""
        map, spans = _AffineIndices(self._parser_state).parse_affine_map_of_ssa_ids()
        return map, [self.resolve_operand(UnresolvedOperand(span, 0), IndexType()) for span in spans]


class _AffineIndices(AffineParser):
    def parse_affine_map_of_ssa_ids(self) -> tuple[AffineMap, Sequence[Span]]:
        dimensions: dict[str, Span] = {}
        symbols: dict[str, Span] = {}

        def number(token: Span, known: dict[str, Span]) -> int:
            known.setdefault(token.text, token)
            return list(known).index(token.text)

        def value() -> AffineExpr | None:
            if self.parse_optional_keyword("symbol") is not None:
                self.parse_punctuation("(")
                token = self._parse_token(MLIRTokenKind.PERCENT_IDENT, "expected a value")
                self.parse_punctuation(")")
                return AffineExpr.symbol(number(token.span, symbols))
            token = self._parse_optional_token(MLIRTokenKind.PERCENT_IDENT)
            return None if token is None else AffineExpr.dimension(number(token.span, dimensions))

        results = self.parse_comma_separated_list(self.Delimiter.SQUARE, lambda: self._parse_affine_expr(value))
        return AffineMap(len(dimensions), len(symbols), tuple(results)), [*dimensions.values(), *symbols.values()]
