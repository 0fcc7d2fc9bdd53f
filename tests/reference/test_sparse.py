"""Products of sparse matrices as JAX calls them on CPUs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla

from .harness import ELEMENT_TYPES, evaluate, type_of

TARGET = "cpu_csr_sparse_dense_ffi"


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.complex128])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_and_padding(shape: tuple[int, ...], dtype: Any, index: Any) -> None:
    elements = np.arange(1, 7).astype(dtype)
    ends = np.array([0, 2, 2, 3, 5, 5], index)
    columns = np.array([3, 0, 1, 2, 2, 0], index)  # the last one is padding; 2 is there twice in a row
    dense = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    matrix = np.zeros((5, 4), dtype)
    for row in range(5):
        np.add.at(matrix[row], columns[ends[row] : ends[row + 1]], elements[ends[row] : ends[row + 1]])
    operands = elements, ends, columns, dense
    result = f"tensor<{'x'.join(map(str, (5, *shape[1:])))}x{ELEMENT_TYPES[np.dtype(dtype)]}>"
    call = f"stablehlo.custom_call @{TARGET}(%a, %b, %c, %d) : ({', '.join(map(type_of, operands))}) -> {result}"
    names = ", ".join(f"%{name}: {type_of(value)}" for name, value in zip("abcd", operands, strict=True))
    compiled = xdsl_xla.compile(f"func.func @main({names}) -> {result} {{ %0 = {call}\n return %0 : {result} }}")
    assert np.array_equal(evaluate(call, *operands), matrix @ dense)
    assert np.array_equal(compiled(*operands)[0], matrix @ dense)
