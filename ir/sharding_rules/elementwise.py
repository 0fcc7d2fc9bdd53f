"""Ops that compute each element of their results from the elements at the same place of their operands."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from ...dialects import chlo, stablehlo
from ...dialects.sdy.annotations import PropagationBarrierOp, ReshardOp, ShardingConstraintOp
from ...dialects.stablehlo.families import OPS
from ...dialects.stablehlo.shapes import shape_of
from ...dialects.stablehlo.traits import Elementwise, ops_with
from .builder import RuleBuilder, shape_or_empty
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


def all_elementwise_ops() -> Iterable[type[IRDLOperation]]:
    return [*ops_with(Elementwise, OPS), *ops_with(Elementwise, chlo.OPS)]


@sharding_rule(*all_elementwise_ops(), ShardingConstraintOp, ReshardOp, PropagationBarrierOp)
def pointwise(op: Operation) -> ShardingRule | None:
    """The same factors in all tensors; operands of rank 0 have none."""
    shape = max(map(shape_or_empty, op.results), key=len, default=())
    builder = RuleBuilder(op)
    builder.pointwise(shape)
    return builder.rule()


@sharding_rule(stablehlo.IotaOp, stablehlo.RngOp, stablehlo.DynamicIotaOp)
def made_in_place(op: stablehlo.IotaOp | stablehlo.RngOp | stablehlo.DynamicIotaOp) -> ShardingRule:
    """Each device makes its part of the result, from its place."""
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.results[0])):
        builder.add(size, [None] * len(op.operands), [dim])
    return builder.rule()


@sharding_rule(stablehlo.SetDimensionSizeOp)
def set_dimension_size(op: stablehlo.SetDimensionSizeOp) -> ShardingRule:
    changed = op.dimension.value.data
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.operand)):
        kind = FactorKind.NEED_REPLICATION if dim == changed else FactorKind.PASS_THROUGH
        builder.add(size, [dim, None], [dim], kind, is_blocked=dim == changed)
    return builder.rule()
