"""LU factorisations by `stablehlo-expand-lapack`, in native code, against the reference's."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from lapack_cases import LETTERS, WITHOUT_LIBRARY, Array, matrices, shapes
from xdsl.context import Context
from xdsl_xla.decisions.factorizations import Factorizations
from xdsl_xla.dialects import stablehlo
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module

LU_BLOCK = Factorizations().lu_block

SHAPES = shapes(LU_BLOCK)


def program(letter: str, shape: tuple[int, ...]) -> str:
    element = LETTERS[letter][0]
    batch = "".join(f"{size}x" for size in shape[:-2])
    a = f"tensor<{batch}{shape[-2]}x{shape[-1]}x{element}>"
    results = f"{a}, tensor<{batch}{min(shape[-2:])}xi32>, tensor<{batch}i32>"
    return f"""func.func @main(%a: {a}) -> ({results}) {{
      %0:3 = stablehlo.custom_call @lapack_{letter}getrf_ffi(%a) : ({a}) -> ({results})
      return %0#0, %0#1, %0#2 : {results}
    }}"""


def check(letter: str, a: Array, threads: int = 1) -> None:
    text = program(letter, a.shape)
    executable = xdsl_xla.compile(text, threads=threads, pipeline=WITHOUT_LIBRARY)
    factors, pivots, state = executable(a)
    expected, expected_pivots, expected_state = (np.asarray(x) for x in run(parse_module(text), "main", [a]))
    np.testing.assert_array_equal(pivots, expected_pivots)
    np.testing.assert_array_equal(state, expected_state)
    # Growth of rounding errors: some units of the last place of the largest element for each step.
    tolerance = 8 * max(1, *a.shape) * float(np.finfo(a.dtype).eps)
    largest = float(np.max(np.abs(expected), where=np.isfinite(expected), initial=1.0))
    np.testing.assert_allclose(factors, expected, rtol=0, atol=tolerance * largest)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("letter", LETTERS)
def test_agrees_with_the_reference(letter: str, shape: tuple[int, ...]) -> None:
    check(letter, matrices(letter, shape), threads=1 + len(shape) % 2)


@pytest.mark.parametrize("size", [3, LU_BLOCK + 8])
def test_singular_matrices_go_on_and_name_the_first_zero_pivot(size: int) -> None:
    a = np.stack([np.eye(size), np.eye(size), np.zeros((size, size))])
    a[1, :, 1] = 0
    a[1, 0, size - 1] = np.inf  # a step that is left out doesn't touch the rest
    check("d", a, threads=2)


def test_equal_elements_and_exchanges() -> None:
    """Of equal elements the first is the pivot."""
    check("s", np.array([[1, 2, 3], [-1, 5, 6], [1, 8, 9]], np.float32))
    check("s", np.fliplr(np.eye(LU_BLOCK + 4)).astype(np.float32))


def test_native_code_calls_no_lapack() -> None:
    module = parse_module(program("s", (4, 4)))
    load_pass("stablehlo-expand-lapack")().apply(Context(), module)
    assert not any(isinstance(op, stablehlo.CustomCallOp) for op in module.walk())
