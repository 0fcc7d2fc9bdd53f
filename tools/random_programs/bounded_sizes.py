"""Random tensors of bounded size: the first elements along some dimensions, and ops on them.

What is behind the last element that counts is given too, and must never be seen. Operands that have to be equally long
come from one tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
    DotDimensionNumbersAttr,
    GatherDimensionNumbersAttr,
    TypeExtensionsAttr,
)
from .bodies import reducer
from .elements import BOOL, I32, NUMBERS, Element
from .generator import Generator, Shape, Value, append, region, tensor_of
from .known import INTEGER, Known, Unfit, contracted, joined


@dataclass(frozen=True)
class Sized:
    """A tensor, some of whose dimensions are bounded."""

    ssa: SSAValue
    element: Element
    bounds: Shape
    """Static sizes, and bounds of the others."""
    lengths: Mapping[int, object]
    """What tells the size of a bounded dimension from other sizes."""
    known: Known
    may_be_empty: bool

    @property
    def static(self) -> list[int]:
        return [dim for dim in range(len(self.bounds)) if dim not in self.lengths]

    def value(self) -> Value:
        """As a value of its greatest shape, to say what is known of ops on it."""
        return Value(self.ssa, self.element, self.bounds, self.known)


def bounded_type(element: Attribute, bounds: Sequence[int], dims: Sequence[int]) -> Attribute:
    """The type of tensors whose dimensions `dims` are bounded."""
    if not dims:
        return TensorType(element, bounds)
    extensions = TypeExtensionsAttr(tuple(n if d in dims else DYNAMIC_INDEX for d, n in enumerate(bounds)))
    return TensorType(element, [DYNAMIC_INDEX if d in dims else n for d, n in enumerate(bounds)], extensions)


def _drawn(g: Generator) -> Sized:
    """The first elements of a value along one or two of its dimensions."""
    x = g.pick(NUMBERS, least_rank=1)
    if 0 in x.shape or math.prod(x.shape) > g.most // 8:
        raise Unfit
    least = 0 if g.random.random() < 0.3 else 1
    ssa, lengths = x.ssa, dict[int, object]()
    for dim in g.random.sample(range(len(x.shape)), 1 if len(x.shape) == 1 or g.random.random() < 0.6 else 2):
        size = g.indices(I32, (), least, x.shape[dim])
        cut = hlo.SetDimensionSizeOp(ssa, size.ssa, dim)
        lengths[dim] = size.ssa
        cut.result._type = bounded_type(x.element.attribute, x.shape, list(lengths))  # pyright: ignore
        ssa = g.add(cut, x.known)
    return Sized(ssa, x.element, x.shape, lengths, x.known, least == 0)


def _next(g: Generator, x: Sized, op: Operation, known: Known | None = None) -> Sized:
    """`x` after an op that keeps its sizes."""
    known = x.known if known is None else known
    return replace(x, ssa=g.add(op, known), known=known)


def _elementwise(g: Generator, x: Sized) -> Sized:
    other = g.add(hlo.ReverseOp(x.ssa, [g.random.randrange(len(x.bounds))]), x.known)
    if x.element.is_complex:
        return _next(g, x, hlo.NegOp(other)) if g.random.random() < 0.5 else replace(x, ssa=other)
    if not x.element.rounds:
        make = g.random.choice([hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.XorOp, hlo.MaxOp])
        return _next(g, x, make(x.ssa, other))
    if not x.known.exact or g.random.random() < 0.5:
        return _next(g, x, g.random.choice([hlo.MaxOp, hlo.MinOp])(x.ssa, other), replace(x.known, bits=False))
    less = g.add(hlo.CompareOp(x.ssa, other, ComparisonDirection.LT), INTEGER)
    return _next(g, x, hlo.SelectOp(less, other, x.ssa))


def _reverse(g: Generator, x: Sized) -> Sized:
    dims = g.random.sample(range(len(x.bounds)), g.random.randint(1, len(x.bounds)))
    return _next(g, x, hlo.ReverseOp(x.ssa, dims))


def _transpose(g: Generator, x: Sized) -> Sized:
    order = g.random.sample(range(len(x.bounds)), len(x.bounds))
    lengths = {order.index(dim): length for dim, length in x.lengths.items()}
    bounds = tuple(x.bounds[dim] for dim in order)
    return replace(_next(g, x, hlo.TransposeOp(x.ssa, order)), bounds=bounds, lengths=lengths)


def _slice(g: Generator, x: Sized) -> Sized:
    """Of the static dimensions."""
    starts, limits, steps = [0] * len(x.bounds), list(x.bounds), [1] * len(x.bounds)
    for dim in x.static:
        starts[dim] = g.random.randint(0, x.bounds[dim] - 1)
        limits[dim] = g.random.randint(starts[dim] + 1, x.bounds[dim])
        steps[dim] = g.random.choice([1, 1, 2])
    bounds = tuple(-((start - limit) // step) for start, limit, step in zip(starts, limits, steps, strict=True))
    return replace(_next(g, x, hlo.SliceOp(x.ssa, starts, limits, steps)), bounds=bounds)


def _pad(g: Generator, x: Sized) -> Sized:
    """In front, behind and between the elements that count."""
    value = g.pick([x.element], shape=())
    rank = len(x.bounds)
    low, high, inner = g.sizes(0, 2, rank), g.sizes(0, 2, rank), [g.random.choice([0, 0, 1]) for _ in x.bounds]
    zipped = zip(x.bounds, low, high, inner, strict=True)
    bounds = tuple(a + b + n + (n - 1) * i for n, a, b, i in zipped)
    op = hlo.PadOp(x.ssa, value.ssa, low, high, inner)
    lengths = {
        dim: (length, low[dim], high[dim], inner[dim]) if low[dim] or high[dim] or inner[dim] else length
        for dim, length in x.lengths.items()
    }
    return replace(_next(g, x, op, joined(x.known, value.known)), bounds=bounds, lengths=lengths)


def _concatenate(g: Generator, x: Sized) -> Sized:
    """With itself, and with a tensor of a static size along a dimension if no other one is bounded."""
    dim = g.random.randrange(len(x.bounds))
    parts, known, bound, key = [x.ssa], [x.known], x.bounds[dim], [x.lengths.get(dim)]
    for _ in range(g.random.randint(1, 2)):
        if set(x.lengths) <= {dim} and g.random.random() < 0.5:
            shape = (*x.bounds[:dim], g.random.randint(1, 3), *x.bounds[dim + 1 :])
            part = g.any([x.element], shape=shape)
            if not part.known.tame:
                raise Unfit
            ssa, more, size = part.ssa, part.known, shape[dim]
            key.append(size)
        else:
            ssa, more, size = x.ssa, x.known, x.bounds[dim]
            key.append(x.lengths.get(dim))
        place = g.random.randint(0, len(parts))
        parts.insert(place, ssa)
        known.append(more)
        bound += size
    lengths = {d: tuple(map(id, key)) if d == dim else length for d, length in x.lengths.items()}
    bounds = (*x.bounds[:dim], bound, *x.bounds[dim + 1 :])
    return replace(_next(g, x, hlo.ConcatenateOp(parts, dim), joined(*known)), bounds=bounds, lengths=lengths)


def _sort(g: Generator, x: Sized) -> Sized:
    if x.element.is_complex or not (x.known.exact and x.known.tame):
        raise Unfit
    direction = g.random.choice([ComparisonDirection.LT, ComparisonDirection.GT])
    scalar = tensor_of(x.element, ())
    before = region([scalar] * 2, lambda b: [append(b, hlo.CompareOp(b.args[0], b.args[1], direction))])
    op = hlo.SortOp([x.ssa], before, g.random.randrange(len(x.bounds)), True)
    return _next(g, x, op, replace(x.known, bits=False))


def _gather(g: Generator, x: Sized) -> Sized:
    """Slices of one place along the first dimension; indices beyond what counts are the last one."""
    if x.may_be_empty or (0 not in x.lengths and len(x.lengths) > 1):
        raise Unfit
    count, rank = g.random.randint(1, 5), len(x.bounds)
    if any(dim in x.lengths for dim in range(1, rank)):
        raise Unfit
    places = g.indices(I32, (count, 1), -2, x.bounds[0] + 2)
    numbers = GatherDimensionNumbersAttr((tuple(range(1, rank)), (0,), (), (), (0,), 1))
    op = hlo.GatherOp(x.ssa, places.ssa, numbers, [1, *x.bounds[1:]])
    bounds = (count, *x.bounds[1:])
    return replace(_next(g, x, op), bounds=bounds, lengths={})


def _broadcast(g: Generator, x: Sized) -> Sized:
    """With one more dimension, in front or behind."""
    extra, in_front = g.random.randint(1, 3), g.random.random() < 0.5
    shift = 1 if in_front else 0
    bounds = (extra, *x.bounds) if in_front else (*x.bounds, extra)
    lengths = {dim + shift: length for dim, length in x.lengths.items()}
    type = bounded_type(x.element.attribute, bounds, list(lengths))
    op = hlo.BroadcastInDimOp(x.ssa, [dim + shift for dim in range(len(x.bounds))], type)
    return replace(_next(g, x, op), bounds=bounds, lengths=lengths)


def _dot(g: Generator, x: Sized) -> Sized:
    """With itself, turned round along one dimension: contracted over some dimensions, others are batches."""
    other = g.add(hlo.ReverseOp(x.ssa, [g.random.randrange(len(x.bounds))]), x.known)
    dims = g.random.sample(range(len(x.bounds)), len(x.bounds))
    count = g.random.randint(1, len(dims))
    inner, batch = dims[:count], dims[count:][: g.random.choice([0, 0, 1])]
    rest = [dim for dim in range(len(x.bounds)) if dim not in (*inner, *batch)]
    places = [*batch, *rest, *rest]
    bounds = tuple(x.bounds[dim] for dim in places)
    if math.prod(bounds) > g.most // 8:
        raise Unfit
    known = contracted(x.element, x.known, x.known, math.prod(x.bounds[dim] for dim in inner))
    lengths = {place: x.lengths[dim] for place, dim in enumerate(places) if dim in x.lengths}
    numbers = DotDimensionNumbersAttr.of(
        lhs_batching_dimensions=batch,
        rhs_batching_dimensions=batch,
        lhs_contracting_dimensions=inner,
        rhs_contracting_dimensions=inner,
    )
    type = bounded_type(x.element.attribute, bounds, list(lengths))
    return replace(_next(g, x, hlo.DotGeneralOp(x.ssa, other, numbers, type), known), bounds=bounds, lengths=lengths)


def _reduced(g: Generator, x: Sized, dims: Sequence[int]) -> Sized:
    body, starts, (known,) = reducer(g, [x.value()], math.prod(x.bounds[dim] for dim in dims))
    init = g.scalar(x.element, starts[0])
    op = hlo.ReduceOp([x.ssa], [init], sorted(dims), body)
    kept = [dim for dim in range(len(x.bounds)) if dim not in dims]
    lengths = {kept.index(dim): length for dim, length in x.lengths.items() if dim in kept}
    return replace(_next(g, x, op, known), bounds=tuple(x.bounds[dim] for dim in kept), lengths=lengths)


def _reduce(g: Generator, x: Sized) -> Sized:
    """Over some dimensions, not all."""
    if len(x.bounds) == 1:
        raise Unfit
    return _reduced(g, x, g.random.sample(range(len(x.bounds)), g.random.randint(1, len(x.bounds) - 1)))


STEPS: list[Callable[[Generator, Sized], Sized]] = [
    _elementwise, _reverse, _transpose, _slice, _pad, _concatenate, _sort, _gather, _broadcast, _dot, _reduce,
]  # fmt: skip


def bounded_sizes(g: Generator) -> None:
    """Several ops on a tensor of bounded size; what they give is returned, or reduced to a static shape."""
    if g.depth or g.grid != (1, 1):
        raise Unfit
    x = _drawn(g)
    if x.element is BOOL:
        raise Unfit
    for _ in range(g.random.randint(1, 4)):
        if not x.lengths or math.prod(x.bounds) > g.most // 8:
            break
        try:
            x = g.random.choice(STEPS)(g, x)
        except Unfit:
            continue
    if x.lengths and g.random.random() < 0.3:
        g.keep(hlo.GetDimensionSizeOp(x.ssa, g.random.choice(list(x.lengths))), I32, (), INTEGER)
    if x.lengths and g.random.random() < 0.6:
        g.outputs.append((x.ssa, x.known))
        return
    if x.lengths:
        x = _reduced(g, x, list(x.lengths))
    g.values.append(x.value())
