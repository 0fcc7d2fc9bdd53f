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
from .builder import RuleBuilder, shape_or_empty, sharding_rule


def all_elementwise_ops() -> Iterable[type[IRDLOperation]]:
    return [*ops_with(Elementwise, OPS), *ops_with(Elementwise, chlo.OPS)]


@sharding_rule(*all_elementwise_ops(), ShardingConstraintOp, ReshardOp, PropagationBarrierOp)
def pointwise(op: Operation, rule: RuleBuilder) -> None:
    """The same factors in all tensors; operands of rank 0 have none."""
    rule.pointwise(max(map(shape_or_empty, op.results), key=len, default=()))


@sharding_rule(stablehlo.IotaOp, stablehlo.RngOp, stablehlo.DynamicIotaOp)
def made_in_place(op: stablehlo.IotaOp | stablehlo.RngOp | stablehlo.DynamicIotaOp, rule: RuleBuilder) -> None:
    """Each device makes its part of the result, from its place."""
    for dim, size in enumerate(shape_of(op.results[0])):
        rule.add_everywhere(dim, size, of_operands=False)


@sharding_rule(stablehlo.SetDimensionSizeOp)
def set_dimension_size(op: stablehlo.SetDimensionSizeOp, rule: RuleBuilder) -> None:
    rule.with_whole(shape_of(op.operand), lambda dim: dim == op.dimension.value.data)
