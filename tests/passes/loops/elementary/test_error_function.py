"""The error function: exact at its ends, odd, close to the C library's in between."""

from __future__ import annotations

import math

import numpy as np
import pytest
from elementary_numpy import evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Format
from xdsl_xla.passes.loops.elementary.error_function import erf


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
def test_values(format: Format, fused: bool) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    x = np.concatenate([np.linspace(0, 7, 4001), [1e-30, 1e-300, 100.0, math.inf]]).astype(dtype)
    got, _ = evaluate(erf, format, fused, x)
    wanted = np.array([math.erf(float(each)) for each in x])
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(wanted.astype(dtype)))
    np.testing.assert_array_equal(evaluate(erf, format, fused, -x)[0], -got)
    assert got[-1] == got[-2] == 1.0
    assert np.all(np.diff(got[:4001]) >= -np.spacing(dtype(1)))
