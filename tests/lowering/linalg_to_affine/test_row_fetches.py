"""`fetch OP.in0 at (i + 1, j)`: the next row asked for while this one is in the cache."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from tool_calls import call_tool
from xdsl_xla.ir.schedule_errors import ScheduleError

from lowering.edited_schedules import PLACE, STEPS, edited, passed, printed

ROWS, COLUMNS = 2048, 1024

VARIANCE = """
func.func @main(%x: tensor<{rows}x{columns}xf32>) -> tensor<{rows}xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<{rows}x{columns}xf32>, tensor<f32>) -> tensor<{rows}xf32>
  %m = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<{rows}xf32>) -> tensor<{rows}x{columns}xf32>
  %d = stablehlo.subtract %x, %m : tensor<{rows}x{columns}xf32>
  %s = stablehlo.multiply %d, %d : tensor<{rows}x{columns}xf32>
  %v = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<{rows}x{columns}xf32>, tensor<f32>) -> tensor<{rows}xf32>
  return %v : tensor<{rows}xf32>
}}"""

CENTRED = """
func.func @main(%x: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2048x1024xf32>, tensor<f32>) -> tensor<2048xf32>
  %m = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2048xf32>) -> tensor<2048x1024xf32>
  %d = stablehlo.subtract %x, %m : tensor<2048x1024xf32>
  return %d : tensor<2048x1024xf32>
}"""


def scheduled(program: str) -> str:
    """A program with its schedules, for a CPU that is known."""
    steps = ",".join((*STEPS[: PLACE - 1], "kernels-schedule{vector_bits=512}"))
    return call_tool("xla-opt", ["-p", steps], stdin=program, check=True).stdout


def variance(rows: int = ROWS, columns: int = COLUMNS) -> str:
    return VARIANCE.format(rows=rows, columns=columns)


def test_decided() -> None:
    text = scheduled(variance())
    first, second = text.split("for j = 0 to 1024 {")[1:3]
    assert "fetch" not in first
    assert second.split()[:4] == ["fetch", "addf.in0", "at", "(i"]
    assert "fetch addf.in0 at (i + 1, j)" in second


PRODUCT = """
func.func @main(%x: tensor<1024x{steps}xf32>, %y: tensor<{columns}x{steps}xf32>) -> tensor<1024x{columns}xf32> {{
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1]
    : (tensor<1024x{steps}xf32>, tensor<{columns}x{steps}xf32>) -> tensor<1024x{columns}xf32>
  return %z : tensor<1024x{columns}xf32>
}}"""


def test_the_only_loop_through_a_row() -> None:
    text = scheduled(PRODUCT.format(steps=2048, columns=1))
    assert "fetch addf.in0 at (i + 1, j)" in " ".join(text.replace("0, ", "").split())


def test_beside_copies() -> None:
    text = " ".join(scheduled(PRODUCT.format(steps=1024, columns=4)).split())
    assert (
        "for j = 0 to 1024 { fetch addf.in0 at (i + 1, 0, j) unroll k = 0 to 4 { compute addf at (i, k, j) } }" in text
    )
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((1024, 1024), np.float32), rng.standard_normal((4, 1024), np.float32)
    (result,) = xdsl_xla.compile(PRODUCT.format(steps=1024, columns=4))(x, y)
    np.testing.assert_allclose(result, x.astype(float) @ y.T.astype(float), atol=1e-3)


@pytest.mark.parametrize("program", [CENTRED, variance(64), variance(ROWS, 256)])
def test_not_where_rows_are_written_small_or_in_the_cache(program: str) -> None:
    assert "fetch" not in scheduled(program)


ORDER = """start addf from fill  start addf_1 from fill_1
  for i = 0 to {rows} {{ keep addf
    for j = 0 to 1024 {{ compute addf at (i, j) }}
    {loop} j = 0 to 1024 {{ {fetch} compute addf_1 at (i, j) }} }}"""


def order(fetch: str, loop: str = "for") -> str:
    return ORDER.format(rows=ROWS, fetch=fetch, loop=loop)


def test_obeyed_once_for_the_lines_of_a_vector() -> None:
    """Each vector asks for its lines, of whatever row the schedule says; what is computed stays."""
    steps = ",".join(STEPS[PLACE : STEPS.index("loops-vectorize") + 1])
    text = edited(variance(), order("fetch addf_1.in0 at (i + 3, j)", "vector 64"))
    loops = passed(text, steps)
    assert loops.count("lines = 4 : i64") == 1 and "element" not in loops.split("xrt.prefetch")[1].splitlines()[0]
    assert "d0 + 3" in loops
    x = np.random.default_rng(0).standard_normal((ROWS, COLUMNS)).astype(np.float32)
    expected = xdsl_xla.compile(variance(), cache=False)(x)
    result = xdsl_xla.compile(text, pipeline=",".join(STEPS[PLACE:]), cache=False)(x)
    np.testing.assert_allclose(result, expected, rtol=1e-4)


def test_without_vectors_nothing_is_fetched() -> None:
    """One element after the other would be more work than it saves."""
    text = edited(variance(), order("fetch addf_1.in0 at (i + 1, j)"))
    steps = [step for step in STEPS[PLACE:] if step != "loops-vectorize"]
    assert "llvm.prefetch" not in passed(text, ",".join(steps))
    assert "llvm.prefetch" in passed(text, ",".join(STEPS[PLACE:]))


@pytest.mark.parametrize(
    ("fetch", "message"),
    [
        ("fetch addf.in0 rows 3", "it is for the operands and sums of a tile"),
        ("pack addf.in0 in panels", "it is for the operands and sums of a tile"),
        ("fetch subf.in0 at (i + 1, j)", "the kernel has no op 'subf'; it has fill, addf, fill_1, addf_1"),
        ("fetch addf.in7 at (i + 1, j)", "'addf' has no such input in memory; it has addf.in0"),
        ("fetch addf_1.in1 at (i + 1, j)", "only what comes from outside of the kernel is fetched"),
        ("fetch addf.in0 at (i + 1)", "expected 2 indices, got 1"),
        ("fetch addf.in0 at (i + 1, k)", "there is no loop 'k' around it"),
    ],
)
def test_illegal(fetch: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        xdsl_xla.compile(edited(variance(), order(fetch)), pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)


def test_stands_beside_an_op() -> None:
    text = edited(variance(), order("").replace("keep addf", "keep addf fetch addf.in0 at (i + 1, 0)"))
    with pytest.raises(ScheduleError, match="there is no op beside it"):
        xdsl_xla.compile(text, pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)


def test_is_kept() -> None:
    """What was printed continues as it is."""
    text = printed(variance())
    assert passed(text, "kernels-schedule") == text
