"""Factorisations as XLA's own client library calls them, for its passes to expand: `Qr`, `Eigh` and the like.

TensorFlow writes them on every platform, JAX where it lowers for TPUs (openxla/xla, `xla/hlo/builder/lib`). Each works
on the last two dimensions, as those of `lapack.py` do, and computes what these compute.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import StringAttr

from .arrays import Array
from .custom_calls import custom_call_target
from .lapack import batched, factor_lu, geqrf, orgqr
from .registry import Call

custom_call_target("Qr")(geqrf)
custom_call_target("ProductOfElementaryHouseholderReflectors")(orgqr)


@custom_call_target("Eigh")
def eigh(call: Call, a: Array) -> tuple[Array, ...]:
    """Eigenvectors as columns, and eigenvalues in ascending order.

    The configuration is `lower,sort,iterations,tolerance`; what need not be sorted is all the same, and the last two
    are for other methods.
    """
    config = call.attribute("backend_config")
    triangle = "U" if isinstance(config, StringAttr) and config.data.startswith("0") else "L"

    def decompose(a: Array) -> tuple[Array, ...]:
        try:
            values, vectors = np.linalg.eigh(a, triangle)
        except np.linalg.LinAlgError:
            return np.array(np.nan), np.array(np.nan)
        return vectors, values

    return batched(call, decompose, a, ranks=[2])


@custom_call_target("LuDecomposition")
def lu_decomposition(call: Call, a: Array) -> tuple[Array, ...]:
    """L and U in one matrix, the row exchanged with each row (from 0), and the order of the rows that results."""

    def factor(a: Array) -> tuple[Array, ...]:
        factors, pivots, _ = factor_lu(a)
        order = list(range(a.shape[0]))
        for row, other in enumerate((pivots - 1).tolist()):
            order[row], order[other] = order[other], order[row]
        return factors, pivots - 1, np.array(order, dtype=np.int64)

    return batched(call, factor, a, ranks=[2])
