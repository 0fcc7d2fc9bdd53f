"""Random elementary and special functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from xdsl.ir import Operation

from ...dialects import chlo
from ...dialects import stablehlo as hlo
from .elements import COMPLEX, F32, F64, PART, REALS
from .generator import Generator, Value
from .known import ANY_NUMBER, Known, Unfit, rounded

Function = Callable[..., Operation]

SMOOTH: dict[Function, float] = {
    hlo.TanhOp: 1.0,
    hlo.SineOp: 1.0,
    hlo.CosineOp: 1.0,
    hlo.LogisticOp: 1.0,
    chlo.ErfOp: 1.0,
    chlo.ErfcOp: 2.0,
    chlo.AtanOp: 1.6,
}
"""Functions with a slope of at most 1.13, and their bounds."""

GROWING: list[Function] = [hlo.ExpOp, hlo.Expm1Op, chlo.SinhOp, chlo.CoshOp]
"""Functions that exp bounds, with their slopes."""

OTHER: list[Function] = [
    hlo.CbrtOp, hlo.LogOp, hlo.Log1pOp, hlo.TanOp, hlo.RsqrtOp, chlo.TanOp, chlo.AcosOp, chlo.AcoshOp, chlo.AsinOp,
    chlo.AsinhOp, chlo.AtanhOp, chlo.ErfInvOp, chlo.LgammaOp, chlo.DigammaOp, chlo.BesselI1eOp,
]  # fmt: skip

COMPLEX_FUNCTIONS: list[Function] = [
    hlo.ExpOp, hlo.Expm1Op, hlo.LogOp, hlo.Log1pOp, hlo.SqrtOp, hlo.RsqrtOp, hlo.CbrtOp, hlo.TanhOp, hlo.TanOp,
    hlo.SineOp, hlo.CosineOp, hlo.LogisticOp, hlo.SignOp, hlo.AbsOp,
    chlo.AcosOp, chlo.AcoshOp, chlo.AsinOp, chlo.AsinhOp, chlo.AtanOp, chlo.AtanhOp, chlo.CoshOp, chlo.SinhOp,
    chlo.TanOp,
]  # fmt: skip


def smooth(g: Generator) -> None:
    make = g.random.choice(list(SMOOTH))
    x = g.pick(REALS, wild=True)
    if x.known.tame:
        known = rounded(x.element, SMOOTH[make], 1.13 * x.known.error, 2)
    else:
        known = ANY_NUMBER
    g.keep(make(x.ssa), x.element, x.shape, known)


def growing(g: Generator) -> None:
    make = g.random.choice(GROWING)
    x = g.pick(REALS, wild=True)
    if x.known.bound <= 4:
        bound = math.exp(x.known.bound)
        known = rounded(x.element, bound, 2 * x.known.error * bound, 2)
    elif x.known.exact:
        known = ANY_NUMBER
    else:
        raise Unfit
    g.keep(make(x.ssa), x.element, x.shape, known)


def function(g: Generator) -> None:
    """Functions with poles, cuts or a slope without bound."""
    x = g.pick(REALS, exact=True, wild=True, bits=True)
    make = g.random.choice(OTHER)
    g.keep(make(x.ssa), x.element, x.shape, ANY_NUMBER)


def binary_function(g: Generator) -> None:
    x = g.pick(REALS, exact=True, wild=True, bits=True)
    y = g.like(x, exact=True, wild=True, bits=True)
    make = g.random.choice([hlo.Atan2Op, hlo.PowOp])
    g.keep(make(x.ssa, y.ssa), x.element, x.shape, ANY_NUMBER)


def binary_special(g: Generator) -> None:
    """`zeta` and `polygamma` of positive numbers: the sums for negative ones have terms that cancel."""
    x = g.pick([F32, F64], exact=True)
    positive = g.add(hlo.AbsOp(x.ssa), x.known)
    if g.random.random() < 0.5:
        order = g.add(
            hlo.BroadcastInDimOp(g.scalar(x.element, g.random.randint(0, 4)), [], x.ssa.type), Known(1.0, 4.0)
        )
        polygamma = g.random.choice([chlo.PolygammaOp, partial(chlo.BroadcastPolygammaOp, result_type=x.ssa.type)])
        g.keep(polygamma(order, positive), x.element, x.shape, ANY_NUMBER)
    else:
        zeta = g.random.choice([chlo.ZetaOp, partial(chlo.BroadcastZetaOp, result_type=x.ssa.type)])
        g.keep(zeta(g.like(x, exact=True).ssa, positive), x.element, x.shape, ANY_NUMBER)


def complex_function(g: Generator) -> None:
    x = g.pick(COMPLEX, exact=True, bits=True)
    if g.random.random() < 0.1:
        power = hlo.PowOp(x.ssa, g.like(x, exact=True, bits=True).ssa)
        g.keep(power, x.element, x.shape, ANY_NUMBER)
        return
    make = g.random.choice(COMPLEX_FUNCTIONS)
    element = PART[x.element] if make is hlo.AbsOp else x.element
    g.keep(make(x.ssa), element, x.shape, _tamed(x, make))


def _tamed(x: Value, make: Function) -> Known:
    """What is known about functions that are bounded by something known."""
    bound = x.known.bound
    if make is hlo.AbsOp:
        return rounded(PART[x.element], bound, 0, 2)
    if make is hlo.SignOp:
        return rounded(x.element, 1, 0, 2)
    if make in (hlo.SqrtOp, hlo.CbrtOp):
        return rounded(x.element, max(1.0, bound), 0, 4)
    if make is hlo.ExpOp and bound <= 6:
        return rounded(x.element, math.exp(bound), 0, 4)
    return ANY_NUMBER
