"""Functions of complex numbers evaluated with NumPy, operation by operation; elementary functions are NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from elementary_numpy import Array, NumpyArithmetic
from xdsl_xla.passes.loops.complex_functions import IN_OWN_PRECISION
from xdsl_xla.passes.loops.complex_functions.number import Complex
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float

FUNCTIONS: dict[str, Callable[..., Array]] = {
    "math.atan2": np.arctan2,
    "math.cos": np.cos,
    "math.cosh": np.cosh,
    "math.exp": np.exp,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log1p": np.log1p,
    "math.sin": np.sin,
    "math.sinh": np.sinh,
    "math.tan": np.tan,
}


class ComplexNumpyArithmetic(NumpyArithmetic):
    """Also has the functions that `complex-expand-arithmetic` leaves to `math-expand-elementary`."""

    def apply(self, kind: type, operation: str, *operands: Any) -> Array:
        if operation in FUNCTIONS:
            return FUNCTIONS[operation](*(np.atleast_1d(operand) for operand in operands))
        return super().apply(kind, operation, *operands)


def evaluate(function: Callable[..., Complex | Float], fused: bool, *operands: Array) -> Array:
    """`function` on arrays of `complex64`, whose parts are single, or `complex128`, in their type."""
    dtype = operands[0].dtype
    single = dtype == np.complex64
    wide = single and function not in IN_OWN_PRECISION
    arithmetic = ComplexNumpyArithmetic(SINGLE if single and not wide else DOUBLE, fused)

    def part(values: Array) -> Float:
        return Float(arithmetic, np.ascontiguousarray(values).astype(np.float64 if wide else values.dtype))

    with np.errstate(all="ignore"):
        result = function(*(Complex(part(z.real), part(z.imag), wide) for z in operands))
        if isinstance(result, Float):
            return result.handle.astype(np.float32 if single else np.float64)
        value = np.empty(np.broadcast_shapes(result.re.handle.shape, result.im.handle.shape), dtype)
        value.real, value.imag = result.re.handle, result.im.handle
    return value
