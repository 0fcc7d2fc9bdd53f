"""Ops that combine or order elements along dimensions by a computation that they hold."""

from __future__ import annotations

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import Combination, FactorKind, ShardingRule


@sharding_rule(stablehlo.ReduceOp)
def reduce(op: stablehlo.ReduceOp) -> ShardingRule:
    """One factor per dimension of the inputs; initial values have none."""
    count, reduced = len(op.inputs), op.dimensions.get_values()
    initial = [None] * len(op.init_values)
    results = iter(range(len(shape_of(op.inputs[0]))))
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.inputs[0])):
        operands = [*[dim] * count, *initial]
        if dim in reduced:
            builder.add(size, operands, [None] * count, FactorKind.REDUCTION, combination=Combination.BODY)
        else:
            builder.add(size, operands, [next(results)] * count)
    return builder.rule()


@sharding_rule(stablehlo.SortOp)
def sort(op: stablehlo.SortOp) -> ShardingRule:
    """The sorted dimension is gathered; its sharding is propagated where another dimension can take it."""
    shape = shape_of(op.inputs[0])
    along = op.dimension.value.data % len(shape) if shape else 0
    is_alone = all(dim == along or size == 1 for dim, size in enumerate(shape))
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape):
        if dim == along:
            builder.add_everywhere(dim, size, FactorKind.NEED_REPLICATION, is_blocked=is_alone)
        else:
            builder.add_everywhere(dim, size)
    return builder.rule()


@sharding_rule(chlo.TopKOp)
def top_k(op: chlo.TopKOp) -> ShardingRule:
    shape = shape_of(op.operand)
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape):
        if dim < len(shape) - 1 or size == shape_of(op.values)[dim]:
            builder.add_everywhere(dim, size)
        else:
            builder.add_everywhere(dim, size, FactorKind.NEED_REPLICATION, is_blocked=True)
    return builder.rule()


@sharding_rule(chlo.ScanOp)
def scan(op: chlo.ScanOp) -> ShardingRule | None:
    """Decomposed before devices matter."""
    return None
