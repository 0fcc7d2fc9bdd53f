"""Windowed ops (StableHLO specification, `reduce_window`, `select_and_scatter`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .arrays import Array
from .data_movement import pad_array
from .reduction import reduce_from
from .registry import Call, reference


@reference("stablehlo.reduce_window")
def reduce_window(call: Call, *operands: Array) -> tuple[Array, ...]:
    count = len(operands) // 2
    inputs, inits = call.promoted(*operands[:count]), call.promoted(*operands[count:])
    rank = inputs[0].ndim
    ones = (1,) * rank
    window = call.ints("window_dimensions")
    strides, dilations = call.ints("window_strides", ones), call.ints("window_dilations", ones)
    padding = call.array("padding", np.zeros((rank, 2), np.int64))
    base = call.ints("base_dilations", ones)
    padded = [
        pad_array(
            x,
            init,
            tuple(int(p) for p in padding[:, 0]),
            tuple(int(p) for p in padding[:, 1]),
            tuple(b - 1 for b in base),
        )
        for x, init in zip(inputs, inits, strict=True)
    ]
    shape = window_positions(padded[0].shape, window, strides, dilations)
    stacked = [
        np.array([p[window_slice(position, dilations, strides, shape)] for position in np.ndindex(*window)])
        for p in padded
    ]
    starts = [np.broadcast_to(init, shape) for init in inits]
    if 0 in shape:
        return tuple(np.empty(shape, x.dtype) for x in inputs)
    if 0 in window:
        return tuple(starts)
    return reduce_from(call, starts, stacked)


def window_positions(
    sizes: tuple[int, ...], window: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]
) -> tuple[int, ...]:
    """How often a window fits into each dimension; never if it is empty or the dimension is."""
    extents = ((w - 1) * d + 1 if w else 0 for w, d in zip(window, dilations, strict=True))
    return tuple(
        0 if n == 0 or extent > n else (n - extent) // s + 1
        for n, extent, s in zip(sizes, extents, strides, strict=True)
    )


def window_slice(
    position: tuple[int, ...],
    dilations: tuple[int, ...],
    strides: tuple[int, ...],
    shape: tuple[int, ...],
) -> tuple[slice, ...]:
    """The elements at `position` of the window, for all windows."""
    return tuple(
        slice(k * d, k * d + (n - 1) * s + 1, s) if n else slice(0, 0)
        for k, d, s, n in zip(position, dilations, strides, shape, strict=True)
    )


@reference("stablehlo.select_and_scatter")
def select_and_scatter(call: Call, operand: Array, source: Array, init_value: Array) -> Array:
    """Each window selects one element of `operand`, into which its element of `source` is scattered."""
    rank = operand.ndim
    ones = (1,) * rank
    window, strides = call.ints("window_dimensions", ones), call.ints("window_strides", ones)
    padding = call.array("padding", np.zeros((rank, 2), np.int64))
    starts: list[Array] = [
        np.arange(n) * s - int(low) for n, s, low in zip(source.shape, strides, padding[:, 0], strict=True)
    ]
    grid: Sequence[Array] = np.meshgrid(*starts, indexing="ij") if rank else []
    chosen = [np.full(source.shape, -1) for _ in range(rank)]
    best = np.zeros(source.shape, operand.dtype)
    found = np.zeros(source.shape, bool)
    for offset in np.ndindex(*window):
        index = [g + o for g, o in zip(grid, offset, strict=True)]
        valid = np.ones(source.shape, bool)
        for i, n in zip(index, operand.shape, strict=True):
            valid &= (i >= 0) & (i < n)
        if operand.size == 0:
            continue
        value = operand[tuple(np.clip(i, 0, n - 1) for i, n in zip(index, operand.shape, strict=True))]
        keep = call.run_batched(0, best, value)[0].astype(bool)
        take = valid & (~found | ~keep)
        best = np.where(take, value, best)
        chosen = [np.where(take, i, c) for i, c in zip(index, chosen, strict=True)]
        found |= valid
    init_value, source = call.promoted(init_value, source)
    result = np.full(operand.shape, init_value, init_value.dtype)
    for position in np.ndindex(*source.shape):
        if found[position]:
            target = tuple(int(c[position]) for c in chosen)
            result[target] = call.run(1, np.asarray(result[target]), np.asarray(source[position]))[0]
    return result
