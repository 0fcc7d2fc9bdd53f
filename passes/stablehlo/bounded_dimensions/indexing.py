"""Ops with indices: they stay within the elements that count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, Signedness, TensorType, i32, i64
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.stablehlo.attributes import GatherDimensionNumbersAttr
from ....dialects.stablehlo.shapes import element_type_of, shape_of
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
        wide = _wide(site, start)
        high = site.maximum(last, site.number(0)).convert(i64)
        clamped.append(site.maximum(wide.number(0), site.minimum(wide, high)).convert(i32))
    return clamped


def _wide(site: Site, indices: Tensor) -> Tensor:
    """Indices as i64; those that are too large for it are beyond any bound all the same."""
    if indices.element_type == IntegerType(64, Signedness.UNSIGNED):
        indices = site.minimum(indices, indices.number(1 << 62))
    return indices.convert(i64)


def _dynamic_slice(site: Site, op: stablehlo.DynamicSliceOp) -> Sequence[Bounded]:
    operand = site.get(op.operand)
    sizes = op.slice_sizes.get_values()
    whole = _whole(operand, sizes, dict(enumerate(shape_of(op.result))))
    starts = _starts(site, operand, op.start_indices, sizes)
    needed = [max(n, size) for n, size in zip(operand.shape, sizes, strict=True)]
    (result,) = site.emit((site.extended(operand.tensor, needed), *starts))
    return [Bounded(result, whole)]


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
        (result,) = site.emit((operand.tensor, update.tensor, *starts))
        return [Bounded(result, operand.sizes)]
    room = [n + update.shape[dim] if dim in update.sizes else n for dim, n in enumerate(operand.shape)]
    whole = site.extended(operand.tensor, room)
    places = dict(enumerate(starts))
    old = whole.dynamic_slice(places, dict(enumerate(update.shape)))
    result = whole.updated(counts.select(update.tensor, old), places)
    return [Bounded(site.fitted(result, operand.shape), operand.sizes)]


def _gather(site: Site, op: stablehlo.GatherOp) -> Sequence[Bounded]:
    operand, indices = site.get(op.operand), site.get(op.start_indices)
    return gathered(site, operand, indices, op.dimension_numbers, op.slice_sizes.get_values())


def gathered(
    site: Site, operand: Bounded, indices: Bounded, dims: GatherDimensionNumbersAttr, slice_sizes: Sequence[int]
) -> Sequence[Bounded]:
    """The slices at `indices`, moved to where they lie within the elements that count."""
    vector_dim = dims.index_vector_dim
    if vector_dim in indices.sizes:
        raise site.unsupported("index vectors of bounded size")
    tensor = indices.tensor
    mapped = [dim for dim in dims.start_index_map if dim in operand.sizes]
    if mapped:
        tensor = _wide(site, tensor)
        limits = [site.size(operand, dim) - slice_sizes[dim] for dim in dims.start_index_map]
        high = _vector(site, [site.maximum(limit, site.number(0)).convert(i64) for limit in limits])
        places = [vector_dim] if vector_dim < tensor.rank else []
        if not places:
            high = high.reshape(())
        tensor = site.maximum(tensor.number(0), site.minimum(tensor, high.broadcast(tensor.shape, places)))
    needed = [max(n, size) for n, size in zip(operand.shape, slice_sizes, strict=True)]
    (result,) = site.emit((site.extended(operand.tensor, needed), tensor))
    declared = shape_of(site.op.results[0])
    dropped = (*dims.collapsed_slice_dims, *dims.operand_batching_dims)
    windows = dict(zip((dim for dim in range(operand.rank) if dim not in dropped), dims.offset_dims, strict=True))
    whole = _whole(operand, slice_sizes, {dim: declared[place] for dim, place in windows.items()})
    sizes = dict(indices.sizes)
    for place, dim in zip(dims.start_indices_batching_dims, dims.operand_batching_dims, strict=True):
        if dim in operand.sizes:
            sizes.setdefault(place, operand.sizes[dim])
    taken = {windows[dim]: size for dim, size in whole.items()}
    return [Bounded(result, {**_batch_sizes(result.rank, dims, sizes), **taken})]


def _vector(site: Site, scalars: Sequence[Tensor]) -> Tensor:
    parts = [scalar.reshape((1,)) for scalar in scalars]
    return parts[0] if len(parts) == 1 else site.builder.concatenate(parts, 0)


def _batch_sizes(rank: int, dims: GatherDimensionNumbersAttr, sizes: dict[int, Tensor]) -> dict[int, Tensor]:
    """The sizes of the dimensions of indices where they are in the result."""
    places = [dim for dim in range(rank) if dim not in dims.offset_dims]
    return {places[dim - (dim > dims.index_vector_dim)]: size for dim, size in sizes.items()}


def _scatter(site: Site, op: stablehlo.ScatterOp) -> Sequence[Bounded]:
    """Updates in the padding go to an index that is out of bounds; the operand's padding may be written."""
    operands = site.operands()
    count = len(op.inputs)
    inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
    dims = op.scatter_dimension_numbers
    sizes = site.common_sizes(inputs)
    shape = site.common_shape(inputs)
    update_sizes = site.common_sizes(updates)
    window_dims = dims.update_window_dims
    vector_dim = dims.index_vector_dim
    if vector_dim in indices.sizes:
        raise site.unsupported("index vectors of bounded size")
    dropped = (*dims.inserted_window_dims, *dims.input_batching_dims)
    windows = [dim for dim in range(len(shape)) if dim not in dropped]
    for place, dim in zip(window_dims, windows, strict=True):
        if place in update_sizes and (dim in dims.scatter_dims_to_operand_dims or dim not in sizes):
            raise site.unsupported("windows of bounded size that are not those of the operand")
    # Scatter dimensions of the updates are those of the indices, without the index vector.
    scatter_dims = [dim for dim in range(updates[0].rank) if dim not in window_dims]
    index_dims = [dim for dim in range(indices.rank) if dim != vector_dim]
    index_sizes = dict(indices.sizes)
    least = list(indices.shape)
    update_shape = list(site.common_shape(updates))
    for place, dim in zip(scatter_dims, index_dims, strict=True):
        least[dim] = update_shape[place] = min(least[dim], update_shape[place])
        if place in update_sizes:
            index_sizes.setdefault(dim, update_sizes[place])
    padded = Bounded(site.fitted(indices.tensor, least), index_sizes)
    counts = site.in_bounds(padded, index_sizes)
    tensor = padded.tensor
    if counts is not None:
        if not dims.scatter_dims_to_operand_dims:
            raise site.unsupported("updates of bounded number without indices")
        tensor = _wide(site, tensor)
        tensor = counts.select(tensor, tensor.number(max(shape, default=0)))
    regions = (op.detach_region(op.update_computation),)
    properties = dict(op.properties)
    properties.pop("unique_indices", None)
    properties.pop("indices_are_sorted", None)
    results = site.emit(
        (
            *(site.fitted(x.tensor, shape) for x in inputs),
            tensor,
            *(site.fitted(x.tensor, update_shape) for x in updates),
        ),
        properties,
        regions,
    )
    return [Bounded(result, sizes) for result in results]


