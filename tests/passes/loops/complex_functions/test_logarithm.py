"""Logarithms of complex numbers, powers and angles: near the unit circle, and at zero."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
from complex_numpy import evaluate
from xdsl_xla.passes.loops.complex_functions.logarithm import angle, atan2, log, log1p, power

INF = math.inf


@pytest.mark.parametrize("fused", [True, False])
def test_near_the_unit_circle(fused: bool) -> None:
    """|z| is 1 but for its last digits: the real part is what those say."""
    angles = np.linspace(0.01, 6, 300)
    z = np.cos(angles) + 1j * np.sin(angles)
    got = evaluate(log, fused, z)
    with mpmath.workprec(300):
        wanted = np.array([complex(mpmath.log(mpmath.mpc(each))) for each in z])
    np.testing.assert_allclose(got.real, wanted.real, rtol=1e-14, atol=0)
    np.testing.assert_allclose(got.imag, wanted.imag, rtol=1e-15)


@pytest.mark.parametrize("fused", [True, False])
def test_one_and_a_little_more(fused: bool) -> None:
    z = np.array([1e-20 + 1e-30j, -1e-9 + 1e-9j, -1e-18 - 2e-10j, -2 + 1e-5j, -1.5 + 0.8660254037844386j])
    got = evaluate(log1p, fused, z)
    with mpmath.workprec(300):
        wanted = np.array([complex(mpmath.log(1 + mpmath.mpc(each))) for each in z])
    np.testing.assert_allclose(got.real, wanted.real, rtol=1e-13, atol=0)
    np.testing.assert_allclose(got.imag, wanted.imag, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_ends_of_the_range(dtype: Any) -> None:
    largest, least = np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal
    z = np.array([complex(largest, largest), complex(0, least), 0], dtype)
    got = evaluate(log, True, z)
    assert got[0].real == pytest.approx(math.log(float(largest)) + math.log(2) / 2, rel=1e-6)
    assert got[1] == pytest.approx(complex(math.log(float(least)), math.pi / 2), rel=1e-6)
    assert got[2] == complex(-INF, 0)


def test_powers() -> None:
    bases = np.array([0, 0, 0, 2, 1j, -8, 3 + 4j], np.complex128)
    exponents = np.array([0, 2, 1 + 1j, 10, 2, 1 / 3, 0], np.complex128)
    wanted = [1, 0, 0, 1024, -1, 1 + math.sqrt(3) * 1j, 1]
    np.testing.assert_allclose(evaluate(power, True, bases, exponents), wanted, rtol=1e-14, atol=1e-14)


def test_angles_of_zeros_and_infinities() -> None:
    x, y = (np.array(each) for each in zip(*product([0.0, -0.0, 1.0, -INF, INF], repeat=2), strict=True))
    z = np.empty(25, np.complex128)
    z.real, z.imag = x, y
    np.testing.assert_array_equal(evaluate(angle, True, z), np.arctan2(y, x))


def test_the_inverse_tangent_of_a_quotient() -> None:
    """Of real numbers it is that of real numbers."""
    y, x = np.array([1.0, -2.0, 0.5]), np.array([2.0, 3.0, -4.0])
    got = evaluate(atan2, True, y.astype(np.complex128), x.astype(np.complex128))
    np.testing.assert_allclose(got, np.arctan2(y, x), rtol=1e-15, atol=1e-15)
