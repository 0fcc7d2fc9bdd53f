"""Inverse trigonometric functions: values, quadrants, and identities at the joints of their pieces."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from elementary_numpy import Array, evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Format
from xdsl_xla.passes.loops.elementary.inverse_trigonometric import acos, asin, atan, atan2


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
@pytest.mark.parametrize(
    ("function", "known", "reach"), [(atan, np.arctan, 20.0), (asin, np.arcsin, 1.0), (acos, np.arccos, 1.0)]
)
def test_values(
    function: Callable[..., Float], known: Callable[[Array], Array], reach: float, format: Format, fused: bool
) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    joints = [0.5, np.nextafter(0.5, 0), np.nextafter(0.5, 1), 1.0, np.nextafter(1.0, 0), 1e-20]
    x = np.concatenate([np.linspace(-reach, reach, 4001), joints]).astype(dtype)
    got, wanted = evaluate(function, format, fused, x)[0], known(x.astype(np.float64))
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(np.maximum(np.abs(wanted), 1e-30).astype(dtype)))


@pytest.mark.parametrize(("format", "dtype"), [(SINGLE, np.float32), (DOUBLE, np.float64)])
def test_quadrants_and_zeros(format: Format, dtype: type[np.floating]) -> None:
    """As IEEE 754-2019 section 9.2.1 says, signs of zeros included."""
    parts = [0.0, -0.0, 1.0, -1.0, 3.5, -3.5, math.inf, -math.inf]
    y, x = (np.array(each, dtype) for each in zip(*product(parts, parts), strict=True))
    got, _ = evaluate(atan2, format, True, y, x)
    wanted = np.arctan2(y, x)
    np.testing.assert_allclose(got, wanted, rtol=4 * np.finfo(dtype).eps)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(wanted))
