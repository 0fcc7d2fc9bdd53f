"""Factorisations, triangular systems and Fourier transforms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from xdsl_xla.reference.lapack_library import space_size

from .harness import ELEMENT_TYPES, NAN, close, evaluate, f32, f64, same, type_of

RNG = np.random.default_rng(0)


def cholesky(a: np.ndarray, lower: bool) -> np.ndarray:
    return evaluate(f"stablehlo.cholesky %a, lower = {str(lower).lower()} : {type_of(a)}", a)


def test_cholesky_example() -> None:
    a = f32([1, 2, 3], [2, 20, 26], [3, 26, 70])
    close(cholesky(a, True), f32([1, 0, 0], [2, 4, 0], [3, 5, 6]))
    close(cholesky(a, False), f32([1, 2, 3], [0, 4, 5], [0, 0, 6]))


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_cholesky_reads_one_triangle_and_leaves_the_other_zero(lower: bool, dtype: type) -> None:
    root = RNG.standard_normal((2, 4, 4)).astype(dtype)
    if dtype is np.complex128:
        root = root + 1j * RNG.standard_normal((2, 4, 4))
    a = root @ np.conj(np.swapaxes(root, -1, -2)) + np.eye(4)
    unread = np.triu(np.ones((4, 4)), 1) if lower else np.tril(np.ones((4, 4)), -1)
    factor = cholesky(np.where(unread == 1, np.nan, a), lower)
    assert np.all(factor[..., unread == 1] == 0)
    product = factor @ np.conj(np.swapaxes(factor, -1, -2)) if lower else np.conj(np.swapaxes(factor, -1, -2)) @ factor
    close(product, a, 1e-12, 1e-12)


def test_cholesky_of_a_matrix_that_is_not_positive_definite_is_nan() -> None:
    a = f64([[1, 0], [0, 4]], [[1, 2], [2, 1]])
    same(cholesky(a, True), f64([[1, 0], [0, 2]], [[NAN, 0], [NAN, NAN]]))
    assert cholesky(np.zeros((2, 0, 0), np.float32), True).shape == (2, 0, 0)


def triangular_solve(a: np.ndarray, b: np.ndarray, left: bool, lower: bool, unit: bool, form: str) -> np.ndarray:
    left_side, is_lower, unit_diagonal = (str(x).lower() for x in (left, lower, unit))
    text = f""""stablehlo.triangular_solve"(%a, %b) <{{left_side = {left_side}, lower = {is_lower},
        unit_diagonal = {unit_diagonal}, transpose_a = #stablehlo<transpose {form}>}}>
        : ({type_of(a)}, {type_of(b)}) -> {type_of(b)}"""
    return evaluate(text, a, b)


def test_triangular_solve_example() -> None:
    a, b = f32([1, 0, 0], [2, 4, 0], [3, 5, 6]), f32([2, 0, 0], [4, 8, 0], [6, 10, 12])
    same(triangular_solve(a, b, True, True, False, "NO_TRANSPOSE"), f32([2, 0, 0], [0, 2, 0], [0, 0, 2]))


@pytest.mark.parametrize(
    ("left", "lower", "unit", "form"),
    [*itertools.product([True, False], [True, False], [True, False], ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])],
)
def test_triangular_solve_in_every_form(left: bool, lower: bool, unit: bool, form: str) -> None:
    a = RNG.standard_normal((2, 3, 3)) + 1j * RNG.standard_normal((2, 3, 3)) + 2 * np.eye(3)
    b = RNG.standard_normal((2, 3, 4)) + 0j if left else RNG.standard_normal((2, 4, 3)) + 0j
    read = np.tril(np.ones((3, 3))) if lower else np.triu(np.ones((3, 3)))
    x = triangular_solve(np.where(read == 1, a, np.nan), b, left, lower, unit, form)
    t = np.where(read == 1, a, 0)
    if unit:
        t = np.where(np.eye(3) == 1, 1, t)
    if form != "NO_TRANSPOSE":
        t = np.swapaxes(t, -1, -2)
    if form == "ADJOINT":
        t = np.conj(t)
    close(t @ x if left else x @ t, b, 1e-10, 1e-10)


def test_triangular_solve_with_a_zero_on_the_diagonal() -> None:
    result = triangular_solve(f32([0, 0], [1, 1]), f32([1], [1]), True, True, False, "NO_TRANSPOSE")
    same(result, f32([np.inf], [-np.inf]))


def fft(value: np.ndarray, kind: str, lengths: list[int], shape: tuple[int, ...], dtype: type) -> np.ndarray:
    result = "".join(f"{n}x" for n in shape) + ELEMENT_TYPES[np.dtype(dtype)]
    return evaluate(
        f"stablehlo.fft %a, type = {kind}, length = {lengths} : ({type_of(value)}) -> tensor<{result}>", value
    )


def test_fft_example() -> None:
    value = np.array([1, 0, 0, 0], np.complex64)
    same(fft(value, "FFT", [4], (4,), np.complex64), np.ones(4, np.complex64))


@pytest.mark.parametrize("size", [1, 2, 5, 8, 13])
def test_transforms_follow_their_definition(size: int) -> None:
    value = RNG.standard_normal((3, size)) + 1j * RNG.standard_normal((3, size))
    n = np.arange(size)
    matrix = np.exp(-2j * np.pi * np.outer(n, n) / size)
    close(fft(value, "FFT", [size], (3, size), np.complex128), value @ matrix, 1e-10, 1e-10)
    close(fft(value, "IFFT", [size], (3, size), np.complex128), value @ np.conj(matrix) / size, 1e-10, 1e-10)
    half = size // 2 + 1
    real = value.real.copy()
    spectrum = fft(real, "RFFT", [size], (3, half), np.complex128)
    close(spectrum, (real @ matrix)[:, :half], 1e-10, 1e-10)
    close(fft(spectrum, "IRFFT", [size], (3, size), np.float64), real, 1e-10, 1e-10)


def test_transforms_over_several_dimensions() -> None:
    value = RNG.standard_normal((2, 3, 4, 5))
    spectrum = fft(value, "RFFT", [3, 4, 5], (2, 3, 4, 3), np.complex128)
    once = fft(value, "RFFT", [5], (2, 3, 4, 3), np.complex128)
    twice = np.swapaxes(fft(np.swapaxes(once, 2, 3).copy(), "FFT", [4], (2, 3, 3, 4), np.complex128), 2, 3)
    last = np.moveaxis(fft(np.moveaxis(twice, 1, 3).copy(), "FFT", [3], (2, 4, 3, 3), np.complex128), 3, 1)
    close(spectrum, last, 1e-10, 1e-10)
    close(fft(spectrum, "IRFFT", [3, 4, 5], value.shape, np.float64), value, 1e-10, 1e-10)


def test_inverse_real_transform_ignores_what_a_real_result_cannot_have() -> None:
    spectrum = np.array([4 + 7j, 0, 0 + 9j], np.complex64)
    same(fft(spectrum, "IRFFT", [4], (4,), np.float32), f32(1, 1, 1, 1))


def test_transform_of_nothing() -> None:
    assert fft(np.zeros((0, 4), np.complex64), "FFT", [4], (0, 4), np.complex64).shape == (0, 4)


def test_space_of_a_routine_is_not_rounded_down() -> None:
    assert [space_size(answer) for answer in (np.float32(156), np.float64(2**24 + 1), np.int32(7))] == [
        156,
        2**24 + 1,
        7,
    ]
    assert space_size(np.float32(23_040_001)) >= 23_040_001
