"""Arithmetic on pairs: products that cancel, and scales that keep squares in range."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from complex_numpy import Array, ComplexNumpyArithmetic
from xdsl_xla.passes.loops.complex_functions.number import (
    Complex,
    is_finite,
    is_infinite,
    larger,
    power_of_two,
    scale_of,
    smaller,
    sum_of_products,
)
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, Float

INF, NAN = np.inf, np.nan


def double(*values: float) -> Float:
    return Float(ComplexNumpyArithmetic(DOUBLE, True), np.array(values))


def parts(z: Complex) -> tuple[Array, Array]:
    return z.re.handle, z.im.handle


def test_ring_operations() -> None:
    z, w = Complex(double(1, 3), double(2, -4), False), Complex(double(-5, 0.5), double(7, 2), False)
    for result, wanted in [
        (z + w, [(-4, 3.5), (9, -2)]),
        (z - w, [(6, 2.5), (-5, -6)]),
        (z * w, [(-19, 9.5), (-3, 4)]),
        (z.times_i(), [(-2, 4), (1, 3)]),
        (z.divided_by_i(), [(2, -4), (-1, -3)]),
    ]:
        for got, part in zip(parts(result), wanted, strict=True):
            np.testing.assert_array_equal(got, part)


def test_finite_and_infinite() -> None:
    x = double(0, -INF, NAN, 1e308)
    np.testing.assert_array_equal(is_infinite(x).handle, [False, True, False, False])
    np.testing.assert_array_equal(is_finite(x).handle, [True, False, False, True])
    z = Complex(double(1, NAN, NAN), double(2, INF, 1), False)
    np.testing.assert_array_equal(z.is_infinite().handle, [False, True, False])


def test_the_larger_of_a_number_and_nan_is_the_number() -> None:
    x, y = double(1, -3, 5, NAN), double(2, -4, NAN, 7)
    np.testing.assert_array_equal(larger(x, y).handle, [2, -3, 5, 7])
    np.testing.assert_array_equal(smaller(x, y).handle, [1, -4, NAN, NAN])


def test_a_sum_of_products_that_cancels() -> None:
    """The textbook formula gives 0 or noise here."""
    rng = np.random.default_rng(0)
    a, b = rng.uniform(1, 2, (2, 500))
    c = -a * (1 + rng.integers(-4, 4, 500) * 2.0**-52)
    d = b * (1 + rng.integers(-4, 4, 500) * 2.0**-52)
    got = sum_of_products(*(double(*each) for each in (a, b, c, d))).handle
    exact = [Fraction(w) * Fraction(x) + Fraction(y) * Fraction(z) for w, x, y, z in zip(a, b, c, d, strict=True)]
    np.testing.assert_allclose(got, [float(each) for each in exact], rtol=1e-15, atol=0)


@pytest.mark.parametrize("even", [False, True])
def test_scales(even: bool) -> None:
    magnitude = np.array([1e-300, 5e-324, 0.3, 1.0, 7.0, 1e300, 0.0, INF])
    with np.errstate(over="ignore"):
        down, up, exponent = scale_of(double(*magnitude), even)
    np.testing.assert_array_equal(down.handle * up.handle, np.ones(8))
    np.testing.assert_array_equal(up.handle, 2.0**exponent.handle)
    if even:
        np.testing.assert_array_equal(exponent.handle % 2, np.zeros(8))
    scaled = (magnitude * down.handle)[[0, 2, 3, 4, 5]]
    assert np.all((scaled >= 0.25) & (scaled < 4))


def test_powers_of_two() -> None:
    np.testing.assert_array_equal(
        power_of_two(double(-1022, -1, 0, 10, 1023)).handle, 2.0 ** np.array([-1022, -1, 0, 10, 1023])
    )
