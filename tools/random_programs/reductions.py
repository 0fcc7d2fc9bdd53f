"""Random reductions, windows and maps."""

from __future__ import annotations

import math

from xdsl.ir import Block, SSAValue

from ...dialects import chlo
from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ComparisonDirection
from ...dialects.stablehlo.windows import Window
from .bodies import combined, combiner, elementwise, reducer
from .elements import ELEMENTS, I32, INTEGERS, REALS, SCALE
from .generator import Generator, Shape, Value, append, region, tensor_of
from .known import INTEGER, Known, Unfit, joined

REDUCED = [element for element in ELEMENTS if element is not SCALE]


def _several(g: Generator) -> list[Value]:
    """Values of one shape, mostly one."""
    x = g.pick(REDUCED, least_rank=1, wild=True)
    count = g.random.choice([0, 0, 0, 1, 2])
    return [x, *(g.pick(REDUCED, shape=x.shape, wild=True) for _ in range(count))]


def reduce(g: Generator) -> None:
    values = _several(g)
    shape = values[0].shape
    dims = sorted(g.random.sample(range(len(shape)), g.random.randint(1, len(shape))))
    body, starts, known = reducer(g, values, math.prod(shape[d] for d in dims))
    inits = [g.scalar(v.element, start) for v, start in zip(values, starts, strict=True)]
    op = hlo.ReduceOp([v.ssa for v in values], inits, dims, body)
    kept = tuple(n for d, n in enumerate(shape) if d not in dims)
    g.keep_all(op, [(v.element, kept, k) for v, k in zip(values, known, strict=True)])


def argmax(g: Generator) -> None:
    """A reduction of values with their indices; the first of equal ones wins."""
    x = g.pick([*INTEGERS, *REALS], exact=True, least_rank=1)
    dim = g.random.randrange(len(x.shape))
    index = g.add(hlo.IotaOp(dim, tensor_of(I32, x.shape)), INTEGER)
    a, i = tensor_of(x.element, ()), tensor_of(I32, ())
    direction = g.random.choice([ComparisonDirection.GT, ComparisonDirection.LT])

    def body(block: Block) -> list[SSAValue]:
        value, place, other, other_place = block.args
        better = append(block, hlo.CompareOp(value, other, direction))
        equal = append(block, hlo.CompareOp(value, other, ComparisonDirection.EQ))
        before = append(block, hlo.CompareOp(place, other_place, ComparisonDirection.LT))
        mine = append(block, hlo.OrOp(better, append(block, hlo.AndOp(equal, before))))
        return [append(block, hlo.SelectOp(mine, value, other)), append(block, hlo.SelectOp(mine, place, other_place))]

    starts = [g.scalar(x.element, 0), g.scalar(I32, 0)]
    op = hlo.ReduceOp([x.ssa, index], starts, [dim], region([a, i, a, i], body))
    shape = tuple(n for d, n in enumerate(x.shape) if d != dim)
    known = joined(x.known, Known(1.0, 0.0)) if x.element.rounds else INTEGER
    g.keep_all(op, [(x.element, shape, Known(known.step, known.bound, bits=False)), (I32, shape, INTEGER)])


def random_window(g: Generator, shape: Shape, dilated: bool = True) -> Window:
    rank = len(shape)
    ones = (1,) * rank
    return Window(
        tuple(g.random.randint(1, 3) for _ in shape),
        tuple(g.sizes(1, 3, rank)),
        tuple(g.random.choice([1, 1, 2]) for _ in shape) if dilated else ones,
        tuple(g.random.choice([1, 1, 2]) for _ in shape) if dilated else ones,
        tuple((g.random.randint(-1, 2), g.random.randint(-1, 2)) for _ in shape),
    )


def _fits(window: Window, shape: Shape) -> bool:
    """Whether no more is cut off than there is."""
    return all(
        sum(pad) + (n - 1) * base + 1 >= 0 and n + min(pad) >= 1
        for pad, n, base in zip(window.padding, shape, window.base_dilations, strict=True)
    )


def reduce_window(g: Generator) -> None:
    values = _several(g)
    shape = values[0].shape
    window = random_window(g, shape)
    if g.random.random() < 0.2:
        window = _random_scan(g, shape)
    elif not _fits(window, shape):
        raise Unfit
    _reduce_window(g, values, window)


