"""Types and attributes of programs as NumPy dtypes and arrays."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import (
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

from ..errors import UnsupportedError

Array = NDArray[Any]

_FLOATS: dict[type[Attribute], np.dtype[Any]] = {
    Float16Type: np.dtype(np.float16),
    BFloat16Type: np.dtype(ml_dtypes.bfloat16),
    Float32Type: np.dtype(np.float32),
    Float64Type: np.dtype(np.float64),
}


def dtype_of(element_type: Attribute) -> np.dtype[Any]:
    """The NumPy dtype of an element type; `i1` is bool, `bf16` and sub-byte integers come from `ml_dtypes`.

    Raises UnsupportedError for a type that NumPy cannot hold.
    """
    known = _FLOATS.get(type(element_type))
    if known is not None:
        return known
    if isinstance(element_type, IntegerType):
        width = element_type.width.data
        if width == 1:
            return np.dtype(np.bool_)
        prefix = "uint" if element_type.signedness.data is Signedness.UNSIGNED else "int"
        return np.dtype(getattr(ml_dtypes, f"{prefix}{width}") if width < 8 else f"{prefix}{width}")
    if isinstance(element_type, IndexType):
        return np.dtype(np.int64)
    if isinstance(element_type, ComplexType):
        inner = dtype_of(cast(ComplexType[Any], element_type).element_type)
        return np.dtype(np.complex64 if inner == np.float32 else np.complex128)
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


def dense_array(attribute: Attribute) -> Array:
    """The array a dense elements attribute holds; the result may be a read-only broadcast of one element."""
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        raise UnsupportedError(f"constant {attribute} is not a dense attribute")
    shape, dtype = shape_and_dtype(attribute.type)
    stored = np.dtype(np.int8) if dtype.name in ("int2", "int4", "uint2", "uint4") else dtype
    data = np.frombuffer(attribute.data.data, stored).astype(dtype, copy=False)
    if data.size == 1:
        return np.broadcast_to(data.reshape(()), shape)
    return data.reshape(shape)


def is_float(dtype: np.dtype[Any]) -> bool:
    """Real floating point, `bfloat16` and the f8 types included."""
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def is_complex(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "c"


def is_unsigned(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "u" or dtype.name.startswith("uint")


def compute_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype in which a function of one value is computed before it is rounded to `dtype`: float32 for smaller."""
    return np.dtype(np.float32) if is_float(dtype) and dtype.itemsize < 4 else dtype
