"""Quotients of complex numbers: scaled, and by Annex G of C where parts are infinite or zero."""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np
import pytest
from complex_numpy import evaluate
from xdsl_xla.passes.loops.complex_functions.division import divide

INF, NAN = np.inf, np.nan


def quotient(lhs: complex, rhs: complex, dtype: Any = np.complex128, fused: bool = True) -> complex:
    return complex(evaluate(divide, fused, np.array([lhs], dtype), np.array([rhs], dtype))[0])


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_small_whole_numbers_are_exact(dtype: Any, fused: bool) -> None:
    assert quotient(-5 + 10j, 1 + 2j, dtype, fused) == 3 + 4j
    assert quotient(7, 2j, dtype, fused) == -3.5j
    assert quotient(6 - 9j, 3, dtype, fused) == 2 - 3j


@pytest.mark.parametrize("scale", [1e-300, 1e300, 5e-324])
def test_squares_of_the_divisor_leave_the_range(scale: float) -> None:
    assert quotient(complex(scale, scale), complex(scale, scale)) == 1
    assert quotient(complex(2 * scale, 0), complex(0, scale)) == -2j


def test_parts_of_different_size() -> None:
    """The quotient's parts are near the ends of the range (Baudin and Smith)."""
    assert cmath.isclose(quotient(1 + 1j, 1 + 1e307j), complex(1e-307, -1e-307), rel_tol=1e-15)
    assert cmath.isclose(quotient(1e307 + 1e-307j, 1e204 + 1e-204j), complex(1e103, -1e-305), rel_tol=1e-15)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_infinite_and_zero(dtype: Any) -> None:
    assert quotient(1 + 1j, complex(INF, NAN), dtype) == 0
    assert cmath.isinf(quotient(complex(INF, 2), 3 + 4j, dtype))
    assert cmath.isinf(quotient(complex(NAN, INF), 3 + 4j, dtype))
    assert cmath.isinf(quotient(1 + 1j, 0, dtype)) and quotient(-2, 0, dtype).real == -INF
    for lhs, rhs in ((0, 0), (complex(NAN, 1), 1), (complex(INF, 0), complex(INF, 0))):
        result = quotient(lhs, rhs, dtype)
        assert cmath.isnan(result) and not cmath.isinf(result)
