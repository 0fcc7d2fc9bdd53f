"""Random slices, gathers and scatters at computed places."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import GatherDimensionNumbersAttr, ScatterDimensionNumbersAttr
from .bodies import combiners, updates
from .elements import INTEGERS, WIDE_INTEGERS
from .generator import Generator, Shape, Value
from .known import Unfit, joined


def _starts(g: Generator, shape: Shape) -> list[SSAValue]:
    element = g.choice(WIDE_INTEGERS)
    return [g.places(element, (), size).ssa for size in shape]


def dynamic_slice(g: Generator) -> None:
    x = g.any(least_rank=1)
    sizes = tuple(g.random.randint(min(1, n), n) for n in x.shape)
    g.keep(hlo.DynamicSliceOp(x.ssa, _starts(g, x.shape), sizes), x.element, sizes, x.known)


def dynamic_update_slice(g: Generator) -> None:
    x = g.any(least_rank=1)
    update = g.any([x.element], shape=tuple(g.random.randint(min(1, n), n) for n in x.shape))
    op = hlo.DynamicUpdateSliceOp(x.ssa, update.ssa, _starts(g, x.shape))
    g.keep(op, x.element, x.shape, joined(x.known, update.known))


def torch_index_select(g: Generator) -> None:
    x = g.any(least_rank=1)
    dim = g.random.randrange(len(x.shape))
    if 0 in x.shape:
        raise Unfit
    batch = g.random.randint(0, min(dim, 1))
    places = tuple(g.random.randint(1, 4) for _ in range(g.random.randint(0, 2)))
    index = g.places(g.choice(WIDE_INTEGERS), (*x.shape[:batch], *places), x.shape[dim])
    shape = hlo.TorchIndexSelectOp.infer_shape(x.shape, index.shape, dim, batch)
    g.keep(hlo.TorchIndexSelectOp(x.ssa, index.ssa, dim, batch), x.element, shape, x.known)


class _Indexing(NamedTuple):
    """Dimension numbers of a gather, and of a scatter into the same shape."""

    indices: Value
    window_dims: tuple[int, ...]
    dropped: tuple[int, ...]
    batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    index_map: tuple[int, ...]
    vector_dim: int
    slice_sizes: tuple[int, ...]
    result: Shape


def _indexing(g: Generator, shape: Shape) -> _Indexing:
    dims = g.random.sample(range(len(shape)), len(shape))
    if 0 in shape:
        raise Unfit
    batch_count = g.random.choice([0, 0, 0, 1, 2]) if len(dims) > 2 else g.random.choice([0, 0, 1]) % len(dims)
    batching, dims = sorted(dims[:batch_count]), dims[batch_count:]
    dropped = sorted(g.random.sample(dims, g.random.randint(0, len(dims))))
    index_map = g.random.sample(dims, g.random.randint(1, len(dims)))
    slice_sizes = [1 if d in dropped or d in batching else g.random.randint(1, n) for d, n in enumerate(shape)]
    batch = g.sizes(1, 4, g.random.randint(0, 2))
    if g.random.random() < 0.03:
        batch.append(0)
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
    indices = g.places(g.choice(INTEGERS), tuple(indices_shape), max(shape[d] for d in index_map))
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
    x = g.any(least_rank=1)
    at = _indexing(g, x.shape)
    numbers = GatherDimensionNumbersAttr(
        (at.window_dims, at.dropped, at.batching, at.indices_batching, at.index_map, at.vector_dim)
    )
    g.keep(hlo.GatherOp(x.ssa, at.indices.ssa, numbers, at.slice_sizes), x.element, at.result, x.known)


def scatter(g: Generator) -> None:
    """Of one or several operands, with a body of any kind: updates are applied in order."""
    x = g.any(least_rank=1)
    at = _indexing(g, x.shape)
    operands, changes = [x], [g.any([x.element], shape=at.result)]
    for _ in range(g.random.choice([0, 0, 0, 1, 2])):
        operands.append(g.any(shape=x.shape))
        changes.append(g.any([operands[-1].element], shape=at.result))
    body, known = (updates if g.random.random() < 0.5 else combiners)(g, operands, changes, changes[0].size)
    numbers = ScatterDimensionNumbersAttr(
        (at.window_dims, at.dropped, at.batching, at.indices_batching, at.index_map, at.vector_dim)
    )
    op = hlo.ScatterOp([v.ssa for v in operands], at.indices.ssa, [v.ssa for v in changes], numbers, body)
    g.keep_all(op, [(v.element, v.shape, k) for v, k in zip(operands, known, strict=True)])
