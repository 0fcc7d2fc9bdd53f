"""Ops that combine or order elements along dimensions by a computation that they hold."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule, whole_if
from .rule import Combination, FactorKind


@sharding_rule(stablehlo.ReduceOp)
def reduce(op: stablehlo.ReduceOp, rule: RuleBuilder) -> None:
    """One factor per dimension of the inputs; initial values have none."""
    count, reduced = len(op.inputs), op.dimensions.get_values()
    initial = [None] * len(op.init_values)
    results = iter(range(len(shape_of(op.inputs[0]))))
    for dim, size in enumerate(shape_of(op.inputs[0])):
        operands = [*[dim] * count, *initial]
        if dim in reduced:
            rule.add(size, operands, [None] * count, FactorKind.REDUCTION, combination=Combination.BODY)
        else:
            rule.add(size, operands, [next(results)] * count)


@sharding_rule(stablehlo.SortOp)
def sort(op: stablehlo.SortOp, rule: RuleBuilder) -> None:
    """The sorted dimension is gathered; its sharding is propagated where another dimension can take it."""
    shape = shape_of(op.inputs[0])
    along = op.dimension.value.data % len(shape) if shape else 0
    is_alone = all(dim == along or size == 1 for dim, size in enumerate(shape))
    rule.pointwise(shape, lambda dim: whole_if(dim == along), lambda dim: dim == along and is_alone)


@sharding_rule(chlo.TopKOp)
def top_k(op: Operation, rule: RuleBuilder) -> None:
    """Values and their places, the greatest along a dimension."""
    shape, kept = shape_of(op.operands[0]), shape_of(op.results[0])
    rule.with_whole(shape, lambda dim: shape[dim] != kept[dim])
