"""The LAPACK routines that JAX calls on CPUs, as custom calls `lapack_<type><routine>_ffi`; `xla_factorizations.py` has
those that XLA itself expands.

Each works on the last two dimensions of its operands and returns what the routine returns, the state in which it leaves
its arguments included where a program can see it. Decompositions that are not unique may differ from those of another
LAPACK in signs and order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..dialects.stablehlo.tuples import flat
from .arrays import Array, is_complex, shape_and_dtype
from .custom_calls import backend_letter, backend_options, custom_call_target
from .linear_algebra import adjoint, cholesky_factors, solve_with_form
from .registry import Call

Results = tuple[Array, ...]


def routine(real: str, complex: str | None = None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a routine for all element types; `complex` is its name for complex ones if it is another."""
    names = [f"lapack_{t}{real}_ffi" for t in "sd"] + [f"lapack_{t}{complex or real}_ffi" for t in "cz"]
    return custom_call_target(*names)


def batched(call: Call, function: Callable[..., Sequence[Any]], *operands: Array, ranks: Sequence[int]) -> Results:
    """`function` for each element of the batch; operand i has its last `ranks[i]` dimensions per element."""
    batch = operands[0].shape[: operands[0].ndim - ranks[0]]
    results = [np.zeros(*shape_and_dtype(type)) for type in flat(call.op.result_types)]
    for index in np.ndindex(batch):
        wide = [o[index].astype(_wide(o.dtype)) for o in operands]
        for result, value in zip(results, function(*wide), strict=True):
            result[index] = value
    return tuple(results)


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind in "iu":
        return dtype
    return np.dtype(np.complex128 if is_complex(dtype) else np.float64)


@routine("potrf")
def potrf(call: Call, a: Array) -> Results:
    """The Cholesky factor in one triangle, the operand in the other; the order of the minor that fails, if one does."""
    lower = backend_letter(call, "uplo", "L") == "L"
    factor = cholesky_factors(a, lower)
    failed = np.any(np.isnan(np.diagonal(factor, axis1=-2, axis2=-1)), -1)
    kept = np.tri(a.shape[-1], dtype=bool) if lower else np.tri(a.shape[-1], dtype=bool).T
    return np.where(kept, factor, a), np.asarray(failed).astype(np.int32)


