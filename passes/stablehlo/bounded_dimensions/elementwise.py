"""Ops whose elements stay where they are: padding goes on being padding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import I64, DenseArrayBase, TensorType
from xdsl.ir import Operation

from ....dialects import chlo, stablehlo
from ....dialects.chlo.broadcasting import BroadcastBinaryOp
from ....dialects.stablehlo.shapes import element_type_of
from ....dialects.stablehlo.traits import Elementwise, ops_with
from ....ir.tensor_builder import Tensor
from .values import Bounded, Rule, Site


def elementwise(site: Site, op: Operation, operands: Sequence[Bounded] = ()) -> Sequence[Bounded]:
    """Operands of rank 0 beside others, such as the predicate of `select`, are for all elements."""
    operands = operands or site.operands()
    rank = max(x.rank for x in operands)
    whole = [x for x in operands if x.rank == rank]
    shape = site.common_shape(whole)
    tensors = [site.fitted(x.tensor, shape) if x.rank == rank else x.tensor for x in operands]
    types = [TensorType(element_type_of(result), shape) for result in op.results]
    regions = [op.detach_region(region) for region in list(op.regions)]
    results = site.builder.emit(type(op), tensors, types, op.properties, regions)
    sizes = site.common_sizes(whole)
    return [Bounded(result, sizes) for result in results]


def _broadcast(site: Site, op: Operation) -> Sequence[Bounded]:
    """Dimensions of static size 1 are repeated; those of bounded size are as large in all operands that have them."""
    operands = site.operands()
    rank = max(x.rank for x in operands)
    whole = [x if x.rank in (0, rank) else _placed(op, x, rank) for x in operands]
    spread = [x for x in whole if x.rank]
    sizes = site.common_sizes(spread)
    shape: list[int] = []
    for dim in range(rank):
        bounds = {x.shape[dim] for x in spread if dim in x.sizes}
        counts = {x.shape[dim] for x in spread if dim not in x.sizes and x.shape[dim] != 1}
        if bounds and counts:
            raise site.unsupported(f"dimension {dim} is of bounded size in one operand and static in another")
        shape.append(min(bounds | counts, default=1))
    return elementwise(site, op, [_spread(site, x, shape, sizes) if x.rank else x for x in whole])


def _placed(op: Operation, x: Bounded, rank: int) -> Bounded:
    """`x` with dimensions of size 1 where other operands have more, as `broadcast_dimensions` says or in front."""
    attribute = op.properties.get("broadcast_dimensions")
    places = list(range(rank - x.rank, rank))
    if isinstance(attribute, DenseArrayBase):
        places = [int(place) for place in cast(DenseArrayBase[I64], attribute).get_values()]
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
    (result,) = site.emit((operand.tensor,))
    if any(dim >= result.rank for dim in operand.sizes):
        raise site.unsupported("elements of a dimension of bounded size cannot become one")
    return [Bounded(result, operand.sizes)]


def _optimization_barrier(site: Site, op: stablehlo.OptimizationBarrierOp) -> Sequence[Bounded]:
    operands = site.operands()
    values = [x.tensor for x in operands]
    sizes = [size for x in operands for size in x.sizes.values()]
    types = [value.value.type for value in (*values, *sizes)]
    results = iter(site.builder.emit(stablehlo.OptimizationBarrierOp, [*values, *sizes], types, op.properties))
    tensors = [next(results) for _ in values]
    return [
        Bounded(tensor, {dim: next(results) for dim in x.sizes}) for tensor, x in zip(tensors, operands, strict=True)
    ]


ELEMENTWISE: dict[type[Operation], Rule] = {
    **dict.fromkeys(ops_with(Elementwise, (*stablehlo.OPS, *chlo.OPS)), elementwise),
    **{op: _broadcast for op in chlo.OPS if issubclass(op, BroadcastBinaryOp)},
    chlo.BroadcastSelectOp: _broadcast,
    stablehlo.BitcastConvertOp: _bitcast_convert,
    stablehlo.OptimizationBarrierOp: _optimization_barrier,
}
"""Op type to rule."""
