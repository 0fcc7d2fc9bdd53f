"""Element types of xDSL as NumPy data types."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute

from ..dialects.quant import UniformQuantizedType
from ..errors import UnsupportedError
from .element_types import EXTENSIONS, NATIVE, dtype_named

DTYPES: dict[str, np.dtype] = {
    name: dtype for name in (*NATIVE, *EXTENSIONS) if (dtype := dtype_named(name)) is not None
}
"""The data type of each element type, by the name MLIR writes."""


def numpy_dtype(element_type: Attribute) -> np.dtype:
    """The data type whose items are stored as those of a tensor of `element_type`.

    Signless integers are signed, `i1` is bool, types NumPy lacks are those of `ml_dtypes`; of quantised
    elements the integers are stored. Raises `UnsupportedError`.
    """
    match element_type:
        case IntegerType(width=width, signedness=signedness):
            unsigned = signedness.data is Signedness.UNSIGNED and width.data != 1
            name = f"{'ui' if unsigned else 'i'}{width.data}"
        case UniformQuantizedType(storage_type=stored):
            return numpy_dtype(stored)
        case _:
            name = str(element_type)
    dtype = dtype_named(name)
    if dtype is None:
        raise UnsupportedError(f"element type {element_type} has no NumPy data type")
    return dtype
