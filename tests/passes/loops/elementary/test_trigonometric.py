"""Trigonometric functions: the reduction of arguments of any size, and quadrants."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from elementary_numpy import Array, NumpyArithmetic, evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Format, Integer
from xdsl_xla.passes.loops.elementary.trigonometric import (
    TURN_DIGITS_53,
    cos,
    fraction,
    low_bits,
    reduce_double,
    reduce_single,
    select_digits,
    sin,
    tan,
)

LARGE = [1.0, 1e5, 1e22, 2.0**100, 2.0**1000 * 1.1, 1.7e308, math.pi, 355.0, 6381956970095103.0 * 2.0**797]
"""The last one is the double nearest to a multiple of pi/2 (Muller, "Elementary Functions")."""


def left_over(x: float) -> tuple[float, int]:
    """The angle that is left of `x`, and the quadrant, by arithmetic of 1200 bits."""
    with mpmath.workprec(1200):
        quadrant = int(mpmath.nint(mpmath.mpf(x) * 2 / mpmath.pi))
        return float(mpmath.mpf(x) - quadrant * mpmath.pi / 2), quadrant & 3


def test_digits_of_a_turn() -> None:
    """They are those of 1 / (2 pi) to the base 2^53, after the point."""
    found = sum(Fraction(digit, 1 << (53 * place)) for place, digit in enumerate(TURN_DIGITS_53))
    with mpmath.workprec(1300):
        assert abs(mpmath.mpf(found.numerator) / found.denominator * 2 * mpmath.pi - 1) < mpmath.mpf(2) ** -1200


def test_digits_are_selected_by_place() -> None:
    index = Integer(NumpyArithmetic(DOUBLE, True), np.array([0, 5, 12]))
    digits = select_digits(index, 3)
    for place, start in enumerate((0, 5, 12)):
        chosen = [math.ldexp(digit, -53) for digit in TURN_DIGITS_53[start : start + 3]]
        assert [np.broadcast_to(each.handle, 3)[place] for each in digits] == chosen


def test_the_angle_left_of_a_double() -> None:
    high, low, quadrant = reduce_double(Float(NumpyArithmetic(DOUBLE, True), np.array(LARGE)))
    for x, head, tail, turns in zip(LARGE, high.handle, low.handle, quadrant.handle, strict=True):
        angle, wanted = left_over(x)
        assert head + tail == pytest.approx(angle, rel=1e-15, abs=0) and turns & 3 == wanted


def test_the_angle_left_of_a_single() -> None:
    values = np.array([0.5, 3.0, 1e4, 1e10, 3e38], np.float32)
    angle, quadrant = reduce_single(Float(NumpyArithmetic(SINGLE, True), values))
    for x, got, turns in zip(values, angle.handle, quadrant.handle, strict=True):
        wanted, quarter = left_over(float(x))
        assert got == pytest.approx(wanted, rel=1e-7, abs=0) and int(turns) & 3 == quarter


def test_fractions_and_counts() -> None:
    x = Float(NumpyArithmetic(DOUBLE, True), np.array([2.75, -2.25, 5.0]))
    np.testing.assert_array_equal(fraction(x).handle, [-0.25, -0.25, 0])
    assert int(low_bits(Float(x.arithmetic, np.array([6.0]))).handle[0]) & 0xFF == 6


@cache
def nearest_to_quarters(dtype: type) -> Array:
    """Of the numbers below 2^20 that are next to multiples of pi / 2, those that are nearest to them."""
    with mpmath.workprec(200):
        quarter = Fraction(int(mpmath.pi * (1 << 150)), 1 << 151)
    high = int(quarter * (1 << 96))
    counts = range(1, 667_000, 7)
    x = np.array([count * high / (1 << 96) for count in counts]).astype(dtype)
    left = [abs(int(math.ldexp(value, 96)) - count * high) for value, count in zip(x.tolist(), counts, strict=True)]
    return x[sorted(range(len(left)), key=left.__getitem__)[:100]]


@pytest.mark.parametrize("fused", [True, False])
def test_the_shorter_way_for_moderate_numbers(fused: bool) -> None:
    hard = nearest_to_quarters(np.float64)
    x = np.concatenate([hard, [2.0**-26, 0.7, 1.0, 2.0**20 - 1, 2.0**20 + 1, 1e22]])
    high, low, quadrant = reduce_double(Float(NumpyArithmetic(DOUBLE, fused, branches=True), x))
    for value, head, tail, turns in zip(x, high.handle, low.handle, quadrant.handle, strict=True):
        with mpmath.workprec(1200):
            quarters = int(mpmath.nint(mpmath.mpf(value) * 2 / mpmath.pi))
            angle = mpmath.mpf(value) - quarters * mpmath.pi / 2
            assert abs((mpmath.mpf(head) + mpmath.mpf(tail)) / angle - 1) < 2.0**-62
        assert turns & 3 == quarters & 3
    singles = np.concatenate([nearest_to_quarters(np.float32), np.array([0.7, 1, 2**20 - 1, 1e22], np.float32)])
    angle, quadrant = reduce_single(Float(NumpyArithmetic(SINGLE, fused, branches=True), singles))
    for value, got, turns in zip(singles, angle.handle, quadrant.handle, strict=True):
        wanted, quarter = left_over(float(value))
        assert got == pytest.approx(wanted, rel=6e-8, abs=0) and int(turns) & 3 == quarter


@pytest.mark.parametrize("branches", [True, False])
@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
@pytest.mark.parametrize(("function", "known"), [(sin, np.sin), (cos, np.cos), (tan, np.tan)])
def test_values(
    function: Callable[..., Float], known: Callable[[Array], Array], format: Format, fused: bool, branches: bool
) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    x = np.concatenate([np.linspace(-30, 30, 4001), [1e-30, 1e5, -1e6, 3.1415927, 1e22]]).astype(dtype)
    got, wanted = evaluate(function, format, fused, x, branches=branches)[0], known(x.astype(np.float64))
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(np.abs(wanted).astype(dtype)))
