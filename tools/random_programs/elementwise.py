"""Random elementwise ops that IEEE 754 or integer arithmetic define."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.ir import Operation

from ...dialects import chlo
from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from .elements import BOOL, COMPLEX, ELEMENTS, INTEGERS, NARROW_SIGNED, PART, REALS, SIGNED, Element
from .generator import Generator, Value, tensor_of
from .known import ANY_NUMBER, INTEGER, Known, Unfit, correctly_rounded, joined, rounded

Binary = Callable[..., Operation]
Unary = Callable[..., Operation]

INTEGER_UNARY: list[Unary] = [hlo.NotOp, hlo.NegOp, hlo.PopulationCountOp, hlo.ClzOp, chlo.SquareOp]
SIGNED_UNARY: list[Unary] = [hlo.AbsOp, hlo.SignOp]
INTEGER_BINARY: list[Binary] = [
    hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.DivOp, hlo.RemOp, hlo.MaxOp, hlo.MinOp, hlo.AndOp, hlo.OrOp, hlo.XorOp,
    hlo.ShiftLeftOp, hlo.ShiftRightArithmeticOp, hlo.ShiftRightLogicalOp, hlo.PowOp, chlo.MulhiOp,
]  # fmt: skip
BOOLEAN_BINARY: list[Binary] = [
    hlo.AndOp, hlo.OrOp, hlo.XorOp, hlo.AddOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp,
]  # fmt: skip
COMPLEX_ARITHMETIC: list[Binary] = [
    hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.NegOp, chlo.ConjOp, chlo.SquareOp, hlo.DivOp,
]  # fmt: skip
PARTS: list[Unary] = [hlo.RealOp, hlo.ImagOp]
DIRECTIONS = list(ComparisonDirection)


def integer_unary(g: Generator) -> None:
    make = g.random.choice(INTEGER_UNARY + SIGNED_UNARY)
    elements = [*SIGNED, *NARROW_SIGNED] if make in SIGNED_UNARY else INTEGERS
    x = g.pick([*INTEGERS, BOOL] if make is hlo.NotOp else elements)
    g.keep(make(x.ssa), x.element, x.shape, INTEGER)


def integer_binary(g: Generator) -> None:
    x = g.pick([*INTEGERS, BOOL])
    make = g.random.choice(BOOLEAN_BINARY if x.element is BOOL else INTEGER_BINARY)
    g.keep(make(x.ssa, g.like(x).ssa), x.element, x.shape, INTEGER)


def float_unary(g: Generator) -> None:
    """Negation and the like, rounding to integers, square roots."""
    make = g.random.choice(
        [
            hlo.NegOp, hlo.AbsOp, hlo.SqrtOp, hlo.FloorOp, hlo.CeilOp, hlo.RoundOp, hlo.RoundNearestEvenOp, hlo.SignOp,
            chlo.SquareOp,
        ]
    )  # fmt: skip
    continuous = make in (hlo.NegOp, hlo.AbsOp, chlo.SquareOp)
    x = g.pick(REALS, exact=not continuous, wild=True)
    known, step, bound, error = x.known, x.known.step, x.known.bound, x.known.error
    if make is chlo.SquareOp:
        step, bound, error = step * step, bound * bound, 2 * bound * error
    elif make is hlo.SqrtOp:
        step, bound = 0.0, math.inf if not bound < math.inf else max(1.0, bound)
    elif not continuous:
        step, bound = 1.0, bound + 1 if make is not hlo.SignOp or not known.tame else min(bound, 1.0)
    elif known.tame:
        g.keep(make(x.ssa), x.element, x.shape, known)
        return
    result = correctly_rounded(x.element, (known,), step, bound, error)
    if make is hlo.SqrtOp and known.tame:
        result = Known(0.0, math.inf, bits=False)
    g.keep(make(x.ssa), x.element, x.shape, result)


def float_binary(g: Generator) -> None:
    x = g.pick(REALS, wild=True)
    y = g.like(x, wild=True)
    make = g.random.choice([hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp, hlo.DivOp, hlo.RemOp])
    g.keep(make(x.ssa, y.ssa), x.element, x.shape, of_binary(make, x, y))


def of_binary(make: Binary, x: Value, y: Value) -> Known:
    """What is known about `make(x, y)` for floats."""
    element, a, b = x.element, x.known, y.known
    if make in (hlo.MaxOp, hlo.MinOp):
        return joined(a, b).computed if a.tame and b.tame else correctly_rounded(element, (a, b), 0.0, math.inf)
    if make is hlo.MulOp:
        error = a.error * b.bound + b.error * a.bound + a.error * b.error if a.tame and b.tame else math.inf
        step = a.step * b.step
        bound = a.bound * b.bound if a.tame and b.tame else math.inf
        return correctly_rounded(element, (a, b), step, bound, error)
    if make in (hlo.AddOp, hlo.SubtractOp):
        return correctly_rounded(element, (a, b), min(a.step, b.step), a.bound + b.bound, a.error + b.error)
    return correctly_rounded(element, (a, b), 0.0, math.inf)


def neighbour(g: Generator) -> None:
    x = g.pick(REALS, exact=True, wild=True, bits=True)
    op = chlo.NextAfterOp(x.ssa, g.like(x, exact=True, wild=True, bits=True).ssa)
    known = Known(0.0, math.inf, bits=False)
    if x.known.tame:
        known = Known(0.0, math.inf if x.element.is_narrow else 2 * x.known.bound + 1, bits=False)
    g.keep(op, x.element, x.shape, known)


def guarded_quotient(g: Generator) -> None:
    """Division by `|y| + 1/2`."""
    x = g.pick(REALS, exact=True)
    y = g.like(x, exact=True)
    half = Known(0.5, 0.5)
    spread = g.add(hlo.BroadcastInDimOp(g.scalar(x.element, 0.5), [], x.ssa.type), half)
    bound = y.known.bound + 0.5
    divisor_known = correctly_rounded(x.element, (y.known,), min(y.known.step, 0.5), bound)
    divisor = g.add(hlo.AddOp(g.add(hlo.AbsOp(y.ssa), y.known), spread), divisor_known)
    known = correctly_rounded(x.element, (x.known, divisor_known), 0.0, 2 * x.known.bound)
    g.keep(hlo.DivOp(x.ssa, divisor), x.element, x.shape, known)


def complex_arithmetic(g: Generator) -> None:
    """Products and quotients round each engine's own way; all else is arithmetic on the parts."""
    make = g.random.choice(COMPLEX_ARITHMETIC)
    x = g.pick(COMPLEX)
    if make in (hlo.NegOp, chlo.ConjOp):
        g.keep(make(x.ssa), x.element, x.shape, x.known)
        return
    if make is chlo.SquareOp:
        g.keep(make(x.ssa), x.element, x.shape, complex_product(x, x))
        return
    y = g.like(x)
    a, b = x.known, y.known
    if make is hlo.MulOp:
        known = complex_product(x, y)
    elif make is hlo.DivOp:
        divisor = g.pick([x.element], shape=x.shape, exact=True)
        if not a.exact or not divisor.known.step:
            raise Unfit
        y = divisor
        known = Known(0.0, math.inf, exact=False, bits=False)
    else:
        known = correctly_rounded(x.element, (a, b), min(a.step, b.step), a.bound + b.bound, a.error + b.error)
    g.keep(make(x.ssa, y.ssa), x.element, x.shape, known)


