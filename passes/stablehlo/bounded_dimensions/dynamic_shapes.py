"""Sizes of dimensions, and ops whose shape is a value but bounded by their type."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.dense import dense_values
from ....dialects.editing import new_op
from ....dialects.stablehlo.bounds import bounds_of
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....dialects.stablehlo.windows import padding_attr
from ....ir.tensor_builder import Tensor
from ....ir.tensors import int_array
from ..run_time_checks import SHAPES_FROM, check_shapes, steps_between
from .contractions import CONTRACTIONS
from .indexing import gathered
from .movement import broadcast, reshaped
from .values import Bounded, Rule, Site


def _get_dimension_size(site: Site, op: stablehlo.GetDimensionSizeOp) -> Sequence[Bounded]:
    (operand,) = site.operands()
    return [Bounded(site.size(operand, op.dimension.value.data).convert(element_type_of(op.result)), {})]


def _set_dimension_size(site: Site, op: stablehlo.SetDimensionSizeOp) -> Sequence[Bounded]:
    """The tensor stays as it is; a size that is negative or beyond the bound becomes the nearest that is not."""
    operand, size = site.operands()
    dim = op.dimension.value.data
    clamped = site.clamped_size(size.tensor, operand.shape[dim])
    return [Bounded(operand.tensor, {**operand.sizes, dim: clamped})]


def constant_ints(value: SSAValue) -> list[int] | None:
    """The elements of a constant of integers."""
    owner = value.owner
    if not isinstance(owner, stablehlo.ConstantOp):
        return None
    return [int(element) for element in dense_values(owner.value)]


def _check(site: Site, op: Operation) -> None:
    """Check the shape operands when the program runs, unless all is known before."""
    first = SHAPES_FROM.get(type(op), 1)
    operand = site.get(op.operands[0]) if first else None
    is_known = all(isinstance(value.owner, stablehlo.ConstantOp) for value in op.operands[first:])
    if is_known and not (operand is not None and operand.sizes):
        return
    vectors = [site.get(value).tensor for value in op.operands[first:]]
    sizes = None if operand is None else [site.size(operand, dim).convert(i64) for dim in range(operand.rank)]
    check_shapes(site.builder, op, sizes, vectors)


def _shape_of_result(site: Site, op: Operation, vector: SSAValue) -> tuple[list[int], dict[int, Tensor]]:
    """The padded shape of the result and its sizes, which are elements of `vector`."""
    result = op.results[0]
    bounds, known = bounds_of(result.type), constant_ints(vector)
    shape = [bounds.get(dim, size) for dim, size in enumerate(shape_of(result))]
    if known is not None:
        shape = [size if n == DYNAMIC_INDEX else n for n, size in zip(shape, known, strict=True)]
    if DYNAMIC_INDEX in shape:
        dim = shape.index(DYNAMIC_INDEX)
        raise site.unsupported(f"the size of dimension {dim} of the result depends on data and has no bound")
    tensor = site.get(vector).tensor
    sizes = {
        dim: site.clamped_size(site.element(tensor, dim), shape[dim])
        for dim, size in enumerate(shape_of(result))
        if size == DYNAMIC_INDEX
    }
    return shape, sizes


def _dynamic_broadcast_in_dim(site: Site, op: stablehlo.DynamicBroadcastInDimOp) -> Sequence[Bounded]:
    operand = site.get(op.operand)
    _check(site, op)
    shape, sizes = _shape_of_result(site, op, op.output_dimensions)
    return [Bounded(broadcast(site, operand, op.broadcast_dimensions.get_values(), shape), sizes)]


def _dynamic_iota(site: Site, op: stablehlo.DynamicIotaOp) -> Sequence[Bounded]:
    _check(site, op)
    shape, sizes = _shape_of_result(site, op, op.output_shape)
    type = TensorType(element_type_of(op.result), shape)
    properties = {"iota_dimension": op.iota_dimension}
    (result,) = site.builder.emit(stablehlo.IotaOp, (), (type,), properties)
    return [Bounded(result, sizes)]


def _dynamic_reshape(site: Site, op: stablehlo.DynamicReshapeOp) -> Sequence[Bounded]:
    operand = site.get(op.operand)
    _check(site, op)
    shape, sizes = _shape_of_result(site, op, op.output_shape)
    return [Bounded(reshaped(site, operand, shape, sizes), sizes)]


def _real_dynamic_slice(site: Site, op: stablehlo.RealDynamicSliceOp) -> Sequence[Bounded]:
    """Dimension by dimension, the elements at start, start + stride, ..."""
    operand = site.get(op.operand)
    _check(site, op)
    starts, limits, strides = (site.get(value).tensor for value in op.operands[1:])
    bounds = bounds_of(op.result.type)
    tensor, sizes = operand.tensor, dict[int, Tensor]()
    for dim, declared in enumerate(shape_of(op.result)):
        start, limit, stride = (site.element(vector, dim) for vector in (starts, limits, strides))
        length = bounds.get(dim, operand.shape[dim]) if declared == DYNAMIC_INDEX else declared
        if declared == DYNAMIC_INDEX:
            sizes[dim] = site.clamped_size(steps_between(start, limit, stride, operand.shape[dim]), length)
        positions = site.builder.iota(i64, (length,), 0) * stride.broadcast((length,), ())
        if operand.shape[dim]:
            tensor = site.taken(tensor, dim, positions + start.broadcast((length,), ()))
    return [Bounded(tensor, sizes)]


def _dynamic_pad(site: Site, op: stablehlo.DynamicPadOp) -> Sequence[Bounded]:
    """Dimension by dimension, each element of the result looks where it comes from."""
    operand, value = site.get(op.operand), site.get(op.padding_value).tensor
    _check(site, op)
    lows, highs, interiors = (site.get(amounts).tensor for amounts in op.operands[2:])
    bounds = bounds_of(op.result.type)
    shape = [bounds.get(dim, size) for dim, size in enumerate(shape_of(op.result))]
    if DYNAMIC_INDEX in shape:
        dim = shape.index(DYNAMIC_INDEX)
        raise site.unsupported(f"the size of dimension {dim} of the result depends on data and has no bound")
    if 0 in operand.shape:
        raise site.unsupported("padding of a tensor without elements by amounts that depend on data")
    tensor, sizes = operand.tensor, dict[int, Tensor]()
    for dim, length in enumerate(shape):
        low, high, step = (site.element(vector, dim) for vector in (lows, highs, interiors))
        step = step + 1
        size = site.size(operand, dim).convert(i64)
        extent = ((size - 1) * step + 1).maximum(0)
        if shape_of(op.result)[dim] == DYNAMIC_INDEX:
            sizes[dim] = site.clamped_size(low + extent + high, length)
        offset = site.builder.iota(i64, (length,), 0) - low.broadcast((length,), ())
        steps = step.broadcast((length,), ())
        inside = (
            offset.greater(-1) & offset.less(extent.broadcast((length,), ())) & site.remainder(offset, steps).equals(0)
        )
        tensor = site.taken(tensor, dim, offset / steps)
        mask = inside.broadcast(tensor.shape, (dim,))
        tensor = mask.select(tensor, value.broadcast(tensor.shape, ()))
    return [Bounded(tensor, sizes)]


def _dynamic_gather(site: Site, op: stablehlo.DynamicGatherOp) -> Sequence[Bounded]:
    sizes = constant_ints(op.slice_sizes)
    if sizes is None:
        raise site.unsupported("slice_sizes must be constant")
    draft = new_op(
        stablehlo.GatherOp,
        operands=(op.operand, op.start_indices),
        result_types=op.result_types,
        properties={**op.properties, "slice_sizes": int_array(sizes)},
    )
    with site.standing_for(draft) as gather:
        return gathered(gather, site.get(op.operand), site.get(op.start_indices), op.dimension_numbers, sizes)


def _dynamic_conv(site: Site, op: stablehlo.DynamicConvOp) -> Sequence[Bounded]:
    padding = constant_ints(op.padding)
    if padding is None:
        raise site.unsupported("padding must be constant")
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    draft = new_op(
        stablehlo.ConvolutionOp,
        operands=(op.lhs, op.rhs),
        result_types=op.result_types,
        properties={**op.properties, "padding": padding_attr(pairs)},
    )
    with site.standing_for(draft) as convolution:
        return CONTRACTIONS[stablehlo.ConvolutionOp](convolution, draft)


def _slice_to_dynamic(site: Site, op: stablehlo.CustomCallOp) -> Sequence[Bounded]:
    """XLA's call for a static tensor of which only the first elements count, as many as its other operands say."""
    operand, *sizes = site.operands()
    dims = [dim for dim, size in enumerate(shape_of(op.results[0])) if size == DYNAMIC_INDEX]
    if len(sizes) != operand.rank:
        raise site.unsupported(f"expected {operand.rank} sizes")
    clamped = {dim: site.clamped_size(sizes[dim].tensor, operand.shape[dim]) for dim in dims}
    return [Bounded(operand.tensor, clamped)]


