"""Cholesky factors and triangular systems by a library, and by generated code where there is none, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from lapack_cases import LETTERS, PIPELINES, Array
from xdsl_xla.reference import lapack_addresses

ROWS = 140
"""More than generated code solves here where there is a library."""


@pytest.fixture(params=[True, False], ids=["library", "no library"], autouse=True)
def has_library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, decide: Callable[..., object]) -> bool:
    has_library: bool = request.param
    decide(factorizations={"generated_factor_rows": 0, "generated_system_rows": 128})
    monkeypatch.setattr(lapack_addresses, "is_there", lambda: has_library)
    return has_library


def values(letter: str, shape: tuple[int, ...], seed: int) -> Array:
    rng = np.random.default_rng(seed)
    real: Array = rng.standard_normal(shape)
    return real + 1j * rng.standard_normal(shape) if letter in "cz" else real


def positive(letter: str, shape: tuple[int, ...]) -> Array:
    x = values(letter, shape, 0)
    return x @ x.conj().swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])


def compiled(text: str, *arguments: Array) -> tuple[Any, ...]:
    return tuple(np.asarray(result) for result in xdsl_xla.compile(text, threads=1)(*arguments))


def assert_close(actual: Array, expected: Array, letter: str) -> None:
    tolerance = 1e-4 if letter in "sc" else 1e-11
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.sample(6)
@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("size", [1, 5, 17, 40])
@pytest.mark.parametrize("is_lower", [True, False])
def test_factors(letter: str, size: int, is_lower: bool) -> None:
    """Of the op and of JAX's call, of which the other triangle is the operand's. The second matrix has none."""
    element, dtype = LETTERS[letter]
    whole = positive(letter, (3, size, size))
    kept, unread = (np.tril, np.triu) if is_lower else (np.triu, np.tril)
    a = kept(whole) + unread(np.full(whole.shape, 7), 1 if is_lower else -1)
    a[1, size // 2, size // 2] = -1
    type = f"tensor<3x{size}x{size}x{element}>"
    factor, other, status = compiled(
        f"""func.func @main(%a: {type}) -> ({type}, {type}, tensor<3xi32>) {{
          %0 = stablehlo.cholesky %a, lower = {str(is_lower).lower()} : {type}
          %1:2 = stablehlo.custom_call @lapack_{letter}potrf_ffi(%a) {{mhlo.backend_config = {{
            uplo = {ord("L" if is_lower else "U")} : ui8}}}} : ({type}) -> ({type}, tensor<3xi32>)
          return %0, %1#0, %1#1 : {type}, {type}, tensor<3xi32>
        }}""",
        a.astype(dtype),
    )
    good = [0, 2]
    lower = np.linalg.cholesky(whole[good])
    expected = lower if is_lower else lower.conj().swapaxes(-1, -2)
    assert_close(factor[good], expected, letter)
    assert np.isnan(factor[1][kept(np.ones((size, size), bool))]).all()
    assert_close(other[good], np.where(kept(np.ones((size, size), bool)), expected, a[good]), letter)
    assert [bool(each) for each in status] == [False, True, False]


def system(a: Array, b: Array, flags: tuple[bool, ...], form: str = "NO_TRANSPOSE") -> str:
    """A program that solves it: `flags` say whether unknowns are left, the triangle lower, and its diagonal one."""
    names = {np.dtype(dtype): element for element, dtype in LETTERS.values()}
    types = [f"tensor<{'x'.join(map(str, x.shape))}x{names[x.dtype]}>" for x in (a, b)]
    left, lower, unit = (str(flag).lower() for flag in flags)
    return f"""func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[1]} {{
      %0 = "stablehlo.triangular_solve"(%a, %b) <{{left_side = {left}, lower = {lower}, unit_diagonal = {unit},
        transpose_a = #stablehlo<transpose {form}>}}> : ({types[0]}, {types[1]}) -> {types[1]}
      return %0 : {types[1]}
    }}"""


@pytest.mark.sample(12)
@pytest.mark.parametrize("letter", "sdcz")
@pytest.mark.parametrize("size", [3, 20, 140])
@pytest.mark.parametrize("flags", list(product([True, False], repeat=3)))
@pytest.mark.parametrize("form", ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
def test_systems(letter: str, size: int, flags: tuple[bool, ...], form: str) -> None:
    """140 equations (`ROWS`) are the library's where there is one. The triangle that is not read is not a number."""
    is_left, is_lower, has_unit_diagonal = flags
    dtype = LETTERS[letter][1]
    a = values(letter, (2, size, size), 0) / size + 2 * np.eye(size)
    b = values(letter, (2, size, 4) if is_left else (2, 4, size), 1)
    read = np.tril(a) if is_lower else np.triu(a)
    if has_unit_diagonal:
        read = read * (1 - np.eye(size)) + np.eye(size)
    outside = np.triu(np.ones_like(a.real), 0 if has_unit_diagonal else 1)
    outside = outside if is_lower else outside.swapaxes(-1, -2)
    arguments = np.where(outside, np.nan, a).astype(dtype), b.astype(dtype)
    text = system(*arguments, flags, form)
    (x,) = compiled(text, *arguments)
    matrix = {"NO_TRANSPOSE": read, "TRANSPOSE": read.swapaxes(-1, -2), "ADJOINT": read.conj().swapaxes(-1, -2)}[form]
    expected = np.linalg.solve(matrix, b) if is_left else (b @ np.linalg.inv(matrix))
    assert_close(x, expected, letter)


def test_a_zero_on_the_diagonal_gives_infinities_and_nan() -> None:
    a, b = np.eye(ROWS, dtype=np.float32), np.ones((ROWS, 2), np.float32)
    a[2, 2], b[2, 1] = 0, 0
    (x,) = compiled(system(a, b, (True, True, False)), a, b)
    assert not np.isfinite(x[2]).any()


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("is_left", [True, False])
def test_operands_stay_and_the_other_triangle_is_not_read(is_left: bool, pipeline: str) -> None:
    a, b = np.full((ROWS, ROWS), np.nan), np.ones((ROWS, ROWS))
    a[np.tril_indices(ROWS)] = 0
    np.fill_diagonal(a, 2)
    before = a.copy(), b.copy()
    (x,) = xdsl_xla.compile(system(a, b, (is_left, True, False)), pipeline=PIPELINES[pipeline])(a, b)
    np.testing.assert_array_equal(x, 0.5)
    np.testing.assert_array_equal(a, before[0])
    np.testing.assert_array_equal(b, before[1])
