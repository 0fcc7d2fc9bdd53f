"""Element types of tensors as NumPy data types, and the names `f32`, `ui8`, `complex<f32>` for
them.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    Float4E2M1FNType,
    Float6E2M3FNType,
    Float6E3M2FNType,
    Float8E3M4Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E4M3Type,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
)
from xdsl.ir import Attribute

from ..dialects.quant import UniformQuantizedType
from ..errors import UnsupportedError

_FLOATS: dict[type[Attribute], type[np.generic]] = {
    Float16Type: np.float16,
    BFloat16Type: ml_dtypes.bfloat16,
    Float32Type: np.float32,
    Float64Type: np.float64,
    Float8E3M4Type: ml_dtypes.float8_e3m4,
    Float8E4M3Type: ml_dtypes.float8_e4m3,
    Float8E4M3B11FNUZType: ml_dtypes.float8_e4m3b11fnuz,
    Float8E4M3FNType: ml_dtypes.float8_e4m3fn,
    Float8E4M3FNUZType: ml_dtypes.float8_e4m3fnuz,
    Float8E5M2Type: ml_dtypes.float8_e5m2,
    Float8E5M2FNUZType: ml_dtypes.float8_e5m2fnuz,
    Float8E8M0FNUType: ml_dtypes.float8_e8m0fnu,
    Float6E2M3FNType: ml_dtypes.float6_e2m3fn,
    Float6E3M2FNType: ml_dtypes.float6_e3m2fn,
    Float4E2M1FNType: ml_dtypes.float4_e2m1fn,
}

_INTEGERS: dict[tuple[int, bool], type[np.generic]] = {
    (2, True): ml_dtypes.int2,
    (2, False): ml_dtypes.uint2,
    (4, True): ml_dtypes.int4,
    (4, False): ml_dtypes.uint4,
    (8, True): np.int8,
    (8, False): np.uint8,
    (16, True): np.int16,
    (16, False): np.uint16,
    (32, True): np.int32,
    (32, False): np.uint32,
    (64, True): np.int64,
    (64, False): np.uint64,
}
"""By width and signedness."""

_COMPLEX: dict[type[Attribute], type[np.generic]] = {
    Float32Type: np.complex64,
    Float64Type: np.complex128,
}


def _names() -> dict[str, np.dtype]:
    names = {str(float_type()): np.dtype(numpy) for float_type, numpy in _FLOATS.items()}
    for (width, signed), numpy in _INTEGERS.items():
        names[f"i{width}" if signed else f"ui{width}"] = np.dtype(numpy)
    for element, numpy in _COMPLEX.items():
        names[f"complex<{element()}>"] = np.dtype(numpy)
    return names | {"i1": np.dtype(np.bool_), "index": np.dtype(np.int64)}


DTYPES: dict[str, np.dtype] = _names()
"""The data type of each element type, by the name MLIR writes."""

_DTYPE_NAMES = {dtype: name for name, dtype in reversed(DTYPES.items())}


def numpy_dtype(element_type: Attribute) -> np.dtype:
    """The data type whose items are stored as those of a tensor of `element_type`.

    Signless integers are signed, `i1` is bool, types NumPy lacks are those of `ml_dtypes`; of quantised
    elements the integers are stored. Raises `UnsupportedError`.
    """
    match element_type:
        case IntegerType(width=width, signedness=signedness):
            if width.data == 1:
                return np.dtype(np.bool_)
            signed = signedness.data is not Signedness.UNSIGNED
            numpy = _INTEGERS.get((width.data, signed))
        case ComplexType(element_type=part):
            numpy = _COMPLEX.get(type(part))
        case IndexType():
            numpy = np.int64
        case UniformQuantizedType(storage_type=stored):
            return numpy_dtype(stored)
        case _:
            numpy = _FLOATS.get(type(element_type))
    if numpy is None:
        raise UnsupportedError(f"element type {element_type} has no NumPy data type")
    return np.dtype(numpy)


def dtype_name(dtype: np.dtype) -> str:
    """MLIR's name of a data type, or NumPy's where MLIR has none: `f32`, `ui8`, `i1`."""
    return _DTYPE_NAMES.get(dtype) or dtype.name


def type_name(shape: tuple[int, ...], dtype: np.dtype) -> str:
    """`tensor<2x3xf32>`."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype_name(dtype)}>"
