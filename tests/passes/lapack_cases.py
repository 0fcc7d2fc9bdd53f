"""Types and shapes of matrices that are factorised by custom calls of LAPACK."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl_xla.pipelines import XLA_CPU, expand

Array = NDArray[Any]

WITHOUT_LIBRARY = expand([step for step in XLA_CPU if step.spec != "stablehlo-call-lapack"])
"""The pipeline that calls no routine of a library, as where there is none: the reference's functions serve."""

PIPELINES = {"library": "xla-cpu", "reference": WITHOUT_LIBRARY}

LETTERS: dict[str, tuple[str, Any]] = {
    "s": ("f32", np.float32),
    "d": ("f64", np.float64),
    "c": ("complex<f32>", np.complex64),
    "z": ("complex<f64>", np.complex128),
}
"""LAPACK's letters of element types, with MLIR's and NumPy's names."""


SHAPES = [(1, 1), (3, 0), (0, 3), (1, 4), (4, 4), (5, 3), (2, 3, 6), (0, 4, 4), (33, 33), (2, 67, 37), (2, 1, 37, 98)]
"""Small and empty matrices, batches, and some larger than the blocks of columns of a library."""


def matrices(letter: str, shape: tuple[int, ...]) -> Array:
    """Random matrices of a type."""
    rng = np.random.default_rng(2)
    a = rng.standard_normal(shape)
    return (a if letter in "sd" else a + 1j * rng.standard_normal(shape)).astype(LETTERS[letter][1])