def _torch_index_select(site: Site, op: stablehlo.TorchIndexSelectOp) -> Sequence[Bounded]:
    operand, index = site.operands()
    dim, batch = op.dim.value.data, op.batch_dims.value.data
    tensor = index.tensor
    if dim in operand.sizes:
        wide = _wide(site, tensor)
        last = site.maximum(operand.sizes[dim] - 1, site.number(0)).convert(i64)
        tensor = site.maximum(wide.number(0), site.minimum(wide, last.broadcast(wide.shape, ())))
    rank = operand.rank + index.rank - 1 - batch
    shape = (*operand.shape[:dim], *index.shape[batch:], *operand.shape[dim + 1 :])
    type = TensorType(element_type_of(op.results[0]), shape)
    assert len(shape) == rank
    (result,) = site.builder.emit(stablehlo.TorchIndexSelectOp, (operand.tensor, tensor), (type,), op.properties)
    sizes = {d: size for d, size in operand.sizes.items() if d < dim}
    sizes |= {dim + d - batch: size for d, size in index.sizes.items() if d >= batch}
    sizes |= {d + index.rank - batch - 1: size for d, size in operand.sizes.items() if d > dim}
    return [Bounded(result, sizes)]


INDEXING: dict[type[Operation], Rule] = {
    stablehlo.DynamicSliceOp: _dynamic_slice,
    stablehlo.DynamicUpdateSliceOp: _dynamic_update_slice,
    stablehlo.GatherOp: _gather,
    stablehlo.ScatterOp: _scatter,
    stablehlo.TorchIndexSelectOp: _torch_index_select,
}
"""Op type to rule."""
