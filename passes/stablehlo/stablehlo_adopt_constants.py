"""`stablehlo-adopt-constants`: constants and casts of other dialects between ops of StableHLO become StableHLO's.

Compilers that write StableHLO leave `arith.constant` for constants, `tensor.cast` where a dimension becomes dynamic,
`tensor.collapse_shape` and `tensor.expand_shape` for reshapes, and `tensor.empty`, whose elements may be any: they are
zero here. A cast is a conversion to the same element type, whose result may have other dynamic dimensions.

Needs: nothing. Leaves: no `arith.constant` of a tensor, no `tensor.cast`, and the others only of dynamic shapes.

    %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
    %1 = tensor.cast %0 : tensor<2xi32> to tensor<?xi32>

becomes

    %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %1 = stablehlo.convert %0 : (tensor<2xi32>) -> tensor<?xi32>
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import ModuleOp, NoneAttr
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import element_type_of, is_tensor, shape_of
from ...ir.pattern_pass import PatternPass
from ...ir.patterns import Pattern, Replacement, pattern, patterns_of_module
from ...ir.rewriter import Rewriter, rewrite_once
from ...ir.tensor_builder import PatternBuilder


@pattern
def cast_to_convert(op: tensor.CastOp, rewriter: Rewriter) -> Replacement:
    """A cast is a conversion to the same element type."""
    return rewriter.emit(stablehlo.ConvertOp, tuple(op.operands), op.results[0].type)


@pattern
def constant_of_tensor(op: arith.ConstantOp, rewriter: Rewriter) -> Replacement:
    """A constant of a tensor is StableHLO's."""
    value = op.properties.get("value")
    if value is None or not is_tensor(op.results[0].type):
        return None
    return rewriter.emit(stablehlo.ConstantOp, (), op.results[0].type, {"value": value})


def _is_static(type: Attribute) -> bool:
    return is_tensor(type) and type.has_static_shape() and isinstance(type.encoding, NoneAttr)


@pattern
def reshape_of_static(op: tensor.CollapseShapeOp | tensor.ExpandShapeOp, rewriter: Rewriter) -> Replacement:
    """Dimensions that are joined or split are a reshape, where all sizes are known."""
    if not all(_is_static(value.type) for value in (op.operands[0], op.results[0])):
        return None
    return rewriter.emit(stablehlo.ReshapeOp, (op.operands[0],), op.results[0].type)


@pattern
def zeros_of_empty(op: tensor.EmptyOp, rewriter: Rewriter) -> Replacement:
    """A tensor of any elements is one of zeros."""
    result = op.results[0]
    if not _is_static(result.type):
        return None
    return PatternBuilder(rewriter).splat(element_type_of(result), shape_of(result), 0).value


class StablehloAdoptConstantsPass(PatternPass):
    """Replaces `arith.constant` of tensors, `tensor.cast` and the like. See the module's documentation."""

    name = "stablehlo-adopt-constants"

    def patterns(self) -> Sequence[Pattern]:
        return patterns_of_module(__name__)

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_once(op, self.rewrites(ctx), forwards=True)
