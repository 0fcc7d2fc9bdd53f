"""Linear algebra as JAX lowers it for CPUs, against XLA: the routines of LAPACK that JAX calls by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.pipelines import XLA_CPU, expand

jax = pytest.importorskip("jax")
jnp: Any = jax.numpy
jsl: Any = pytest.importorskip("jax.scipy.linalg")
lax: Any = jax.lax.linalg

Array = Any

DTYPES = ["float32", "float64", "complex64", "complex128"]


def matrix(dtype: str, shape: tuple[int, ...], kind: str) -> Array:
    rng = np.random.default_rng(1)
    a = rng.normal(size=shape)
    if dtype.startswith("c"):
        a = a + 1j * rng.normal(size=shape)
    adjoint = np.conj(np.swapaxes(a, -1, -2))
    if kind == "positive":
        a = a @ adjoint + shape[-1] * np.eye(shape[-1])
    if kind == "hermitian":
        a = a + adjoint
    return a.astype(dtype)


def tridiagonal_solve(a: Array) -> Array:
    zero = jnp.zeros((2, 1), a.dtype)
    below, above = jnp.concatenate([zero, a[:, 0, :4]], 1), jnp.concatenate([a[:, 2, :4], zero], 1)
    return lax.tridiagonal_solve(below, a[:, 1] + 4, above, a[:, :, :3])


def times_q(a: Array, *, left: bool, transpose: bool) -> Array:
    reflectors, taus = jnp.linalg.qr(a, mode="raw")
    c = a if left else jnp.swapaxes(a, -1, -2)
    return lax.ormqr(jnp.swapaxes(reflectors, -1, -2), taus, c, left=left, transpose=transpose)


def rotated(_: Any, a: Array) -> Array:
    return lax.eigh(a)[0] @ a


def fail(a: Array) -> Array:
    return a.at[1, 0, 0].set(jnp.nan)


FUNCTIONS: dict[str, tuple[Callable[[Array], Any], str, tuple[int, ...]]] = {
    "cholesky (potrf)": (lambda a: jnp.linalg.cholesky(a), "positive", (2, 5, 5)),
    "triangular solve (trsm)": (lambda a: jsl.solve_triangular(a, a[:, :2], lower=True, trans="T"), "positive", (5, 5)),
    "lu (getrf)": (lambda a: lax.lu(a), "any", (2, 5, 4)),
    "solve (getrf, trsm)": (lambda a: jnp.linalg.solve(a, a[..., :2]), "any", (2, 5, 5)),
    "qr (geqrf, orgqr)": (lambda a: jnp.linalg.qr(a), "any", (2, 6, 4)),
    "complete qr": (lambda a: jnp.linalg.qr(a, mode="complete"), "any", (6, 4)),
    "svd (gesdd)": (lambda a: jnp.linalg.svd(a, full_matrices=False), "any", (2, 6, 4)),
    "full svd": (lambda a: jnp.linalg.svd(a), "any", (2, 4, 6)),
    "singular values": (lambda a: jnp.linalg.svd(a, compute_uv=False), "any", (4, 6)),
    "eigh (syevd, heevd)": (lambda a: jnp.linalg.eigh(a), "hermitian", (2, 5, 5)),
    "eig (geev)": (lambda a: lax.eig(a, compute_left_eigenvectors=True), "any", (2, 5, 5)),
    "schur (gees)": (lambda a: lax.schur(a), "any", (2, 5, 5)),
    "hessenberg (gehrd)": (lambda a: jsl.hessenberg(a, calc_q=True), "any", (2, 5, 5)),
    "tridiagonal (sytrd, hetrd)": (lambda a: lax.tridiagonal(a, lower=True), "hermitian", (2, 5, 5)),
    "upper tridiagonal": (lambda a: lax.tridiagonal(a, lower=False), "hermitian", (5, 5)),
    "tridiagonal solve (gtsv)": (tridiagonal_solve, "any", (2, 5, 5)),
    "large cholesky": (lambda a: jnp.linalg.cholesky(a), "positive", (260, 260)),
    "large lu": (lambda a: lax.lu(a), "any", (2, 101, 110)),
    "tall lu": (lambda a: lax.lu(a), "any", (70, 5)),
    "tall qr": (lambda a: jnp.linalg.qr(a), "any", (2, 70, 5)),
    "tridiagonal solve with zeros": (
        lambda a: lax.tridiagonal_solve(a[:, 0], a[:, 1] * 0, a[:, 2], a),
        "any",
        (2, 5, 5),
    ),
    "qr with pivots (geqp3)": (lambda a: lax.qr(a, pivoting=True), "any", (6, 4)),
    "product with q (ormqr)": (lambda a: times_q(a, left=True, transpose=True), "any", (2, 5, 4)),
    "product with q on the right": (lambda a: times_q(a, left=False, transpose=False), "any", (5, 4)),
    "svd by qr (gesvd)": (lambda a: lax.svd(a, algorithm=lax.SvdAlgorithm.QR), "any", (2, 4, 6)),
    "of one element": (lambda a: (*lax.eig(a), *lax.schur(a), *lax.svd(a), *lax.eigh(a)), "any", (3, 1, 1)),
    "with a NaN": (lambda a: (lax.svd(fail(a)), lax.eigh(fail(a)), jnp.linalg.eigvals(fail(a))), "any", (3, 4, 4)),
    "in a loop": (lambda a: jax.lax.fori_loop(0, 3, rotated, a), "hermitian", (2, 5, 5)),
    "of nothing": (lambda a: (jnp.linalg.inv(a), jnp.linalg.det(a)), "any", (0, 0)),
    "of an empty batch": (lambda a: jnp.linalg.qr(a), "any", (0, 3, 3)),
}


WITHOUT_LIBRARY = expand([step for step in XLA_CPU if step.spec != "stablehlo-call-lapack"])
"""Calls the reference, as where there is no SciPy."""


@pytest.mark.sample(14)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_agrees_with_xla(name: str, dtype: str, pipeline: str = "xla-cpu") -> None:
    """The same library computes, so signs and orders that are not unique agree too; SciPy's is XLA's."""
    function, kind, shape = FUNCTIONS[name]
    a = matrix(dtype, shape, kind)
    with jax.enable_x64(True):
        jitted = jax.jit(function)
        expected = [np.asarray(x) for x in jax.tree.leaves(jitted(a))]
        executable = xdsl_xla.compile(jitted.lower(a).as_text(), pipeline=pipeline)
    results = executable(a)
    assert len(results) == len(expected)
    tolerance = 1e-4 if dtype in ("float32", "complex64") else 1e-12
    for result, wanted in zip(results, expected, strict=True):
        assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
        np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["product with q (ormqr)", "product with q on the right", "tridiagonal solve (gtsv)"])
def test_the_reference_agrees(name: str, dtype: str) -> None:
    """What serves where there is no SciPy, and is unique."""
    test_agrees_with_xla(name, dtype, WITHOUT_LIBRARY)


@pytest.mark.sample(6)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["eigh (syevd, heevd)", "full svd", "eig (geev)", "schur (gees)"])
def test_without_scipy(name: str, dtype: str) -> None:
    """The reference takes its place; what is unique agrees: eigenvalues up to order, singular values."""
    function, kind, shape = FUNCTIONS[name]
    a = matrix(dtype, shape, kind)
    with jax.enable_x64(True):
        jitted = jax.jit(function)
        expected = [np.asarray(x) for x in jax.tree.leaves(jitted(a))]
        results = xdsl_xla.compile(jitted.lower(a).as_text(), pipeline=WITHOUT_LIBRARY)(a)
    index = {"eigh (syevd, heevd)": 0, "full svd": 1, "eig (geev)": 0, "schur (gees)": 0}[name]
    tolerance = 1e-3 if dtype in ("float32", "complex64") else 1e-10

    def spectrum(value: Array) -> Array:
        if name == "schur (gees)":
            value = np.linalg.eigvals(value)
        return np.sort_complex(np.round(value.astype(np.complex128), 6 if tolerance < 1e-4 else 3))

    np.testing.assert_allclose(spectrum(results[index]), spectrum(expected[index]), rtol=tolerance, atol=2 * tolerance)
