"""Functions of complex numbers as arithmetic on their parts.

`FUNCTIONS` maps the ops of the `complex` dialect to functions of `Complex`; the rest of the dialect is one operation a
part and stands in the pass. Numbers of single precision are computed in double: then every result but that of a long
cancellation is the rounded one, and no intermediate value can overflow. `IN_OWN_PRECISION` has the functions for which
single precision is enough: a vector holds twice as many of its numbers, and square roots of them take half the time.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import mul

from xdsl.dialects import complex
from xdsl.ir import Operation

from ..elementary.arithmetic import Float
from . import division, exponential, logarithm, magnitude
from .number import Complex

FUNCTIONS: dict[type[Operation], Callable[..., Complex] | Callable[..., Float]] = {
    complex.AbsOp: magnitude.absolute,
    complex.AngleOp: logarithm.angle,
    complex.Atan2Op: logarithm.atan2,
    complex.CosOp: exponential.cos,
    complex.DivOp: division.divide,
    complex.ExpOp: exponential.exp,
    complex.Expm1Op: exponential.expm1,
    complex.LogOp: logarithm.log,
    complex.Log1pOp: logarithm.log1p,
    complex.MulOp: mul,
    complex.PowOp: logarithm.power,
    complex.RsqrtOp: magnitude.rsqrt,
    complex.SignOp: magnitude.sign,
    complex.SinOp: exponential.sin,
    complex.SqrtOp: magnitude.sqrt,
    complex.TanOp: exponential.tan,
    complex.TanhOp: exponential.tanh,
}

IN_OWN_PRECISION = frozenset({magnitude.absolute, magnitude.sqrt, mul})
"""Functions that are computed in the precision of their operands: all they need is a scale, if that."""
