"""Elementwise ops (StableHLO specification, sections `abs` to `xor`).

Integers wrap around. Where the specification leaves a value open, `docs/semantics.md` says what these functions do.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erf as _erf
from typing import Any

import numpy as np

from .arrays import Array, compute_dtype, is_complex, is_float, is_unsigned
from .registry import REFERENCE, Call, Function, reference

ELEMENTWISE: set[str] = set()
"""Ops that act on each element alone, and constants: the bodies that may run on whole arrays at once."""


def elementwise(*names: str) -> Callable[[Function], Function]:
    """Registers a function of arrays as an elementwise op."""

    def register(function: Function) -> Function:
        ELEMENTWISE.update(names)
        reference(*names)(lambda call, *operands: function(*operands))
        return function

    return register


def _wide(function: Callable[..., Array]) -> Callable[..., Array]:
    """Computes in float32 for smaller floats, and rounds once."""

    def wrapped(*operands: Array) -> Array:
        dtype = operands[0].dtype
        wide = compute_dtype(dtype)
        if wide == dtype:
            return function(*operands)
        return function(*(o.astype(wide) for o in operands)).astype(dtype)

    return wrapped


def _bits(value: Array) -> int:
    return value.dtype.itemsize * 8


# -- arithmetic ------------------------------------------------------------------------------------------------


@elementwise("stablehlo.add")
def add(lhs: Array, rhs: Array) -> Array:
    return lhs | rhs if lhs.dtype == np.bool_ else lhs + rhs


@elementwise("stablehlo.subtract")
def subtract(lhs: Array, rhs: Array) -> Array:
    return lhs - rhs


@elementwise("stablehlo.multiply")
def multiply(lhs: Array, rhs: Array) -> Array:
    return lhs & rhs if lhs.dtype == np.bool_ else lhs * rhs


@elementwise("stablehlo.divide")
def divide(lhs: Array, rhs: Array) -> Array:
    """Integers truncate; x/0 has all bits set, INT_MIN/-1 is INT_MIN."""
    if is_float(lhs.dtype) or is_complex(lhs.dtype):
        return lhs / rhs
    safe = np.where(rhs == 0, np.ones_like(rhs), rhs)
    return np.where(rhs == 0, np.array(-1).astype(lhs.dtype), _truncated_quotient(lhs, safe)).astype(lhs.dtype)


def _truncated_quotient(lhs: Array, rhs: Array) -> Array:
    if is_unsigned(lhs.dtype):
        return lhs // rhs
    overflow = (rhs == -1) & (lhs == np.iinfo(lhs.dtype).min)
    quotient = lhs // np.where(overflow, np.ones_like(rhs), rhs)
    inexact = (quotient * rhs != lhs) & ((lhs < 0) != (rhs < 0)) & ~overflow
    return np.where(overflow, lhs, quotient + inexact.astype(lhs.dtype))


@elementwise("stablehlo.remainder")
def remainder(lhs: Array, rhs: Array) -> Array:
    """The sign of the dividend; x % 0 is x for integers."""
    if is_float(lhs.dtype):
        return _wide(np.fmod)(lhs, rhs)
    safe = np.where(rhs == 0, np.ones_like(rhs), rhs)
    return np.where(rhs == 0, lhs, lhs - _truncated_quotient(lhs, safe) * safe).astype(lhs.dtype)


@elementwise("stablehlo.maximum")
def maximum(lhs: Array, rhs: Array) -> Array:
    """NaN propagates."""
    if is_complex(lhs.dtype):
        return np.where(_lexicographic_ge(lhs, rhs), lhs, rhs)
    return np.maximum(lhs, rhs)


@elementwise("stablehlo.minimum")
def minimum(lhs: Array, rhs: Array) -> Array:
    """NaN propagates."""
    if is_complex(lhs.dtype):
        return np.where(_lexicographic_ge(lhs, rhs), rhs, lhs)
    return np.minimum(lhs, rhs)


def _lexicographic_ge(lhs: Array, rhs: Array) -> Array:
    return (lhs.real > rhs.real) | ((lhs.real == rhs.real) & (lhs.imag >= rhs.imag))


@elementwise("stablehlo.power")
def power(lhs: Array, rhs: Array) -> Array:
    """Integers by repeated squaring; a negative exponent gives 0 except for bases 1 and -1."""
    if is_float(lhs.dtype) or is_complex(lhs.dtype):
        return _wide(np.power)(lhs, rhs)
    result, base, exponent = (
        np.ones_like(lhs),
        lhs.copy(),
        np.abs(rhs) if not is_unsigned(rhs.dtype) else rhs,
    )
    for _ in range(_bits(lhs)):
        result = np.where(exponent & 1, result * base, result)
        base = base * base
        exponent = exponent >> 1
    if is_unsigned(lhs.dtype):
        return result
    negative = np.where(lhs == 1, 1, np.where(lhs == -1, np.where(rhs & 1, -1, 1), 0)).astype(lhs.dtype)
    return np.where(rhs < 0, negative, result)


@elementwise("stablehlo.atan2")
def atan2(lhs: Array, rhs: Array) -> Array:
    if is_complex(lhs.dtype):
        one = np.array(1j, lhs.dtype)
        return -one * np.log((rhs + one * lhs) / np.sqrt(rhs * rhs + lhs * lhs))
    return _wide(np.arctan2)(lhs, rhs)


# -- logic and bits ---------------------------------------------------------------------------------------------


@elementwise("stablehlo.and")
def and_(lhs: Array, rhs: Array) -> Array:
    return lhs & rhs


@elementwise("stablehlo.or")
def or_(lhs: Array, rhs: Array) -> Array:
    return lhs | rhs


@elementwise("stablehlo.xor")
def xor(lhs: Array, rhs: Array) -> Array:
    return lhs ^ rhs


@elementwise("stablehlo.not")
def not_(operand: Array) -> Array:
    return ~operand


def _unsigned(value: Array) -> Array:
    return value.view(f"u{value.dtype.itemsize}") if value.dtype.kind in "iu" else value


@elementwise("stablehlo.shift_left")
def shift_left(lhs: Array, rhs: Array) -> Array:
    """Shifts by the width or more give 0; the amount is unsigned."""
    amount, width = _unsigned(rhs), _bits(lhs)
    return np.where(amount < width, lhs << np.minimum(amount, width - 1).astype(lhs.dtype), 0).astype(lhs.dtype)


@elementwise("stablehlo.shift_right_logical")
def shift_right_logical(lhs: Array, rhs: Array) -> Array:
    amount, width = _unsigned(rhs), _bits(lhs)
    shifted = _unsigned(lhs) >> np.minimum(amount, width - 1)
    return np.where(amount < width, shifted, 0).astype(lhs.dtype)


@elementwise("stablehlo.shift_right_arithmetic")
def shift_right_arithmetic(lhs: Array, rhs: Array) -> Array:
    """Shifts by the width or more give the sign."""
    amount = np.minimum(_unsigned(rhs), _bits(lhs) - 1).astype(lhs.dtype)
    signed = lhs.view(f"i{lhs.dtype.itemsize}")
    return (signed >> amount.view(signed.dtype)).view(lhs.dtype)


@elementwise("stablehlo.popcnt")
def popcnt(operand: Array) -> Array:
    return np.bitwise_count(_unsigned(operand)).astype(operand.dtype)


@elementwise("stablehlo.count_leading_zeros")
def count_leading_zeros(operand: Array) -> Array:
    bits, width = _unsigned(operand).copy(), _bits(operand)
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < width:
            bits |= bits >> np.array(shift, bits.dtype)
    return (width - np.bitwise_count(bits)).astype(operand.dtype)


# -- functions of one value -------------------------------------------------------------------------------------


@elementwise("stablehlo.abs")
def abs_(operand: Array) -> Array:
    return np.abs(operand)


@elementwise("stablehlo.negate")
def negate(operand: Array) -> Array:
    return -operand


@elementwise("stablehlo.sign")
def sign(operand: Array) -> Array:
    """-0 and NaN stay what they are."""
    if is_complex(operand.dtype):
        magnitude = np.abs(operand)
        return np.where(magnitude == 0, operand, operand / np.where(magnitude == 0, 1, magnitude))
    return np.where(operand == 0, operand, np.sign(operand)).astype(operand.dtype)


@elementwise("stablehlo.round_nearest_afz")
def round_nearest_afz(operand: Array) -> Array:
    whole = np.trunc(operand)
    away = np.abs(operand - whole) >= np.array(0.5, operand.dtype)
    return np.copysign(np.where(away, whole + np.sign(operand), whole), operand).astype(operand.dtype)


@elementwise("stablehlo.cbrt")
def cbrt(operand: Array) -> Array:
    if is_complex(operand.dtype):
        return np.power(operand, np.array(1 / 3, operand.dtype))
    return _wide(np.cbrt)(operand)


@elementwise("stablehlo.logistic")
def logistic(operand: Array) -> Array:
    one = np.ones((), compute_dtype(operand.dtype))
    return _wide(lambda x: one / (one + np.exp(-x)))(operand)


@elementwise("stablehlo.rsqrt")
def rsqrt(operand: Array) -> Array:
    one = np.ones((), compute_dtype(operand.dtype))
    return _wide(lambda x: one / np.sqrt(x))(operand)


@elementwise("stablehlo.is_finite")
def is_finite(operand: Array) -> Array:
    return np.isfinite(operand)


@elementwise("stablehlo.real")
def real(operand: Array) -> Array:
    return operand.real


@elementwise("stablehlo.imag")
def imag(operand: Array) -> Array:
    return operand.imag if is_complex(operand.dtype) else np.zeros_like(operand)


@elementwise("stablehlo.complex")
def complex_(lhs: Array, rhs: Array) -> Array:
    result = np.empty(lhs.shape, np.complex64 if lhs.dtype == np.float32 else np.complex128)
    result.real, result.imag = lhs, rhs
    return result


def _register_unary() -> None:
    functions: dict[str, Callable[..., Any]] = {
        "ceil": np.ceil,
        "cosine": np.cos,
        "exponential": np.exp,
        "exponential_minus_one": np.expm1,
        "floor": np.floor,
        "log": np.log,
        "log_plus_one": np.log1p,
        "round_nearest_even": np.rint,
        "sine": np.sin,
        "sqrt": np.sqrt,
        "tan": np.tan,
        "tanh": np.tanh,
    }
    for name, function in functions.items():
        elementwise(f"stablehlo.{name}")(_wide(function))


_register_unary()


def vectorized_erf(operand: Array) -> Array:
    """erf in float64, rounded to the operand's dtype."""
    result = np.array([_erf(float(x)) for x in operand.reshape(-1)], np.float64)
    return result.reshape(operand.shape).astype(operand.dtype)


