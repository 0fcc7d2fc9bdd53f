"""Ops that put the dimensions of a tensor in other places."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(stablehlo.TransposeOp)
def transpose(op: stablehlo.TransposeOp) -> ShardingRule:
    shape = shape_of(op.operand)
    builder = RuleBuilder(op)
    for dim, source in enumerate(op.permutation.get_values()):
        builder.add(shape[source], [source], [dim])
    return builder.rule()


@sharding_rule(stablehlo.BroadcastInDimOp, stablehlo.DynamicBroadcastInDimOp)
def broadcast_in_dim(op: stablehlo.BroadcastInDimOp | stablehlo.DynamicBroadcastInDimOp) -> ShardingRule:
    """A dimension of size 1 that is repeated is no dimension of the result."""
    shape, others = shape_of(op.operand), [None] * (len(op.operands) - 1)
    sources = {dim: source for source, dim in enumerate(op.broadcast_dimensions.get_values())}
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.result)):
        source = sources.get(dim)
        if source is not None and shape[source] != size:
            builder.add(1, [source, *others], [None])
            source = None
        builder.add(size, [source, *others], [dim])
    return builder.rule()


@sharding_rule(stablehlo.BroadcastOp)
def broadcast(op: stablehlo.BroadcastOp) -> ShardingRule:
    added = len(op.broadcast_sizes.get_values())
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.result)):
        builder.add(size, [dim - added if dim >= added else None], [dim])
    return builder.rule()


@sharding_rule(stablehlo.ReverseOp)
def reverse(op: stablehlo.ReverseOp) -> ShardingRule:
    reversed_dims = op.dimensions.get_values()
    builder = RuleBuilder(op)
    builder.pointwise(
        shape_of(op.result),
        lambda dim: FactorKind.PERMUTATION if dim in reversed_dims else FactorKind.PASS_THROUGH,
    )
    return builder.rule()


@sharding_rule(stablehlo.BitcastConvertOp)
def bitcast_convert(op: stablehlo.BitcastConvertOp) -> ShardingRule:
    """The last dimension of the tensor of smaller elements, if the ranks differ, is one element of the other."""
    operand, result = shape_of(op.operand), shape_of(op.result)
    builder = RuleBuilder(op)
    builder.pointwise(min(operand, result, key=len))
    if len(operand) > len(result):
        builder.add(operand[-1], [len(operand) - 1], [None], FactorKind.NEED_REPLICATION)
    elif len(operand) < len(result):
        builder.add(result[-1], [None], [len(result) - 1], FactorKind.NEED_REPLICATION)
    return builder.rule()
