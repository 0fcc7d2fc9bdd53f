"""Ops whose elements stay where they are: padding goes on being padding."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ....dialects import chlo, stablehlo
from ....dialects.chlo.broadcasting import BroadcastBinaryOp
from ....dialects.chlo.special_functions import UnaryOp as ChloUnaryOp
from ....dialects.stablehlo.elementwise_binary import BinaryOp
from ....dialects.stablehlo.elementwise_unary import UnaryOp
from ....dialects.stablehlo.shapes import element_type_of
from .values import Bounded, Rule, Site


def elementwise(site: Site, op: Operation) -> Sequence[Bounded]:
    """Operands of rank 0 beside others, such as the predicate of `select`, are for all elements."""
    operands = site.operands()
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
    if len({x.rank for x in site.operands() if x.rank}) > 1 or 1 in {n for x in site.operands() for n in x.shape}:
        raise site.unsupported("operands of bounded shape can only be broadcast from rank 0")
    return elementwise(site, op)


def _bitcast_convert(site: Site, op: stablehlo.BitcastConvertOp) -> Sequence[Bounded]:
    """The last dimension, which may come or go, is static."""
    (operand,) = site.operands()
    (result,) = site.emit((operand.tensor,))
    if any(dim >= result.rank for dim in operand.sizes):
        raise site.unsupported("elements of a dimension of bounded size cannot become one")
    return [Bounded(result, operand.sizes)]


def _batch_norm_inference(site: Site, op: stablehlo.BatchNormInferenceOp) -> Sequence[Bounded]:
    """Elementwise but for the values per feature."""
    operand, *per_feature = site.operands()
    if op.feature_index.value.data in operand.sizes or any(x.sizes for x in per_feature):
        raise site.unsupported("features of bounded number")
    (result,) = site.emit([operand.tensor, *(x.tensor for x in per_feature)])
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
    **{op: elementwise for op in stablehlo.OPS if issubclass(op, UnaryOp | BinaryOp)},
    **{op: elementwise for op in chlo.OPS if issubclass(op, ChloUnaryOp)},
    **{op: _broadcast for op in chlo.OPS if issubclass(op, BroadcastBinaryOp)},
    chlo.BroadcastSelectOp: _broadcast,
    **dict.fromkeys(
        (
            chlo.ConstantLikeOp,
            chlo.MulhiOp,
            chlo.NextAfterOp,
            chlo.PolygammaOp,
            chlo.ZetaOp,
            stablehlo.ClampOp,
            stablehlo.CompareOp,
            stablehlo.ComplexOp,
            stablehlo.IsFiniteOp,
            stablehlo.MapOp,
            stablehlo.ReducePrecisionOp,
            stablehlo.SelectOp,
            stablehlo.UniformDequantizeOp,
            stablehlo.UniformQuantizeOp,
        ),
        elementwise,
    ),
    stablehlo.BatchNormInferenceOp: _batch_norm_inference,
    stablehlo.BitcastConvertOp: _bitcast_convert,
    stablehlo.OptimizationBarrierOp: _optimization_barrier,
}
"""Op type to rule."""