def _pad_to_static(site: Site, op: stablehlo.CustomCallOp) -> Sequence[Bounded]:
    """And its inverse: the tensor padded with zeros, and the size of each dimension."""
    operand = site.get(op.operands[0])
    if len(op.results) != 1 + operand.rank:
        raise site.unsupported(f"expected the padded tensor and {operand.rank} sizes as results")
    sizes = [site.size(operand, dim) for dim in range(operand.rank)]
    converted = [size.convert(element_type_of(value)) for size, value in zip(sizes, op.results[1:], strict=True)]
    padded = site.masked(operand, operand.sizes, site.zero)
    return [Bounded(padded, {}), *(Bounded(size, {}) for size in converted)]


TARGETS: dict[str, Rule] = {"PadToStatic": _pad_to_static, "SliceToDynamic": _slice_to_dynamic}
"""Custom calls that XLA's own passes write (openxla/xla, `dynamic_padder.cc`)."""


def _custom_call(site: Site, op: stablehlo.CustomCallOp) -> Sequence[Bounded]:
    target = op.call_target_name.data
    if target not in TARGETS:
        raise site.unsupported(f"no rule for dimensions of bounded size in calls of @{target}")
    return TARGETS[target](site, op)


DYNAMIC_SHAPES: dict[type[Operation], Rule] = {
    stablehlo.CustomCallOp: _custom_call,
    stablehlo.DynamicBroadcastInDimOp: _dynamic_broadcast_in_dim,
    stablehlo.DynamicConvOp: _dynamic_conv,
    stablehlo.DynamicGatherOp: _dynamic_gather,
    stablehlo.DynamicIotaOp: _dynamic_iota,
    stablehlo.DynamicPadOp: _dynamic_pad,
    stablehlo.DynamicReshapeOp: _dynamic_reshape,
    stablehlo.GetDimensionSizeOp: _get_dimension_size,
    stablehlo.RealDynamicSliceOp: _real_dynamic_slice,
    stablehlo.SetDimensionSizeOp: _set_dimension_size,
}
"""Op type to rule."""