# -- comparison, selection, conversion --------------------------------------------------------------------------

_COMPARISONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GE": np.greater_equal,
    "GT": np.greater,
    "LE": np.less_equal,
    "LT": np.less,
}


def total_order_key(value: Array) -> Array:
    """Integers ordered as IEEE 754 totalOrder orders the floats `value`."""
    signed = np.ascontiguousarray(value).view(f"i{value.dtype.itemsize}")
    return np.where(signed < 0, signed ^ np.iinfo(signed.dtype).max, signed)


@reference("stablehlo.compare")
def compare(call: Call, lhs: Array, rhs: Array) -> Array:
    if call.enum("compare_type") == "TOTALORDER" and is_float(lhs.dtype):
        lhs, rhs = total_order_key(lhs), total_order_key(rhs)
    return _COMPARISONS[call.enum("comparison_direction") or "EQ"](lhs, rhs)


@elementwise("stablehlo.select")
def select(pred: Array, on_true: Array, on_false: Array) -> Array:
    return np.where(pred, on_true, on_false)


@elementwise("stablehlo.clamp")
def clamp(lower: Array, operand: Array, upper: Array) -> Array:
    return minimum(maximum(operand, lower), upper)


@reference("stablehlo.convert")
def convert(call: Call, operand: Array) -> Array:
    return convert_to(operand, call.result()[1])


