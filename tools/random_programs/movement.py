"""Random data movement and indexing."""

from __future__ import annotations

import math
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import (
    GatherDimensionNumbersAttr,
    ScatterDimensionNumbersAttr,
)
from .reductions import reducer
from .values import (
    FLOATS,
    INTEGERS,
    MAX_ELEMENTS,
    Generator,
    Shape,
    Unfit,
    Value,
    joined,
    rounded,
    tensor_of,
)


def iota(g: Generator) -> None:
    shape = g.shape(g.random.randint(1, 4))
    dim = g.random.randrange(len(shape))
    element = g.random.choice([*INTEGERS, *FLOATS])
    g.keep(hlo.IotaOp(dim, tensor_of(element, shape)), element, shape, rounded(element, 1.0, float(shape[dim]), 0))


def broadcast(g: Generator) -> None:
    x = g.any()
    rank = g.random.randint(len(x.shape), max(5, len(x.shape)))
    dims = g.random.sample(range(rank), len(x.shape))
    shape = list(g.shape(rank, 64))
    for size, dim in zip(x.shape, dims, strict=True):
        if size != 1:
            shape[dim] = size
    if math.prod(shape) > MAX_ELEMENTS:
        raise Unfit
    g.keep(hlo.BroadcastInDimOp(x.ssa, dims, tensor_of(x.element, shape)), x.element, tuple(shape), x.known)


def reshape(g: Generator) -> None:
    x = g.any()
    if x.size == 0:
        shape = (*g.shape(g.random.randint(0, 2), 16), 0)
    else:
        factors: list[int] = []
        rest = x.size
        for prime in (2, 3, 5, 7, 11, 13, 17):
            while rest % prime == 0:
                factors.append(prime)
                rest //= prime
        rank = g.random.randint(1 if x.size > 1 else 0, 5)
        sizes = [1] * rank
        for factor in [*factors, rest] if rank else []:
            sizes[g.random.randrange(rank)] *= factor
        shape = tuple(sizes)
    g.keep(hlo.ReshapeOp(x.ssa, shape), x.element, shape, x.known)


def transpose(g: Generator) -> None:
    x = g.any(1)
    permutation = g.random.sample(range(len(x.shape)), len(x.shape))
    g.keep(hlo.TransposeOp(x.ssa, permutation), x.element, tuple(x.shape[d] for d in permutation), x.known)


def reverse(g: Generator) -> None:
    x = g.any(1)
    dims = g.random.sample(range(len(x.shape)), g.random.randint(0, len(x.shape)))
    g.keep(hlo.ReverseOp(x.ssa, dims), x.element, x.shape, x.known)


