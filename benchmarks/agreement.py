"""How far results of two sides are apart, and whether that is near enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

TOLERANCES = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float16": 2e-2,
    "bfloat16": 2e-2,
}
"""Relative to each element, and a tenth of it relative to the largest of its array. Other types agree exactly."""


def difference(got: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest difference of an element, relative to the largest finite magnitude of its array.

    Infinite where shapes, infinities or NaNs differ.
    """
    if len(got) != len(expected):
        return math.inf
    return max((_difference(a, b) for a, b in zip(got, expected, strict=True)), default=0.0)


def distance(got: Sequence[Array], expected: Sequence[Array]) -> float:
    """The largest Euclidean distance of two arrays, relative to the norm of what is expected.

    For whole networks: a rectifier whose input rounds to the other side of zero changes a few elements of a gradient by
    a tenth, on every side (the f32 of XLA:CPU and its f64 too); a wrong operation changes whole arrays. Infinite where
    `difference` is.
    """
    if not math.isfinite(difference(got, expected)):
        return math.inf
    return max((_distance(_finite(a), _finite(b)) for a, b in zip(got, expected, strict=True)), default=0.0)


def _distance(got: Array, expected: Array) -> float:
    return float(np.linalg.norm(got - expected)) / (float(np.linalg.norm(expected)) or 1.0)


def _finite(array: Array) -> Array:
    wide = _wide(array).ravel()
    return np.where(np.isfinite(wide), wide, 0.0)


def _difference(got: Array, expected: Array) -> float:
    if got.shape != expected.shape:
        return math.inf
    a, b = _wide(got), _wide(expected)
    differs = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not differs.any():
        return 0.0
    a, b = a[differs], b[differs]
    if not (np.isfinite(a) & np.isfinite(b)).all():
        return math.inf
    return float(np.max(np.abs(a - b))) / (_scale(expected) or 1.0)


def agree(got: Sequence[Array], expected: Sequence[Array]) -> bool:
    """Whether types and shapes are the same and elements within `TOLERANCES`."""
    return len(got) == len(expected) and all(_agree(a, b) for a, b in zip(got, expected, strict=True))


def _agree(got: Array, expected: Array) -> bool:
    if got.shape != expected.shape or got.dtype != expected.dtype:
        return False
    relative = TOLERANCES.get(expected.dtype.name)
    if relative is None:
        return np.array_equal(got, expected)
    absolute = relative * 0.1 * _scale(expected)
    return np.allclose(_wide(got), _wide(expected), rtol=relative, atol=absolute, equal_nan=True)


def _scale(array: Array) -> float:
    wide = _wide(array)
    return float(np.max(np.abs(wide), where=np.isfinite(wide), initial=0.0))


def _wide(array: Array) -> Array:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
