"""Ops that read or write a part of a tensor at a place that does not depend on its elements."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.sdy.annotations import ConstantOp
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule, whole_if
from .rule import FactorKind


@sharding_rule(
    stablehlo.DynamicPadOp,
    stablehlo.DynamicSliceOp,
    stablehlo.PadOp,
    stablehlo.RealDynamicSliceOp,
    stablehlo.SliceOp,
)
def slice_or_pad(op: Operation, rule: RuleBuilder) -> None:
    """A dimension that is cut or padded stays split: what lies on a neighbour is exchanged. Where it begins at run time
    any device may have it: such a dimension is gathered, and not propagated along.
    """
    is_static = isinstance(op, stablehlo.SliceOp | stablehlo.PadOp)
    kind = FactorKind.PERMUTATION if is_static else FactorKind.NEED_REPLICATION
    result = shape_of(op.results[0])
    others = [None] * (len(op.operands) - 1)
    for dim, size in enumerate(shape_of(op.operands[0])):
        if size == result[dim]:
            rule.add(size, [dim, *others], [dim])
        else:
            rule.add(size, [dim, *others], [dim], kind, is_blocked=not is_static)


@sharding_rule(stablehlo.DynamicUpdateSliceOp)
def dynamic_update_slice(op: stablehlo.DynamicUpdateSliceOp, rule: RuleBuilder) -> None:
    """Each device writes what falls into its part: operand and result stay split, the update is whole."""
    operand, update = shape_of(op.operand), shape_of(op.update)
    indices = [None] * (len(op.operands) - 2)
    is_static = all(isinstance(index.owner, stablehlo.ConstantOp | ConstantOp) for index in op.operands[2:])
    for dim, size in enumerate(operand):
        if size == update[dim]:
            rule.add(size, [dim, dim, *indices], [dim])
        else:
            rule.add(size, [dim, None, *indices], [dim])
            rule.add(update[dim], [None, dim, *indices], [None], whole_if(not is_static))


@sharding_rule(stablehlo.ConcatenateOp)
def concatenate(op: stablehlo.ConcatenateOp, rule: RuleBuilder) -> None:
    """Along the dimension of the parts all of them are gathered, unless they are slices: then parts move."""
    along = op.dimension.value.data
    kind = FactorKind.PERMUTATION if _are_slices(op.inputs) else FactorKind.NEED_REPLICATION
    rule.pointwise(shape_of(op.result), lambda dim: kind if dim == along else FactorKind.PASS_THROUGH)


def _are_slices(inputs: tuple[SSAValue[Attribute], ...]) -> bool:
    """Whether all are slices, or slices of one tensor and that tensor, as in a rotation or a periodic border."""
    are_slices = [isinstance(value.owner, stablehlo.SliceOp) for value in inputs]
    if all(are_slices):
        return True
    sources = {value.owner.operand if isinstance(value.owner, stablehlo.SliceOp) else value for value in inputs}
    return any(are_slices) and len(sources) == 1