def convert_to(operand: Array, dtype: np.dtype[Any]) -> Array:
    """Conversion between any two element types: to bool by `!= 0`, float to integer saturating with NaN as 0."""
    if is_complex(operand.dtype) and not is_complex(dtype):
        operand = operand.real
    if dtype == np.bool_:
        return operand != 0
    if is_float(operand.dtype) and not (is_float(dtype) or is_complex(dtype)):
        info = np.iinfo(dtype) if dtype.kind in "iu" else _small_int_info(dtype)
        wide = operand.astype(np.float64)
        limited = np.where(wide >= float(info.max), 0.0, np.where(wide <= float(info.min), 0.0, np.trunc(wide)))
        whole = np.where(np.isnan(limited), 0.0, limited).astype(np.int64 if info.min < 0 else np.uint64)
        whole = np.where(wide >= float(info.max), info.max, np.where(wide <= float(info.min), info.min, whole))
        return whole.astype(dtype)
    return operand.astype(dtype)


def _small_int_info(dtype: np.dtype[Any]) -> Any:
    import ml_dtypes

    return ml_dtypes.iinfo(dtype)


@reference("stablehlo.bitcast_convert")
def bitcast_convert(call: Call, operand: Array) -> Array:
    shape, dtype = call.result()
    return np.ascontiguousarray(operand).reshape(-1).view(dtype).reshape(shape)


@reference("stablehlo.reduce_precision")
def reduce_precision(call: Call, operand: Array) -> Array:
    """Rounds to nearest even with `exponent_bits` and `mantissa_bits`; overflow gives infinity, NaN stays."""
    exponent_bits, mantissa_bits = call.int("exponent_bits"), call.int("mantissa_bits")
    wide = operand.astype(np.float64)
    bias = 2 ** (exponent_bits - 1) - 1
    _, exponent = np.frexp(wide)
    lowest = 1 - bias
    scale = np.maximum(exponent - 1, lowest) - mantissa_bits
    rounded = np.ldexp(np.rint(np.ldexp(wide, -scale)), scale)
    largest = np.ldexp(2.0 - 2.0**-mantissa_bits, bias)
    rounded = np.where(np.abs(rounded) > largest, np.copysign(np.inf, wide), rounded)
    flushed = np.abs(rounded) < np.ldexp(1.0, lowest)
    rounded = np.where(flushed, np.copysign(0.0, wide), rounded)
    return np.where(np.isfinite(wide), rounded, wide).astype(operand.dtype)


ELEMENTWISE.update({"stablehlo.compare", "stablehlo.convert", "stablehlo.constant", "stablehlo.reduce_precision"})
assert ELEMENTWISE - {"stablehlo.constant"} <= set(REFERENCE)
