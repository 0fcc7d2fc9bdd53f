"""Reductions over dimensions, map and sort (StableHLO specification, sections of those names)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


_ORDERING = ("and", "compare", "constant", "convert", "maximum", "minimum", "not", "or", "select")
"""Ops of StableHLO that choose among values: a reducer made of these alone is taken to be associative."""


def reduce_from(call: Call, starts: Sequence[Array], values: list[Array], region: int = 0) -> tuple[Array, ...]:
    """`starts` combined with all `values` along axis 0.

    Pairwise, or one value after the other with a reducer that may be no associative function, such as
    `a + b * b` of what there is and the next element: what combines several values by itself.
    """
    body = call.op.regions[region]
    steps = [op for op in body.walk() if op.name.removeprefix("stablehlo.") not in (*_ORDERING, "return")]
    if len(steps) <= len(starts):
        return call.run_batched(region, *starts, *reduce_axis(call, values, region))
    results = tuple(starts)
    for element in zip(*values, strict=True):
        results = call.run_batched(region, *results, *element)
    return results


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
    return reduce_from(call, starts, flat)


@reference("stablehlo.map")
def map_(call: Call, *operands: Array) -> Array:
    return call.run_batched(0, *operands)[0]


@reference("stablehlo.sort")
def sort(call: Call, *operands: Array) -> tuple[Array, ...]:
    """By the comparator region, always stable."""
    return sort_by(lambda *pairs: call.run_batched(0, *pairs)[0], call.int("dimension", -1), operands)


def sort_by(less: Callable[..., Array], dimension: int, operands: Sequence[Array]) -> tuple[Array, ...]:
    """Stable merge sort of `operands` together, all slices along `dimension` at once.

    `less` takes two values of each operand, those of one next to each other.
    """
    if operands[0].size == 0:
        return tuple(operands)
    dimension %= operands[0].ndim
    moved = [np.moveaxis(o, dimension, 0) for o in operands]
    size = moved[0].shape[0]
    columns = [m.reshape(size, -1) for m in moved]
    width = 1
    while width < size:
        columns = _merge_runs(less, columns, width)
        width *= 2
    return tuple(np.moveaxis(c.reshape(m.shape), 0, dimension) for c, m in zip(columns, moved, strict=True))


def _merge_runs(less: Callable[..., Array], columns: list[Array], width: int) -> list[Array]:
    """Merges neighbouring sorted runs of `width` rows: each element finds its rank in the other run by bisection."""
    rows, lanes = columns[0].shape
    row, lane = np.arange(rows, dtype=np.int64)[:, None], np.arange(lanes, dtype=np.int64)[None, :]
    start = row // (2 * width) * (2 * width)
    middle, end = np.minimum(start + width, rows), np.minimum(start + 2 * width, rows)
    is_left = row < middle
    low = np.broadcast_to(np.where(is_left, middle, start), (rows, lanes))
    high = np.broadcast_to(np.where(is_left, end, middle), (rows, lanes))
    for _ in range(width.bit_length()):
        probe = np.minimum((low + high) // 2, rows - 1)
        other = [c[probe, lane] for c in columns]
        pairs: list[Array] = []
        for own, found in zip(columns, other, strict=True):
            pairs += [np.where(is_left, found, own), np.where(is_left, own, found)]
        # Of equal elements that of the left run is first.
        before = less(*pairs).astype(bool) == is_left
        open_ = low < high
        low, high = np.where(open_ & before, probe + 1, low), np.where(open_ & ~before, probe, high)
    target = np.where(is_left, row + low - middle, row - middle + low)
    merged = [np.empty_like(c) for c in columns]
    for column, result in zip(columns, merged, strict=True):
        result[target, np.broadcast_to(lane, target.shape)] = column
    return merged
