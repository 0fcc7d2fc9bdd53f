"""Whole programs from JAX against the outputs XLA computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl_xla.reference.arrays import shape_and_dtype
from xdsl_xla.reference.interpreter import find_function, run
from xdsl_xla.runtime.mlir_text import parse_module

CORPUS = Path(__file__).parents[1] / "corpus"

TOLERANCES = {
    "float64": 1e-10,
    "complex128": 1e-10,
    "float32": 1e-4,
    "complex64": 1e-4,
    "bfloat16": 1e-2,
    "float16": 1e-3,
}
"""Relative to the largest element as well: elements that cancel have the error of the terms."""


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.mlir")), ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    module = parse_module(path.read_text(), path.name)
    types = find_function(module, "main").function_type
    with np.load(path.with_suffix(".npz")) as data:
        arguments, expected = (
            [data[f"{prefix}{i}"].view(shape_and_dtype(type)[1]) for i, type in enumerate(list_)]
            for prefix, list_ in (("in", types.inputs.data), ("out", types.outputs.data))
        )
    for result, wanted in zip(run(module, "main", arguments), expected, strict=True):
        assert result.dtype == wanted.dtype
        tolerance = TOLERANCES.get(result.dtype.name)
        if tolerance is None:
            np.testing.assert_array_equal(result, wanted)
            continue
        wide = np.complex128 if result.dtype.kind == "c" else np.float64
        actual, desired = result.astype(wide), wanted.astype(wide)
        largest = np.max(np.abs(desired), initial=0, where=np.isfinite(desired))
        np.testing.assert_allclose(actual, desired, rtol=tolerance, atol=tolerance / 10 * largest)
