"""Ops that read or write a part of a tensor at a place that does not depend on its elements."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from ...dialects import stablehlo
from ...dialects.sdy.annotations import ConstantOp
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(stablehlo.SliceOp, stablehlo.RealDynamicSliceOp)
def slice_(op: stablehlo.SliceOp | stablehlo.RealDynamicSliceOp) -> ShardingRule:
    """A dimension that is cut stays split: what lies on a neighbour is exchanged. Not so for a cut at run time."""
    is_static = isinstance(op, stablehlo.SliceOp)
    kind = FactorKind.PERMUTATION if is_static else FactorKind.NEED_REPLICATION
    return _of_first_operand(op, kind, is_blocked=not is_static)


@sharding_rule(stablehlo.PadOp, stablehlo.DynamicPadOp)
def pad(op: stablehlo.PadOp | stablehlo.DynamicPadOp) -> ShardingRule:
    is_static = isinstance(op, stablehlo.PadOp)
    kind = FactorKind.PERMUTATION if is_static else FactorKind.NEED_REPLICATION
    return _of_first_operand(op, kind, is_blocked=not is_static)


@sharding_rule(stablehlo.DynamicSliceOp)
def dynamic_slice(op: stablehlo.DynamicSliceOp) -> ShardingRule:
    """Where a slice begins at run time any device may have it: its dimensions are not propagated along."""
    return _of_first_operand(op, FactorKind.NEED_REPLICATION, is_blocked=True)


def _of_first_operand(
    op: stablehlo.SliceOp
    | stablehlo.RealDynamicSliceOp
    | stablehlo.PadOp
    | stablehlo.DynamicPadOp
    | stablehlo.DynamicSliceOp,
    kind: FactorKind,
    *,
    is_blocked: bool,
) -> ShardingRule:
    """Dimensions of the same size in operand and result are passed through; those of others are of this kind."""
    result = shape_of(op.results[0])
    others = [None] * (len(op.operands) - 1)
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.operands[0])):
        if size == result[dim]:
            builder.add(size, [dim, *others], [dim])
        else:
            builder.add(size, [dim, *others], [dim], kind, is_blocked=is_blocked)
    return builder.rule()


@sharding_rule(stablehlo.DynamicUpdateSliceOp)
def dynamic_update_slice(op: stablehlo.DynamicUpdateSliceOp) -> ShardingRule:
    """Each device writes what falls into its part: operand and result stay split, the update is whole."""
    operand, update = shape_of(op.operand), shape_of(op.update)
    indices = [None] * (len(op.operands) - 2)
    is_static = all(isinstance(index.owner, stablehlo.ConstantOp | ConstantOp) for index in op.operands[2:])
    kind = FactorKind.PASS_THROUGH if is_static else FactorKind.NEED_REPLICATION
    builder = RuleBuilder(op)
    for dim, size in enumerate(operand):
        if size == update[dim]:
            builder.add(size, [dim, dim, *indices], [dim])
        else:
            builder.add(size, [dim, None, *indices], [dim])
            builder.add(update[dim], [None, dim, *indices], [None], kind)
    return builder.rule()


@sharding_rule(stablehlo.ConcatenateOp)
def concatenate(op: stablehlo.ConcatenateOp) -> ShardingRule:
    """Along the dimension of the parts all of them are gathered, unless they are slices: then parts move."""
    along = op.dimension.value.data
    builder = RuleBuilder(op)
    builder.pointwise(
        shape_of(op.result),
        lambda dim: (
            FactorKind.PASS_THROUGH
            if dim != along
            else FactorKind.PERMUTATION
            if _are_slices(op.inputs)
            else FactorKind.NEED_REPLICATION
        ),
    )
    return builder.rule()


def _are_slices(inputs: tuple[SSAValue[Attribute], ...]) -> bool:
    """Whether all are slices, or slices of one tensor and that tensor, as in a rotation or a periodic border."""
    are_slices = [isinstance(value.owner, stablehlo.SliceOp) for value in inputs]
    if all(are_slices):
        return True
    sources = {value.owner.operand if isinstance(value.owner, stablehlo.SliceOp) else value for value in inputs}
    return any(are_slices) and len(sources) == 1
