"""Reductions over dimensions, map and sort (StableHLO specification, sections of those names)."""

from __future__ import annotations

from math import prod

import numpy as np

from .arrays import Array
from .registry import Call, reference


def reduce_axis(call: Call, values: list[Array], region: int = 0) -> list[Array]:
    """Combines `values` along axis 0, pairwise and in order, with a region `(lhs..., rhs...)`.

    The specification allows any grouping; pairs keep the order of elements and make the error of sums small.
    """
    while len(values[0]) > 1:
        even = len(values[0]) // 2 * 2
        merged = call.run_batched(region, *(v[0:even:2] for v in values), *(v[1:even:2] for v in values))
        values = [np.concatenate([m, v[even:]]) for m, v in zip(merged, values, strict=True)]
    return [v[0] for v in values]


@reference("stablehlo.reduce")
def reduce(call: Call, *operands: Array) -> tuple[Array, ...]:
    half = len(operands) // 2
    dimensions = call.ints("dimensions")
    inputs, inits = call.promoted(*operands[:half]), call.promoted(*operands[half:])
    kept = [d for d in range(inputs[0].ndim) if d not in dimensions]
    shape = tuple(inputs[0].shape[d] for d in kept)
    count = prod(inputs[0].shape[d] for d in dimensions)
    flat = [x.transpose([*dimensions, *kept]).reshape(count, *shape) for x in inputs]
    starts = [np.broadcast_to(init, shape) for init in inits]
    if count == 0:
        return tuple(starts)
    return call.run_batched(0, *starts, *reduce_axis(call, flat))


@reference("stablehlo.map")
def map_(call: Call, *operands: Array) -> Array:
    return call.run_batched(0, *operands)[0]


@reference("stablehlo.sort")
def sort(call: Call, *operands: Array) -> tuple[Array, ...]:
    """Stable merge sort with the comparator region, all slices along `dimension` at once."""
    dimension = call.int("dimension", -1) % max(1, operands[0].ndim)
    moved = [np.moveaxis(o, dimension, 0) for o in operands]
    size = moved[0].shape[0]
    columns = [m.reshape(size, prod(m.shape[1:])).copy() for m in moved]
    width = 1
    while width < size:
        for start in range(0, size, 2 * width):
            middle, end = min(start + width, size), min(start + 2 * width, size)
            if middle < end:
                _merge(call, columns, start, middle, end)
        width *= 2
    return tuple(np.moveaxis(c.reshape(m.shape), 0, dimension) for c, m in zip(columns, moved, strict=True))


def _merge(call: Call, columns: list[Array], start: int, middle: int, end: int) -> None:
    lanes = np.arange(columns[0].shape[1])
    left = np.full(len(lanes), start)
    right = np.full(len(lanes), middle)
    merged = [np.empty((end - start, len(lanes)), c.dtype) for c in columns]
    for position in range(end - start):
        safe_left, safe_right = np.minimum(left, middle - 1), np.minimum(right, end - 1)
        pairs = [v for c in columns for v in (c[safe_right, lanes], c[safe_left, lanes])]
        right_first = call.run_batched(0, *pairs)[0].astype(bool)
        take_right = (left >= middle) | ((right < end) & right_first)
        source = np.where(take_right, safe_right, safe_left)
        for out, c in zip(merged, columns, strict=True):
            out[position] = c[source, lanes]
        right += take_right
        left += ~take_right
    for out, c in zip(merged, columns, strict=True):
        c[start:end] = out
