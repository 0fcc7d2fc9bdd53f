"""What is known about a value of a random program, and what follows from it for results.

A value is *exact* if both engines must compute the same numbers: arguments, and what IEEE 754 defines of exact values,
NaN and infinities included. On top of that all its elements may lie on a *grid*, multiples of a step so large that
sums of them need no rounding: then the order of a reduction does not matter. Any other value has a bound of its
magnitude and of the difference that the engines may have; what has no such bound may be returned, moved and selected
from, not computed with.

What arithmetic makes of subnormal numbers depends on what the compiler makes of the arithmetic: `x * 1` or
`maximum(x, x)` that it removes keeps them, a reduction by a comparison that it takes for a maximum flushes them. Such
results are exact, but not bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .elements import F32, Element

LEAST_STEP = 2.0**-14
"""The finest grid: sums of products of f16 on it are no subnormal numbers."""


FLUSHED = -1.0
"""The tolerance of results that must be equal where no subnormal numbers are flushed, else up to these."""


class Unfit(Exception):
    """The values there are do not suit the op that was drawn."""


@dataclass(frozen=True)
class Known:
    """What holds for all elements of a value."""

    step: float = 0.0
    """They are multiples of this; 0 if there is no grid."""
    bound: float = 0.0
    """Their greatest magnitude; infinite if they may be NaN, infinite or without bound."""
    error: float = 0.0
    """How far apart the engines may be."""
    exact: bool = True
    """Whether the engines agree, up to signs of zeros and NaNs, and up to subnormal numbers that are flushed."""
    bits: bool = True
    """Whether they agree bit for bit."""

    @property
    def tame(self) -> bool:
        return self.bound < math.inf

    @property
    def tolerance(self) -> float | None:
        """How far apart results may be beyond the tolerance of their type; None if they must be equal, or FLUSHED."""
        if self.exact:
            return None if self.bits else FLUSHED
        return self.error

    @property
    def computed(self) -> Known:
        """The same as the result of arithmetic: what is on no grid may be subnormal, and then flushed or not."""
        return replace(self, bits=self.bits and self.step > 0)


INTEGER = Known(1.0)
WILD = Known(0.0, math.inf)
"""Any bit pattern, the same on both engines."""

ANY_NUMBER = Known(0.0, math.inf, exact=False, bits=False)
"""The engines agree within the tolerance of the type."""


UNKNOWN = Known(0.0, math.inf, math.inf, exact=False, bits=False)
"""The engines need not agree at all."""


def on_grid(element: Element, step: float, bound: float) -> bool:
    """Whether all multiples of `step` up to `bound` are values of the type."""
    least = max(element.least, LEAST_STEP if not element.is_narrow else 0.0)
    return step >= least and bound <= element.largest and bound / step <= 2.0**element.significand


def rounded(element: Element, bound: float, error: float, roundings: float = 1.0) -> Known:
    """Up to `bound`, off by `error` before the last `roundings`. Raises Unfit where that is too large to go on."""
    if not element.rounds:
        return INTEGER
    if not bound <= element.limit:
        raise Unfit
    return Known(0.0, bound, error + 4 * roundings * element.eps * bound, exact=False, bits=False)


def correctly_rounded(
    element: Element, operands: Sequence[Known], step: float, bound: float, error: float = math.inf
) -> Known:
    """The result of an op that IEEE 754 defines, on `operands`.

    Without rounding it would consist of multiples of `step` up to `bound`; if the operands are not exact, it is off by
    `error`.
    """
    if not element.rounds:
        return INTEGER
    if not all(known.exact for known in operands):
        if not error < math.inf:
            raise Unfit
        return rounded(element, bound, error)
    if not bound <= element.largest / 2:
        return Known(0.0, math.inf, bits=False)
    if element.is_complex:
        bits = False
    else:
        bits = all(known.computed.bits for known in operands)
    return Known(step if step and on_grid(element, step, bound) else 0.0, bound, 0.0, True, bits)


def accumulated(
    element: Element, operands: Sequence[Known], step: float, bound: float, error: float, terms: int
) -> Known:
    """A sum of `terms` numbers up to `bound` altogether, in any order, each partial sum rounded to the type."""
    if not element.rounds:
        return INTEGER
    if all(known.exact for known in operands) and step and on_grid(element, step, bound):
        return Known(step, bound, bits=False)
    if element.is_narrow:
        raise Unfit
    return rounded(element, bound, error, math.sqrt(max(1, terms)))


def contracted(result: Element, a: Known, b: Known, terms: int) -> Known:
    """A sum of `terms` products, in f32 at least, rounded to the type of the result once."""
    terms = max(1, terms)
    step, bound = a.step * b.step, terms * a.bound * b.bound
    if result.is_complex:
        bound *= 2
    error = terms * (a.error * b.bound + b.error * a.bound + a.error * b.error)
    wide = F32 if result.is_float and result.significand < F32.significand else result
    known = accumulated(wide, (a, b), step, bound, error, terms)
    if wide is result or not result.rounds:
        return known
    if known.exact:
        return replace(correctly_rounded(result, (known,), step, bound), bits=False)
    return rounded(result, bound, known.error)


def joined(*choices: Known) -> Known:
    """Some elements of each."""
    return Known(
        min(known.step for known in choices),
        max(known.bound for known in choices),
        max(known.error for known in choices),
        all(known.exact for known in choices),
        all(known.bits for known in choices),
    )
