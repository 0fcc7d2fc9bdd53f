"""Formats of a byte and less: every code and every value of f16 as `ml_dtypes` converts it."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from elementary_numpy import NumpyArithmetic
from xdsl.dialects import builtin
from xdsl.ir import Attribute
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Integer
from xdsl_xla.passes.loops.narrow_formats import FORMATS, NarrowFormat

DTYPES: dict[type[Attribute], Any] = {
    builtin.Float8E3M4Type: ml_dtypes.float8_e3m4,
    builtin.Float8E4M3Type: ml_dtypes.float8_e4m3,
    builtin.Float8E4M3B11FNUZType: ml_dtypes.float8_e4m3b11fnuz,
    builtin.Float8E4M3FNType: ml_dtypes.float8_e4m3fn,
    builtin.Float8E4M3FNUZType: ml_dtypes.float8_e4m3fnuz,
    builtin.Float8E5M2Type: ml_dtypes.float8_e5m2,
    builtin.Float8E5M2FNUZType: ml_dtypes.float8_e5m2fnuz,
    builtin.Float8E8M0FNUType: ml_dtypes.float8_e8m0fnu,
    builtin.Float6E2M3FNType: ml_dtypes.float6_e2m3fn,
    builtin.Float6E3M2FNType: ml_dtypes.float6_e3m2fn,
    builtin.Float4E2M1FNType: ml_dtypes.float4_e2m1fn,
}


def test_all_formats_are_here() -> None:
    assert DTYPES.keys() == FORMATS.keys()


@pytest.mark.parametrize("type", FORMATS, ids=lambda type: type.name)
def test_every_code_is_decoded(type: type[Attribute]) -> None:
    width = ml_dtypes.finfo(DTYPES[type]).bits
    codes = np.arange(1 << width)
    arithmetic = NumpyArithmetic(SINGLE, True)
    with np.errstate(all="ignore"):
        got = FORMATS[type].decode(Integer(arithmetic, codes.astype(np.int32))).handle
    wanted = codes.astype(np.uint8).view(DTYPES[type]).astype(np.float32)
    np.testing.assert_array_equal(got, wanted)
    known = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(wanted)[known])


@pytest.mark.parametrize(
    ("type", "double"),
    [
        (type, wide)
        for type, form in FORMATS.items()
        for wide in (False, True)
        if wide or form.__class__ is NarrowFormat
    ],
)
def test_every_value_is_encoded(type: type[Attribute], double: bool) -> None:
    """Ties, subnormal numbers and what is out of range included. Powers of two are encoded from doubles."""
    dtype = np.float64 if double else np.float32
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(dtype)
    values = np.concatenate([halves, np.array([1e30, -1e30, 1e-30, 3.4e38, 2.0**-127], dtype)])
    arithmetic = NumpyArithmetic(DOUBLE if double else SINGLE, True)
    with np.errstate(all="ignore"):
        codes = FORMATS[type].encode(Float(arithmetic, values)).handle
        wanted = values.astype(DTYPES[type])
    got = codes.astype(np.uint8).view(DTYPES[type])
    np.testing.assert_array_equal(got.astype(np.float32), wanted.astype(np.float32))