def slice_(g: Generator) -> None:
    x = g.any(1)
    starts = [g.random.randint(0, n) if g.random.random() < 0.1 else g.random.randint(0, n // 2) for n in x.shape]
    limits = [g.random.randint(s, n) if g.random.random() < 0.5 else n for s, n in zip(starts, x.shape, strict=True)]
    strides = [g.random.choice([1, 1, 2, 3]) for _ in x.shape]
    shape = tuple(-((s - e) // k) for s, e, k in zip(starts, limits, strides, strict=True))
    g.keep(hlo.SliceOp(x.ssa, starts, limits, strides), x.element, shape, x.known)


def pad(g: Generator) -> None:
    x = g.any()
    padding = g.pick([x.element], shape=())
    rank = len(x.shape)
    low, high, interior = g.sizes(-2, 3, rank), g.sizes(-2, 3, rank), [g.random.choice([0, 0, 1, 2]) for _ in x.shape]
    zipped = zip(x.shape, low, high, interior, strict=True)
    shape = tuple(a + b + n + max(n - 1, 0) * i for n, a, b, i in zipped)
    if any(n < 0 for n in shape):
        raise Unfit
    known = joined(x.known, padding.known)
    g.keep(hlo.PadOp(x.ssa, padding.ssa, low, high, interior), x.element, shape, known)


def concatenate(g: Generator) -> None:
    x = g.any(1)
    dim = g.random.randrange(len(x.shape))
    parts = [x]
    for _ in range(g.random.randint(0, 3)):
        shape = list(x.shape)
        if g.random.random() < 0.5:
            shape[dim] = g.random.randint(0, 5)
        parts.append(g.pick([x.element], lambda value: True, tuple(shape)))
    g.random.shuffle(parts)
    known = parts[0].known
    for part in parts[1:]:
        known = joined(known, part.known)
    shape = (*x.shape[:dim], sum(p.shape[dim] for p in parts), *x.shape[dim + 1 :])
    g.keep(hlo.ConcatenateOp([p.ssa for p in parts], dim), x.element, shape, known)


def _starts(g: Generator, count: int) -> list[SSAValue]:
    element = g.random.choice(INTEGERS)
    return [g.argument(element, (), -2).ssa for _ in range(count)]


def dynamic_slice(g: Generator) -> None:
    x = g.any(1)
    sizes = tuple(g.random.randint(min(1, n), n) for n in x.shape)
    g.keep(hlo.DynamicSliceOp(x.ssa, _starts(g, len(sizes)), sizes), x.element, sizes, x.known)


def dynamic_update_slice(g: Generator) -> None:
    x = g.any(1)
    update = g.pick([x.element], lambda value: True, tuple(g.random.randint(min(1, n), n) for n in x.shape))
    op = hlo.DynamicUpdateSliceOp(x.ssa, update.ssa, _starts(g, len(x.shape)))
    g.keep(op, x.element, x.shape, joined(x.known, update.known))


class _Indexing(NamedTuple):
    """Dimension numbers of a gather, and of a scatter into the same shape."""

    indices: Value
    window_dims: Shape
    dropped: Shape
    batching: Shape
    indices_batching: Shape
    index_map: Shape
    vector_dim: int
    slice_sizes: Shape
    result: Shape


def _indexing(g: Generator, shape: Shape) -> _Indexing:
    dims = g.random.sample(range(len(shape)), len(shape))
    if 0 in shape:
        raise Unfit
    batch_count = g.random.choice([0, 0, 0, 1]) if len(dims) > 1 else 0
    batching, dims = sorted(dims[:batch_count]), dims[batch_count:]
    dropped = sorted(g.random.sample(dims, g.random.randint(0, len(dims))))
    index_map = g.random.sample(dims, g.random.randint(1, len(dims)))
    slice_sizes = [1 if d in dropped or d in batching else g.random.randint(1, n) for d, n in enumerate(shape)]
    batch = g.sizes(1, 4, g.random.randint(0, 2))
    indices_batching: list[int] = []
    for d in batching:
        place = g.random.randint(0, len(batch))
        batch.insert(place, shape[d])
        indices_batching = [p + (p >= place) for p in indices_batching] + [place]
    vector_dim = g.random.randint(0, len(batch))
    indices_shape = list(batch)
    if len(index_map) == 1 and g.random.random() < 0.3:
        vector_dim = len(batch)
    else:
        indices_shape.insert(vector_dim, len(index_map))
        indices_batching = [p + (p >= vector_dim) for p in indices_batching]
    indices = g.argument(g.random.choice(INTEGERS), tuple(indices_shape), -2, 9)
    window = [n for d, n in enumerate(slice_sizes) if d not in dropped and d not in batching]
    rank = len(window) + len(batch)
    window_dims = sorted(g.random.sample(range(rank), len(window)))
    sizes, places = iter(window), iter(batch)
    result = tuple(next(sizes) if d in window_dims else next(places) for d in range(rank))
    return _Indexing(
        indices, tuple(window_dims), tuple(dropped), tuple(batching), tuple(indices_batching), tuple(index_map),
        vector_dim, tuple(slice_sizes), result,
    )  # fmt: skip


def gather(g: Generator) -> None:
    x = g.any(1)
    at = _indexing(g, x.shape)
    numbers = GatherDimensionNumbersAttr(
        (at.window_dims, at.dropped, at.batching, at.indices_batching, at.index_map, at.vector_dim)
    )
    g.keep(hlo.GatherOp(x.ssa, at.indices.ssa, numbers, at.slice_sizes), x.element, at.result, x.known)


def scatter(g: Generator) -> None:
    x = g.exact([*INTEGERS, *FLOATS], 1)
    at = _indexing(g, x.shape)
    update = g.exact([x.element], shape=at.result)
    make = g.random.choice([hlo.AddOp, hlo.MaxOp, hlo.MinOp])
    known = joined(x.known, update.known)
    if make is hlo.AddOp:
        bound = x.known.bound + update.size * update.known.bound
        known = rounded(x.element, known.step, bound, 0, math.sqrt(update.size + 1))
    numbers = ScatterDimensionNumbersAttr(
        (at.window_dims, at.dropped, at.batching, at.indices_batching, at.index_map, at.vector_dim)
    )
    op = hlo.ScatterOp([x.ssa], at.indices.ssa, [update.ssa], numbers, reducer(x.element, make))
    g.keep(op, x.element, x.shape, known)