def complex_product(x: Value, y: Value) -> Known:
    a, b = x.known, y.known
    error = a.error * b.bound + b.error * a.bound + a.error * b.error
    known = correctly_rounded(x.element, (a, b), a.step * b.step, 2 * a.bound * b.bound, error)
    return known if known.step or not known.exact else rounded(x.element, 2 * a.bound * b.bound, error)


def complex_parts(g: Generator) -> None:
    if g.random.random() < 0.5:
        x = g.pick([*COMPLEX, *PART.values()])
        part = PART.get(x.element, x.element)
        make = g.random.choice(PARTS)
        g.keep(make(x.ssa), part, x.shape, x.known if make is hlo.RealOp or x.element.is_complex else Known(1.0, 0.0))
        return
    part = g.random.choice(list(PART.values()))
    whole = next(element for element, p in PART.items() if p is part)
    x = g.pick([part])
    y = g.like(x)
    known = joined(x.known, y.known)
    known = Known(known.step, 2 * known.bound, 2 * known.error, known.exact, known.bits)
    g.keep(hlo.ComplexOp(x.ssa, y.ssa), whole, x.shape, known)


def compare(g: Generator) -> None:
    total = g.random.random() < 0.2
    x = g.pick([*INTEGERS, BOOL, *REALS, *COMPLEX], exact=True, wild=True, bits=total)
    y = g.like(x, exact=True, wild=True, bits=total)
    directions = DIRECTIONS if not x.element.is_complex else [ComparisonDirection.EQ, ComparisonDirection.NE]
    kind = _comparison_type(x.element, total) if g.random.random() < 0.5 or total else None
    g.keep(hlo.CompareOp(x.ssa, y.ssa, g.random.choice(directions), kind), BOOL, x.shape, INTEGER)


