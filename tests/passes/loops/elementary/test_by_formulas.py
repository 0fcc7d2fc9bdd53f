"""Functions by formulas: values, identities at the joints of their pieces, and their ends."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from elementary_numpy import Array, evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Format
from xdsl_xla.passes.loops.elementary.by_formulas import acos, acosh, asin, asinh, atan, atanh, erf, exp2

JOINTS = [0.5, np.nextafter(0.5, 0), np.nextafter(0.5, 1), 1.0, np.nextafter(1.0, 0), 1e-20]


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
@pytest.mark.parametrize(
    ("function", "known", "x"),
    [
        (atan, np.arctan, np.concatenate([np.linspace(-20, 20, 4001), JOINTS])),
        (asin, np.arcsin, np.concatenate([np.linspace(-1, 1, 4001), JOINTS])),
        (acos, np.arccos, np.concatenate([np.linspace(-1, 1, 4001), JOINTS])),
        (asinh, np.arcsinh, np.geomspace(1e-30, 1e30, 3001)),
        (acosh, np.arccosh, np.geomspace(1.001, 1e30, 3001)),
        (atanh, np.arctanh, np.geomspace(1e-30, 0.999, 3001)),
        (exp2, np.exp2, np.concatenate([np.linspace(-120, 120, 3001), np.geomspace(1e-12, 1, 500)])),
    ],
)
def test_values(
    function: Callable[..., Float], known: Callable[[Array], Array], x: Array, format: Format, fused: bool
) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    x = x.astype(dtype)
    got, wanted = evaluate(function, format, fused, x)[0], known(x.astype(np.float64))
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(np.maximum(np.abs(wanted), 1e-37).astype(dtype)))


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
def test_erf(format: Format, fused: bool) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    x = np.concatenate([np.linspace(0, 7, 4001), [1e-30, 1e-300, 100.0, math.inf]]).astype(dtype)
    got, _ = evaluate(erf, format, fused, x)
    wanted = np.array([math.erf(float(each)) for each in x])
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(wanted.astype(dtype)))
    np.testing.assert_array_equal(evaluate(erf, format, fused, -x)[0], -got)
    assert got[-1] == got[-2] == 1.0
    assert np.all(np.diff(got[:4001]) >= -np.spacing(dtype(1)))


def test_what_is_small_or_large_does_not_get_lost() -> None:
    for x in (1e-300, -1e-300, 1e-17, -1e-17):
        assert evaluate(asinh, DOUBLE, True, np.array([x]))[0] == x
        assert evaluate(atanh, DOUBLE, True, np.array([x]))[0] == x
    for function in (asinh, acosh):
        assert evaluate(function, DOUBLE, True, np.array([1e300]))[0] == pytest.approx(np.arcsinh(1e300), rel=1e-15)
