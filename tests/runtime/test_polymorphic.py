"""Programs whose sizes are those of the arguments of a call."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError, UnsupportedError

SUMS = """func.func @main(%x: tensor<?x3xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %y : tensor<?xf32>
  return %1 : tensor<?xf32>
}"""


def test_each_combination_of_shapes_is_compiled_once() -> None:
    program = xdsl_xla.polymorphic(SUMS, cache=False)
    for rows in (2, 5, 2):
        x, y = np.ones((rows, 3), np.float32), np.arange(rows, dtype=np.float32)
        (result,) = program(x, y)
        np.testing.assert_array_equal(result, y + 3)
    assert set(program.executables) == {((2, 3), (2,)), ((5, 3), (5,))}
    assert "2 executables" in repr(program)


def test_calls_of_several_threads() -> None:
    program = xdsl_xla.polymorphic(SUMS, cache=False)

    def call(rows: int) -> float:
        return float(program(np.ones((rows, 3), np.float32), np.zeros(rows, np.float32))[0].sum())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(call, [1, 2, 1, 2, 1])) == [3, 6, 3, 6, 3]
    assert len(program.executables) == 2


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([(2, 3)], "takes 2 arguments, got 1"),
        ([(2, 4), (2,)], r"argument 0: an array of shape \[2, 4\] does not fit tensor<\?x3xf32>"),
        ([(2, 3), (2, 1)], r"argument 1: an array of shape \[2, 1\] does not fit"),
    ],
)
def test_shapes_that_do_not_fit(shapes: list[tuple[int, ...]], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        xdsl_xla.polymorphic(SUMS)(*(np.zeros(shape, np.float32) for shape in shapes))


def test_sizes_that_contradict_each_other() -> None:
    with pytest.raises(InvalidProgramError):
        xdsl_xla.polymorphic(SUMS)(np.zeros((2, 3), np.float32), np.zeros(3, np.float32))


def test_what_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="something else than tensors"):
        xdsl_xla.polymorphic("func.func @main(%t: !stablehlo.token) { return }")
    with pytest.raises(ArgumentError, match="devices"):
        xdsl_xla.polymorphic(SUMS, devices=2)


def test_compile_says_what_to_do() -> None:
    with pytest.raises(UnsupportedError, match=r"xdsl_xla\.polymorphic"):
        xdsl_xla.compile(SUMS)
