"""`stablehlo-simplify`: algebra that needs no values.

Removes ops that do nothing and rewrites ops into cheaper ones that give the same result for every
input, then merges equal computations and deletes dead ones. What an op is equal to without a new op
(an operand, a splat) the dialect knows (`dialects/stablehlo/folding.py`); the patterns that need new
ops are in the files `simplify_*.py` next to this one, by subject:

- shapes: chains of reshapes, transposes, broadcasts, slices, reverses and concatenations; what only
  adds or removes dimensions of size 1 is a `reshape`;
- transposes: behind elementwise ops that products and reductions read, which take any order;
- elementwise: conversions of conversions, division by powers of 2, small powers;
- repetitions: what is computed of repeated elements is computed once;
- indexing: gathers, scatters and dynamic slices that are slices;
- gathers at places that are known: slices and repetitions; of transposes: from what was transposed;
- reductions: dimensions of size 1;
- control flow: values that loops carry in vain, branches chosen by a constant.

Needs: any StableHLO of static shapes; where a function computes values of bounded size, or some
that are quantised along a dimension, equal ops are merged and dead ones deleted there, and no
more. Leaves: StableHLO. Nothing here rounds differently, and nothing is materialised: a splat
constant of any size is one element.

    %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
    %2 = stablehlo.divide %1, %four : tensor<8x4xf32>

becomes, where `%four` is the constant 4,

    %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.multiply %0, %quarter : tensor<8x4xf32>

The patterns are the common ones of XLA's AlgebraicSimplifier and of StableHLO's aggressive
simplification, kept to those that are exact. One worklist applies them all: each op is visited
once, and again only when something it depends on has changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.editing import walk
from ...dialects.quant import UniformQuantizedType
from ...dialects.shared_attributes import cached_by_identity
from ...dialects.stablehlo.bounds import bounds_of
from ...dialects.stablehlo.fold_rules import Rule
from ...dialects.stablehlo.folding import IDENTITIES
from ...dialects.stablehlo.shapes import is_tensor
from ...ir.pattern_pass import WorklistPass
from ...ir.patterns import Pattern, name_of, patterns_of_module
from ...ir.rewriter import Rewriter, Rewrites
from . import (
    simplify_control_flow,
    simplify_elementwise,
    simplify_gathers,
    simplify_indexing,
    simplify_reductions,
    simplify_repetitions,
    simplify_shapes,
    simplify_transposes,
)
from .common_subexpressions import eliminate_common_subexpressions, eliminate_dead_ops

_SUBJECTS = (
    simplify_shapes,
    simplify_transposes,
    simplify_elementwise,
    simplify_repetitions,
    simplify_indexing,
    simplify_gathers,
    simplify_reductions,
    simplify_control_flow,
)


def _fold(rule: Rule, op_type: type[Operation]) -> Pattern:
    """The pattern that replaces an op by the operand or the splat that it is equal to by a rule of the dialect."""

    def fold(op: Operation, rewriter: Rewriter) -> SSAValue | None:
        found = rule(op)
        if found is None or found.type != op.results[0].type:
            return None
        if isinstance(found, SSAValue):
            return found
        return rewriter.emit(stablehlo.ConstantOp, (), found.type, {"value": found})

    fold.__doc__ = rule.__doc__
    return Pattern(fold, (op_type,), f"fold-{name_of(rule)}", benefit=2)


PATTERNS: Sequence[Pattern] = (
    *(_fold(rule, op_type) for op_type, rules in IDENTITIES.items() for rule in rules),
    *(pattern for module in _SUBJECTS for pattern in patterns_of_module(module.__name__)),
)


class StablehloSimplifyPass(WorklistPass):
    """Simplify every function. See the module's documentation."""

    name = "stablehlo-simplify"

    def patterns(self) -> Sequence[Pattern]:
        return PATTERNS

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp):
                simplify(function, self.rewrites(ctx))


@cached_by_identity
def _is_plain(type: Attribute) -> bool:
    """Whether its dimensions may be moved without a change of anything else that it says."""
    if not is_tensor(type):
        return True
    element_type = type.element_type
    return not bounds_of(type) and (not isinstance(element_type, UniformQuantizedType) or element_type.axis is None)


def simplify(function: Operation, rewrites: Rewrites) -> None:
    """Apply the patterns to the ops in `function`, merge equal ops and delete dead ones."""
    ops = [op for region in function.regions for op in walk(region)]
    if all(_is_plain(value.type) for op in ops for value in op.results):
        Rewriter(rewrites).run(ops)
    for region in function.regions:
        for block in region.blocks:
            eliminate_common_subexpressions(block)
            eliminate_dead_ops(block)