def _comparison_type(element: Element, total: bool) -> ComparisonType:
    if element.is_float and total:
        return ComparisonType.TOTALORDER
    if element.rounds:
        return ComparisonType.FLOAT
    return ComparisonType.SIGNED if element.kind == "i" else ComparisonType.UNSIGNED


def is_finite(g: Generator) -> None:
    make = g.random.choice([hlo.IsFiniteOp, chlo.IsInfOp, chlo.IsNegInfOp, chlo.IsPosInfOp])
    x = g.pick(REALS, exact=True, wild=True)
    g.keep(make(x.ssa), BOOL, x.shape, INTEGER)


def select(g: Generator) -> None:
    x = g.any()
    y = g.any([x.element], shape=x.shape)
    pred = g.pick([BOOL], shape=() if g.random.random() < 0.2 else x.shape)
    g.keep(hlo.SelectOp(pred.ssa, x.ssa, y.ssa), x.element, x.shape, joined(x.known, y.known))


def clamp(g: Generator) -> None:
    x = g.pick([*INTEGERS, *REALS, BOOL], wild=True)
    shape = () if g.random.random() < 0.5 else x.shape
    low, high = (g.pick([x.element], shape=shape, wild=True) for _ in range(2))
    known = joined(low.known, x.known, high.known).computed
    if not known.tame and not known.exact:
        raise Unfit
    if not known.tame:
        known = Known(0.0, math.inf, bits=False)
    g.keep(hlo.ClampOp(low.ssa, x.ssa, high.ssa), x.element, x.shape, known)


BROADCASTING: dict[Binary, Binary] = {
    chlo.BroadcastAddOp: hlo.AddOp,
    chlo.BroadcastSubOp: hlo.SubtractOp,
    chlo.BroadcastMulOp: hlo.MulOp,
    chlo.BroadcastDivOp: hlo.DivOp,
    chlo.BroadcastRemOp: hlo.RemOp,
    chlo.BroadcastMaxOp: hlo.MaxOp,
    chlo.BroadcastMinOp: hlo.MinOp,
}
INTEGER_BROADCASTING: list[Binary] = [
    chlo.BroadcastAndOp, chlo.BroadcastOrOp, chlo.BroadcastXorOp, chlo.BroadcastShiftLeftOp,
    chlo.BroadcastShiftRightArithmeticOp, chlo.BroadcastShiftRightLogicalOp, chlo.BroadcastPowOp,
]  # fmt: skip
FLOAT_BROADCASTING: list[Binary] = [chlo.BroadcastAtan2Op, chlo.BroadcastNextAfterOp, chlo.BroadcastComplexOp]


