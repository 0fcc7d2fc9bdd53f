"""Formulas in the notation of NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.polynomial.polynomial import polyval
from numpy.typing import NDArray
from xdsl_xla.ir.formulas import Formulas

Array = NDArray[Any]

OF_ARRAYS = Formulas(
    np.exp, np.log, np.log1p, np.sqrt, np.arctan2, np.minimum, np.where, np.copysign, polyval, lambda x: x.dtype == "f4"
)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("function", "known", "low", "high"),
    [
        (OF_ARRAYS.acos, np.arccos, -1.0, 1.0),
        (OF_ARRAYS.asin, np.arcsin, -1.0, 1.0),
        (OF_ARRAYS.atan, np.arctan, -9.0, 9.0),
        (OF_ARRAYS.acosh, np.arccosh, 1.0, 1e10),
        (OF_ARRAYS.asinh, np.arcsinh, -1e10, 1e10),
        (OF_ARRAYS.atanh, np.arctanh, -1.0, 1.0),
        (OF_ARRAYS.erf, np.vectorize(math.erf), -7.0, 7.0),
    ],
)
def test_values(
    function: Callable[[Array], Array], known: Callable[[Array], Array], low: float, high: float, dtype: Any
) -> None:
    x: Array = np.linspace(low, high, 1001).astype(dtype)
    tolerance = 16 * float(np.finfo(dtype).eps)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(function(x), known(x.astype(np.float64)), rtol=tolerance, atol=1e-30)
