"""Large triangular systems that compiled programs solve by a library, and where there is none, in every form."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from lapack_cases import LETTERS, PIPELINES, Array, matrices

ROWS = 260
"""More than generated code solves where there is a library."""

FORMS = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")


def program(letter: str, a: Array, b: Array, side: str, triangle: str, form: str, has_unit_diagonal: bool) -> str:
    types = [f"tensor<{'x'.join(map(str, array.shape))}x{LETTERS[letter][0]}>" for array in (a, b)]
    options = (
        f"left_side = {str(side == 'L').lower()}, lower = {str(triangle == 'L').lower()}, "
        f"unit_diagonal = {str(has_unit_diagonal).lower()}, transpose_a = #stablehlo<transpose {form}>"
    )
    return f"""func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[1]} {{
      %0 = "stablehlo.triangular_solve"(%a, %b) <{{{options}}}> : ({types[0]}, {types[1]}) -> {types[1]}
      return %0 : {types[1]}
    }}"""


def coefficients(a: Array, triangle: str, form: str, has_unit_diagonal: bool) -> Array:
    kept = np.tril(a) if triangle == "L" else np.triu(a)
    if has_unit_diagonal:
        kept = np.where(np.eye(a.shape[-1], dtype=bool), 1, kept).astype(a.dtype)
    if form == "NO_TRANSPOSE":
        return kept
    return np.swapaxes(kept.conj() if form == "ADJOINT" else kept, -1, -2)


@pytest.mark.sample(12)
@pytest.mark.parametrize("has_unit_diagonal", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("triangle", "LU")
@pytest.mark.parametrize("side", "LR")
@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_solves(pipeline: str, letter: str, side: str, triangle: str, form: str, has_unit_diagonal: bool) -> None:
    a = (matrices(letter, (2, ROWS, ROWS)) / ROWS + np.eye(ROWS)).astype(LETTERS[letter][1])
    b = matrices(letter, (2, ROWS, 3) if side == "L" else (2, 3, ROWS))
    text = program(letter, a, b, side, triangle, form, has_unit_diagonal)
    (x,) = xdsl_xla.compile(text, pipeline=PIPELINES[pipeline])(a, b)
    kept = coefficients(a, triangle, form, has_unit_diagonal)
    found = kept @ x if side == "L" else x @ kept
    np.testing.assert_allclose(found, b, rtol=0, atol=1e-4 if letter in "sc" else 1e-12)


def test_a_zero_on_the_diagonal_gives_infinities_and_nan() -> None:
    a, b = np.eye(ROWS, dtype=np.float32), np.ones((ROWS, 2), np.float32)
    a[2, 2], b[2, 1] = 0, 0
    (x,) = xdsl_xla.compile(program("s", a, b, "L", "L", FORMS[0], False))(a, b)
    assert not np.isfinite(x[2]).any()


@pytest.mark.parametrize("side", "LR")
def test_the_other_triangle_is_not_read(side: str) -> None:
    a, b = np.full((ROWS, ROWS), np.nan), np.ones((ROWS, ROWS))
    a[np.tril_indices(ROWS)] = 0
    np.fill_diagonal(a, 2)
    (x,) = xdsl_xla.compile(program("d", a, b, side, "L", FORMS[0], False))(a, b)
    np.testing.assert_array_equal(x, 0.5)


def test_operands_stay_as_they_are() -> None:
    a, b = matrices("d", (ROWS, ROWS)), matrices("d", (ROWS, 3))
    before = a.copy(), b.copy()
    xdsl_xla.compile(program("d", a, b, "L", "U", FORMS[0], True))(a, b)
    np.testing.assert_array_equal(a, before[0])
    np.testing.assert_array_equal(b, before[1])
