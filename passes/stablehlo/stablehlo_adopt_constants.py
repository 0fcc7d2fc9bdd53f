"""`stablehlo-adopt-constants`: constants and casts of other dialects between ops of StableHLO become StableHLO's.

Compilers that write StableHLO leave `arith.constant` for constants and `tensor.cast` where a dimension becomes dynamic.
A cast is a conversion to the same element type, whose result may have other dynamic dimensions.

Needs: nothing. Leaves: no `arith.constant` of a tensor and no `tensor.cast`.

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
from xdsl.dialects.builtin import ModuleOp

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import is_tensor
from ...ir.pattern_pass import PatternPass
from ...ir.patterns import Pattern, Replacement, pattern, patterns_of_module
from ...ir.rewriter import Rewriter, rewrite_once


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


class StablehloAdoptConstantsPass(PatternPass):
    """Replaces `arith.constant` of tensors and `tensor.cast`. See the module's documentation."""

    name = "stablehlo-adopt-constants"

    def patterns(self) -> Sequence[Pattern]:
        return patterns_of_module(__name__)

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_once(op, self.rewrites(ctx), forwards=True)
