"""Ops with indices that are values (StableHLO specification, `gather`, `scatter`, `dynamic_slice`, ...)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from .arrays import Array
from .registry import Call, reference


def clamped_starts(starts: tuple[Array, ...], shape: tuple[int, ...], sizes: tuple[int, ...]) -> list[int]:
    """Start indices moved so that a slice of `sizes` lies inside `shape`."""
    return [max(0, min(int(s), n - k)) for s, n, k in zip(starts, shape, sizes, strict=True)]


def _available(
    call: Call, sizes: tuple[int, ...], operand: Array, places: Mapping[int, int] | None = None
) -> tuple[int, ...]:
    """The sizes of slices, not beyond the operand in dimensions of which the result has an unknown size.

    `places` says where the dimensions of the operand are in the result.
    """
    declared = call.result()[0]
    where = dict(enumerate(range(operand.ndim))) if places is None else places
    return tuple(
        min(size, n) if d in where and declared[where[d]] == DYNAMIC_INDEX else size
        for d, (size, n) in enumerate(zip(sizes, operand.shape, strict=True))
    )


@reference("stablehlo.dynamic_slice")
def dynamic_slice(call: Call, operand: Array, *start_indices: Array) -> Array:
    sizes = _available(call, call.ints("slice_sizes"), operand)
    starts = clamped_starts(start_indices, operand.shape, sizes)
    return operand[tuple(slice(s, s + k) for s, k in zip(starts, sizes, strict=True))]


@reference("stablehlo.dynamic_update_slice")
def dynamic_update_slice(call: Call, operand: Array, update: Array, *start_indices: Array) -> Array:
    update = update[tuple(map(slice, operand.shape))]
    starts = clamped_starts(start_indices, operand.shape, update.shape)
    result = operand.copy()
    result[tuple(slice(s, s + k) for s, k in zip(starts, update.shape, strict=True))] = update
    return result


def _as_int64(indices: Array) -> Array:
    """What is too large becomes the greatest number."""
    return (np.minimum(indices, np.iinfo(np.int64).max) if indices.dtype == np.uint64 else indices).astype(np.int64)


def _index_vectors(indices: Array, index_vector_dim: int) -> Array:
    """`indices` as int64, with the index vector as last dimension."""
    indices = _as_int64(indices)
    if index_vector_dim == indices.ndim:
        return indices[..., None]
    return np.moveaxis(indices, index_vector_dim, -1)


@reference("stablehlo.gather")
def gather(call: Call, operand: Array, start_indices: Array) -> Array:
    """Slices are moved into the operand where they would reach out of it."""
    numbers, sizes = call.get("dimension_numbers"), call.ints("slice_sizes")
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    windows = dict(zip((d for d in range(operand.ndim) if d not in dropped), numbers.offset_dims, strict=True))
    return gather_slices(numbers, _available(call, sizes, operand, windows), operand, start_indices)


def gather_slices(numbers: Any, sizes: tuple[int, ...], operand: Array, start_indices: Array) -> Array:
    """The gather with these dimension numbers and slice sizes."""
    vectors = _index_vectors(start_indices, numbers.index_vector_dim)
    batch_shape = vectors.shape[:-1]
    window_dims = [
        d
        for d in range(operand.ndim)
        if d not in numbers.collapsed_slice_dims and d not in numbers.operand_batching_dims
    ]
    batch_dims = [d for d in range(len(batch_shape) + len(window_dims)) if d not in numbers.offset_dims]
    extents = dict(zip(batch_dims, batch_shape, strict=True))
    extents |= {o: sizes[d] for o, d in zip(numbers.offset_dims, window_dims, strict=True)}
    shape = tuple(extents[d] for d in range(len(extents)))
    grid = np.indices(shape) if shape else np.zeros((0,), np.int64)
    batch = tuple(grid[d] for d in batch_dims)
    index: list[Array] = []
    for d in range(operand.ndim):
        if d in numbers.operand_batching_dims:
            position = numbers.operand_batching_dims.index(d)
            source = numbers.start_indices_batching_dims[position]
            start = batch[source - (source > numbers.index_vector_dim)]
        elif d in numbers.start_index_map:
            component = vectors[..., numbers.start_index_map.index(d)]
            start = (
                np.clip(component, 0, operand.shape[d] - sizes[d])[batch]
                if batch_shape
                else np.clip(component, 0, operand.shape[d] - sizes[d])
            )
        else:
            start = np.zeros((), np.int64)
        if d in window_dims:
            start = start + grid[numbers.offset_dims[window_dims.index(d)]]
        index.append(np.broadcast_to(start, shape))
    return operand[tuple(index)] if index else np.broadcast_to(operand, shape)


@reference("stablehlo.scatter")
def scatter(call: Call, *operands: Array) -> tuple[Array, ...]:
    """Index vectors in row-major order; elements of a window that fall outside are dropped."""
    count = (len(operands) - 1) // 2
    inputs, updates = call.promoted(*operands[:count]), call.promoted(*operands[count + 1 :])
    numbers = call.get("scatter_dimension_numbers")
    results = [np.array(x) for x in inputs]
    shape = inputs[0].shape
    vectors = _index_vectors(operands[count], numbers.index_vector_dim)
    update_rank = updates[0].ndim
    window_dims = list(numbers.update_window_dims)
    scatter_dims = [d for d in range(update_rank) if d not in window_dims]
    kept = [
        d for d in range(len(shape)) if d not in numbers.inserted_window_dims and d not in numbers.input_batching_dims
    ]
    moved = [u.transpose([*scatter_dims, *window_dims]) for u in updates]
    window_shape = tuple(updates[0].shape[d] for d in window_dims)
    window = np.indices(window_shape)
    for position in np.ndindex(*(updates[0].shape[d] for d in scatter_dims)):
        index = [np.zeros(window_shape, np.int64) for _ in shape]
        for k, d in enumerate(numbers.scatter_dims_to_operand_dims):
            index[d] = index[d] + vectors[(*position, k)]
        for d, source in zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
            index[d] = index[d] + position[source - (source > numbers.index_vector_dim)]
        for k, d in enumerate(kept):
            index[d] = index[d] + window[k]
        inside = np.ones(window_shape, bool)
        for i, n in zip(index, shape, strict=True):
            inside &= (i >= 0) & (i < n)
        target = tuple(i[inside] for i in index)
        old = [r[target] if target else r.reshape(1) for r in results]
        new = [
            m[position][inside] if window_shape else np.asarray(m[position]).reshape(-1)[inside.reshape(-1)]
            for m in moved
        ]
        for result, value in zip(results, call.run_batched(0, *old, *new), strict=True):
            if target:
                result[target] = value
            else:
                result[...] = value.reshape(())
    return tuple(results)


@reference("stablehlo.torch_index_select")
def torch_index_select(call: Call, operand: Array, index: Array) -> Array:
    """The elements of dimension `dim` that `index` names, one list per batch; clamped as by `gather`."""
    dim, batch_dims = call.int("dim"), call.int("batch_dims")
    size = operand.shape[dim]
    where = np.clip(_as_int64(index), 0, max(0, size - 1))
    results = [
        np.take(operand[batch], where[batch], dim - batch_dims) for batch in np.ndindex(index.shape[:batch_dims])
    ]
    shape = (*operand.shape[:dim], *index.shape[batch_dims:], *operand.shape[dim + 1 :])
    return np.array(results, operand.dtype).reshape(shape)
