"""Arithmetic of two values (StableHLO specification, sections `add` to `subtract`).

Integers wrap around. Where the specification leaves a value open, `docs/semantics.md` says what these functions do.
"""

from __future__ import annotations

import numpy as np

from .arrays import Array, is_complex, is_float, is_unsigned
from .complex_functions import as_wide, divide_complex, from_parts, in_double, parts
from .elementwise import elementwise


@elementwise("stablehlo.add")
def add(lhs: Array, rhs: Array) -> Array:
    """Booleans: or."""
    return lhs | rhs if lhs.dtype == np.bool_ else lhs + rhs


@elementwise("stablehlo.subtract")
def subtract(lhs: Array, rhs: Array) -> Array:
    return lhs - rhs


@elementwise("stablehlo.multiply")
def multiply(lhs: Array, rhs: Array) -> Array:
    """Booleans: and. Complex numbers by the textbook formula, also where a part is infinite."""
    if is_complex(lhs.dtype):
        return _multiply_complex(lhs, rhs)
    return lhs & rhs if lhs.dtype == np.bool_ else lhs * rhs


@in_double
def _multiply_complex(lhs: Array, rhs: Array) -> Array:
    (a, b), (c, d) = parts(lhs), parts(rhs)
    return from_parts(a * c - b * d, a * d + b * c)


@elementwise("stablehlo.divide")
def divide(lhs: Array, rhs: Array) -> Array:
    """Integers truncate; x/0 has all bits set, INT_MIN/-1 is INT_MIN."""
    if is_complex(lhs.dtype):
        return divide_complex(lhs, rhs)
    if is_float(lhs.dtype):
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
        return np.fmod(lhs, rhs)
    safe = np.where(rhs == 0, np.ones_like(rhs), rhs)
    return np.where(rhs == 0, lhs, lhs - _truncated_quotient(lhs, safe) * safe).astype(lhs.dtype)


@elementwise("stablehlo.maximum")
def maximum(lhs: Array, rhs: Array) -> Array:
    """IEEE 754 maximum: NaN propagates, -0 is less than +0. Complex numbers in lexicographic order."""
    if is_complex(lhs.dtype):
        return np.where(_lexicographic_ge(lhs, rhs), lhs, rhs)
    if is_float(lhs.dtype):
        return np.where((lhs == 0) & (rhs == 0), lhs + rhs, np.maximum(lhs, rhs))
    return np.maximum(lhs, rhs)


@elementwise("stablehlo.minimum")
def minimum(lhs: Array, rhs: Array) -> Array:
    """IEEE 754 minimum: NaN propagates, -0 is less than +0. Complex numbers in lexicographic order."""
    if is_complex(lhs.dtype):
        return np.where(_lexicographic_ge(rhs, lhs), lhs, rhs)
    if is_float(lhs.dtype):
        return np.where((lhs == 0) & (rhs == 0), -(-lhs - rhs), np.minimum(lhs, rhs))
    return np.minimum(lhs, rhs)


def _lexicographic_ge(lhs: Array, rhs: Array) -> Array:
    (a, b), (c, d) = parts(lhs), parts(rhs)
    return (a > c) | ((a == c) & (b >= d))


@elementwise("stablehlo.power", double=True)
def power(lhs: Array, rhs: Array) -> Array:
    """Integers by repeated squaring; a negative exponent gives 0 except for bases 1 and -1."""
    if is_complex(lhs.dtype):
        return np.power(as_wide(lhs), as_wide(rhs)).astype(lhs.dtype)
    if is_float(lhs.dtype):
        return np.power(lhs, rhs)
    result, base = np.ones_like(lhs), lhs.copy()
    exponent = rhs if is_unsigned(rhs.dtype) else np.abs(rhs)
    for _ in range(lhs.dtype.itemsize * 8):
        result = np.where(exponent & 1, result * base, result)
        base = base * base
        exponent = exponent >> 1
    if is_unsigned(lhs.dtype):
        return result
    negative = np.where(lhs == 1, 1, np.where(lhs == -1, np.where(rhs & 1, -1, 1), 0)).astype(lhs.dtype)
    return np.where(rhs < 0, negative, result)


@elementwise("stablehlo.atan2", double=True)
def atan2(lhs: Array, rhs: Array) -> Array:
    """Complex numbers: -i log((x + iy) / sqrt(x^2 + y^2))."""
    if is_complex(lhs.dtype):
        y, x = as_wide(lhs), as_wide(rhs)
        return (-1j * np.log(divide_complex(x + 1j * y, np.sqrt(x * x + y * y)))).astype(lhs.dtype)
    return np.arctan2(lhs, rhs)


@elementwise("stablehlo.clamp")
def clamp(lower: Array, operand: Array, upper: Array) -> Array:
    """At least `lower`, then at most `upper`."""
    return minimum(maximum(operand, lower), upper)
