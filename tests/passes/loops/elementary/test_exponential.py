"""Exponentials and what is made of them: the parts, where cancellation starts, and the ends of the ranges."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from elementary_numpy import Array, NumpyArithmetic, evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Format
from xdsl_xla.passes.loops.elementary.exponential import (
    EXP_NORMAL,
    cosh,
    exp,
    expm1,
    expm1_parts,
    nearest_multiple,
    quarter_expm1,
    sinh,
    tanh,
)


def double(*values: float) -> Float:
    return Float(NumpyArithmetic(DOUBLE, True), np.array(values))


def test_the_nearest_multiple() -> None:
    number, bits = nearest_multiple(double(0.6, -7.4, 2.5, 300.0), 2.0)
    np.testing.assert_array_equal(number.handle, [1, -15, 5, 600])
    np.testing.assert_array_equal(bits.handle & 0xFFF, np.array([1, -15, 5, 600]) & 0xFFF)


def test_parts_are_those_of_the_exponential() -> None:
    """`x = n ln 2 + r`: `(1 + part) 2^n` is `exp(x)`, and `part` keeps its digits where `n` is 0."""
    x = np.linspace(-20, 20, 1001)
    part, bits = expm1_parts(double(*x))
    n = np.round(x / math.log(2))
    np.testing.assert_array_equal((bits.handle - n.astype(np.int64)) & 0x7FF, (bits.handle[500]) & 0x7FF)
    np.testing.assert_allclose((1 + part.handle) * 2.0**n, np.exp(x), rtol=1e-15)
    small = n == 0
    np.testing.assert_allclose(part.handle[small], np.expm1(x[small]), rtol=4e-16)


def test_a_quarter_is_finite_where_the_whole_is_not() -> None:
    (value,) = quarter_expm1(double(710.4)).handle
    assert value == pytest.approx(math.exp(710.4 - math.log(4)), rel=1e-13)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
def test_exponentials_where_subnormal_results_are_zeros(format: Format, fused: bool) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    low, high = EXP_NORMAL[format.bits]
    ends = np.nextafter(np.array([low, high], dtype), np.array([-np.inf, np.inf], dtype))
    x = np.concatenate([np.linspace(low, high, 20001, dtype=dtype), [low, high], ends, [-1e30, 1e30]]).astype(dtype)
    x = np.concatenate([x, np.array([-np.inf, np.inf, np.nan, -np.nan], dtype)])
    arithmetic = NumpyArithmetic(format, fused)
    arithmetic.flushes = True
    with np.errstate(all="ignore"):
        got = exp(Float(arithmetic, x)).handle
    wanted = np.exp(x[:20003].astype(np.longdouble))
    assert np.all(np.abs(got[:20003] - wanted) <= (1 if fused else 2) * np.spacing(wanted.astype(dtype)))
    np.testing.assert_array_equal(got[20003:], [0, np.inf, 0, np.inf, 0, np.inf, np.nan, np.nan])


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
@pytest.mark.parametrize(
    ("function", "known", "reach"),
    [(expm1, np.expm1, 80), (sinh, np.sinh, 85), (cosh, np.cosh, 85), (tanh, np.tanh, 30)],
)
def test_values(
    function: Callable[..., Float], known: Callable[[Array], Array], reach: float, format: Format, fused: bool
) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    x = np.concatenate([np.linspace(-reach, reach, 3001), np.geomspace(1e-12, 1, 500)]).astype(dtype)
    got, wanted = evaluate(function, format, fused, x)[0], known(x.astype(np.float64))
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(np.abs(wanted).astype(dtype)))


def test_hyperbolic_functions_at_the_end_of_the_range() -> None:
    """`exp(710.4)` overflows, half of it does not."""
    x = np.array([710.4, -710.4])
    np.testing.assert_allclose(evaluate(sinh, DOUBLE, True, x)[0], np.sinh(x), rtol=1e-13)
    np.testing.assert_allclose(evaluate(cosh, DOUBLE, True, x)[0], np.cosh(x), rtol=1e-13)
    np.testing.assert_array_equal(evaluate(tanh, DOUBLE, True, x)[0], [1, -1])
