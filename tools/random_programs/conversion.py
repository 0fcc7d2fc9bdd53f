"""Random conversions of numbers and of bits."""

from __future__ import annotations

import math

from ...dialects import stablehlo as hlo
from .elements import BOOL, ELEMENTS, REALS, SCALE, Element
from .generator import Generator, Value, tensor_of
from .known import INTEGER, WILD, Known, Unfit, correctly_rounded, rounded


def convert(g: Generator) -> None:
    target = g.choice(ELEMENTS)
    exact = not target.rounds or target is SCALE
    x = g.pick([e for e in ELEMENTS if e is not SCALE or target is not SCALE], exact=exact, wild=True)
    if target is SCALE:
        known = Known(0.0, math.inf, bits=False)
    elif not target.rounds:
        known = INTEGER
    else:
        known = _to_rounding(target, x)
    g.keep(hlo.ConvertOp(x.ssa, target.attribute), target, x.shape, known)


def _to_rounding(target: Element, x: Value) -> Known:
    known = x.known
    if not x.element.rounds:
        bound = 1.0 if x.element is BOOL else 2.0 ** min(x.element.bits, 64)
        return correctly_rounded(target, (), 1.0, bound)
    if not known.tame:
        return Known(0.0, math.inf, bits=False)
    if known.exact:
        return correctly_rounded(target, (known,), known.step, known.bound)
    return rounded(target, known.bound, known.error)


def bitcast(g: Generator) -> None:
    """Between types of any widths; the last dimension makes up for the difference."""
    x = g.pick(ELEMENTS, exact=True, wild=True, bits=True)
    target = g.choice([e for e in ELEMENTS if max(e.bits, x.element.bits) % min(e.bits, x.element.bits) == 0])
    if BOOL in (target, x.element) and target is not x.element:
        raise Unfit
    old, new = x.element.bits, target.bits
    if target.is_complex is not x.element.is_complex or (target.is_complex and old != new):
        raise Unfit
    shape = x.shape
    if new < old:
        shape = (*shape, old // new)
    elif new > old:
        if not shape or shape[-1] != new // old:
            rank = g.random.randint(0, 2)
            x = g.argument(x.element, (*g.shape(rank, 64), new // old), wild=True)
            shape = x.shape
        shape = shape[:-1]
    if target.dtype.itemsize * 8 != target.bits and target.is_float and old != new:
        raise Unfit
    known = WILD if target.rounds else INTEGER
    g.keep(hlo.BitcastConvertOp(x.ssa, tensor_of(target, shape)), target, shape, known)


def reduce_precision(g: Generator) -> None:
    x = g.pick(REALS, exact=True, wild=True)
    op = hlo.ReducePrecisionOp(x.ssa, g.random.randint(1, 11), g.random.randint(0, 12))
    known = Known(0.0, math.inf, bits=False)
    if x.known.tame and op.exponent_bits.value.data >= 5 and x.known.bound < 1000:
        known = Known(0.0, 2 * x.known.bound, bits=False)
    g.keep(op, x.element, x.shape, known)
