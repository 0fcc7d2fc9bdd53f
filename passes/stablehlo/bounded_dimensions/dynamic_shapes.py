"""Sizes of dimensions, and ops whose shape is a value but bounded by their type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

from ....dialects import stablehlo
from ....dialects.editing import new_op
from ....dialects.stablehlo.bounds import bounds_of, greatest_shape
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....ir.tensor_builder import Tensor
from ..run_time_checks import check_shapes, steps_between
from ..simplify_indexing import constant_values
from ..static_forms import STATIC, shape_operands, static_properties
from .contractions import convolution
from .indexing import gather
from .movement import broadcast, reshaped
from .values import Bounded, Rule, Site


def _get_dimension_size(site: Site, op: stablehlo.GetDimensionSizeOp) -> Sequence[Bounded]:
    (operand,) = site.operands()
    return [Bounded(site.size(operand, op.dimension.value.data).convert(element_type_of(op.result)))]


def _set_dimension_size(site: Site, op: stablehlo.SetDimensionSizeOp) -> Sequence[Bounded]:
    """The tensor stays as it is; a size that is negative or beyond the bound becomes the nearest that is not."""
    operand, size = site.operands()
    dim = op.dimension.value.data
    clamped = site.clamped_size(size.tensor, operand.shape[dim])
    return [Bounded(operand.tensor, {**operand.sizes, dim: clamped})]


def _element(vector: Tensor, index: int) -> Tensor:
    """An element of an integer vector, of i64."""
    return vector.at(index).convert(i64)


def _check(site: Site, op: IRDLOperation) -> None:
    """Check the shape operands when the program runs, unless all is known before."""
    kept, shapes = shape_operands(op)
    operands = [site.get(value) for value in kept[:1]]
    if all(isinstance(value.owner, stablehlo.ConstantOp) for value in shapes.values()):
        if not any(x.sizes for x in operands):
            return
    vectors = [site.get(value).tensor for value in shapes.values()]
    sizes = [[site.size(x, dim).convert(i64) for dim in range(x.rank)] for x in operands]
    check_shapes(site.builder, op, sizes, vectors)


def _bounded_shape(site: Site, shape: Sequence[int]) -> Sequence[int]:
    """`shape`, which must have no dynamic dimension left."""
    if DYNAMIC_INDEX in shape:
        dim = shape.index(DYNAMIC_INDEX)
        raise site.unsupported(f"the size of dimension {dim} of the result depends on data and has no bound")
    return shape


def _shape_of_result(site: Site, op: IRDLOperation) -> tuple[list[int], dict[int, Tensor]]:
    """The padded shape of the result and its sizes: the elements of the last operand, which is checked."""
    _check(site, op)
    result, vector = op.results[0], op.operands[-1]
    shape, known = list(greatest_shape(result)), constant_values(vector)
    if known is not None:
        shape = [size if n == DYNAMIC_INDEX else n for n, size in zip(shape, known, strict=True)]
    _bounded_shape(site, shape)
    tensor = site.get(vector).tensor
    sizes = {
        dim: site.clamped_size(_element(tensor, dim), shape[dim])
        for dim, size in enumerate(shape_of(result))
        if size == DYNAMIC_INDEX
    }
    return shape, sizes


def _dynamic_broadcast_in_dim(site: Site, op: stablehlo.DynamicBroadcastInDimOp) -> Sequence[Bounded]:
    shape, sizes = _shape_of_result(site, op)
    return [Bounded(broadcast(site, site.get(op.operand), op.broadcast_dimensions.get_values(), shape), sizes)]


def _dynamic_iota(site: Site, op: stablehlo.DynamicIotaOp) -> Sequence[Bounded]:
    shape, sizes = _shape_of_result(site, op)
    return [Bounded(site.builder.iota(element_type_of(op.result), shape, op.iota_dimension.value.data), sizes)]


def _dynamic_reshape(site: Site, op: stablehlo.DynamicReshapeOp) -> Sequence[Bounded]:
    shape, sizes = _shape_of_result(site, op)
    return [Bounded(reshaped(site, site.get(op.operand), shape, sizes), sizes)]


def _real_dynamic_slice(site: Site, op: stablehlo.RealDynamicSliceOp) -> Sequence[Bounded]:
    """Dimension by dimension, the elements at start, start + stride, ..."""
    operand = site.get(op.operand)
    _check(site, op)
    starts, limits, strides = (site.get(value).tensor for value in op.operands[1:])
    bounds = bounds_of(op.result.type)
    tensor, sizes = operand.tensor, dict[int, Tensor]()
    for dim, declared in enumerate(shape_of(op.result)):
        start, limit, stride = (_element(vector, dim) for vector in (starts, limits, strides))
        length = bounds.get(dim, operand.shape[dim]) if declared == DYNAMIC_INDEX else declared
        if declared == DYNAMIC_INDEX:
            sizes[dim] = site.clamped_size(steps_between(start, limit, stride, operand.shape[dim]), length)
        positions = site.builder.iota(i64, (length,), 0) * stride.broadcast((length,), ())
        if operand.shape[dim]:
            tensor = tensor.take(positions + start.broadcast((length,), ()), dim)
    return [Bounded(tensor, sizes)]


def _dynamic_pad(site: Site, op: stablehlo.DynamicPadOp) -> Sequence[Bounded]:
    """Dimension by dimension, each element of the result looks where it comes from."""
    operand, value = site.get(op.operand), site.get(op.padding_value).tensor
    _check(site, op)
    lows, highs, interiors = (site.get(amounts).tensor for amounts in op.operands[2:])
    shape = _bounded_shape(site, greatest_shape(op.result))
    if 0 in operand.shape:
        raise site.unsupported("padding of a tensor without elements by amounts that depend on data")
    tensor, sizes = operand.tensor, dict[int, Tensor]()
    for dim, length in enumerate(shape):
        low, high, step = (_element(vector, dim) for vector in (lows, highs, interiors))
        step = step + 1
        size = site.size(operand, dim).convert(i64)
        extent = ((size - 1) * step + 1).maximum(0)
        if shape_of(op.result)[dim] == DYNAMIC_INDEX:
            sizes[dim] = site.clamped_size(low + extent + high, length)
        offset = site.builder.iota(i64, (length,), 0) - low.broadcast((length,), ())
        steps = step.broadcast((length,), ())
        inside = offset.greater(-1) & offset.less(extent.broadcast((length,), ())) & (offset % steps).equals(0)
        tensor = tensor.take(offset / steps, dim)
        mask = inside.broadcast(tensor.shape, (dim,))
        tensor = mask.select(tensor, value.broadcast(tensor.shape, ()))
    return [Bounded(tensor, sizes)]


def _static(site: Site, op: IRDLOperation, rule: Rule) -> Sequence[Bounded]:
    """The rule of the static form, for shapes that are constants."""
    kept, shapes = shape_operands(op)
    values: dict[str, Sequence[int]] = {}
    for name, value in shapes.items():
        if (known := constant_values(value)) is None:
            raise site.unsupported(f"{name} must be constant")
        values[name] = known
    draft = new_op(STATIC[type(op)], kept, op.result_types, static_properties(op, values))
    results = rule(Site(draft, site.carried, site.builder), draft)
    draft.drop_all_references()
    return results


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
    return [Bounded(padded.tensor), *map(Bounded, converted)]


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
    stablehlo.DynamicConvOp: partial(_static, rule=convolution),
    stablehlo.DynamicGatherOp: partial(_static, rule=gather),
    stablehlo.DynamicIotaOp: _dynamic_iota,
    stablehlo.DynamicPadOp: _dynamic_pad,
    stablehlo.DynamicReshapeOp: _dynamic_reshape,
    stablehlo.GetDimensionSizeOp: _get_dimension_size,
    stablehlo.RealDynamicSliceOp: _real_dynamic_slice,
    stablehlo.SetDimensionSizeOp: _set_dimension_size,
}
"""Op type to rule."""
