"""Products of sparse matrices, as JAX calls them on CPUs: `cpu_csr_sparse_dense_ffi`."""

from __future__ import annotations

import numpy as np

from ..dialects.stablehlo.sparse_calls import CSR_TIMES_DENSE
from .arrays import Array
from .custom_calls import custom_call_target
from .registry import Call


@custom_call_target(CSR_TIMES_DENSE)
def csr_times_dense(call: Call, elements: Array, ends: Array, columns: Array, dense: Array) -> Array:
    """The matrix whose row i has `elements[ends[i]:ends[i + 1]]` in `columns`, times a dense matrix or vector.

    Elements behind the last row are padding.
    """
    shape, dtype = call.result()
    result = np.zeros(shape, dtype)
    for row, (first, end) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)):
        result[row] = elements[first:end] @ dense[columns[first:end]]
    return result
