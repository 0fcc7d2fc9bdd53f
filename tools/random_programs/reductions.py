"""Random reductions, sorts and contractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from xdsl.dialects.builtin import (
    TensorType,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
    ConvDimensionNumbersAttr,
    DotDimensionNumbersAttr,
)
from ...dialects.stablehlo.conv_dimensions import ConvDimensions
from ...dialects.stablehlo.windows import Window
from .values import (
    BOOL,
    FLOATS,
    I32,
    INTEGER,
    INTEGERS,
    MAX_ELEMENTS,
    Element,
    Generator,
    Known,
    Shape,
    Unfit,
    Value,
    append,
    joined,
    product,
    region,
    rounded,
    tensor_of,
)

Binary = Callable[[SSAValue, SSAValue], Operation]


def reducer(element: Element, make: Binary) -> Region:
    scalar = tensor_of(element, ())
    return region([scalar, scalar], lambda block: [append(block, make(block.args[0], block.args[1]))])


def combiner(g: Generator, element: Element) -> tuple[Binary, float]:
    """An associative op and a value it may start from."""
    if element.is_float:
        return g.random.choice([(hlo.AddOp, 0.0), (hlo.MaxOp, -8.0), (hlo.MinOp, 8.0)])
    choices: list[tuple[Binary, float]] = [(hlo.AndOp, 1), (hlo.OrOp, 0), (hlo.MaxOp, 0), (hlo.MinOp, 1)]
    if element is not BOOL:
        choices += [(hlo.AddOp, 0), (hlo.MulOp, 1), (hlo.XorOp, 3)]
    return g.random.choice(choices)


def reduced(x: Value, make: Binary, terms: int) -> Known:
    start = Known(1.0, 8.0)
    if make is not hlo.AddOp:
        return joined(x.known, start) if x.element.is_float else INTEGER
    terms = max(1, terms)
    return rounded(x.element, x.known.step, terms * x.known.bound, terms * x.known.error, math.sqrt(terms))


def reduce(g: Generator) -> None:
    x = g.pick(least_rank=1)
    dims = sorted(g.random.sample(range(len(x.shape)), g.random.randint(1, len(x.shape))))
    make, start = combiner(g, x.element)
    known = reduced(x, make, math.prod(x.shape[d] for d in dims))
    op = hlo.ReduceOp([x.ssa], [g.scalar(x.element, start)], dims, reducer(x.element, make))
    g.keep(op, x.element, tuple(n for d, n in enumerate(x.shape) if d not in dims), known)


def argmax(g: Generator) -> None:
    """A reduction of values with their indices; the first of equal ones wins."""
    x = g.exact([*INTEGERS, *FLOATS], 1)
    dim = g.random.randrange(len(x.shape))
    index = g.add(hlo.IotaOp(dim, tensor_of(I32, x.shape)))
    a, i = tensor_of(x.element, ()), tensor_of(I32, ())

    def body(block: Block) -> list[SSAValue]:
        value, place, other, other_place = block.args
        greater = append(block, hlo.CompareOp(value, other, ComparisonDirection.GT))
        equal = append(block, hlo.CompareOp(value, other, ComparisonDirection.EQ))
        before = append(block, hlo.CompareOp(place, other_place, ComparisonDirection.LT))
        first = append(block, hlo.AndOp(equal, before))
        mine = append(block, hlo.OrOp(greater, first))
        return [
            append(block, hlo.SelectOp(mine, value, other)),
            append(block, hlo.SelectOp(mine, place, other_place)),
        ]

    starts = [g.scalar(x.element, 0), g.scalar(I32, 0)]
    op = hlo.ReduceOp([x.ssa, index], starts, [dim], region([a, i, a, i], body))
    shape = tuple(n for d, n in enumerate(x.shape) if d != dim)
    g.keep(op, x.element, shape, joined(x.known, Known(1.0, 0.0)))
    g.errors[op] = [0.0, 0.0]
    g.values.append(Value(op.results[1], I32, shape, INTEGER))


def _window(g: Generator, shape: Shape, dilated: bool = True) -> Window:
    rank = len(shape)
    ones = (1,) * rank
    return Window(
        tuple(g.random.randint(1, 3) for _ in shape),
        tuple(g.sizes(1, 3, rank)),
        tuple(g.random.choice([1, 1, 2]) for _ in shape) if dilated else ones,
        tuple(g.random.choice([1, 1, 2]) for _ in shape) if dilated else ones,
        tuple((g.random.randint(-1, 2), g.random.randint(-1, 2)) for _ in shape),
    )


def reduce_window(g: Generator) -> None:
    x = g.pick(least_rank=1)
    window = _window(g, x.shape)
    if any(sum(pad) + n < 1 for pad, n in zip(window.padding, x.shape, strict=True)):
        raise Unfit
    make, start = combiner(g, x.element)
    known = reduced(x, make, math.prod(window.sizes))
    op = hlo.ReduceWindowOp([x.ssa], [g.scalar(x.element, start)], window, reducer(x.element, make))
    g.keep(op, x.element, window.counts(x.shape), known)


def sort(g: Generator) -> None:
    x = g.exact(least_rank=1)
    others = [g.pick(fits=lambda value: True, shape=x.shape)] if g.random.random() < 0.5 else []
    direction = g.random.choice([ComparisonDirection.LT, ComparisonDirection.GT])
    types = [tensor_of(v.element, ()) for v in (x, *others) for _ in range(2)]
    comparator = region(types, lambda b: [append(b, hlo.CompareOp(b.args[0], b.args[1], direction))])
    op = hlo.SortOp([v.ssa for v in (x, *others)], comparator, g.random.randrange(len(x.shape)), True)
    g.keep(op, x.element, x.shape, x.known)
    g.errors[op] = [v.known.error for v in (x, *others)]
    for value, result in zip(others, op.results[1:], strict=True):
        g.values.append(replace(value, ssa=result))


def dot_general(g: Generator) -> None:
    x = g.pick([*INTEGERS, *FLOATS], least_rank=1)
    dims = g.random.sample(range(len(x.shape)), len(x.shape))
    contracted = dims[: g.random.randint(0, min(2, len(dims)))]
    batch = dims[len(contracted) :][: g.random.choice([0, 0, 1])]
    roles: list[int | None] = [*batch, *contracted, *[None] * g.random.randint(0, 2)]
    g.random.shuffle(roles)
    shape = tuple(g.random.randint(1, 9) if d is None else x.shape[d] for d in roles)
    y = g.pick([x.element], shape=shape)
    numbers = DotDimensionNumbersAttr.of(
        lhs_batching_dimensions=batch,
        rhs_batching_dimensions=[roles.index(d) for d in batch],
        lhs_contracting_dimensions=contracted,
        rhs_contracting_dimensions=[roles.index(d) for d in contracted],
    )
    result = hlo.DotGeneralOp.infer_shape(x.shape, shape, numbers)
    known = product(x.element, x.known, y.known, math.prod(x.shape[d] for d in contracted))
    if math.prod(result) > MAX_ELEMENTS:
        raise Unfit
    g.keep(hlo.DotGeneralOp(x.ssa, y.ssa, numbers), x.element, result, known)


def convolution(g: Generator) -> None:
    element = g.random.choice([*FLOATS, *FLOATS, *INTEGERS])
    rank = g.random.randint(1, 3)
    features, batches = g.random.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
    spatial = tuple(g.random.randint(3, (24, 9, 5)[rank - 1]) for _ in range(rank))
    inner, outer = g.random.randint(1, 3), g.random.randint(1, 3) * features * batches
    window = _window(g, spatial)
    sizes = (
        {"b": g.random.randint(1, 2) * batches, "f": inner * features, **dict(zip("012", spatial, strict=False))},
        {"i": inner, "o": outer, **dict(zip("012", window.sizes, strict=False))},
    )
    input_order, kernel_order = (g.random.sample(list(s), len(s)) for s in sizes)
    output_order = g.random.sample(input_order, len(input_order))
    axes = "012"[:rank]

    def places(order: list[str], first: str, second: str) -> tuple[int, int, Shape]:
        return order.index(first), order.index(second), tuple(order.index(a) for a in axes)

    dims = ConvDimensions(
        *places(input_order, "b", "f"), *places(kernel_order, "i", "o"), *places(output_order, "b", "f")
    )
    x = g.argument(element, tuple(sizes[0][a] for a in input_order))
    y = g.argument(element, tuple(sizes[1][a] for a in kernel_order))
    known = product(element, x.known, y.known, inner * math.prod(window.sizes))
    op = hlo.ConvolutionOp(
        x.ssa,
        y.ssa,
        ConvDimensionNumbersAttr(dims),
        window_strides=window.strides,
        padding=window.padding,
        lhs_dilation=window.base_dilations,
        rhs_dilation=window.window_dilations,
        window_reversal=[g.random.random() < 0.2 for _ in axes],
        feature_group_count=features,
        batch_group_count=batches,
    )
    result = op.results[0].type
    assert isinstance(result, TensorType)
    g.keep(op, element, result.get_shape(), known)
