"""Patterns as someone writes them who knows only xDSL: each with another part of its interface."""

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, f32, f64, i32
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    TypeConversionPattern,
    attr_type_rewrite_pattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint
from xdsl_xla.dialects import stablehlo


class SumToProduct(RewritePattern):
    """`x + x` as `x * x`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.AddOp, rewriter: PatternRewriter) -> None:
        if op.lhs is op.rhs:
            rewriter.replace(op, stablehlo.MulOp.create(operands=op.operands, result_types=op.result_types))


class OperandItself(RewritePattern):
    """The value of an op without a new op."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.AbsOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, (), op.operands)


class TwoNewOps(RewritePattern):
    """`x - y` as `x + -y`: several ops, the last of which has the result."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.SubtractOp, rewriter: PatternRewriter) -> None:
        negated = stablehlo.NegOp.create(operands=[op.rhs], result_types=op.result_types)
        total = stablehlo.AddOp.create(operands=[op.lhs, negated.results[0]], result_types=op.result_types)
        rewriter.replace(op, [negated, total])


class EitherRounding(RewritePattern):
    """A union of classes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.CeilOp | stablehlo.FloorOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, stablehlo.RoundOp.create(operands=op.operands, result_types=op.result_types))


class InsertThenErase(RewritePattern):
    """Inserts, lets users use the new value, and erases, one by one."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.SineOp, rewriter: PatternRewriter) -> None:
        new = rewriter.insert(stablehlo.CosineOp.create(operands=op.operands, result_types=op.result_types))
        rewriter.replace_all_uses_with(op.results[0], new.results[0])
        rewriter.erase(op)


class InPlace(RewritePattern):
    """Changes an attribute and says so."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.TanhOp, rewriter: PatternRewriter) -> None:
        if "seen" not in op.attributes:
            op.attributes["seen"] = StringAttr("yes")
            rewriter.notify_op_modified(op)


class BehindTheOp(RewritePattern):
    """Inserts behind the op, for some of its users."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.ExpOp, rewriter: PatternRewriter) -> None:
        if "guarded" in op.attributes:
            return
        op.attributes["guarded"] = IntegerAttr(1, i32)
        guard = stablehlo.AbsOp.create(operands=op.results, result_types=op.result_types)
        guard.attributes["guard"] = IntegerAttr(1, i32)
        rewriter.insertion_point = InsertPoint.after(op)
        rewriter.insert(guard)
        rewriter.replace_uses_with_if(op.results[0], guard.results[0], lambda use: use.operation is not guard)


class AnyOp(RewritePattern):
    """Looks at every op by its name."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if op.name == "stablehlo.logistic":
            rewriter.replace(op, stablehlo.TanhOp.create(operands=op.operands, result_types=op.result_types))


class InlinedBranch(RewritePattern):
    """Moves the ops of a region."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: stablehlo.IfOp, rewriter: PatternRewriter) -> None:
        block = op.regions[0].block
        terminator = block.last_op
        assert terminator is not None
        values = list(terminator.operands)
        rewriter.erase(terminator)
        rewriter.inline_block(block, InsertPoint.before(op))
        rewriter.replace(op, (), values)


class WiderConstants(TypeConversionPattern):
    """Types and attributes of f32 constants become those of f64."""

    def __init__(self) -> None:
        super().__init__(ops=(stablehlo.Log1pOp,))

    @attr_type_rewrite_pattern
    def convert_type(self, typ: TensorType[Attribute]) -> Attribute | None:
        return TensorType(f64, typ.get_shape()) if typ.element_type == f32 else None
