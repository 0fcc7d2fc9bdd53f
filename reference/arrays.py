"""Types and attributes of programs as NumPy dtypes and arrays."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    ComplexType,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute

from ..dialects.quant import UniformQuantizedType
from ..errors import UnsupportedError

Array = NDArray[Any]

_FLOATS: dict[type[Attribute], np.dtype[Any]] = {
    Float16Type: np.dtype(np.float16),
    BFloat16Type: np.dtype(ml_dtypes.bfloat16),
    Float32Type: np.dtype(np.float32),
    Float64Type: np.dtype(np.float64),
}

_COMPLEX: dict[type[Attribute], np.dtype[Any]] = {
    Float32Type: np.dtype(np.complex64),
    Float64Type: np.dtype(np.complex128),
}
"""By the type of the parts."""


def dtype_of(element_type: Attribute) -> np.dtype[Any]:
    """The NumPy dtype of an element type; `i1` is bool, `bf16` and sub-byte integers come from `ml_dtypes`.

    Raises UnsupportedError for a type that NumPy cannot hold.
    """
    known = _FLOATS.get(type(element_type))
    if known is not None:
        return known
    if isinstance(element_type, IntegerType):
        integer_type = cast(IntegerType, element_type)
        width = integer_type.width.data
        if width == 1:
            return np.dtype(np.bool_)
        prefix = "uint" if integer_type.signedness.data is Signedness.UNSIGNED else "int"
        return np.dtype(getattr(ml_dtypes, f"{prefix}{width}") if width < 8 else f"{prefix}{width}")
    if isinstance(element_type, IndexType):
        return np.dtype(np.int64)
    if isinstance(element_type, UniformQuantizedType):
        return dtype_of(element_type.storage_type)
    if isinstance(element_type, ComplexType):
        part: Attribute = cast(ComplexType[Any], element_type).element_type
        if type(part) in _COMPLEX:
            return _COMPLEX[type(part)]
        raise UnsupportedError(f"element type {element_type} has no NumPy equivalent")
    name = getattr(element_type, "name", "")
    f8 = getattr(ml_dtypes, "float" + name[1:].lower().replace("e", "_e", 1), None) if name[:1] == "f" else None
    if f8 is not None:
        return np.dtype(f8)
    raise UnsupportedError(f"element type {element_type} has no NumPy equivalent")


def shape_and_dtype(type: Attribute) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and dtype of a ranked tensor type."""
    if not isinstance(type, TensorType):
        raise UnsupportedError(f"values of type {type} have no NumPy equivalent")
    tensor_type = cast(TensorType[Attribute], type)
    return tensor_type.get_shape(), dtype_of(tensor_type.element_type)


_WITHOUT_BYTES = frozenset(("bool", "int2", "int4", "uint2", "uint4"))
"""Names of dtypes whose elements a dense attribute holds as numbers of 8 bits."""


def elements_of_bytes(element_type: Attribute, data: bytes) -> Array:
    """In a row, read-only, the elements that a dense attribute holds as `data`."""
    dtype = dtype_of(element_type)
    if dtype.kind not in "bV" or dtype.name not in _WITHOUT_BYTES:
        return np.frombuffer(data, dtype)
    # The bytes of `true` may be 0x01 or 0xFF; NumPy's booleans are 0 and 1.
    return np.frombuffer(data, np.int8).astype(dtype)


def dense_array(attribute: Attribute) -> Array:
    """The array a dense elements attribute holds; the result may be a read-only broadcast of one element."""
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        raise UnsupportedError(f"constant {attribute} is not a dense attribute")
    attribute = cast(DenseIntOrFPElementsAttr[Any], attribute)
    shape, _ = shape_and_dtype(attribute.type)
    data = elements_of_bytes(attribute.type.element_type, attribute.data.data)
    if data.size == 1:
        return np.broadcast_to(data.reshape(()), shape)
    return data.reshape(shape)


