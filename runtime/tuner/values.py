"""Arguments for programs that nobody has given any, and whether two runs have come to the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np

from ..signature import TensorSpec

Array = np.ndarray

ROUNDINGS = 16
"""How many units of the last place results may differ by where an op is computed in another way."""


def is_whole(dtype: np.dtype) -> bool:
    """Whether elements are integers or booleans, of NumPy or ml_dtypes."""
    return dtype.kind in "iub" or "int" in dtype.name


def random_values(specs: Iterable[TensorSpec], seed: int) -> list[Array]:
    """Floats in [0.5, 1.5), whose sums do not cancel; integers from 0 to the largest size of a dimension, which may be
    indices, or as far as their type goes.
    """
    specs = list(specs)
    generator, largest = np.random.default_rng(seed), max((size for spec in specs for size in spec.shape), default=8)
    return [_random(generator, spec, max(2, largest)) for spec in specs]


def _random(generator: np.random.Generator, spec: TensorSpec, end: int) -> Array:
    shape, dtype = spec.shape, spec.dtype
    if is_whole(dtype):
        end = 2 if dtype.kind == "b" else min(end, int(ml_dtypes.iinfo(dtype).max) + 1)
        return np.asarray(generator.integers(0, end, shape)).astype(dtype)
    values = np.asarray(generator.uniform(0.5, 1.5, shape))
    return (values + 1j * generator.uniform(0.5, 1.5, shape) if dtype.kind == "c" else values).astype(dtype)


def agree(got: Sequence[Array], wanted: Sequence[Array], terms: int) -> bool:
    """Whether two runs have come to the same. `terms`: how many a sum has that may be added in any order; for 0 the
    results have to be the same, bit for bit, but for which NaN is one.

    The error of a sum grows with the root of the number of its terms (Higham, "Accuracy and Stability of Numerical
    Algorithms", 2002, section 4.2), relative to what is added, for which the largest result stands.
    """
    return all(_agree(*pair, terms) for pair in zip(got, wanted, strict=True))


def _agree(got: Array, wanted: Array, terms: int) -> bool:
    if got.tobytes() == wanted.tobytes():
        return True
    if is_whole(got.dtype):
        return False
    one, other = (_parts(array) for array in (got, wanted))
    with np.errstate(all="ignore"):
        same = (one == other) & (np.signbit(one) == np.signbit(other)) | (np.isnan(one) & np.isnan(other))
        if terms == 0 or not np.isfinite(other[~same]).all():
            return bool(same.all())
        magnitude = np.abs(other)
        scale = np.max(magnitude, where=np.isfinite(magnitude), initial=0.0)
        allowed = ROUNDINGS * _step(got.dtype) * terms**0.5 * scale
        return bool((same | (np.abs(one - other) <= allowed)).all())


def _parts(array: Array) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numbers, of complex ones both parts, which are exact as f64."""
    if array.dtype.kind == "c":
        array = np.stack([np.real(array), np.imag(array)])
    return array.astype(np.float64)


def _step(dtype: np.dtype) -> float:
    """From 1 to the next number."""
    return float(cast("Any", ml_dtypes.finfo(dtype)).eps)
