"""Element types by the numbers that the interface gives them (`PJRT_Buffer_Type`)."""

from __future__ import annotations

import numpy as np

from ...runtime.element_types import dtype_named
from .calls import Code, PjrtError

TOKEN = 23

_NAMES = (
    "- i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 f32 f64 bf16 complex<f32> complex<f64> f8E5M2 f8E4M3FN f8E4M3B11FNUZ"
    " f8E5M2FNUZ f8E4M3FNUZ i4 ui4 - i2 ui2 f8E4M3 f8E3M4 f8E8M0FNU f4E2M1FN - -"
).split()

DTYPES: tuple[np.dtype | None, ...] = tuple(dtype_named(name) for name in _NAMES)
NUMBERS: dict[np.dtype, int] = {dtype: number for number, dtype in enumerate(DTYPES) if dtype is not None}


def dtype_of(number: int) -> np.dtype:
    """The data type with a number. Raises `PjrtError` for one that no array has."""
    dtype = DTYPES[number] if 0 <= number < len(DTYPES) else None
    if dtype is None:
        raise PjrtError(Code.UNIMPLEMENTED, f"arrays of element type {number} of PJRT")
    return dtype


def number_of(dtype: np.dtype) -> int:
    """The number of a data type. Raises `PjrtError` for one that the interface does not know."""
    if dtype not in NUMBERS:
        raise PjrtError(Code.UNIMPLEMENTED, f"PJRT has no arrays of {dtype}")
    return NUMBERS[dtype]
