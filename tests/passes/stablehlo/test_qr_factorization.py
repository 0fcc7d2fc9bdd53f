"""QR factorisations and reflections by `stablehlo-expand-lapack`, in native code, against the reference's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import xdsl_xla
from lapack_cases import LETTERS, WITHOUT_LIBRARY, Array, matrices, shapes
from xdsl.context import Context
from xdsl_xla.decisions.factorizations import Factorizations
from xdsl_xla.dialects import stablehlo
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.executable import Executable
from xdsl_xla.runtime.mlir_text import parse_module

QR_BLOCK = Factorizations().qr_block

SHAPES = shapes(QR_BLOCK)


def native(text: str, threads: int = 1) -> Executable:
    return xdsl_xla.compile(text, threads=threads, pipeline=WITHOUT_LIBRARY)


def program(letter: str, shape: tuple[int, ...]) -> str:
    element = LETTERS[letter][0]
    batch = "".join(f"{size}x" for size in shape[:-2])
    rows, columns = shape[-2:]
    steps = min(rows, columns)
    product = "orgqr" if letter in "sd" else "ungqr"
    a, tau, q = (f"tensor<{batch}{sizes}x{element}>" for sizes in (f"{rows}x{columns}", steps, f"{rows}x{steps}"))
    indices = ", ".join(f"0:{size}" for size in (*shape[:-1], steps))
    return f"""func.func @main(%a: {a}) -> ({a}, {tau}, {q}) {{
      %0:2 = stablehlo.custom_call @lapack_{letter}geqrf_ffi(%a) : ({a}) -> ({a}, {tau})
      %1 = stablehlo.slice %0#0 [{indices}] : ({a}) -> {q}
      %2 = stablehlo.custom_call @lapack_{letter}{product}_ffi(%1, %0#1) : ({q}, {tau}) -> {q}
      return %0#0, %0#1, %2 : {a}, {tau}, {q}
    }}"""


def check(letter: str, a: Array, threads: int = 1, scale: float = 1.0) -> None:
    """For `a` with elements of the size of `scale`."""
    text = program(letter, a.shape)
    results = native(text, threads)(a)
    expected = [np.asarray(x) for x in run(parse_module(text), "main", [a])]
    # Some units of the last place of the greatest element for each step; the vectors below R are not scaled.
    tolerance = 8 * max(1, *a.shape) * float(np.finfo(a.dtype).eps)
    below = np.tri(*a.shape[-2:], k=-1, dtype=bool)
    sizes = (np.where(below, 1.0, scale), 1.0, 1.0)
    for result, wanted, size in zip(results, expected, sizes, strict=True):
        np.testing.assert_allclose(result / size, wanted / size, rtol=0, atol=tolerance)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("letter", LETTERS)
def test_agrees_with_the_reference(letter: str, shape: tuple[int, ...]) -> None:
    check(letter, matrices(letter, shape), threads=1 + len(shape) % 2, scale=max(1, *shape) ** 0.5)


@pytest.mark.parametrize("scale", [1e-30, 1e30])
@pytest.mark.parametrize("letter", "sc")
def test_squares_do_not_overflow(letter: str, scale: float) -> None:
    check(letter, matrices(letter, (6, 5)) * np.float32(scale), scale=2 * scale)


def test_columns_that_are_zero_below_the_diagonal_need_no_reflection() -> None:
    """Their tau is 0 and the diagonal stays as it is; what is infinite beside them stays alone."""
    a = np.triu(matrices("d", (4, 4)))
    a[0, 2] = np.inf
    (packed, taus, _) = native(program("d", a.shape))(a)
    np.testing.assert_array_equal(packed, a)
    np.testing.assert_array_equal(taus, np.zeros(4))
    check("z", np.triu(matrices("z", (5, 5))))


def test_the_diagonal_of_r_has_the_sign_opposite_to_the_column() -> None:
    """Also of a zero."""
    check("d", np.array([[-0.0, 1], [2, 3]]))
    check("d", np.array([[0.0, 1], [2, 3]]))
    check("z", np.array([[0.0 + 1j, 1], [2, 3]]))


def test_the_product_has_more_columns_than_reflections() -> None:
    """What stands in the other columns is not read."""
    rows, steps = 2 * QR_BLOCK + 2, QR_BLOCK + 1
    full, some = f"tensor<{rows}x{rows}xf64>", f"tensor<{steps}xf64>"
    text = f"""func.func @main(%a: {full}, %tau: {some}) -> {full} {{
      %0 = stablehlo.custom_call @lapack_dorgqr_ffi(%a, %tau) : ({full}, {some}) -> {full}
      return %0 : {full}
    }}"""
    packed, tau, _ = native(program("d", (rows, steps)))(matrices("d", (rows, steps)))
    a = np.full((rows, rows), np.nan)
    a[:, :steps] = packed
    (product,) = native(text, 2)(a, tau)
    np.testing.assert_allclose(product, *run(parse_module(text), "main", [a, tau]), rtol=0, atol=1e-13)
    np.testing.assert_allclose(product.T @ product, np.eye(rows), rtol=0, atol=1e-13)


def under_names_of_xla(text: str) -> str:
    product = "ProductOfElementaryHouseholderReflectors"
    return text.replace("lapack_sgeqrf_ffi", "Qr").replace("lapack_sorgqr_ffi", product)


def test_the_names_of_xla_are_others_for_the_same() -> None:
    text, a = program("s", (2, 5, 3)), matrices("s", (2, 5, 3))
    expected = native(text)(a)
    for result, wanted in zip(native(under_names_of_xla(text))(a), expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("named", [str, under_names_of_xla])
def test_native_code_calls_no_lapack(named: Callable[[str], str]) -> None:
    module = parse_module(named(program("s", (4, 4))))
    load_pass("stablehlo-expand-lapack")().apply(Context(), module)
    assert not any(isinstance(op, stablehlo.CustomCallOp) for op in module.walk())
