"""What becomes of subnormal numbers where a program flushes them (`decisions/denormals.py`).

Arithmetic takes the subnormal operands of `f32`, `f64` and their complex numbers for zeros, with their signs, and its
results are zeros where they would be subnormal. `bf16` is computed in `f32`, whose exponents it has, and so it is
flushed too; the subnormal numbers of `f16` and of smaller formats are normal ones there. Ops that move elements, choose
among them or look at bits leave them as they are.
"""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.ir import Operation

from ..dialects.stablehlo.attributes import ComparisonType
from .arrays import Array
from .registry import Call, Function
from .values import Value

_ARITHMETIC = frozenset(
    f"stablehlo.{name}"
    for name in """add atan2 batch_norm_grad batch_norm_inference batch_norm_training cbrt ceil cholesky clamp
    convolution cosine divide dot dot_general dynamic_conv einsum exponential exponential_minus_one fft floor log
    log_plus_one logistic maximum minimum multiply power remainder rng round_nearest_afz round_nearest_even rsqrt sign
    sine sqrt subtract tan tanh triangular_solve unary_einsum""".split()
)

_NO_ARITHMETIC = frozenset(
    f"chlo.{name}"
    for name in "conj constant constant_like is_inf is_neg_inf is_pos_inf mulhi next_after scan top_k".split()
)
"""Of the ops of chlo."""

_BITS_OF_SINGLE = frozenset(map(np.dtype, (np.float32, ml_dtypes.bfloat16, np.complex64, ml_dtypes.float8_e8m0fnu)))
"""Types with the exponents of `f32`: conversions among them are about bits."""


def flushed(value: Value) -> Value:
    """`value` with zeros in place of the subnormal numbers of an array."""
    if not isinstance(value, np.ndarray | np.generic):
        return value
    array = np.asarray(value)
    if array.dtype.kind == "c":
        parts = np.empty(array.shape, array.dtype)
        parts.real, parts.imag = cast(Array, flushed(np.real(array))), cast(Array, flushed(np.imag(array)))
        return parts
    if array.dtype not in _TINY:
        return value
    tiny = _TINY[array.dtype]
    with np.errstate(invalid="ignore"):
        subnormal = (np.abs(array) < tiny) & (array != 0)
    return np.where(subnormal, np.copysign(np.zeros_like(array), array), array) if subnormal.any() else value


_extensions: Any = ml_dtypes  # whose finfo has no types

_TINY: dict[np.dtype[Any], Any] = {
    np.dtype(type): _extensions.finfo(type).smallest_normal for type in (np.float32, np.float64, ml_dtypes.bfloat16)
}


def _name(op: Operation) -> str:
    """What an op does, to operands of one shape."""
    name = op.name.removeprefix("chlo.broadcast_")
    of_chlo = name in ("next_after", "polygamma", "zeta")
    return op.name if name == op.name else f"chlo.{name}" if of_chlo else f"stablehlo.{name}"


def flushing(op: Operation, function: Function) -> Function:
    """The reference `function` of `op` where subnormal numbers are flushed."""
    name = _name(op)
    if name == "stablehlo.compare":
        type = op.properties.get("compare_type")
        is_total = type is not None and cast(Any, type).data is ComparisonType.TOTALORDER
        return function if is_total else _on_flushed(function)
    if name == "stablehlo.convert":
        return _converting(function)
    if name == "stablehlo.abs":
        return _of_complex(function)
    if name in _ARITHMETIC or (name.startswith("chlo.") and name not in _NO_ARITHMETIC):
        return _arithmetic(function)
    return function


def _on_flushed(function: Function) -> Function:
    def evaluate(call: Call, *operands: Value) -> Any:
        return function(call, *map(flushed, operands))

    return evaluate


def _arithmetic(function: Function) -> Function:
    def evaluate(call: Call, *operands: Value) -> Any:
        value = function(call, *map(flushed, operands))
        return tuple(map(flushed, cast("tuple[Value, ...]", value))) if isinstance(value, tuple) else flushed(value)

    return evaluate


def _of_complex(function: Function) -> Function:
    """Arithmetic on complex numbers only."""
    arithmetic = _arithmetic(function)

    def evaluate(call: Call, operand: Array) -> Any:
        return (arithmetic if operand.dtype.kind == "c" else function)(call, operand)

    return evaluate


def _converting(function: Function) -> Function:
    def evaluate(call: Call, operand: Array) -> Any:
        source, target = operand.dtype, call.result()[1]
        if source == target or ({source, target} <= _BITS_OF_SINGLE and target != np.dtype(ml_dtypes.float8_e8m0fnu)):
            return function(call, operand)
        if source == np.dtype(ml_dtypes.float8_e8m0fnu):
            operand = operand.astype(np.float32)
        return flushed(function(call, flushed(operand)))

    return evaluate
