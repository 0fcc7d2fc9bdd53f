"""Random sorts, with comparators of several forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.ir import Block, SSAValue

from ...dialects import chlo
from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from .elements import BOOL, FLOATS, I32, INTEGERS, REALS, U64, UNSIGNED, WIDE_INTEGERS, Element
from .generator import Generator, Shape, Value, append, region, tensor_of
from .known import INTEGER, UNKNOWN, Unfit

LT, GT, EQ = ComparisonDirection.LT, ComparisonDirection.GT, ComparisonDirection.EQ
KEYS = [*INTEGERS, BOOL, *REALS]
Key = Callable[[Block, SSAValue], SSAValue]


def _key(g: Generator, element: Element) -> Key:
    """What is compared of an operand."""
    if element is BOOL or g.random.random() < 0.6:
        return lambda block, value: value
    if element.rounds:
        make = g.random.choice([hlo.NegOp, hlo.AbsOp])
        return lambda block, value: append(block, make(value))
    mask = g.scalar(element, 1) if g.random.random() < 0.5 else g.pick([element], shape=()).ssa
    change = g.random.choice([hlo.AndOp, hlo.XorOp])
    return lambda block, value: append(block, change(value, mask))


def sort(g: Generator) -> None:
    total = g.random.random() < 0.2
    x = g.pick(KEYS, exact=True, least_rank=1, wild=total, bits=total)
    others = [g.any(shape=x.shape) for _ in range(g.random.choice([0, 0, 1, 2]))]
    direction = g.random.choice([LT, GT])
    by_two = bool(others) and others[0].element in KEYS and others[0].known.exact and others[0].known.tame
    by_two = by_two and g.random.random() < 0.5
    kind = ComparisonType.TOTALORDER if total and x.element.rounds else None
    key, second = _key(g, x.element), _key(g, others[0].element) if by_two else None

    def body(block: Block) -> list[SSAValue]:
        a, b = key(block, block.args[0]), key(block, block.args[1])
        before = append(block, hlo.CompareOp(a, b, direction, kind))
        if second is None:
            return [before]
        equal = append(block, hlo.CompareOp(a, b, EQ, kind))
        c, d = second(block, block.args[2]), second(block, block.args[3])
        then = append(block, hlo.CompareOp(c, d, g.random.choice([LT, GT])))
        return [append(block, hlo.OrOp(before, append(block, hlo.AndOp(equal, then))))]

    values: list[Value] = [x, *others]
    types = [tensor_of(v.element, ()) for v in values for _ in range(2)]
    dim = g.random.randrange(len(x.shape))
    op = hlo.SortOp([v.ssa for v in values], region(types, body), dim, g.random.random() < 0.5)
    g.keep_all(op, [(v.element, v.shape, v.known) for v in values])


def sort_without_order(g: Generator) -> None:
    """By a comparator that need not order what it compares, NaN among it: what is left of the result is that lines
    hold what they held, one operand beside the other.
    """
    x = g.pick([*WIDE_INTEGERS, *FLOATS], exact=True, least_rank=1, wild=True, bits=True)
    if 0 in x.shape:
        raise Unfit
    others = [g.pick(WIDE_INTEGERS, shape=x.shape) for _ in range(g.random.randint(0, 2))]
    direction = g.random.choice(list(ComparisonDirection))
    kind = ComparisonType.TOTALORDER if x.element.rounds and g.random.random() < 0.2 else None
    constant = g.random.choice([None, None, None, True, False])

    def body(block: Block) -> list[SSAValue]:
        if constant is not None:
            return [append(block, g.constant(BOOL, np.asarray(constant)))]
        return [append(block, hlo.CompareOp(block.args[0], block.args[1], direction, kind))]

    values = [x, *others]
    types = [tensor_of(v.element, ()) for v in values for _ in range(2)]
    dim = g.random.randrange(len(x.shape))
    op = hlo.SortOp([v.ssa for v in values], region(types, body), dim, g.random.random() < 0.5)
    g.add(op, *(UNKNOWN for _ in values))
    _keep_sums_of_lines(g, list(op.results), values, dim)


def _keep_sums_of_lines(g: Generator, sorted: Sequence[SSAValue], like: Sequence[Value], dim: int) -> None:
    """Numbers that do not depend on the order of each line: the sum of products of what stands side by side."""
    shape = like[0].shape
    words = [_as_words(g, ssa, v.element, shape) for ssa, v in zip(sorted, like, strict=True)]
    product = words[0]
    for word in words[1:]:
        product = g.add(hlo.MulOp(g.add(hlo.AddOp(product, product), UNKNOWN), word), UNKNOWN)
    zero = g.scalar(U64, 0)
    scalar = tensor_of(U64, ())
    body = region([scalar, scalar], lambda block: [append(block, hlo.AddOp(block.args[0], block.args[1]))])
    kept = tuple(n for d, n in enumerate(shape) if d != dim)
    g.keep(hlo.ReduceOp([product], [zero], [dim], body), U64, kept, INTEGER)


def _as_words(g: Generator, ssa: SSAValue, element: Element, shape: Shape) -> SSAValue:
    """The bits of each element as an integer."""
    bits = next(e for e in UNSIGNED if e.bits == element.bits)
    word = g.add(hlo.BitcastConvertOp(ssa, tensor_of(bits, shape)), UNKNOWN)
    return word if bits is U64 else g.add(hlo.ConvertOp(word, tensor_of(U64, shape)), UNKNOWN)


def top_k(g: Generator) -> None:
    x = g.pick([*INTEGERS, *REALS], exact=True, least_rank=1)
    k = g.random.randint(0, x.shape[-1])
    shape = (*x.shape[:-1], k)
    g.keep_all(chlo.TopKOp(x.ssa, k), [(x.element, shape, x.known), (I32, shape, INTEGER)])