def cumulative(g: Generator) -> None:
    """A window that reaches from one end of a dimension to each place."""
    values = _several(g)
    _reduce_window(g, values, _random_scan(g, values[0].shape))


def _random_scan(g: Generator, shape: Shape) -> Window:
    dim = g.random.randrange(len(shape))
    return _scan_window(shape, dim, g.random.random() < 0.5)


def _reduce_window(g: Generator, values: list[Value], window: Window) -> None:
    shape = values[0].shape
    body, starts, known = reducer(g, values, math.prod(window.sizes))
    if math.prod(window.sizes) * math.prod(shape) > 1 << 21:
        raise Unfit
    inits = [g.scalar(v.element, start) for v, start in zip(values, starts, strict=True)]
    known = [
        _with_padding(v, k, start, math.prod(window.sizes)) for v, k, start in zip(values, known, starts, strict=True)
    ]
    op = hlo.ReduceWindowOp([v.ssa for v in values], inits, window, body)
    counts = window.counts(shape)
    g.keep_all(op, [(v.element, counts, k) for v, k in zip(values, known, strict=True)])


def _with_padding(value: Value, known: Known, start: complex, terms: int) -> Known:
    """Padding is combined as well, and is what the reduction starts from."""
    if not value.element.rounds or not known.tame or start == 0:
        return known
    bound = known.bound + abs(start) * terms
    if known.exact and known.step and bound / known.step > 2.0**value.element.significand:
        raise Unfit
    return Known(known.step, bound, known.error + known.error, known.exact, known.bits)


def _scan_window(shape: Shape, dim: int, backwards: bool) -> Window:
    """The window of a cumulative sum along `dim`."""
    ones = (1,) * len(shape)
    size = max(1, shape[dim])
    pads = [(0, 0)] * len(shape)
    pads[dim] = (0, size - 1) if backwards else (size - 1, 0)
    return Window(tuple(size if d == dim else 1 for d in range(len(shape))), ones, ones, ones, tuple(pads))


def select_and_scatter(g: Generator) -> None:
    x = g.pick([*INTEGERS, *REALS], exact=True, least_rank=1)
    window = random_window(g, x.shape, dilated=False)
    window = window._replace(padding=tuple((abs(low), abs(high)) for low, high in window.padding))
    source = g.pick([x.element], shape=window.counts(x.shape))
    make, start, kind = combiner(g, x.element)
    known = combined(x.element, kind, [source.known], start, math.prod(window.sizes) * source.size)
    scalar = tensor_of(x.element, ())
    direction = g.random.choice([ComparisonDirection.GE, ComparisonDirection.LE, ComparisonDirection.GT])
    select = region([scalar, scalar], lambda b: [append(b, hlo.CompareOp(b.args[0], b.args[1], direction))])
    scatter = region([scalar, scalar], lambda b: [make(b, b.args[0], b.args[1])])
    init = g.scalar(x.element, start)
    g.keep(hlo.SelectAndScatterOp(x.ssa, source.ssa, init, window, select, scatter), x.element, x.shape, known)


def scan(g: Generator) -> None:
    """A cumulative combination, and what is left of it at the end."""
    x = g.pick([*INTEGERS, *REALS], exact=True, least_rank=1)
    dim = g.random.randrange(len(x.shape))
    make, start, kind = combiner(g, x.element)
    known = combined(x.element, kind, [x.known], start, x.shape[dim])
    shape = tuple(n for d, n in enumerate(x.shape) if d != dim)
    row = tensor_of(x.element, shape)
    init = g.add(hlo.BroadcastInDimOp(g.scalar(x.element, start), [], row), Known())

    def body(block: Block) -> list[SSAValue]:
        element, carry = block.args
        following = make(block, carry, element)
        return [g.random.choice([carry, following]), following]

    op = chlo.ScanOp([x.ssa], [init], dim, region([row, row], body), [x.ssa.type], g.random.random() < 0.5)
    g.keep_all(op, [(x.element, x.shape, known), (x.element, shape, known)])


def map_(g: Generator) -> None:
    x = g.pick(exact=True)
    values = [x, *(g.pick(shape=x.shape, exact=True) for _ in range(g.random.randint(0, 2)))]
    element = g.random.choice(values).element
    body, known = elementwise(g, values, element)
    op = hlo.MapOp([v.ssa for v in values], body, tensor_of(element, x.shape))
    g.keep(op, element, x.shape, known)
