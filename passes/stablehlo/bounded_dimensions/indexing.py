"""Ops with indices: they stay within the elements that count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, i32, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.shapes import shape_of
from ....ir.tensor_builder import Tensor
from .values import Bounded, Rule, Site


def _starts(site: Site, operand: Bounded, indices: Sequence[SSAValue], sizes: Sequence[Tensor | int]) -> list[Tensor]:
    """Start indices of slices of `sizes` that stay within bounded dimensions; of i32 if there are any."""
    starts = [site.get(index).tensor for index in indices]
    if not operand.sizes and not any(isinstance(size, Tensor) for size in sizes):
        return starts
    clamped: list[Tensor] = []
    for dim, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        last = site.size(operand, dim) - (size if isinstance(size, Tensor) else site.number(size))
        wide = start.wide()
        high = last.maximum(site.number(0)).convert(i64)
        clamped.append(wide.number(0).maximum(wide.minimum(high)).convert(i32))
    return clamped


def _dynamic_slice(site: Site, op: stablehlo.DynamicSliceOp) -> Sequence[Bounded]:
    operand = site.get(op.operand)
    sizes = op.slice_sizes.get_values()
    whole = _whole(operand, sizes, dict(enumerate(shape_of(op.result))))
    starts = _starts(site, operand, op.start_indices, sizes)
    needed = [max(n, size) for n, size in zip(operand.shape, sizes, strict=True)]
    (result,) = site.emit((Bounded(site.fitted(operand.tensor, needed)), *map(Bounded, starts)))
    return [Bounded(result.tensor, whole)]


def _whole(operand: Bounded, slice_sizes: Sequence[int], declared: Mapping[int, int]) -> dict[int, Tensor]:
    """The sizes of dimensions that a slice takes as far as there are elements: dynamic ones of its `declared` sizes."""
    return {
        dim: size if operand.shape[dim] <= slice_sizes[dim] else size.minimum(size.number(slice_sizes[dim]))
        for dim, size in operand.sizes.items()
        if declared.get(dim) == DYNAMIC_INDEX
    }


def _dynamic_update_slice(site: Site, op: stablehlo.DynamicUpdateSliceOp) -> Sequence[Bounded]:
    """Where the update is padded, what was there is written again; room behind the operand keeps it in place."""
    operand, update = site.get(op.operand), site.get(op.update)
    starts = _starts(site, operand, op.start_indices, [site.size(update, dim) for dim in range(update.rank)])
    counts = site.in_bounds(update, update.sizes)
    if counts is None:
        return site.emit((operand, update, *map(Bounded, starts)))
    room = [n + update.shape[dim] if dim in update.sizes else n for dim, n in enumerate(operand.shape)]
    whole = site.fitted(operand.tensor, room)
    places = dict(enumerate(starts))
    old = whole.dynamic_slice(places, dict(enumerate(update.shape)))
    result = whole.updated(counts.select(update.tensor, old), places)
    return [Bounded(site.fitted(result, operand.shape), operand.sizes)]


def gather(site: Site, op: stablehlo.GatherOp) -> Sequence[Bounded]:
    """The slices at `indices`, moved to where they lie within the elements that count."""
    operand, indices = site.operands()
    dims, slice_sizes = op.dimension_numbers, op.slice_sizes.get_values()
    vector_dim = dims.index_vector_dim
    if vector_dim in indices.sizes:
        raise site.unsupported("index vectors of bounded size")
    tensor = indices.tensor
    mapped = [dim for dim in dims.start_index_map if dim in operand.sizes]
    if mapped:
        tensor = tensor.wide()
        limits = [site.size(operand, dim) - slice_sizes[dim] for dim in dims.start_index_map]
        high = site.builder.vector([limit.maximum(site.number(0)).convert(i64) for limit in limits])
        places = [vector_dim] if vector_dim < tensor.rank else []
        if not places:
            high = high.reshape(())
        tensor = tensor.number(0).maximum(tensor.minimum(high.broadcast(tensor.shape, places)))
    needed = [max(n, size) for n, size in zip(operand.shape, slice_sizes, strict=True)]
    sizes = dict(indices.sizes)
    for place, dim in zip(dims.start_indices_batching_dims, dims.operand_batching_dims, strict=True):
        if dim in operand.sizes:
            sizes.setdefault(place, operand.sizes[dim])
    (result,) = site.emit((Bounded(site.fitted(operand.tensor, needed)), Bounded(tensor, sizes)))
    declared = shape_of(op.result)
    dropped = (*dims.collapsed_slice_dims, *dims.operand_batching_dims)
    windows = dict(zip((dim for dim in range(operand.rank) if dim not in dropped), dims.offset_dims, strict=True))
    whole = _whole(operand, slice_sizes, {dim: declared[place] for dim, place in windows.items()})
    return [Bounded(result.tensor, {**result.sizes, **{windows[dim]: size for dim, size in whole.items()}})]


def _scatter(site: Site, op: stablehlo.ScatterOp) -> Sequence[Bounded]:
    """Updates in the padding go to an index that is out of bounds; the operand's padding may be written."""
    operands, dims = site.operands(), op.scatter_dimension_numbers
    count, vector_dim = len(op.inputs), dims.index_vector_dim
    inputs = site.aligned(operands[:count], [range(x.rank) for x in operands[:count]])
    indices, *updates = operands[count:]
    if vector_dim in indices.sizes:
        raise site.unsupported("index vectors of bounded size")
    # Scatter dimensions of the updates are those of the indices, without the index vector.
    scatter_dims: list[int | None] = [dim for dim in range(updates[0].rank) if dim not in dims.update_window_dims]
    if vector_dim < indices.rank:
        scatter_dims.insert(vector_dim, None)
    indices, *updates = site.aligned((indices, *updates), [scatter_dims, *(range(x.rank) for x in updates)])
    sizes, shape = inputs[0].sizes, inputs[0].shape
    dropped = (*dims.inserted_window_dims, *dims.input_batching_dims)
    windows = [dim for dim in range(len(shape)) if dim not in dropped]
    for place, dim in zip(dims.update_window_dims, windows, strict=True):
        if place in updates[0].sizes and (dim in dims.scatter_dims_to_operand_dims or dim not in sizes):
            raise site.unsupported("windows of bounded size that are not those of the operand")
    counts = site.in_bounds(indices, indices.sizes)
    if counts is not None:
        if not dims.scatter_dims_to_operand_dims:
            raise site.unsupported("updates of bounded number without indices")
        tensor = indices.tensor.wide()
        indices = Bounded(counts.select(tensor, tensor.number(max(shape, default=0))))
    properties = {
        name: value for name, value in op.properties.items() if name not in ("unique_indices", "indices_are_sorted")
    }
    return site.emit((*inputs, indices, *updates), properties)


def _torch_index_select(site: Site, op: stablehlo.TorchIndexSelectOp) -> Sequence[Bounded]:
    operand, index = site.operands()
    dim = op.dim.value.data
    if dim in operand.sizes:
        wide = index.tensor.wide()
        last = (operand.sizes[dim] - 1).maximum(site.number(0)).convert(i64)
        inside = wide.number(0).maximum(wide.minimum(last.broadcast(wide.shape, ())))
        index = Bounded(inside, index.sizes)
    return site.emit((operand, index))


INDEXING: dict[type[Operation], Rule] = {
    stablehlo.DynamicSliceOp: _dynamic_slice,
    stablehlo.DynamicUpdateSliceOp: _dynamic_update_slice,
    stablehlo.GatherOp: gather,
    stablehlo.ScatterOp: _scatter,
    stablehlo.TorchIndexSelectOp: _torch_index_select,
}
"""Op type to rule."""
