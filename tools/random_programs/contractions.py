"""Random products and convolutions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType

from ...dialects import chlo
from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ConvDimensionNumbersAttr, DotDimensionNumbersAttr, Precision
from ...dialects.stablehlo.conv_dimensions import ConvDimensions
from .elements import BF16, F16, F32, F64, I8, I32, I64, NUMBERS, Element
from .generator import Generator, Shape, tensor_of
from .known import Unfit, contracted
from .reductions import random_window

WORK = 1 << 24
"""Products of an op at most."""


def _result(g: Generator, element: Element) -> Element:
    """The element type of a product, perhaps wider than that of the operands."""
    if g.random.random() < 0.75:
        return element
    if element in (F16, BF16) or element.is_narrow:
        return F32
    return {F32: F64, I8: I32}.get(element, element)


def _precision(g: Generator) -> Sequence[Precision] | None:
    return [g.random.choice(list(Precision)) for _ in range(2)] if g.random.random() < 0.3 else None


def dot_general(g: Generator) -> None:
    x = g.pick(NUMBERS, least_rank=1)
    dims = g.random.sample(range(len(x.shape)), len(x.shape))
    contracted_dims = dims[: g.random.randint(0, min(2, len(dims)))]
    batch = dims[len(contracted_dims) :][: g.random.choice([0, 0, 1, 2])]
    roles: list[int | None] = [*batch, *contracted_dims, *[None] * g.random.randint(0, 2)]
    g.random.shuffle(roles)
    shape = tuple(g.random.choice([1, 2, 3, 5, 8, 9, 17]) if d is None else x.shape[d] for d in roles)
    if math.prod(shape) > g.most:
        raise Unfit
    y = g.pick([x.element], shape=shape)
    numbers = DotDimensionNumbersAttr.of(
        lhs_batching_dimensions=batch,
        rhs_batching_dimensions=[roles.index(d) for d in batch],
        lhs_contracting_dimensions=contracted_dims,
        rhs_contracting_dimensions=[roles.index(d) for d in contracted_dims],
    )
    result = hlo.DotGeneralOp.infer_shape(x.shape, shape, numbers)
    terms = math.prod(x.shape[d] for d in contracted_dims)
    if math.prod(result) > g.most or math.prod(result) * terms > WORK:
        raise Unfit
    element = _result(g, x.element)
    known = contracted(element, x.known, y.known, terms)
    op = hlo.DotGeneralOp(x.ssa, y.ssa, numbers, tensor_of(element, result), _precision(g))
    g.keep(op, element, result, known)


def ragged_dot(g: Generator) -> None:
    """A matrix product whose rows, or contracted dimension, fall into groups."""
    element = g.choice(NUMBERS)
    rows, columns, inner = (g.random.choice([1, 2, 3, 5, 8]) for _ in range(3))
    groups = g.random.randint(1, 3)
    over_rows = g.random.random() < 0.5
    x = g.pick([element], shape=(rows, inner))
    y = g.pick([element], shape=(groups, inner, columns) if over_rows else (inner, columns))
    sizes = g.indices(g.random.choice([I32, I64]), (groups,), 0, rows if over_rows else inner)
    numbers = chlo.RaggedDotDimensionNumbersAttr(
        ((), (), (1,), (1 if over_rows else 0,), (0 if over_rows else 1,), (0,) if over_rows else ())
    )
    shape = (rows, columns) if over_rows else (groups, rows, columns)
    known = contracted(element, x.known, y.known, inner)
    g.keep(chlo.RaggedDotOp(x.ssa, y.ssa, sizes.ssa, numbers), element, shape, known)


def dot(g: Generator) -> None:
    x = g.pick(NUMBERS, least_rank=1)
    if len(x.shape) > 2:
        raise Unfit
    rest = tuple(g.random.choice([1, 3, 8, 17]) for _ in range(g.random.randint(0, 1)))
    size = x.shape[len(x.shape) - 1]
    y = g.pick([x.element], shape=(size, *rest))
    shape = (*x.shape[:-1], *rest)
    known = contracted(x.element, x.known, y.known, size)
    g.keep(hlo.DotOp(x.ssa, y.ssa, tensor_of(x.element, shape), _precision(g)), x.element, shape, known)


def einsum(g: Generator) -> None:
    x = g.pick(NUMBERS, least_rank=1)
    letters = "abcdefgh"[: len(x.shape)]
    sizes = dict(zip(letters, x.shape, strict=True))
    shared = g.random.sample(letters, g.random.randint(0, len(letters)))
    fresh = "xyz"[: g.random.randint(0, 2)]
    sizes.update({letter: g.random.randint(1, 5) for letter in fresh})
    right = g.random.sample([*shared, *fresh], len(shared) + len(fresh))
    kept = [*fresh, *(c for c in letters if c not in shared or g.random.random() < 0.4)]
    output = g.random.sample(kept, len(kept))
    y = g.pick([x.element], shape=tuple(sizes[c] for c in right))
    shape = tuple(sizes[c] for c in output)
    terms = math.prod(sizes[c] for c in sizes if c not in output)
    if math.prod(shape) > g.most or math.prod(shape) * terms > WORK:
        raise Unfit
    config = f"{letters},{''.join(right)}->{''.join(output)}"
    known = contracted(x.element, x.known, y.known, terms)
    g.keep(hlo.EinsumOp(x.ssa, y.ssa, config), x.element, shape, known)


def unary_einsum(g: Generator) -> None:
    x = g.pick(NUMBERS, least_rank=1)
    letters = "abcdefgh"[: len(x.shape)]
    kept = g.random.sample(letters, g.random.randint(0, len(letters)))
    shape = tuple(x.shape[letters.index(c)] for c in kept)
    terms = math.prod(n for c, n in zip(letters, x.shape, strict=True) if c not in kept)
    one = x.known.__class__(1.0, 1.0)
    known = contracted(x.element, x.known, one, terms)
    g.keep(hlo.UnaryEinsumOp(x.ssa, f"{letters}->{''.join(kept)}"), x.element, shape, known)


def convolution(g: Generator) -> None:
    element = g.choice(NUMBERS)
    rank = g.random.choice([0, 1, 1, 2, 2, 3])
    features, batches = g.random.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)])
    spatial = tuple(g.random.randint(3, (24, 9, 5)[rank - 1]) for _ in range(rank))
    inner, outer = g.random.choice([1, 2, 3, 8]), g.random.choice([1, 2, 3, 16]) * features * batches
    window = random_window(g, spatial)
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
    x = g.pick([element], shape=tuple(sizes[0][a] for a in input_order))
    y = g.pick([element], shape=tuple(sizes[1][a] for a in kernel_order))
    wide = _result(g, element)
    known = contracted(wide, x.known, y.known, inner * math.prod(window.sizes))
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
        precision=_precision(g),
    )
    result = op.results[0].type
    assert isinstance(result, TensorType)
    shape = result.get_shape()
    if wide is not element:
        op.results[0]._type = tensor_of(wide, shape)  # pyright: ignore[reportPrivateUsage]
    g.keep(op, wide, shape, known)
