"""Values for constants that a text leaves out, `constant({...})` in HLO and `dense_resource<__elided__>` in MLIR."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute

from ..dialects.dense import attribute_of_bytes
from ..reference.arrays import bit_width, dtype_of, is_complex, is_float


def made_up(element_type: Attribute, dims: tuple[int, ...], seed: int) -> NDArray[Any]:
    """Numbers from 0 to 1, floats in between as well: they are small, and places in any dimension longer than 1. The
    same each time."""
    generator = np.random.default_rng(seed)
    dtype = dtype_of(element_type)
    if not is_float(dtype) and not is_complex(dtype):
        return generator.integers(0, 2, dims, np.int8).astype(np.int8 if bit_width(dtype) < 8 else dtype)
    return np.asarray(generator.random(dims, np.float32)).astype(dtype)


def made_up_constant(type: TensorType[Attribute], seed: int) -> DenseIntOrFPElementsAttr:
    """A constant of the type."""
    return attribute_of_bytes(cast(Any, type), made_up(type.element_type, type.get_shape(), seed).tobytes())
