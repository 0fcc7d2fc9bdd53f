"""How elementwise ops are registered: as functions of arrays, computed in a dtype NumPy computes well with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from .arrays import Array, compute_dtype, is_float, narrow
from .registry import Call, Function, reference

ELEMENTWISE: set[str] = {"stablehlo.constant"}
"""Ops that act on each element alone, and constants: the bodies that may run on whole arrays at once."""


def widened(function: Callable[..., Array], *, double: bool = False) -> Callable[..., Array]:
    """`function` on float32 or bytes for smaller types, its result rounded or wrapped once.

    With `double`, floats are computed in double precision, so that single precision comes out right but for the rarest
    of ties, and double precision in the extended one of the C library, where it has one: NumPy's own functions of
    doubles are several units off for some arguments.
    """

    def wide_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
        if not double or not is_float(dtype):
            return compute_dtype(dtype)
        return np.dtype(np.longdouble if dtype == np.float64 else np.float64)

    def wrapped(*operands: Array) -> Array:
        dtype = operands[0].dtype
        if wide_dtype(dtype) == dtype:
            return function(*operands)
        result = function(*(o.astype(wide_dtype(o.dtype)) for o in operands))
        return narrow(_in_range_of_single(result) if dtype == ml_dtypes.float8_e8m0fnu else result, dtype)

    return wrapped


def _in_range_of_single(value: Array) -> Array:
    """Zero where it would be zero as float32: arithmetic on powers of two has the range of that."""
    return np.where(np.abs(value) <= 2.0**-150, np.zeros_like(value), value) if value.dtype == np.float64 else value


def _without_call(function: Callable[..., Array]) -> Function:
    def called(_: Call, *operands: Array) -> Array:
        return function(*operands)

    return called


def elementwise(*names: str, double: bool = False) -> Callable[[Function], Function]:
    """Registers a function of arrays of one element type as an elementwise op; see `widened`."""

    def register(function: Function) -> Function:
        ELEMENTWISE.update(names)
        reference(*names)(_without_call(widened(function, double=double)))
        return function

    return register


def exact(*names: str) -> Callable[[Function], Function]:
    """Registers a function of arrays as an elementwise op that gets and gives elements as they are."""

    def register(function: Function) -> Function:
        ELEMENTWISE.update(names)
        reference(*names)(_without_call(function))
        return function

    return register


def elementwise_call(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a function that also needs the attributes of the op as an elementwise op."""
    ELEMENTWISE.add(name)
    return reference(name)
