"""Random sorts, with comparators of several forms."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Block, SSAValue

from ...dialects import chlo
from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from .elements import BOOL, I32, INTEGERS, REALS, Element
from .generator import Generator, Value, append, region, tensor_of
from .known import INTEGER

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


def top_k(g: Generator) -> None:
    x = g.pick([*INTEGERS, *REALS], exact=True, least_rank=1)
    k = g.random.randint(0, x.shape[-1])
    shape = (*x.shape[:-1], k)
    g.keep_all(chlo.TopKOp(x.ssa, k), [(x.element, shape, x.known), (I32, shape, INTEGER)])
