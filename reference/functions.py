"""Functions of one value (StableHLO specification, sections `abs` to `tanh`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arrays import Array, is_complex
from .complex_functions import (
    as_wide,
    cube_root_complex,
    exponential_minus_one_complex,
    in_double,
    log_plus_one_complex,
    logistic_complex,
    reciprocal_square_root_complex,
    sign_complex,
)
from .elementwise import elementwise, exact


@elementwise("stablehlo.abs")
def abs_(operand: Array) -> Array:
    """INT_MIN stays what it is."""
    if is_complex(operand.dtype):
        return np.abs(as_wide(operand)).astype(np.real(operand).dtype)
    return np.abs(operand)


@elementwise("stablehlo.negate")
def negate(operand: Array) -> Array:
    return -operand


@elementwise("stablehlo.sign")
def sign(operand: Array) -> Array:
    """-0 and NaN stay what they are."""
    if is_complex(operand.dtype):
        return sign_complex(operand)
    return np.where(operand == 0, operand, np.sign(operand)).astype(operand.dtype)


@elementwise("stablehlo.round_nearest_afz")
def round_nearest_afz(operand: Array) -> Array:
    """Halfway cases away from zero."""
    whole = np.trunc(operand)
    away = np.abs(operand - whole) >= np.array(0.5, operand.dtype)
    return np.copysign(np.where(away, whole + np.sign(operand), whole), operand).astype(operand.dtype)


@elementwise("stablehlo.cbrt", double=True)
def cbrt(operand: Array) -> Array:
    return cube_root_complex(operand) if is_complex(operand.dtype) else np.cbrt(operand)


@elementwise("stablehlo.logistic", double=True)
def logistic(operand: Array) -> Array:
    """1 / (1 + exp(-x)), written with exponentials that do not overflow."""
    if is_complex(operand.dtype):
        return logistic_complex(operand)
    one, power = np.ones((), operand.dtype), np.exp(-np.abs(operand))
    return np.where(operand < 0, power, one) / (one + power)


@elementwise("stablehlo.rsqrt", double=True)
def rsqrt(operand: Array) -> Array:
    """1 / sqrt(x): infinite at 0, with its sign."""
    if is_complex(operand.dtype):
        return reciprocal_square_root_complex(operand)
    return np.ones((), operand.dtype) / np.sqrt(operand)


@elementwise("stablehlo.exponential_minus_one", double=True)
def exponential_minus_one(operand: Array) -> Array:
    return exponential_minus_one_complex(operand) if is_complex(operand.dtype) else np.expm1(operand)


@elementwise("stablehlo.log_plus_one", double=True)
def log_plus_one(operand: Array) -> Array:
    return log_plus_one_complex(operand) if is_complex(operand.dtype) else np.log1p(operand)


@exact("stablehlo.is_finite")
def is_finite(operand: Array) -> Array:
    return np.isfinite(operand)


@exact("stablehlo.real")
def real(operand: Array) -> Array:
    return np.real(operand) if is_complex(operand.dtype) else operand


@exact("stablehlo.imag")
def imag(operand: Array) -> Array:
    return np.imag(operand) if is_complex(operand.dtype) else np.zeros_like(operand)


@exact("stablehlo.complex")
def complex_(lhs: Array, rhs: Array) -> Array:
    result = np.empty(lhs.shape, np.complex64 if lhs.dtype == np.float32 else np.complex128)
    result.real, result.imag = lhs, rhs
    return result


def _register_library_functions() -> None:
    rounded: dict[str, Callable[..., Any]] = {
        "cosine": np.cos,
        "exponential": np.exp,
        "log": np.log,
        "sine": np.sin,
        "tan": np.tan,
        "tanh": np.tanh,
    }
    correct: dict[str, Callable[..., Any]] = {
        "ceil": np.ceil,
        "floor": np.floor,
        "round_nearest_even": np.rint,
        "sqrt": np.sqrt,
    }
    for name, function in (rounded | correct).items():
        elementwise(f"stablehlo.{name}", double=name in rounded)(_for_real_and_complex(function))


def _for_real_and_complex(function: Callable[..., Any]) -> Callable[..., Any]:
    wide = in_double(function)

    def either(operand: Array) -> Array:
        return wide(operand) if is_complex(operand.dtype) else function(operand)

    return either


_register_library_functions()
