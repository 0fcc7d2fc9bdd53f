"""The angle of a point: quadrants, and signs of zeros."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from elementary_numpy import evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Format
from xdsl_xla.passes.loops.elementary.inverse_trigonometric import atan2


@pytest.mark.parametrize(("format", "dtype"), [(SINGLE, np.float32), (DOUBLE, np.float64)])
def test_quadrants_and_zeros(format: Format, dtype: type[np.floating]) -> None:
    """As IEEE 754-2019 section 9.2.1 says, signs of zeros included."""
    parts = [0.0, -0.0, 1.0, -1.0, 3.5, -3.5, math.inf, -math.inf]
    y, x = (np.array(each, dtype) for each in zip(*product(parts, parts), strict=True))
    got, _ = evaluate(atan2, format, True, y, x)
    wanted = np.arctan2(y, x)
    np.testing.assert_allclose(got, wanted, rtol=4 * np.finfo(dtype).eps)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(wanted))
