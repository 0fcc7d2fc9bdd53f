"""LU factorisations that compiled programs call, of a library and where there is none, against the reference's."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from lapack_cases import LETTERS, PIPELINES, SHAPES, Array, matrices
from xdsl.context import Context
from xdsl_xla.dialects import stablehlo
from xdsl_xla.pipelines import load_pass
from xdsl_xla.reference.interpreter import run
from xdsl_xla.runtime.mlir_text import parse_module


def program(letter: str, shape: tuple[int, ...]) -> str:
    element = LETTERS[letter][0]
    batch = "".join(f"{size}x" for size in shape[:-2])
    a = f"tensor<{batch}{shape[-2]}x{shape[-1]}x{element}>"
    results = f"{a}, tensor<{batch}{min(shape[-2:])}xi32>, tensor<{batch}i32>"
    return f"""func.func @main(%a: {a}) -> ({results}) {{
      %0:3 = stablehlo.custom_call @lapack_{letter}getrf_ffi(%a) : ({a}) -> ({results})
      return %0#0, %0#1, %0#2 : {results}
    }}"""


def check(letter: str, a: Array, pipeline: str, threads: int = 1) -> None:
    text = program(letter, a.shape)
    executable = xdsl_xla.compile(text, threads=threads, pipeline=PIPELINES[pipeline])
    factors, pivots, state = executable(a)
    expected, expected_pivots, expected_state = (np.asarray(x) for x in run(parse_module(text), "main", [a]))
    np.testing.assert_array_equal(pivots, expected_pivots)
    np.testing.assert_array_equal(state, expected_state)
    # Growth of rounding errors: some units of the last place of the largest element for each step.
    tolerance = 8 * max(1, *a.shape) * float(np.finfo(a.dtype).eps)
    largest = float(np.max(np.abs(expected), where=np.isfinite(expected), initial=1.0))
    np.testing.assert_allclose(factors, expected, rtol=0, atol=tolerance * largest)


@pytest.mark.sample(24)
@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("letter", LETTERS)
def test_agrees_with_the_reference(letter: str, shape: tuple[int, ...], pipeline: str) -> None:
    check(letter, matrices(letter, shape), pipeline, threads=1 + len(shape) % 2)


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("size", [3, 40])
def test_singular_matrices_go_on_and_name_the_first_zero_pivot(size: int, pipeline: str) -> None:
    a = np.stack([np.eye(size), np.eye(size), np.zeros((size, size))])
    a[1, :, 1] = 0
    a[1, 0, size - 1] = np.inf  # a step that is left out doesn't touch the rest
    check("d", a, pipeline, threads=2)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_equal_elements_and_exchanges(pipeline: str) -> None:
    """Of equal elements the first is the pivot."""
    check("s", np.array([[1, 2, 3], [-1, 5, 6], [1, 8, 9]], np.float32), pipeline)
    check("s", np.fliplr(np.eye(36)).astype(np.float32), pipeline)


@pytest.mark.parametrize(("shape", "is_called"), [((4, 4), True), ((300, 2), True), ((0, 4, 4), False)])
def test_all_that_have_elements_are_called_of_the_library(shape: tuple[int, ...], is_called: bool) -> None:
    module = parse_module(program("s", shape))
    load_pass("stablehlo-call-lapack")().apply(Context(), module)
    names = [op.call_target_name.data for op in module.walk() if isinstance(op, stablehlo.CustomCallOp)]
    assert names == ["xrt.lapack.sgetrf" if is_called else "lapack_sgetrf_ffi"]
