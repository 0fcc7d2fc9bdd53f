"""Functions that no other one is made of: by the formulas that decompose those of chlo, and as powers."""

from __future__ import annotations

from ....ir.formulas import Formulas
from . import exponential, inverse_trigonometric, logarithm, power
from .arithmetic import Float, Mask


def _atan2(y: Float, x: Float | float) -> Float:
    return inverse_trigonometric.atan2(y, x if isinstance(x, Float) else y.arithmetic.constant(x))


OF_FLOATS = Formulas(
    exponential.exp,
    logarithm.log,
    logarithm.log1p,
    Float.sqrt,
    _atan2,
    Float.at_most,
    Mask.select,
    Float.copy_sign,
    Float.polynomial,
    lambda x: x.arithmetic.is_single,
)

acos, asin, atan = OF_FLOATS.acos, OF_FLOATS.asin, OF_FLOATS.atan
acosh, asinh, atanh = OF_FLOATS.acosh, OF_FLOATS.asinh, OF_FLOATS.atanh
erf = OF_FLOATS.erf


def exp2(x: Float) -> Float:
    return power.powf(x.arithmetic.constant(2.0), x)