def fits(shape: tuple[int, ...], type: TensorType[Attribute]) -> bool:
    """Whether a tensor of `type` may have `shape`: equal sizes where they are static, at most the bound otherwise."""
    declared = type.get_shape()
    if len(shape) != len(declared):
        return False
    bounds = getattr(type.encoding, "bounds", (DYNAMIC_INDEX,) * len(shape))
    return all(
        size == n if n != DYNAMIC_INDEX else bound == DYNAMIC_INDEX or size <= bound
        for size, n, bound in zip(shape, declared, bounds, strict=True)
    )


def is_float(dtype: np.dtype[Any]) -> bool:
    """Real floating point, `bfloat16` and the formats of eight bits and less included."""
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def is_complex(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "c"


def is_unsigned(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "u" or dtype.name.startswith("uint")


def is_narrow_integer(dtype: np.dtype[Any]) -> bool:
    """An integer of less than a byte, which NumPy does not compute with."""
    return dtype.kind == "V" and "int" in dtype.name


def bit_width(dtype: np.dtype[Any]) -> int:
    """Bits of an element, of which NumPy may store fewer to a byte than fit."""
    if dtype == np.bool_:
        return 1
    if is_narrow_integer(dtype):
        return int(dtype.name[-1])
    if dtype.name.startswith(("float4_", "float6_")):
        return int(dtype.name[5])
    return dtype.itemsize * 8


def compute_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which an op computes before it narrows to `dtype`: float32 for smaller floats, a byte for less."""
    if is_narrow_integer(dtype):
        return np.dtype(np.uint8 if is_unsigned(dtype) else np.int8)
    return np.dtype(np.float32) if is_float(dtype) and dtype.itemsize < 4 else dtype


def narrow(value: Array, dtype: np.dtype[Any]) -> Array:
    """`value` in `dtype`: floats rounded once to nearest even, integers modulo 2^width."""
    if value.dtype == dtype:
        return value
    if is_narrow_integer(dtype):
        sign = 0 if is_unsigned(dtype) else 1 << (bit_width(dtype) - 1)
        low = value.astype(np.int64) & ((1 << bit_width(dtype)) - 1)
        return ((low ^ sign) - sign).astype(compute_dtype(dtype)).astype(dtype)
    if is_float(dtype) and dtype.itemsize < 4 and dtype != np.float16:
        single = _round_to_odd(value)
        if dtype == ml_dtypes.float8_e8m0fnu:
            return _power_of_two(single)
        return single.astype(dtype)
    return value.astype(dtype)


def _power_of_two(value: Array) -> Array:
    """float32 as f8E8M0FNU: ties round up, positive numbers below the least become the least, all else is NaN.

    Where float32 is subnormal, `ml_dtypes` 0.5 does not give the nearest.
    """
    fraction, exponent = np.frexp(value)
    code = exponent + 126 + (fraction >= 0.75)
    code = np.where((value > 0) & np.isfinite(value) & (code <= 254), np.maximum(code, 0), 255)
    return code.astype(np.uint8).view(ml_dtypes.float8_e8m0fnu).reshape(np.shape(value))


def _round_to_odd(value: Array) -> Array:
    """`value` as float32 such that rounding it again to fewer bits is rounding `value`.

    S. Boldo, G. Melquiond: Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd.
    """
    wide = _sticky_float64(value)
    if wide.dtype != np.float64:
        return value.astype(np.float32)
    rounded = wide.astype(np.float32)
    back = rounded.astype(np.float64)
    bits = rounded.view(np.uint32)
    bits = np.where(np.abs(back) > np.abs(wide), bits - np.uint32(1), bits)
    bits = np.where((back != wide) & ~np.isnan(wide), bits | np.uint32(1), bits)
    return bits.view(np.float32)


def _sticky_float64(value: Array) -> Array:
    """Integers as float64, the bits that do not fit collected in the last one that does; floats as they are."""
    if value.dtype.kind not in "iu":
        return value
    if value.dtype.itemsize < 8:
        return value.astype(np.float64)
    high, low = value & ~value.dtype.type(0x7FF), value & value.dtype.type(0x7FF)
    last = np.asarray(0x800, value.dtype)
    sticky = cast(Array, np.where(low != 0, high | last, high))
    exact = (value < 2**53) & (value > -(2**53))
    return np.where(exact, value, sticky).astype(np.float64)
