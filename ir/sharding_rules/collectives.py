"""Collectives that a program holds itself, between replicas or in manual computations with free axes."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .elementwise import pointwise
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(
    stablehlo.AllReduceOp,
    stablehlo.CollectiveBroadcastOp,
    stablehlo.CollectivePermuteOp,
    stablehlo.CollectiveReduceOp,
    stablehlo.CrossReplicaSumOp,
)
def between_equals(op: Operation) -> ShardingRule | None:
    """Elements are exchanged with those at the same place: each operand goes with its result."""
    if len(op.operands) == 1:
        return pointwise(op)
    builder = RuleBuilder(op)
    count = len(op.operands)
    for number, operand in enumerate(op.operands):
        for dim, size in enumerate(shape_of(operand)):
            dims = [dim if other == number else None for other in range(count)]
            builder.add(size, dims, dims)
    return builder.rule()


@sharding_rule(stablehlo.AllGatherOp)
def all_gather(op: stablehlo.AllGatherOp) -> ShardingRule:
    return _except(op, [op.all_gather_dim.value.data])


@sharding_rule(stablehlo.ReduceScatterOp)
def reduce_scatter(op: stablehlo.ReduceScatterOp) -> ShardingRule:
    return _except(op, [op.scatter_dimension.value.data])


@sharding_rule(stablehlo.AllToAllOp)
def all_to_all(op: stablehlo.AllToAllOp) -> ShardingRule:
    return _except(op, dict.fromkeys([op.split_dimension.value.data, op.concat_dimension.value.data]))


def _except(op: Operation, changed: Iterable[int]) -> ShardingRule:
    """The dimensions that change are whole, of operands and of results."""
    operand, result = shape_of(op.operands[0]), shape_of(op.results[0])
    builder = RuleBuilder(op)
    builder.pointwise(operand, only=lambda dim: dim not in changed)
    for dim in changed:
        builder.add_everywhere(dim, operand[dim], FactorKind.NEED_REPLICATION, of_results=False)
        builder.add_everywhere(dim, result[dim], FactorKind.NEED_REPLICATION, of_operands=False)
    return builder.rule()
