"""Binary floating point formats and errors in units of the last place.

An exact result is kept as the nearest double and, for double precision, what that lacks. An error is the distance of a
computed result from the exact one in units of the last place of the exact one, as in W. Kahan's definition ("A
logarithm too clever by half", 2004): a correctly rounded result is at most 1/2 off. Beyond the largest number the unit
stays that of the largest, and infinity counts as the power of two that comes next.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import ml_dtypes
import numpy as np

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


class Format(NamedTuple):
    """`precision` counts the implicit bit; exponents are those of numbers from 1 to 2."""

    name: str
    dtype: np.dtype[Any]
    bits: np.dtype[Any]
    precision: int
    least_exponent: int

    @property
    def greatest_exponent(self) -> int:
        return 1 - self.least_exponent

    @property
    def least_flushed(self) -> float:
        """The least normal number where arithmetic flushes smaller ones; 0 for f16, which is computed in f32."""
        return 0.0 if self.name == "f16" else 2.0**self.least_exponent

    @property
    def is_exhaustible(self) -> bool:
        """Whether all numbers are few enough to try each."""
        return self.bits.itemsize <= 2

    def of(self, values: Any) -> Array:
        """`values` rounded to the format."""
        with np.errstate(all="ignore"):
            return np.asarray(values).astype(self.dtype)


F16 = Format("f16", np.dtype(np.float16), np.dtype(np.uint16), 11, -14)
BF16 = Format("bf16", np.dtype(ml_dtypes.bfloat16), np.dtype(np.uint16), 8, -126)
F32 = Format("f32", np.dtype(np.float32), np.dtype(np.uint32), 24, -126)
F64 = Format("f64", np.dtype(np.float64), np.dtype(np.uint64), 53, -1022)

REAL_FORMATS = {format.name: format for format in (F16, BF16, F32, F64)}


class Exact(NamedTuple):
    """Exact results: the nearest doubles, infinite beyond their range, and the rest in units of their last place."""

    value: Array
    rest: Array


def unit_of(value: Array, format: Format) -> Array:
    """The unit in the last place of `format` at each of the doubles `value`."""
    exponent = np.where(np.isfinite(value), np.frexp(value)[1] - 1, format.greatest_exponent)
    exponent = np.where(value == 0, format.least_exponent, exponent)
    exponent = np.clip(exponent, format.least_exponent, format.greatest_exponent)
    return np.ldexp(1.0, exponent - (format.precision - 1))


def errors(got: Array, exact: Exact, format: Format, size: Array | None = None) -> Array:
    """How many units in the last place each of `got`, in `format`, is away from the exact result.

    Infinite where one is NaN and the other not. With `size` units are those of the larger of it and the result.
    """
    computed, value = got.astype(np.float64), exact.value
    unit = unit_of(value, format)
    # Halved, so that the power of two beyond the largest double is a double.
    half = np.where(np.abs(value) >= 1, 0.5, 1.0)
    end = np.ldexp(2.0, format.greatest_exponent - 1)
    with np.errstate(all="ignore"):
        a = np.clip(np.where(np.isinf(computed), computed, computed * half), -end, end)
        b = np.clip(np.where(np.isinf(value), value, value * half), -end, end)
        rest = np.where(np.isfinite(value), exact.rest, 0.0) if format is F64 else 0.0
        distance = np.abs((a - b) / (unit * half) - rest)
        if size is not None:
            distance = distance * (unit / np.maximum(unit, unit_of(np.where(np.isnan(size), 0.0, size), format)))
    far = np.isinf(computed) & (np.abs(value) < 1)
    distance = np.where(far, np.inf, distance)
    both = np.isnan(computed) & np.isnan(value)
    return np.where(both, 0.0, np.where(np.isnan(computed) | np.isnan(value), np.inf, distance))


def is_representable(exact: Exact, format: Format) -> Array:
    """Whether the exact result is a number of the format, infinity or NaN."""
    with np.errstate(all="ignore"):
        rounded = format.of(exact.value).astype(np.float64)
    same = (rounded == exact.value) & (exact.rest == 0)
    return same | np.isnan(exact.value)


def differs(got: Array, exact: Exact, format: Format) -> Array:
    """Where `got` is not the correctly rounded result; zeros are told apart by their sign."""
    computed, rounded = got.astype(np.float64), format.of(exact.value).astype(np.float64)
    same = (computed == rounded) & (np.signbit(computed) == np.signbit(rounded))
    return ~(same | (np.isnan(computed) & np.isnan(rounded)))


def is_flushed(got: Array, exact: Exact, format: Format) -> Array:
    """Where flushing explains the error: results that are off by no more than the least normal number.

    So it does their signs, of which sums of flushed terms lose some; results that are exactly zero keep theirs.
    """
    computed, least = got.astype(np.float64), format.least_flushed
    with np.errstate(all="ignore"):
        return (np.abs(computed - exact.value) <= least) & (exact.value != 0)
