"""Random elementwise ops."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
)
from .values import (
    BOOL,
    ELEMENTS,
    FLOATS,
    INTEGER,
    INTEGERS,
    SIGNED,
    WILD,
    Generator,
    Known,
    Unfit,
    joined,
    product,
    rounded,
    tensor_of,
)

INTEGER_UNARY = [hlo.NegOp, hlo.NotOp, hlo.PopulationCountOp, hlo.ClzOp]
LIPSCHITZ = [hlo.TanhOp, hlo.SineOp, hlo.CosineOp, hlo.LogisticOp]
EXACT_ONLY = [hlo.CbrtOp, hlo.SqrtOp, hlo.LogOp, hlo.Log1pOp, hlo.TanOp]
ROUNDING = [hlo.FloorOp, hlo.CeilOp, hlo.RoundOp, hlo.RoundNearestEvenOp, hlo.SignOp]
OTHER = [hlo.NegOp, hlo.AbsOp, hlo.ExpOp, hlo.Expm1Op]


def unary(g: Generator) -> None:
    group = g.random.choice(
        [INTEGER_UNARY, LIPSCHITZ, EXACT_ONLY, ROUNDING, [hlo.NegOp, hlo.AbsOp, hlo.ExpOp, hlo.Expm1Op]]
    )
    make = g.random.choice(group)
    if group is INTEGER_UNARY:
        x = g.pick([*INTEGERS, BOOL] if make is hlo.NotOp else INTEGERS)
        known = INTEGER
    elif group is LIPSCHITZ:
        x = g.pick(FLOATS)
        known = rounded(x.element, 0, 1.0, x.known.error)
    elif group is EXACT_ONLY:
        x, known = g.exact(FLOATS), WILD
    elif group is ROUNDING:
        x = g.exact(FLOATS if make is not hlo.SignOp else FLOATS + SIGNED)
        known = rounded(x.element, 1.0, x.known.bound + 1, 0)
    else:
        x = g.pick(FLOATS)
        known = x.known
        if make in (hlo.ExpOp, hlo.Expm1Op):
            if x.known.bound > 4:
                raise Unfit
            known = rounded(x.element, 0, math.exp(x.known.bound), 2 * x.known.error * math.exp(x.known.bound), 2)
    g.keep(make(x.ssa), x.element, x.shape, known)


INTEGER_BINARY = [
    hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.DivOp, hlo.RemOp, hlo.MaxOp, hlo.MinOp, hlo.AndOp, hlo.OrOp, hlo.XorOp,
    hlo.ShiftLeftOp, hlo.ShiftRightArithmeticOp, hlo.ShiftRightLogicalOp,
]  # fmt: skip
BOOLEAN_BINARY = [hlo.AndOp, hlo.OrOp, hlo.XorOp, hlo.AddOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp]


def integer_binary(g: Generator) -> None:
    x = g.pick([*INTEGERS, BOOL])
    make = g.random.choice(BOOLEAN_BINARY if x.element is BOOL else INTEGER_BINARY)
    g.keep(make(x.ssa, g.like(x).ssa), x.element, x.shape, INTEGER)


def float_binary(g: Generator) -> None:
    x = g.pick(FLOATS)
    y, a = g.like(x), x.known
    b = y.known
    make = g.random.choice([hlo.AddOp, hlo.SubtractOp, hlo.MulOp, hlo.MaxOp, hlo.MinOp])
    if make in (hlo.MaxOp, hlo.MinOp):
        known = joined(a, b)
    elif make is hlo.MulOp:
        known = product(x.element, a, b)
    else:
        known = rounded(x.element, min(a.step, b.step), a.bound + b.bound, a.error + b.error)
    g.keep(make(x.ssa, y.ssa), x.element, x.shape, known)


def guarded(g: Generator) -> None:
    """Division and the like by `|y| + 1/2`."""
    x = g.exact(FLOATS)
    y = g.like(x, exact=True)
    half = g.scalar(x.element, 0.5)
    spread = g.add(hlo.BroadcastInDimOp(half, [], x.ssa.type))
    positive = hlo.AbsOp(y.ssa)
    divisor_known = rounded(x.element, min(y.known.step, 0.5), y.known.bound + 0.5, 0)
    sum_op = hlo.AddOp(g.add(positive), spread)
    divisor = g.add(sum_op, divisor_known.error)
    if divisor_known.step == 0:
        raise Unfit
    kind = g.random.choice(["divide", "rsqrt", "atan2", "power"])
    if kind == "divide":
        op, bound = hlo.DivOp(x.ssa, divisor), 2 * x.known.bound
    elif kind == "rsqrt":
        op, bound = hlo.RsqrtOp(divisor), 2.0
    elif kind == "atan2":
        op, bound = hlo.Atan2Op(x.ssa, divisor), 4.0
    else:
        if x.known.bound > 4 or y.known.bound > 4:
            raise Unfit
        op, bound = hlo.PowOp(divisor, x.ssa), 4.5**4
    g.keep(op, x.element, x.shape, rounded(x.element, 0, bound, 0, 2))


DIRECTIONS = list(ComparisonDirection)


def compare(g: Generator) -> None:
    x = g.exact()
    y = g.like(x, exact=True)
    g.keep(hlo.CompareOp(x.ssa, y.ssa, g.random.choice(DIRECTIONS)), BOOL, x.shape, INTEGER)


def is_finite(g: Generator) -> None:
    x = g.pick(FLOATS, lambda value: True)
    g.keep(hlo.IsFiniteOp(x.ssa), BOOL, x.shape, INTEGER)


def select(g: Generator) -> None:
    x = g.any()
    y = g.like(x)
    pred = g.pick([BOOL], shape=() if g.random.random() < 0.2 else x.shape)
    g.keep(hlo.SelectOp(pred.ssa, x.ssa, y.ssa), x.element, x.shape, joined(x.known, y.known))


def clamp(g: Generator) -> None:
    x = g.pick([*INTEGERS, *FLOATS])
    scalar = g.random.random() < 0.5
    low, high = (g.pick([x.element], shape=() if scalar else x.shape) for _ in range(2))
    g.keep(hlo.ClampOp(low.ssa, x.ssa, high.ssa), x.element, x.shape, joined(joined(low.known, x.known), high.known))


def convert(g: Generator) -> None:
    target = g.random.choice(ELEMENTS)
    x = g.exact() if not target.is_float else g.pick()
    known = INTEGER
    if target.is_float and x.element.is_float:
        known = rounded(target, x.known.step, x.known.bound, x.known.error)
    elif target.is_float:
        known = Known(1.0, 256.0) if x.element.dtype.itemsize == 1 else WILD
    elif x.element.is_float and target is not BOOL:
        if target.dtype.kind == "u" or x.known.bound > np.iinfo(target.dtype).max:
            raise Unfit
    if x.element.is_float or target.dtype != np.bool_ or x.element in INTEGERS:
        g.keep(hlo.ConvertOp(x.ssa, target.attribute), target, x.shape, known)


def bitcast(g: Generator) -> None:
    x = g.pick(INTEGERS)
    target = g.random.choice([*INTEGERS, *FLOATS])
    old, new = x.element.dtype.itemsize, target.dtype.itemsize
    shape = x.shape
    if new < old:
        shape = (*x.shape, old // new)
    elif new > old:
        if not shape or shape[-1] != new // old:
            raise Unfit
        shape = shape[:-1]
    known = WILD if target.is_float else INTEGER
    g.keep(hlo.BitcastConvertOp(x.ssa, tensor_of(target, shape)), target, shape, known)


def reduce_precision(g: Generator) -> None:
    x = g.exact(FLOATS)
    if x.known.bound > 1000 or x.known.step < 2**-10:
        raise Unfit
    bits = g.random.randint(1, 10)
    op = hlo.ReducePrecisionOp(x.ssa, g.random.choice([5, 8]), bits)
    g.keep(op, x.element, x.shape, replace(x.known, bound=2 * x.known.bound))
