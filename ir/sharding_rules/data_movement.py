"""Ops that put the dimensions of a tensor in other places."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule
from .rule import FactorKind


@sharding_rule(stablehlo.TransposeOp)
def transpose(op: stablehlo.TransposeOp, rule: RuleBuilder) -> None:
    shape = shape_of(op.operand)
    for dim, source in enumerate(op.permutation.get_values()):
        rule.add(shape[source], [source], [dim])


@sharding_rule(stablehlo.BroadcastInDimOp, stablehlo.DynamicBroadcastInDimOp)
def broadcast_in_dim(op: stablehlo.BroadcastInDimOp | stablehlo.DynamicBroadcastInDimOp, rule: RuleBuilder) -> None:
    """A dimension of size 1 that is repeated is no dimension of the result."""
    shape, others = shape_of(op.operand), [None] * (len(op.operands) - 1)
    sources = {dim: source for source, dim in enumerate(op.broadcast_dimensions.get_values())}
    for dim, size in enumerate(shape_of(op.result)):
        source = sources.get(dim)
        if source is not None and shape[source] != size:
            rule.add(1, [source, *others], [None])
            source = None
        rule.add(size, [source, *others], [dim])


@sharding_rule(stablehlo.BroadcastOp)
def broadcast(op: stablehlo.BroadcastOp, rule: RuleBuilder) -> None:
    added = len(op.broadcast_sizes.get_values())
    for dim, size in enumerate(shape_of(op.result)):
        rule.add(size, [dim - added if dim >= added else None], [dim])


@sharding_rule(stablehlo.ReverseOp)
def reverse(op: stablehlo.ReverseOp, rule: RuleBuilder) -> None:
    reversed_dims = op.dimensions.get_values()
    rule.pointwise(
        shape_of(op.result),
        lambda dim: FactorKind.PERMUTATION if dim in reversed_dims else FactorKind.PASS_THROUGH,
    )


@sharding_rule(stablehlo.BitcastConvertOp)
def bitcast_convert(op: stablehlo.BitcastConvertOp, rule: RuleBuilder) -> None:
    """The last dimension of the tensor of smaller elements, if the ranks differ, is one element of the other."""
    operand, result = shape_of(op.operand), shape_of(op.result)
    rule.pointwise(min(operand, result, key=len))
    if len(operand) > len(result):
        rule.add(operand[-1], [len(operand) - 1], [None], FactorKind.NEED_REPLICATION)
    elif len(operand) < len(result):
        rule.add(result[-1], [None], [len(result) - 1], FactorKind.NEED_REPLICATION)