@routine("trsm")
def trsm(call: Call, a: Array, b: Array) -> Array:
    """The solution of a triangular system with several right-hand sides."""
    return solve_with_form(
        a,
        b,
        left_side=backend_letter(call, "side") == "L",
        lower=backend_letter(call, "uplo") == "L",
        unit_diagonal=backend_letter(call, "diag") == "U",
        form={"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}[backend_letter(call, "trans_x")],
    )


def factor_lu(a: Array) -> tuple[Array, Array, int]:
    """What `getrf` computes for one matrix, which it overwrites."""
    steps = min(a.shape)
    pivots, info = np.zeros(steps, np.int32), 0
    for j in range(steps):
        column = a[j:, j]
        pivot = j + int(np.argmax(np.abs(np.real(column)) + np.abs(np.imag(column))))
        pivots[j] = pivot + 1
        a[[j, pivot]] = a[[pivot, j]]
        if a[j, j] == 0:
            info = info or j + 1
            continue
        a[j + 1 :, j] /= a[j, j]
        a[j + 1 :, j + 1 :] -= np.outer(a[j + 1 :, j], a[j, j + 1 :])
    return a, pivots, info


@routine("getrf")
def getrf(call: Call, a: Array) -> Results:
    """L and U in one matrix, the row exchanged with each row (from 1), the first pivot that is zero (from 1)."""
    return batched(call, factor_lu, a, ranks=[2])


def _reflector(x: Array) -> tuple[Array, Any, Any]:
    """v, tau and beta with (I - tau v v^H)^H x = beta e1, v[0] = 1 and beta real."""
    alpha: Any = x[0]
    rest = float(np.linalg.norm(x[1:]))
    v = x.copy()
    v[0] = 1
    if rest == 0 and np.imag(alpha) == 0:
        v[1:] = 0
        return v, 0.0, alpha
    beta = -np.copysign(np.hypot(np.abs(alpha), rest), alpha.real)
    v[1:] = x[1:] / (alpha - beta)
    return v, (beta - alpha) / beta, beta


def _eliminate(a: Array, j: int) -> Any:
    """One step of a QR factorisation in place; its tau."""
    v, tau, beta = _reflector(a[j:, j])
    if tau != 0:
        a[j:, j + 1 :] -= np.conj(tau) * np.outer(v, np.conj(v) @ a[j:, j + 1 :])
    a[j:, j] = v
    a[j, j] = beta
    return tau


@routine("geqrf")
def geqrf(call: Call, a: Array) -> Results:
    """R in the upper triangle, the vectors of the reflectors below it, and their factors tau."""

    def factor(a: Array) -> tuple[Array, list[Any]]:
        return a, [_eliminate(a, j) for j in range(min(a.shape))]

    return batched(call, factor, a, ranks=[2])


@routine("geqp3")
def geqp3(call: Call, a: Array, order: Array) -> Results:
    """`geqrf` with the column of the greatest rest next; columns with a number in `order` come first."""

    def factor(a: Array, order: Array) -> tuple[Array, Array, list[Any]]:
        columns = [*np.flatnonzero(order), *np.flatnonzero(order == 0)]
        fixed = int(np.count_nonzero(order))
        a = a[:, columns]
        taus: list[Any] = []
        for j in range(min(a.shape)):
            pivot = j if j < fixed else j + int(np.argmax(np.linalg.norm(a[j:, j:], axis=0)))
            a[:, [j, pivot]] = a[:, [pivot, j]]
            columns[j], columns[pivot] = columns[pivot], columns[j]
            taus.append(_eliminate(a, j))
        return a, np.array(columns, np.int32) + 1, taus

    return batched(call, factor, a, order, ranks=[2, 1])


@routine("orgqr", "ungqr")
def orgqr(call: Call, a: Array, tau: Array) -> Results:
    """The first columns of the product of the reflectors that `geqrf` left."""

    def product(a: Array, tau: Array) -> tuple[Array]:
        q = np.eye(*a.shape, dtype=a.dtype)
        for j in reversed(range(len(tau))):
            v = np.concatenate([[1], a[j + 1 :, j]])
            q[j:] -= tau[j] * np.outer(v, np.conj(v) @ q[j:])
        return (q,)

    return batched(call, product, a, tau, ranks=[2, 1])


@routine("ormqr", "unmqr")
def ormqr(call: Call, a: Array, tau: Array, c: Array) -> Results:
    """The product of the reflectors that `geqrf` left, or its adjoint, times `c` or behind it."""
    options = backend_options(call)
    is_left, is_adjoint = (bool(options.get(name, default)) for name, default in (("left", 1), ("transpose", 0)))

    def multiply(a: Array, tau: Array, c: Array) -> tuple[Array]:
        # (C Q)^H = Q^H C^H
        c = c if is_left else adjoint(c)
        is_inverse = is_adjoint == is_left
        for j in range(len(tau)) if is_inverse else reversed(range(len(tau))):
            v = np.concatenate([np.ones(1, a.dtype), a[j + 1 :, j]])
            factor = np.conj(tau[j]) if is_inverse else tau[j]
            c[j:] -= factor * np.outer(v, np.conj(v) @ c[j:])
        return (c if is_left else adjoint(c),)

    return batched(call, multiply, a, tau, c, ranks=[2, 1, 2])


@routine("syevd", "heevd")
def syevd(call: Call, a: Array) -> Results:
    """Eigenvectors as columns, and eigenvalues in ascending order."""
    lower = backend_letter(call, "uplo", "L") == "L"

    def decompose(a: Array) -> tuple[Any, Any, int]:
        try:
            values, vectors = np.linalg.eigh(a, "L" if lower else "U")
        except np.linalg.LinAlgError:
            return np.nan, np.nan, 1
        return vectors, values, 0

    return batched(call, decompose, a, ranks=[2])


@routine("gesdd")
@routine("gesvd")
def gesdd(call: Call, a: Array) -> Results:
    """The operand, singular values in descending order, left and adjoint right singular vectors."""
    mode = backend_letter(call, "mode", "A")

    def decompose(a: Array) -> tuple[Any, ...]:
        try:
            if mode == "N":
                return a, np.linalg.svd(a, compute_uv=False), 0, 0, 0
            left, values, right = np.linalg.svd(a, full_matrices=mode == "A")
        except np.linalg.LinAlgError:
            return a, np.nan, np.nan, np.nan, 1
        return a, values, left, right, 0

    return batched(call, decompose, a, ranks=[2])


def _unit_columns(a: Array) -> Array:
    return a / np.linalg.norm(a, axis=0)


@routine("geev")
def geev(call: Call, a: Array) -> Results:
    """Eigenvalues (real and imaginary parts apart for real matrices), left and right eigenvectors of norm 1."""

    def decompose(a: Array) -> tuple[Any, ...]:
        try:
            values, right = np.linalg.eig(a)
            left = _unit_columns(adjoint(np.linalg.inv(right))) if backend_letter(call, "compute_left") == "V" else 0
        except np.linalg.LinAlgError:
            values, left, right = np.array(np.nan), np.nan, np.nan
        parts = (values,) if is_complex(a.dtype) else (np.real(values), np.imag(values))
        return *parts, left, right, int(np.isnan(values).any())

    return batched(call, decompose, a, ranks=[2])


@routine("gees")
def gees(call: Call, a: Array) -> Results:
    """The Schur form, its vectors as columns, the eigenvalues; real matrices keep 2x2 blocks for pairs of them."""

    def decompose(a: Array) -> tuple[Any, ...]:
        form, vectors = _schur(a)
        if is_complex(a.dtype):
            return form, vectors, np.diagonal(form), 0, 0
        values = _block_eigenvalues(form)
        return form, vectors, np.real(values), np.imag(values), 0, 0

    return batched(call, decompose, a, ranks=[2])


def _schur(a: Array) -> tuple[Array, Array]:
    """Splits off an eigenvector after the other, or the plane of a pair of them."""
    size = a.shape[-1]
    form, vectors, i = a.copy(), np.eye(size, dtype=a.dtype), 0
    while i < size - 1:
        values, candidates = np.linalg.eig(form[i:, i:])
        value, vector = values[0], candidates[:, 0]
        if is_complex(a.dtype):
            plane = vector[:, None]
        else:
            plane = np.stack([np.real(vector), np.imag(vector)][: 1 if np.imag(value) == 0 else 2], 1)
        basis, _ = np.linalg.qr(plane, mode="complete")
        rank = plane.shape[1]
        form[i:] = adjoint(basis) @ form[i:]
        form[:, i:] = form[:, i:] @ basis
        vectors[:, i:] = vectors[:, i:] @ basis
        form[i + rank :, i : i + rank] = 0
        if rank == 2:
            _standardize(form, vectors, i)
        i += rank
    return form, vectors


def _standardize(form: Array, vectors: Array, i: int) -> None:
    """Turns the block at `i` such that its diagonal elements are equal, as LAPACK has it."""
    (a, b), (c, d) = form[i : i + 2, i : i + 2]
    angle = np.arctan2(d - a, b + c) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    form[i : i + 2] = turn.T @ form[i : i + 2]
    form[:, i : i + 2] = form[:, i : i + 2] @ turn
    vectors[:, i : i + 2] = vectors[:, i : i + 2] @ turn
    form[i, i] = form[i + 1, i + 1] = (form[i, i] + form[i + 1, i + 1]) / 2


def _block_eigenvalues(form: Array) -> Array:
    values = np.diagonal(form).astype(np.complex128)
    for i in np.flatnonzero(np.diagonal(form, -1)):
        distance = np.sqrt(np.abs(form[i, i + 1])) * np.sqrt(np.abs(form[i + 1, i]))
        values[i], values[i + 1] = values[i] + 1j * distance, values[i + 1] - 1j * distance
    return values


@routine("gehrd")
def gehrd(call: Call, a: Array) -> Results:
    """The Hessenberg form, the vectors of the reflectors below it, and their factors tau."""
    options = backend_options(call)
    low, high = int(options.get("low") or 1), int(options.get("high") or a.shape[-1])

    def reduce(a: Array) -> tuple[Array, Array, int]:
        taus = np.zeros(max(0, a.shape[0] - 1), a.dtype)
        for j in range(low - 1, high - 1):
            v, tau, beta = _reflector(a[j + 1 : high, j])
            a[:high, j + 1 : high] -= tau * np.outer(a[:high, j + 1 : high] @ v, np.conj(v))
            a[j + 1 : high, j + 1 :] -= np.conj(tau) * np.outer(v, np.conj(v) @ a[j + 1 : high, j + 1 :])
            a[j + 1 : high, j], taus[j] = v, tau
            a[j + 1, j] = beta
        return a, taus, 0

    return batched(call, reduce, a, ranks=[2])


@routine("sytrd", "hetrd")
def sytrd(call: Call, a: Array) -> Results:
    """The operand with the vectors of the reflectors, diagonal and off-diagonal of the tridiagonal form, tau."""
    lower = backend_letter(call, "uplo", "L") == "L"

    def reduce(a: Array) -> tuple[Any, ...]:
        # Seen from the other corner, the upper triangle is a lower one.
        view = a if lower else a[::-1, ::-1]
        full = np.tril(view) + adjoint(np.tril(view, -1))
        packed, (diagonal, beside, taus) = view.copy(), _tridiagonalize(full)
        packed[np.tril_indices_from(packed)] = full[np.tril_indices_from(full)]
        if lower:
            return packed, diagonal, beside, taus, 0
        return packed[::-1, ::-1], diagonal[::-1], beside[::-1], taus[::-1], 0

    return batched(call, reduce, a, ranks=[2])


def _tridiagonalize(a: Array) -> tuple[Array, Array, Array]:
    """In place; the vectors of the reflectors stay below the diagonal beside the main one."""
    size = len(a)
    beside, taus = np.zeros(max(0, size - 1)), np.zeros(max(0, size - 1), a.dtype)
    for j in range(size - 1):
        v, tau, beta = _reflector(a[j + 1 :, j])
        block = a[j + 1 :, j + 1 :]
        block -= tau * np.outer(block @ v, np.conj(v))
        block -= np.conj(tau) * np.outer(v, np.conj(v) @ block)
        beside[j], taus[j] = np.real(beta), tau
        a[j + 1 :, j] = v
        a[j + 1, j] = beta
    return np.real(np.diagonal(a)).copy(), beside, taus


@routine("gtsv")
def gtsv(call: Call, below: Array, diagonal: Array, above: Array, b: Array) -> Results:
    """The solution of a tridiagonal system; the diagonals as elimination with row exchanges leaves them."""

    def solve(dl: Array, d: Array, du: Array, b: Array) -> tuple[Any, ...]:
        size = len(d)
        matrix = np.diag(d) + np.diag(du[: size - 1], 1) + np.diag(dl[-(size - 1) :] if size > 1 else dl[:0], -1)
        for j in range(size - 1):
            if np.abs(matrix[j + 1, j]) > np.abs(matrix[j, j]):
                matrix[[j, j + 1]], b[[j, j + 1]] = matrix[[j + 1, j]], b[[j + 1, j]]
            if matrix[j, j] == 0:
                return dl, d, du, b, j + 1
            factor = matrix[j + 1, j] / matrix[j, j]
            matrix[j + 1] -= factor * matrix[j]
            b[j + 1] -= factor * b[j]
        for j in reversed(range(size)):
            b[j] = (b[j] - matrix[j, j + 1 :] @ b[j + 1 :]) / matrix[j, j]
        return dl, np.diagonal(matrix), du, b, 0

    return batched(call, solve, below, diagonal, above, b, ranks=[1, 1, 1, 2])
