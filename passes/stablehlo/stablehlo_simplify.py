"""`stablehlo-simplify`: algebra that needs no values.

Removes ops that do nothing and rewrites ops into cheaper ones that give the same result for every
input, then merges equal computations and deletes dead ones. What an op is equal to without a new op
(an operand, a splat) the dialect knows (`dialects/stablehlo/folding.py`); the rules that need new
ops are in the files `simplify_*.py` next to this one, by subject:

- shapes: chains of reshapes, transposes, broadcasts, slices, reverses and concatenations; what only
  adds or removes dimensions of size 1 is a `reshape`;
- elementwise: conversions of conversions, division by powers of 2, small powers;
- indexing: gathers, scatters and dynamic slices that are slices;
- reductions: dimensions of size 1;
- control flow: values that loops carry in vain, branches chosen by a constant.

Needs: any StableHLO of static shapes. Leaves: StableHLO. Nothing here rounds differently, and
nothing is materialised: a splat constant of any size is one element.

    %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %2 = stablehlo.divide %1, %four : tensor<8x4xf32>

becomes, where `%four` is the constant 4,

    %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.multiply %0, %quarter : tensor<8x4xf32>

The rules are the common ones of XLA's AlgebraicSimplifier and of StableHLO's aggressive
simplification, kept to those that are exact. One worklist applies them all: each op is visited
once, and again only when something it depends on has changed.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.editing import walk
from ...dialects.stablehlo.folding import IDENTITIES
from . import (
    simplify_control_flow,
    simplify_elementwise,
    simplify_indexing,
    simplify_reductions,
    simplify_shapes,
)
from .common_subexpressions import eliminate_common_subexpressions, eliminate_dead_ops
from .rewriting import Rewriter, Rules, fold_identity

_REWRITES: Rules = {
    **simplify_shapes.RULES,
    **simplify_elementwise.RULES,
    **simplify_indexing.RULES,
    **simplify_reductions.RULES,
    **simplify_control_flow.RULES,
}

RULES: Rules = {**_REWRITES, **{op: (fold_identity, *_REWRITES.get(op, ())) for op in IDENTITIES}}


class StablehloSimplifyPass(ModulePass):
    """Simplify every function. See the module's documentation."""

    name = "stablehlo-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                simplify(function)


def simplify(function: Operation) -> None:
    """Apply all rules to the ops in `function`, merge equal ops and delete dead ones."""
    Rewriter(RULES).run(op for region in function.regions for op in walk(region))
    for region in function.regions:
        for block in region.blocks:
            eliminate_common_subexpressions(block)
            eliminate_dead_ops(block)
