"""LAPACK and BLAS of SciPy, where it is installed, for the factorisations that the reference does step by step.

Each function takes and returns what the reference's function of the same name does (`reference/lapack.py`), which
serves where there is no SciPy. Like XLA's, these compute in the element type of the operands. LAPACK takes matrices
by columns, so where an equation has a transposed form that is given to it: the transpose of a row-major matrix needs
no copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module, util
from typing import Any

import numpy as np

from ..reference import lapack as reference
from ..reference.custom_calls import backend_letter, backend_options
from ..reference.registry import Call
from . import lapack_spectra

Array = np.ndarray[Any, Any]


def accelerated(function: Callable[..., Any]) -> Callable[..., Any]:
    """The fast form of a function of the reference, if there is one."""
    fast = _FAST.get(function)
    return function if fast is None or util.find_spec("scipy") is None else fast


def _routine(name: str, dtype: np.dtype[Any], library: str = "lapack") -> Callable[..., Any]:
    letter = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}[dtype.name]
    return getattr(import_module(f"scipy.linalg.{library}"), letter + name)


def _each(call: Call, function: Callable[..., Sequence[Any]], *operands: Array, ranks: Sequence[int]) -> list[Array]:
    """`function` for each element of the batch; operand i has its last `ranks[i]` dimensions per element."""
    results = [np.zeros(*call.result(i)) for i in range(len(call.op.results))]
    if all(operand.size for operand in operands):
        for index in np.ndindex(operands[0].shape[: operands[0].ndim - ranks[0]]):
            for result, value in zip(results, function(*(operand[index] for operand in operands)), strict=True):
                result[index] = value
    return results


def potrf(call: Call, a: Array) -> list[Array]:
    upper = backend_letter(call, "uplo", "L") == "U"
    factor = _routine("potrf", a.dtype)

    def one(a: Array) -> Sequence[Any]:
        factors, info = factor(a.T, lower=upper, clean=0)
        return factors.T, info

    return _each(call, one, a, ranks=[2])


def trsm(call: Call, a: Array, b: Array) -> list[Array]:
    solve = _routine("trsm", a.dtype, "blas")
    options: dict[str, int] = {
        "side": backend_letter(call, "side") == "L",
        "lower": backend_letter(call, "uplo") == "U",
        "trans_a": "NTC".index(backend_letter(call, "trans_x")),
        "diag": backend_letter(call, "diag") == "U",
    }

    def one(a: Array, b: Array) -> Sequence[Any]:
        return (solve(1.0, a.T, b.T, **options).T,)

    return _each(call, one, a, b, ranks=[2, 2])


def getrf(call: Call, a: Array) -> list[Array]:
    factor = _routine("getrf", a.dtype)

    def one(a: Array) -> Sequence[Any]:
        factors, pivots, info = factor(a)
        return factors, pivots + 1, info

    return _each(call, one, a, ranks=[2])


def geqrf(call: Call, a: Array) -> list[Array]:
    factor = _routine("geqrf", a.dtype)

    def one(a: Array) -> Sequence[Any]:
        return factor(a)[:2]

    return _each(call, one, a, ranks=[2])


def orgqr(call: Call, a: Array, tau: Array) -> list[Array]:
    product = _routine("ungqr" if a.dtype.kind == "c" else "orgqr", a.dtype)

    def one(a: Array, tau: Array) -> Sequence[Any]:
        return product(a, tau)[:1]

    return _each(call, one, a, tau, ranks=[2, 1])


def gees(call: Call, a: Array) -> list[Array]:
    decompose, vectors = _routine("gees", a.dtype), int(backend_letter(call, "mode", "V") == "V")

    def one(a: Array) -> Sequence[Any]:
        form, count, *values, columns, _, info = decompose(lambda *_: False, a, compute_v=vectors)  # pyright: ignore
        return form, columns if vectors else 0, *values, count, info

    return _each(call, one, a, ranks=[2])


def gehrd(call: Call, a: Array) -> list[Array]:
    reduce, options = _routine("gehrd", a.dtype), backend_options(call)
    low, high = int(options.get("low") or 1), int(options.get("high") or a.shape[-1])

    def one(a: Array) -> Sequence[Any]:
        return reduce(a, lo=low - 1, hi=high - 1)

    return _each(call, one, a, ranks=[2])


def sytrd(call: Call, a: Array) -> list[Array]:
    reduce = _routine("hetrd" if a.dtype.kind == "c" else "sytrd", a.dtype)
    lower = int(backend_letter(call, "uplo", "L") == "L")

    def one(a: Array) -> Sequence[Any]:
        return reduce(a, lower=lower)

    return _each(call, one, a, ranks=[2])


def gtsv(call: Call, below: Array, diagonal: Array, above: Array, b: Array) -> list[Array]:
    solve = _routine("gtsv", b.dtype)

    def one(below: Array, diagonal: Array, above: Array, b: Array) -> Sequence[Any]:
        if len(diagonal) == 1:
            return below, diagonal, above, b / diagonal, int(diagonal[0] == 0)
        size = len(diagonal) - 1
        _, d, _, x, info = solve(below[len(below) - size :], diagonal, above[:size], b)
        return below, d, above, x, info

    return _each(call, one, below, diagonal, above, b, ranks=[1, 1, 1, 2])


_FAST: dict[Callable[..., Any], Callable[..., Any]] = {
    reference.potrf: potrf,
    reference.trsm: trsm,
    reference.getrf: getrf,
    reference.geqrf: geqrf,
    reference.orgqr: orgqr,
    reference.syevd: lapack_spectra.syevd,
    reference.gesdd: lapack_spectra.gesdd,
    reference.geev: lapack_spectra.geev,
    reference.gees: gees,
    reference.gehrd: gehrd,
    reference.sytrd: sytrd,
    reference.gtsv: gtsv,
}
