"""Ops whose elements stay where they are: padding goes on being padding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation

from ....dialects import chlo, stablehlo
from ....dialects.chlo.broadcasting import BroadcastBinaryOp
from ....dialects.stablehlo.traits import Elementwise, ops_with
from ....ir.tensor_builder import Tensor
from ....ir.tensors import ints
from .values import Bounded, Rule, Site


def elementwise(site: Site, op: Operation) -> Sequence[Bounded]:
    """Operands of rank 0 beside others, such as the predicate of `select`, are for all elements."""
    operands = site.operands()
    return site.emit(site.aligned(operands, [range(x.rank) for x in operands]))


def _broadcast(site: Site, op: Operation) -> Sequence[Bounded]:
    """Dimensions of static size 1 are repeated; those of bounded size are as large in all operands that have them."""
    operands = site.operands()
    rank = max(x.rank for x in operands)
    whole = [x if x.rank in (0, rank) else _placed(op, x, rank) for x in operands]
    spread = [x for x in whole if x.rank]
    sizes = {dim: size for x in reversed(spread) for dim, size in x.sizes.items()}
    shape: list[int] = []
    for dim in range(rank):
        bounds = {x.shape[dim] for x in spread if dim in x.sizes}
        counts = {x.shape[dim] for x in spread if dim not in x.sizes and x.shape[dim] != 1}
        if bounds and counts:
            raise site.unsupported(f"dimension {dim} is of bounded size in one operand and static in another")
        shape.append(min(bounds | counts, default=1))
    (result,) = site.emit([_spread(site, x, shape, sizes) if x.rank else x for x in whole])
    return [Bounded(result.tensor, sizes)]


def _placed(op: Operation, x: Bounded, rank: int) -> Bounded:
    """`x` with dimensions of size 1 where other operands have more, as `broadcast_dimensions` says or in front."""
    has_places = "broadcast_dimensions" in op.properties
    places = ints(op, "broadcast_dimensions") if has_places else range(rank - x.rank, rank)
    shape = [1] * rank
    for place, size in zip(places, x.shape, strict=True):
        shape[place] = size
    return Bounded(x.tensor.broadcast(shape, places), {places[dim]: size for dim, size in x.sizes.items()})


def _spread(site: Site, x: Bounded, shape: Sequence[int], sizes: Mapping[int, Tensor]) -> Bounded:
    """`x` in the padded shape `shape`, of which `sizes` count."""
    repeated = [x.shape[dim] == 1 and dim not in x.sizes for dim in range(x.rank)]
    own = [1 if once else n for once, n in zip(repeated, shape, strict=True)]
    return Bounded(site.fitted(x.tensor, own).broadcast(shape, range(x.rank)), sizes)


def _bitcast_convert(site: Site, op: stablehlo.BitcastConvertOp) -> Sequence[Bounded]:
    """The last dimension, which may come or go, is static."""
    (operand,) = site.operands()
    (result,) = site.emit((operand,))
    if len(result.sizes) < len(operand.sizes):
        raise site.unsupported("elements of a dimension of bounded size cannot become one")
    return [result]


def _optimization_barrier(site: Site, op: stablehlo.OptimizationBarrierOp) -> Sequence[Bounded]:
    operands = site.operands()
    values = [x.tensor for x in operands] + [size for x in operands for size in x.sizes.values()]
    types = [value.value.type for value in values]
    results = site.builder.emit(stablehlo.OptimizationBarrierOp, values, types, op.properties)
    sizes = iter(results[len(operands) :])
    return [
        Bounded(tensor, {dim: next(sizes) for dim in x.sizes}) for tensor, x in zip(results, operands, strict=False)
    ]


ELEMENTWISE: dict[type[Operation], Rule] = {
    **dict.fromkeys(ops_with(Elementwise, (*stablehlo.OPS, *chlo.OPS)), elementwise),
    **{op: _broadcast for op in chlo.OPS if issubclass(op, BroadcastBinaryOp)},
    chlo.BroadcastSelectOp: _broadcast,
    stablehlo.BitcastConvertOp: _bitcast_convert,
    stablehlo.OptimizationBarrierOp: _optimization_barrier,
}
"""Op type to rule."""