def _smaller(g: Generator, shape: Sequence[int]) -> tuple[int, ...]:
    """A shape that broadcasts to `shape`."""
    kept = shape[g.random.randint(0, len(shape)) :]
    return tuple(n if g.random.random() < 0.7 else 1 for n in kept)


def broadcasting(g: Generator) -> None:
    """Binary ops whose operands broadcast."""
    make = g.random.choice([*BROADCASTING, *INTEGER_BROADCASTING, *FLOAT_BROADCASTING, chlo.BroadcastCompareOp])
    kind = make in INTEGER_BROADCASTING or make is chlo.BroadcastCompareOp
    bits = make in FLOAT_BROADCASTING
    if make is chlo.BroadcastComplexOp:
        x = g.pick(list(PART.values()))
    elif bits:
        x = g.pick(REALS, exact=True, bits=True)
    else:
        x = g.pick(INTEGERS if kind else [*INTEGERS, *REALS])
    y = g.pick([x.element], shape=_smaller(g, x.shape), exact=bits, bits=bits)
    element, known = x.element, INTEGER
    dims = list(range(len(x.shape) - len(y.shape), len(x.shape))) if g.random.random() < 0.5 else None
    swap = g.random.random() < 0.5
    a, b = (y, x) if swap else (x, y)
    if make is chlo.BroadcastCompareOp:
        type = tensor_of(BOOL, x.shape)
        op = chlo.BroadcastCompareOp.create(
            operands=(a.ssa, b.ssa),
            result_types=(type,),
            properties={
                "comparison_direction": chlo.ComparisonDirectionAttr(g.random.choice(list(chlo.ComparisonDirection)))
            },
        )
        g.keep(op, BOOL, x.shape, INTEGER)
        return
    if make is chlo.BroadcastComplexOp:
        element = next(whole for whole, part in PART.items() if part is x.element)
        known = joined(x.known, y.known)
        known = Known(known.step, 2 * known.bound, 2 * known.error, known.exact, known.bits)
    elif bits:
        known = ANY_NUMBER
    elif x.element.rounds:
        known = of_binary(BROADCASTING[make], a, b)
    op = make(a.ssa, b.ssa, tensor_of(element, x.shape), dims)  # pyright: ignore
    g.keep(op, element, x.shape, known)


def broadcasting_select(g: Generator) -> None:
    x = g.any()
    y = g.any([x.element], shape=_smaller(g, x.shape))
    pred = g.pick([BOOL], shape=g.random.choice([(), x.shape]))
    type = tensor_of(x.element, x.shape)
    op = chlo.BroadcastSelectOp(pred.ssa, x.ssa, y.ssa, type)
    g.keep(op, x.element, x.shape, joined(x.known, y.known))


def constant_like(g: Generator) -> None:
    from xdsl.dialects.builtin import FloatAttr, IntegerAttr

    x = g.any()
    element = g.choice([*INTEGERS, *REALS])
    value = IntegerAttr(1, element.attribute) if not element.rounds else FloatAttr(0.5, element.attribute)  # pyright: ignore
    known = INTEGER if not element.rounds else Known(0.5, 0.5)
    g.keep(chlo.ConstantLikeOp(x.ssa, value), element, x.shape, known)


def chlo_constant(g: Generator) -> None:
    element = g.choice([e for e in ELEMENTS if not e.is_complex])
    shape = g.shape(limit=32)
    array = g.numbers(element, shape)
    constant = g.constant(element, array)
    known = INTEGER
    if element.rounds:
        known = Known(0.25 if element.significand == 1 else element.grid, max(4.0, element.grid * element.span))
    op = chlo.ConstantOp(constant.properties["value"])  # pyright: ignore
    g.keep(op, element, shape, known)
