"""Exponentials of complex numbers: no factor overflows before the product does, nothing cancels near zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from complex_numpy import evaluate
from xdsl_xla.passes.loops.complex_functions.exponential import cos, exp, expm1, sin, tan, tanh
from xdsl_xla.passes.loops.complex_functions.number import Complex

FUNCTIONS: list[tuple[Callable[[Complex], Complex], Any]] = [
    (exp, mpmath.exp),
    (expm1, mpmath.expm1),
    (sin, mpmath.sin),
    (cos, mpmath.cos),
    (tan, mpmath.tan),
    (tanh, mpmath.tanh),
]
POINTS = [0.5 + 0.25j, -2 + 3j, 1e-9 - 2e-9j, 3 - 1e-12j, -1e-8 + 1.5707963267948966j, 20 + 4j, 4 + 20j, -30 - 1j]


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize(("function", "known"), FUNCTIONS, ids=lambda f: getattr(f, "__name__", ""))
def test_each_part_is_close(function: Callable[[Complex], Complex], known: Any, fused: bool) -> None:
    got = evaluate(function, fused, np.array(POINTS))
    with mpmath.workprec(300):
        wanted = np.array([complex(known(mpmath.mpc(z))) for z in POINTS])
    np.testing.assert_allclose(got.real, wanted.real, rtol=4e-15, atol=1e-24)
    np.testing.assert_allclose(got.imag, wanted.imag, rtol=4e-15, atol=1e-24)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_the_end_of_the_range(dtype: Any) -> None:
    """`exp(x)` alone is infinite; times a small sine or cosine it is not."""
    end = 89.0 if dtype == np.complex64 else 710.0
    for function, z, known in ((exp, end + 1.55j, mpmath.exp), (sin, 1.55 + end * 1j, mpmath.sin)):
        value = np.array([z], dtype)
        (got,) = evaluate(function, True, value)
        exact = complex(known(mpmath.mpc(complex(value[0]))))
        limit = float(np.finfo(dtype).max)
        for part, wanted in ((float(got.real), exact.real), (float(got.imag), exact.imag)):
            assert part == pytest.approx(wanted, rel=1e-6) if abs(wanted) < limit else np.isinf(part)


def test_tangents_of_large_numbers_are_one() -> None:
    np.testing.assert_array_equal(evaluate(tanh, True, np.array([800 + 1j, -800 + 1j])).real, [1, -1])
    np.testing.assert_array_equal(evaluate(tan, True, np.array([1 + 800j, 1 - 800j])).imag, [1, -1])


def test_infinite_real_parts() -> None:
    """Annex G of C: the angle of a zero does not matter, and that of an infinity without one is kept."""
    z = np.array([complex(-np.inf, 1), complex(np.inf, 0.0), complex(-np.inf, np.nan)])
    got = evaluate(exp, True, z)
    assert got[0] == 0 and got[1] == complex(np.inf, 0) and got[2] == 0
