"""A pattern as someone writes it who knows only xDSL."""

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl_xla.dialects import stablehlo


class ProductOfSum(RewritePattern):
    """`x + x` as `x * x`: wrong, and easy to see."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.AddOp, rewriter: PatternRewriter) -> None:
        if op.operands[0] is op.operands[1]:
            rewriter.replace(op, stablehlo.MulOp.create(operands=op.operands, result_types=op.result_types))
