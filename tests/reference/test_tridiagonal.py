"""Tridiagonal systems that may be singular."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .harness import evaluate, f32, type_of

RNG = np.random.default_rng(0)


def solve(below: np.ndarray, diagonal: np.ndarray, above: np.ndarray, b: np.ndarray) -> np.ndarray:
    operands = below, diagonal, above, b
    types = ", ".join(map(type_of, operands))
    return evaluate(
        f"stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%a, %b, %c, %d) : ({types}) -> {type_of(b)}", *operands
    )


def matrix(below: np.ndarray, diagonal: np.ndarray, above: np.ndarray) -> np.ndarray:
    return np.diag(diagonal) + np.diag(below[1:], -1) + np.diag(above[:-1], 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_regular(dtype: Any, size: int) -> None:
    below, diagonal, above = (RNG.standard_normal((3, size)).astype(dtype) for _ in range(3))
    b = RNG.standard_normal((3, size, 2)).astype(dtype)
    x = solve(below, diagonal, above, b)
    tolerance = 1e4 * np.finfo(dtype).eps
    for i in range(3):
        product = matrix(below[i], diagonal[i], above[i]) @ x[i]
        assert np.allclose(product, b[i], rtol=tolerance, atol=tolerance * max(1, np.abs(x[i]).max()))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64])
def test_singular_is_finite_and_in_the_null_space(dtype: Any) -> None:
    size = 8
    diagonal = np.full(size, 2, dtype)
    diagonal[[0, -1]] = 1
    beside = np.full(size, -1, dtype)
    x = solve(beside, diagonal, beside, RNG.standard_normal((size, 1)).astype(dtype))
    assert np.isfinite(x).all() and np.abs(x).max() > 1 / np.finfo(dtype).eps / 1e3
    assert np.allclose(x / x[0], 1, atol=1e3 * np.finfo(dtype).eps)


def test_a_pivot_too_small_for_its_row() -> None:
    zero = np.zeros(2, np.float32)
    x = solve(zero, f32(1e-38, 2), zero, f32([1e30], [1]))
    assert np.isfinite(x).all() and x[1, 0] == 0.5
    x = solve(zero[:1], zero[:1], zero[:1], f32([3]))
    assert np.isfinite(x).all() and x[0, 0] > 1e30
    assert solve(zero, zero, zero, np.zeros((2, 0), np.float32)).shape == (2, 0)
