"""QR factorisations and reflections that compiled programs call, of a library and where there is none, against the
reference's.
"""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from lapack_cases import LETTERS, PIPELINES, SHAPES, Array, matrices
from xdsl.context import Context
from xdsl_xla.dialects import stablehlo
from xdsl_xla.errors import UnsupportedError
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.executable import Executable
from xdsl_xla.runtime.mlir_text import parse_module

Native = Callable[..., Executable]


@pytest.fixture(params=PIPELINES)
def native(request: pytest.FixtureRequest) -> Native:
    """What compiles a program with so many threads, by default one."""

    def compiled(text: str, threads: int = 1) -> Executable:
        return xdsl_xla.compile(text, threads=threads, pipeline=PIPELINES[request.param])

    return compiled


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


def check(native: Native, letter: str, a: Array, threads: int = 1, scale: float = 1.0) -> None:
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


@pytest.mark.sample(24)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("letter", LETTERS)
def test_agrees_with_the_reference(native: Native, letter: str, shape: tuple[int, ...]) -> None:
    check(native, letter, matrices(letter, shape), threads=1 + len(shape) % 2, scale=max(1, *shape) ** 0.5)


@pytest.mark.parametrize("scale", [1e-30, 1e30])
@pytest.mark.parametrize("letter", "sc")
def test_squares_do_not_overflow(native: Native, letter: str, scale: float) -> None:
    check(native, letter, matrices(letter, (6, 5)) * np.float32(scale), scale=2 * scale)


def test_columns_that_are_zero_below_the_diagonal_need_no_reflection(native: Native) -> None:
    """Their tau is 0 and the diagonal stays as it is; what is infinite beside them stays alone."""
    a = np.triu(matrices("d", (4, 4)))
    a[0, 2] = np.inf
    (packed, taus, _) = native(program("d", a.shape))(a)
    np.testing.assert_array_equal(packed, a)
    np.testing.assert_array_equal(taus, np.zeros(4))
    check(native, "z", np.triu(matrices("z", (5, 5))))


def test_the_diagonal_of_r_has_the_sign_opposite_to_the_column(native: Native) -> None:
    """Also of a zero."""
    check(native, "d", np.array([[-0.0, 1], [2, 3]]))
    check(native, "d", np.array([[0.0, 1], [2, 3]]))
    check(native, "z", np.array([[0.0 + 1j, 1], [2, 3]]))


def test_the_product_has_more_columns_than_reflections(native: Native) -> None:
    """What stands in the other columns is not read."""
    rows, steps = 66, 33
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


def test_the_names_of_xla_are_others_for_the_same(native: Native) -> None:
    text, a = program("s", (2, 5, 3)), matrices("s", (2, 5, 3))
    expected = native(text)(a)
    for result, wanted in zip(native(under_names_of_xla(text))(a), expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("element", ["f16", "bf16", "f8E5M2"])
def test_small_floats_are_factored_in_wide_ones(native: Native, element: str) -> None:
    text = under_names_of_xla(program("s", (2, 5, 3))).replace("f32", element)
    dtype = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f8E5M2": ml_dtypes.float8_e5m2}[element]
    a = matrices("s", (2, 5, 3)).astype(dtype)
    results, expected = native(text)(a), run(parse_module(text), "main", [a])
    for result, wanted in zip(results, expected, strict=True):
        assert result.dtype == a.dtype
        numbers = (np.asarray(x).astype(np.float32) for x in (result, wanted))
        np.testing.assert_allclose(*numbers, rtol=float(ml_dtypes.finfo(dtype).eps))


def test_integers_have_no_factorisation() -> None:
    text = under_names_of_xla(program("s", (5, 3))).replace("f32", "i32")
    with pytest.raises(UnsupportedError, match=r"call of @ProductOf.*: there is no factorisation of tensor<5x3xi32>"):
        xdsl_xla.compile(text)


@pytest.mark.parametrize("named", [str, under_names_of_xla])
def test_all_that_have_elements_are_called_of_the_library(named: Callable[[str], str]) -> None:
    module = parse_module(named(program("s", (4, 4))))
    load_pass("stablehlo-call-lapack")().apply(Context(), module)
    names = [op.call_target_name.data for op in module.walk() if isinstance(op, stablehlo.CustomCallOp)]
    assert names == ["xrt.lapack.sgeqrf", "xrt.lapack.sorgqr"]
