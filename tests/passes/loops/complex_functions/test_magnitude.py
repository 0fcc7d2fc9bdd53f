"""Absolute values, signs and square roots of complex numbers: squares leave the range, cuts follow signs of zeros."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from complex_numpy import evaluate
from xdsl_xla.passes.loops.complex_functions.magnitude import absolute, rsqrt, sign, sqrt

INF, NAN = math.inf, math.nan


@pytest.mark.parametrize("scale", [1.0, 2.0**600, 2.0**-600, 2.0**-1070])
@pytest.mark.parametrize("fused", [True, False])
def test_scaled_triangles_are_exact(scale: float, fused: bool) -> None:
    z = np.array([3 + 4j, -5 + 12j, 8 - 15j]) * scale
    np.testing.assert_array_equal(evaluate(absolute, fused, z), np.array([5.0, 13, 17]) * scale)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_infinite_even_beside_nan(dtype: Any) -> None:
    z = np.array([complex(INF, NAN), complex(NAN, -INF), complex(1, NAN), 0], dtype)
    np.testing.assert_array_equal(evaluate(absolute, True, z), [INF, INF, NAN, 0])


def test_signs() -> None:
    z = np.array([3 + 4j, 1e-320 + 0j, 1e300 - 1e300j, complex(-0.0, 0.0), complex(NAN, 1)])
    got = evaluate(sign, True, z)
    np.testing.assert_allclose(got[:3], [0.6 + 0.8j, 1, (1 - 1j) / math.sqrt(2)], rtol=1e-15)
    assert got[3] == 0 and math.copysign(1, got[3].real) == -1
    assert math.isnan(got[4].real) and math.isnan(got[4].imag)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_the_cut_of_the_root_follows_the_sign_of_zero(dtype: Any) -> None:
    z = np.array([complex(-4, 0.0), complex(-4, -0.0), 3 + 4j, -3 - 4j, 0], dtype)
    np.testing.assert_array_equal(evaluate(sqrt, True, z), [2j, -2j, 2 + 1j, 1 - 2j, 0])


@pytest.mark.parametrize("scale", [2.0**1000, 2.0**-1000, 2.0**-1060])
def test_roots_at_the_ends_of_the_range(scale: float) -> None:
    (got,) = evaluate(sqrt, True, np.array([(3 + 4j) * scale]))
    assert got == (2 + 1j) * math.sqrt(scale)
    assert evaluate(sqrt, True, np.array([complex(1, INF)]))[0] == complex(INF, INF)


def test_reciprocal_roots() -> None:
    z = np.array([4, 3 + 4j, -1, 1e-300, 0])
    with np.errstate(all="ignore"):
        got = evaluate(rsqrt, True, z)
    np.testing.assert_allclose(got[:2], [0.5, (2 - 1j) / 5], rtol=1e-15)
    assert got[2] == pytest.approx(-1j) and got[3] == pytest.approx(1e150)
    assert got[4].real == INF and math.isnan(got[4].imag)
