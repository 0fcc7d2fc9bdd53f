"""Reductions over dimensions and map (StableHLO specification, sections of those names)."""

from __future__ import annotations

from collections.abc import Sequence
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
