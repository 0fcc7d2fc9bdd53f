"""Elementary functions as sequences of arithmetic without branches or tables.

`FUNCTIONS` maps the `math` ops to their functions. `arithmetic` is the language the functions are
written in and `ir_arithmetic` its meaning as IR; the tests have another that computes with NumPy.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import math
from xdsl.ir import Operation

from . import (
    error_function,
    exponential,
    inverse_trigonometric,
    logarithm,
    power,
    trigonometric,
)
from .arithmetic import Float

FUNCTIONS: dict[type[Operation], Callable[..., Float]] = {
    math.ExpOp: exponential.exp,
    math.Exp2Op: exponential.exp2,
    math.ExpM1Op: exponential.expm1,
    math.SinhOp: exponential.sinh,
    math.CoshOp: exponential.cosh,
    math.TanhOp: exponential.tanh,
    math.LogOp: logarithm.log,
    math.Log2Op: logarithm.log2,
    math.Log10Op: logarithm.log10,
    math.Log1pOp: logarithm.log1p,
    math.AsinhOp: logarithm.asinh,
    math.AcoshOp: logarithm.acosh,
    math.AtanhOp: logarithm.atanh,
    math.SinOp: trigonometric.sin,
    math.CosOp: trigonometric.cos,
    math.TanOp: trigonometric.tan,
    math.AsinOp: inverse_trigonometric.asin,
    math.AcosOp: inverse_trigonometric.acos,
    math.AtanOp: inverse_trigonometric.atan,
    math.Atan2Op: inverse_trigonometric.atan2,
    math.RsqrtOp: power.rsqrt,
    math.CbrtOp: power.cbrt,
    math.PowFOp: power.powf,
    math.ErfOp: error_function.erf,
}
