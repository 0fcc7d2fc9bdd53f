"""Factorisations, triangular systems and Fourier transforms (StableHLO specification, sections of those names)."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ..dialects.stablehlo import FftOp
from .arrays import Array, is_complex
from .registry import Call, reference


def _wide(value: Array) -> Array:
    return value.astype(np.complex128 if is_complex(value.dtype) else np.float64)


def adjoint(matrices: Array) -> Array:
    """Transposed and conjugated."""
    return np.conj(np.swapaxes(matrices, -1, -2))


def cholesky_factors(matrices: Array, lower: bool) -> Array:
    """The factor of each matrix, whose other triangle is not read; NaN where the matrix is not positive definite."""
    size = matrices.shape[-1]
    source = np.tril(_wide(matrices) if lower else adjoint(_wide(matrices)))
    factor = np.zeros_like(source)
    for j in range(size):
        row = factor[..., j, :j]
        pivot = np.real(source[..., j, j]) - np.sum(np.abs(row) ** 2, -1)
        root = np.sqrt(np.where(pivot > 0, pivot, np.nan))
        factor[..., j, j] = root
        below = source[..., j + 1 :, j] - np.sum(factor[..., j + 1 :, :j] * np.conj(row)[..., None, :], -1)
        factor[..., j + 1 :, j] = below / root[..., None]
    failed = np.asarray(np.any(np.isnan(np.diagonal(factor, axis1=-2, axis2=-1)), -1))[..., None, None]
    factor = np.where(failed & np.tri(size, dtype=bool), np.nan, factor)
    return (factor if lower else adjoint(factor)).astype(matrices.dtype)


@reference("stablehlo.cholesky")
def cholesky(call: Call, a: Array) -> Array:
    """The triangle of the result that the factor does not fill is zero; in a, the other one is not read."""
    return cholesky_factors(a, bool(call.int("lower", 0)))


def solve_triangular(a: Array, b: Array, *, lower: bool, unit_diagonal: bool) -> Array:
    """x with a x = b for each matrix of a batch, by substitution; the other triangle of `a` is not read."""
    size = a.shape[-1]
    x = np.array(b)
    for step in range(size):
        i = step if lower else size - 1 - step
        known = slice(0, i) if lower else slice(i + 1, size)
        rest = x[..., i, :] - np.einsum("...k,...kn->...n", a[..., i, known], x[..., known, :])
        x[..., i, :] = rest if unit_diagonal else rest / a[..., i, i, None]
    return x


@reference("stablehlo.triangular_solve")
def triangular_solve(call: Call, a: Array, b: Array) -> Array:
    """op(a) x = b, or x op(a) = b; a zero on the diagonal gives infinities and NaN."""
    return solve_with_form(
        a,
        b,
        left_side=bool(call.int("left_side")),
        lower=bool(call.int("lower")),
        unit_diagonal=bool(call.int("unit_diagonal")),
        form=call.enum("transpose_a") or "NO_TRANSPOSE",
    )


def solve_with_form(a: Array, b: Array, *, left_side: bool, lower: bool, unit_diagonal: bool, form: str) -> Array:
    """`triangular_solve` with its attributes; `form` says what is done to `a`."""
    wide_a, wide_b = _wide(a), _wide(b)
    if form == "ADJOINT":
        wide_a = np.conj(wide_a)
    if form in ("ADJOINT", "TRANSPOSE"):
        wide_a, lower = np.swapaxes(wide_a, -1, -2), not lower
    if left_side:
        solution = solve_triangular(wide_a, wide_b, lower=lower, unit_diagonal=unit_diagonal)
    else:
        flipped_a, flipped_b = np.swapaxes(wide_a, -1, -2), np.swapaxes(wide_b, -1, -2)
        solution = solve_triangular(flipped_a, flipped_b, lower=not lower, unit_diagonal=unit_diagonal)
        solution = np.swapaxes(solution, -1, -2)
    return solution.astype(b.dtype)


@reference("stablehlo.fft")
def fft(call: Call, operand: Array) -> Array:
    """Over the last one to three dimensions, in double precision; inverse transforms divide by the length."""
    shape, dtype = call.result()
    lengths = cast(FftOp, call.op).lengths
    axes = tuple(range(operand.ndim - len(lengths), operand.ndim))
    shape = (*operand.shape[: axes[0]], *shape[axes[0] :])
    if 0 in shape or 0 in operand.shape:
        return np.zeros(shape, dtype)
    transforms: dict[str, Any] = {
        "FFT": np.fft.fftn,
        "IFFT": np.fft.ifftn,
        "RFFT": np.fft.rfftn,
        "IRFFT": np.fft.irfftn,
    }
    kind = call.enum("fft_type") or ""
    return transforms[kind](_wide(operand), lengths, axes).astype(dtype)
