"""Element types of tensors by the names MLIR writes, `f32`, `ui8`, `complex<f32>`, as NumPy data types.

`runtime/mlir_types.py` has the data types of xDSL's attributes. Neither xDSL nor, for programs that have no use for its
types, `ml_dtypes` is imported here: a program from the compile cache starts without them.
"""

from __future__ import annotations

import importlib
from functools import cache

import numpy as np

NATIVE: dict[str, np.dtype] = {
    name: np.dtype(numpy)
    for name, numpy in {
        "f16": np.float16,
        "f32": np.float32,
        "f64": np.float64,
        "i1": np.bool_,
        "i8": np.int8,
        "i16": np.int16,
        "i32": np.int32,
        "i64": np.int64,
        "ui8": np.uint8,
        "ui16": np.uint16,
        "ui32": np.uint32,
        "ui64": np.uint64,
        "complex<f32>": np.complex64,
        "complex<f64>": np.complex128,
        "index": np.int64,
    }.items()
}
"""The element types that NumPy has."""

EXTENSIONS: dict[str, str] = {
    "bf16": "bfloat16",
    "f8E3M4": "float8_e3m4",
    "f8E4M3": "float8_e4m3",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f4E2M1FN": "float4_e2m1fn",
    "i2": "int2",
    "i4": "int4",
    "ui2": "uint2",
    "ui4": "uint4",
}
"""Those that `ml_dtypes` adds, by its names."""

_MLIR_NAMES = {dtype: name for name, dtype in reversed(NATIVE.items())}
_MLIR_NAMES_OF_EXTENSIONS = {name: mlir for mlir, name in EXTENSIONS.items()}


@cache
def dtype_named(name: str) -> np.dtype | None:
    """The data type of the element type that MLIR calls `name`; None if there is none."""
    if name in EXTENSIONS:
        return np.dtype(getattr(importlib.import_module("ml_dtypes"), EXTENSIONS[name]))
    return NATIVE.get(name)


def dtype_name(dtype: np.dtype) -> str:
    """MLIR's name of a data type, or NumPy's where MLIR has none: `f32`, `ui8`, `i1`."""
    return _MLIR_NAMES.get(dtype) or _MLIR_NAMES_OF_EXTENSIONS.get(dtype.name) or dtype.name


def type_name(shape: tuple[int, ...], dtype: np.dtype) -> str:
    """`tensor<2x3xf32>`."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype_name(dtype)}>"
