"""Python's numbers as arrays of an element type, where they fit it.

A number fits where its kind does (bool, integer, real, complex: each may become a later one) and its value is in range:
integers exactly, floats after rounding. 0 and 1 may also become booleans.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..interruptions import is_interruption

RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
"""NumPy's kinds of numbers in the order in which they may become each other."""


class UnfitError(ValueError):
    """Says what came instead of numbers that fit."""


def fitting_array(value: Any, dtype: np.dtype) -> np.ndarray:
    """`value`, a number or an array or nested list of them, as a new array of `dtype`.

    Raises `UnfitError` for what is not a number, for lists of unequal lengths, numbers of a later kind than `dtype` and
    numbers out of its range.
    """
    natural = natural_array(value, dtype)
    kind = kind_of(dtype)
    if RANKS[kind_of(natural.dtype)] > RANKS[kind] and natural.size and not _are_flags(natural, kind):
        raise UnfitError(f"{_described(value)} of {natural.dtype.name}")
    if natural.dtype == dtype:
        return np.array(natural)
    if kind == "i" or kind == "u":
        _check_integers(natural, dtype)
        return natural.astype(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        result = natural.astype(dtype)
    if kind != "b":
        _check_floats(natural, result)
    return result


def natural_array(value: Any, dtype: np.dtype | None = None) -> np.ndarray:
    """`value` as the array of numbers that NumPy makes of it; lists of integers of any size, where `dtype` is integral.

    Raises `UnfitError` where these are no numbers.
    """
    try:
        natural = np.asarray(value)
    except Exception as error:
        if is_interruption(error):
            raise
        raise UnfitError(f"a ragged {_type_name(value)}" if _is_list(value) else str(error)) from None
    kind = kind_of(natural.dtype)
    wants_integers = dtype is not None and kind_of(dtype) in "iu"
    may_be_rounded = kind == "f" and wants_integers and _is_list(value)
    if kind in RANKS and not may_be_rounded:
        return natural
    integers = _integers(value, natural) if kind in "fO" else None
    if integers is None and kind == "f":
        return natural
    if integers is None:
        raise UnfitError(_odd_element(value) if kind == "O" else _described(value))
    if dtype is not None and not wants_integers:
        return _rounded(integers)
    low, high = (-(2**63), 2**63 - 1) if dtype is None else _range(dtype)
    for number in integers.flat:
        if not low <= number <= high:
            raise UnfitError(f"a value out of range, {_text(number)}")
    return integers.astype(dtype or np.int64)


def _rounded(integers: np.ndarray) -> np.ndarray:
    try:
        return integers.astype(np.float64)
    except OverflowError:
        raise UnfitError("a value out of range, an integer beyond every float") from None


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _type_name(value: object) -> str:
    return type(value).__name__


def kind_of(dtype: np.dtype) -> str:
    """NumPy's letter for the kind; those that `ml_dtypes` adds, of which NumPy knows none, by their name."""
    if dtype.kind != "V":
        return dtype.kind
    if dtype.name.startswith(("int", "uint")):
        return dtype.name[0]
    return "f" if "float" in dtype.name else "V"


def _are_flags(natural: np.ndarray, kind: str) -> bool:
    return kind == "b" and kind_of(natural.dtype) in "iu" and bool(((natural == 0) | (natural == 1)).all())


def _range(dtype: np.dtype) -> tuple[int, int]:
    if dtype.kind != "V":
        limits = np.iinfo(dtype)
    else:
        import ml_dtypes

        limits: Any = ml_dtypes.iinfo(dtype)
    return int(limits.min), int(limits.max)


def _check_integers(natural: np.ndarray, dtype: np.dtype) -> None:
    if not natural.size or natural.dtype.kind == "b":
        return
    low, high = _range(dtype)
    wide = natural if natural.dtype.kind != "V" else natural.astype(np.int64)
    for value in (int(wide.min()), int(wide.max())):
        if not low <= value <= high:
            raise UnfitError(f"a value out of range, {value}")


def _check_floats(natural: np.ndarray, result: np.ndarray) -> None:
    """Infinities and NaN are what they were, and no other number has become one."""
    if result.dtype.kind != "V" and np.isfinite(result).all():
        return
    wide = np.complex128 if "c" in (natural.dtype.kind, result.dtype.kind) else np.float64
    wanted, got = natural.astype(wide).reshape(-1), result.astype(wide).reshape(-1)
    for part in (np.real, np.imag) if wide is np.complex128 else (np.asarray,):
        a, b = part(wanted), part(got)
        kept = np.where(np.isfinite(a), np.isfinite(b), (a == b) | (np.isnan(a) & np.isnan(b)))
        if not kept.all():
            raise UnfitError(f"a value out of range, {wanted[int(np.argmin(kept))]}")


def _integers(value: Any, natural: np.ndarray) -> np.ndarray | None:
    """The elements as Python's integers, if all are integers."""
    objects = natural if natural.dtype.kind == "O" else np.array(value, dtype=object)
    are_integers = all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in objects.flat)
    return objects if are_integers else None


def _odd_element(value: Any) -> str:
    elements = np.array(value, dtype=object)
    for element in elements.flat:
        if not isinstance(element, bool | int | float | complex | np.number | np.bool_):
            return _described(element)
    return _described(value)


def _described(value: Any) -> str:
    return "None" if value is None else f"a {_type_name(value)}"


def _text(number: Any) -> str:
    if isinstance(number, int) and number.bit_length() > 256:
        return f"of {number.bit_length()} bits"
    return str(number)
