"""Python's numbers become elements of a type where they fit it, and are refused where they do not."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl_xla.runtime.fitting_numbers import UnfitError, fitting_array

FITTING: list[tuple[Any, Any, Any]] = [
    (1, np.float32, 1.0),
    (2**70, np.float32, 2.0**70),
    (True, np.int32, 1),
    ([0, 1], np.bool_, [False, True]),
    ([2**63, 1], np.uint64, [2**63, 1]),
    (-(2**63), np.int64, -(2**63)),
    (0.1, np.float32, np.float32(0.1)),
    (float("inf"), np.float32, float("inf")),
    (1, np.complex64, 1 + 0j),
    ([], np.int8, []),
    ([[1, 2], [3, 4]], np.int8, [[1, 2], [3, 4]]),
    (-8, ml_dtypes.int4, -8),
    (448.0, ml_dtypes.float8_e4m3fn, 448.0),
    (np.float64(1.5), np.float16, 1.5),
]
UNFIT: list[tuple[Any, Any, str]] = [
    (None, np.float32, "None"),
    ([1.0, None], np.float32, "None"),
    (1.5, np.int32, "a float of float64"),
    ([1, 1.5], np.int64, "a list of float64"),
    (1j, np.float32, "a complex of complex128"),
    (2, np.bool_, "a int of int64"),
    (1.0, np.bool_, "a float of float64"),
    (300, np.int8, "out of range, 300"),
    (-1, np.uint32, "out of range, -1"),
    (2**70, np.int64, "out of range, 1180591620717411303424"),
    ([2**63, -1], np.uint64, "out of range, -1"),
    (8, ml_dtypes.int4, "out of range, 8"),
    (10**5000, np.float64, "out of range, an integer beyond every float"),
    (10**5000, np.int64, "out of range, of 16610 bits"),
    (70000, np.float16, "out of range, 70000"),
    (1e300, np.float32, "out of range"),
    (1e300 + 0j, np.complex64, "out of range"),
    (1000.0, ml_dtypes.float8_e4m3fn, "out of range, 1000.0"),
    (float("nan"), ml_dtypes.float4_e2m1fn, "out of range, nan"),
    (-1.0, ml_dtypes.float8_e8m0fnu, "out of range, -1.0"),
    ("1", np.float32, "a str"),
    (b"1", np.int8, "a bytes"),
    ({}, np.float32, "a dict"),
    (object(), np.float32, "a object"),
    ([[1], [1, 2]], np.float32, "a ragged list"),
    (np.datetime64("2020-01-01"), np.int64, "a datetime64"),
]


@pytest.mark.parametrize(("value", "dtype", "wanted"), FITTING)
def test_fitting(value: Any, dtype: Any, wanted: Any) -> None:
    array = fitting_array(value, np.dtype(dtype))
    assert array.dtype == dtype
    np.testing.assert_array_equal(array, np.asarray(wanted, dtype))


@pytest.mark.parametrize(("value", "dtype", "message"), UNFIT, ids=[str(n) for n in range(len(UNFIT))])
def test_unfit(value: Any, dtype: Any, message: str) -> None:
    with pytest.raises(UnfitError, match=message):
        fitting_array(value, np.dtype(dtype))
