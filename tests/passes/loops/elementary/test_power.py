"""Powers and roots: exact where the result is a number of the format, right in sign, close everywhere."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from elementary_numpy import evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Format
from xdsl_xla.passes.loops.elementary.power import cbrt, powf, rsqrt

FORMATS = [(SINGLE, np.float32), (DOUBLE, np.float64)]


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize(("format", "dtype"), FORMATS)
def test_exact_powers_are_exact(format: Format, dtype: type[np.floating], fused: bool) -> None:
    pairs = [
        (x, y) for x in (2.0, -3.0, 0.5, 1.5, -10.0) for y in (1.0, 2.0, 3.0, 5.0, -1.0 if abs(x) in (2, 0.5) else 4.0)
    ]
    x, y = (np.array(each, dtype) for each in zip(*pairs, strict=True))
    np.testing.assert_array_equal(evaluate(powf, format, fused, x, y)[0], [a**b for a, b in pairs])
    np.testing.assert_array_equal(
        evaluate(powf, format, fused, np.array([4, 9, 0.25], dtype), np.array([0.5] * 3, dtype))[0], [2, 3, 0.5]
    )


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize(("format", "dtype"), FORMATS)
def test_powers_are_close(format: Format, dtype: type[np.floating], fused: bool) -> None:
    """Large exponents multiply the error of the logarithm."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(0.01, 20, 300), 1 + rng.uniform(-1e-3, 1e-3, 300)]).astype(dtype)
    y = np.concatenate([rng.uniform(-20, 20, 300), rng.uniform(-5e4, 5e4, 300)]).astype(dtype)
    got, _ = evaluate(powf, format, fused, x, y)
    with mpmath.workprec(200):
        wanted = np.array([float(mpmath.mpf(float(a)) ** mpmath.mpf(float(b))) for a, b in zip(x, y, strict=True)])
    assert np.all(np.abs(got - wanted) <= 2 * np.spacing(wanted.astype(dtype)))


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize(("format", "dtype"), FORMATS)
def test_roots(format: Format, dtype: type[np.floating], fused: bool) -> None:
    cubes = np.array([1, 8, -27, 64, 1000, 2.0**90, -(2.0**-90), 0, math.inf], dtype)
    np.testing.assert_array_equal(
        evaluate(cbrt, format, fused, cubes)[0], [1, 2, -3, 4, 10, 2.0**30, -(2.0**-30), 0, math.inf]
    )
    least = np.finfo(dtype).smallest_subnormal
    x = np.concatenate([np.geomspace(1e-30, 1e30, 2001), [5 * float(least)]]).astype(dtype)
    for function, known in ((cbrt, np.cbrt), (rsqrt, lambda x: 1 / np.sqrt(x))):
        got, wanted = evaluate(function, format, fused, x)[0], known(x.astype(np.float64))
        assert np.all(np.abs(got - wanted) <= 2 * np.spacing(wanted.astype(dtype)))
