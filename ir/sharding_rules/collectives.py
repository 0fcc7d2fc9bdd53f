"""Collectives that a program holds itself, between replicas or in manual computations with free axes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import Dim, RuleBuilder, sharding_rule
from .rule import FactorKind


@sharding_rule(
    stablehlo.AllReduceOp,
    stablehlo.CollectiveBroadcastOp,
    stablehlo.CollectivePermuteOp,
    stablehlo.CollectiveReduceOp,
    stablehlo.CrossReplicaSumOp,
)
def between_equals(op: Operation, rule: RuleBuilder) -> None:
    """Elements are exchanged with those at the same place."""
    _except(op, (), rule)


@sharding_rule(stablehlo.AllGatherOp)
def all_gather(op: stablehlo.AllGatherOp, rule: RuleBuilder) -> None:
    _except(op, (op.all_gather_dim.value.data,), rule)


@sharding_rule(stablehlo.ReduceScatterOp)
def reduce_scatter(op: stablehlo.ReduceScatterOp, rule: RuleBuilder) -> None:
    _except(op, (op.scatter_dimension.value.data,), rule)


@sharding_rule(stablehlo.AllToAllOp)
def all_to_all(op: stablehlo.AllToAllOp, rule: RuleBuilder) -> None:
    _except(op, (op.split_dimension.value.data, op.concat_dimension.value.data), rule)


def _except(op: Operation, changed: Sequence[int], rule: RuleBuilder) -> None:
    """Each operand goes with its result; the dimensions that change are whole in both."""
    count = len(op.results)
    nowhere: list[Dim] = [None] * count
    for number, (operand, result) in enumerate(zip(op.operands, op.results, strict=True)):
        before, after = shape_of(operand), shape_of(result)
        for dim in sorted(range(len(before)), key=lambda dim: changed.index(dim) if dim in changed else -1):
            here = [dim if other == number else None for other in range(count)]
            if dim in changed:
                rule.add(before[dim], here, nowhere, FactorKind.NEED_REPLICATION)
                rule.add(after[dim], nowhere, here, FactorKind.NEED_REPLICATION)
            else:
                rule.add(before[dim], here, here)
