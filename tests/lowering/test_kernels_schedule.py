"""Any legal schedule computes what the kernel says, and an illegal one is an error."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from tool_calls import call_tool
from xdsl.context import Context
from xdsl_xla.ir.schedule_errors import ScheduleError
from xdsl_xla.lowering.convert_linalg_to_affine import ConvertLinalgToAffinePass
from xdsl_xla.tools import xla_opt

from .edited_schedules import PLACE, STEPS, edited, passed, printed
from .loop_interpreter import LoopInterpreter, parse
from .random_linalg import Program, random_generic, random_rows
from .random_schedules import change, scheduled


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("make", [random_generic, random_rows])
def test_random_schedules(make: Callable[[random.Random], Program], seed: int) -> None:
    """Up to four changes: tiles, orders, threads, unrolled loops, loops joined and taken apart, buffers not kept."""
    program = make(random.Random(seed))
    rng = np.random.default_rng(seed)
    arrays = [rng.integers(-4, 5, shape).astype(np.float32) for shape in (*program.inputs, *program.outputs)]
    module = parse(program.text)
    for function in scheduled(module):
        change(function, random.Random(seed), 4)
    ConvertLinalgToAffinePass(vector_bits=512).apply(Context(), module)
    module.verify()
    expected, actual = ([array.copy() for array in arrays] for _ in range(2))
    LoopInterpreter(parse(program.text)).call("f", *expected)
    LoopInterpreter(module).call("f", *actual)
    for result, reference in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(result, reference)


ROWS = """
func.func @main(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
    : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %m = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x96xf32>
  %d = stablehlo.subtract %x, %m : tensor<64x96xf32>
  %e = stablehlo.exponential %d : tensor<64x96xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x96xf32>
  %r = stablehlo.divide %e, %s : tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}"""
ADD = """
func.func @main(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x96xf32>) -> tensor<96x64xf32>
  %u = stablehlo.transpose %t, dims = [1, 0] : (tensor<96x64xf32>) -> tensor<64x96xf32>
  %e = stablehlo.exponential %u : tensor<64x96xf32>
  %r = stablehlo.add %e, %x : tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}"""
SUMS = """
func.func @main(%x: tensor<64x96xf32>) -> tensor<96xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<64x96xf32>, tensor<f32>) -> tensor<96xf32>
  return %s : tensor<96xf32>
}"""
TRANSPOSE = """
func.func @main(%x: tensor<64x96xf32>) -> tensor<96x64xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x96xf32>) -> tensor<96x64xf32>
  return %t : tensor<96x64xf32>
}"""


TRANSPOSED_ADD = """
func.func @main(%x: tensor<64x96xf32>) -> tensor<96x64xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x96xf32>) -> tensor<96x64xf32>
  %r = stablehlo.exponential %t : tensor<96x64xf32>
  return %r : tensor<96x64xf32>
}"""
ENDS = """for p = 0 to {0} {{ for j = 0 to 96 {{ compute addf.total at (j, p) }} }}
  for j = 0 to 96 {{ compute addf.errors at (j) }}"""

PAIRS = """
func.func @main(%x: tensor<64x96xf32>) -> (tensor<64xf32>, tensor<64xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %at = stablehlo.iota dim = 1 : tensor<64x96xi32>
  %r:2 = stablehlo.reduce(%x init: %zero), (%at init: %none) across dimensions = [1]
    : (tensor<64x96xf32>, tensor<64x96xi32>, tensor<f32>, tensor<i32>) -> (tensor<64xf32>, tensor<64xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %d = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
      %e = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %d, %e : tensor<f32>, tensor<i32>
    }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xi32>
}"""


SCHEDULES = {
    "pairs": PAIRS,
    "rows": ROWS,
    "transposed": TRANSPOSED_ADD,
    "elementwise": ADD,
    "sums": SUMS,
    "transpose": TRANSPOSE,
}
X = np.random.default_rng(0).standard_normal((64, 96)).astype(np.float32)


@cache
def computed(source: str, steps: tuple[str, ...]) -> np.ndarray:
    return np.asarray(xdsl_xla.compile(source, pipeline=",".join(steps), threads=2, cache=False)(X))


@pytest.mark.parametrize(
    ("name", "schedule", "loops"),
    [
        (
            "rows",
            """start maximumf from fill  start addf from fill_1
            parallel i = 0 to 64 by 8 { for u = 0 to 8 { keep exp keep maximumf keep addf
              for j = 0 to 96 { compute maximumf at (i + u, j) }
              for j = 0 to 96 { compute exp at (i + u, j) compute addf at (i + u, j) }
              for j = 0 to 96 { compute divf at (i + u, j) } } }""",
            "affine.parallel",
        ),
        (
            "rows",
            """start maximumf from fill  start addf from fill_1
            for i = 0 to 64 { for j = 0 to 96 { compute maximumf at (i, j) } }
            for i = 0 to 64 { for j = 0 to 96 { compute exp at (i, j) } }
            for j = 0 to 96 { for i = 0 to 64 { compute addf at (i, j) } }
            for i = 0 to 64 { for j = 0 to 96 by 4 { unroll u = 0 to 4 { compute divf at (i, j + u) } } }""",
            "memref<64x96xf32>",
        ),
        (
            "rows",
            """for i = 0 to 64 { compute fill at (i) compute fill_1 at (i) }
            for j = 0 to 96 { for i = 0 to 64 { compute maximumf at (i, j) } }
            for i = 0 to 64 { keep exp
              for j = 0 to 96 by 8 {
                for k = 0 to 8 { compute exp at (i, j + k) }
                for k = 0 to 8 { compute addf at (i, j + k) } }
              for j = 0 to 96 { compute divf at (i, j) } }""",
            "memref<96xf32>",
        ),
        ("elementwise", "for j = 0 to 96 { for i = 0 to 64 { compute addf at (i, j) } }", "affine.for"),
        (
            "elementwise",
            "parallel i = 0 to 64, j = 0 to 96 by 48 { for k = 0 to 48 { compute addf at (i, j + k) } }",
            "affine.parallel",
        ),
        (
            "elementwise",
            "for i = 0 to 64 { vector 8 j = 0 to 96 { compute addf at (i, j) } }",
            "xrt.lanes = 8",
        ),
        (
            "elementwise",
            """for i = 0 to 63 { for j = 0 to 96 { compute addf at (i, j) } }
            unroll j = 0 to 96 { compute addf at (63, j) }""",
            "affine.for %",
        ),
        (
            "sums",
            "start addf from fill  parallel j = 0 to 96 { for i = 0 to 64 { compute addf at (i, j) } }",
            "iter_args",
        ),
        (
            "sums",
            "for j = 0 to 96 { compute fill at (j) } for i = 0 to 64 { for j = 0 to 96 { compute addf at (i, j) } }",
            "affine.for %",
        ),
        (
            "sums",
            """start addf from fill
            for i = 0 to 40 { for j = 0 to 96 { compute addf at (i, j) } }
            for j = 0 to 96 { unroll i = 0 to 24 { compute addf at (i + 40, j) } }""",
            "0 to 40",
        ),
        (
            "sums",
            """start addf from fill  parts 8 addf at (d0 floordiv 8, d1)
            parallel c = 0 to 64 by 8 { for i = 0 to 8 { for j = 0 to 96 { compute addf.parts at (c + i, j) } } }"""
            + ENDS.format(8),
            "memref<8x96xf32>",
        ),
        (
            "sums",
            """start addf from fill  parts 7 addf at (d0 floordiv 10, d1)
            parallel c = 0 to 64 by 10 {
              for i = c to min(c + 10, 64) { for j = 0 to 96 { compute addf.parts at (i, j) } } }"""
            + ENDS.format(7),
            "to min",
        ),
        (
            "sums",
            """start addf from fill  parts 3 addf at (d1, d0 mod 3)
            for j = 0 to 96 { compute addf at (63, j) }
            for i = 0 to 63 by 3 { for j = 0 to 96 { unroll k = 0 to 3 { compute addf.parts at (i + k, j) } } }
            for j = 0 to 96 { unroll p = 0 to 3 { compute addf.total at (j, p) } }
            for j = 0 to 96 { compute addf.errors at (j) }""",
            "memref<96x3xf32>",
        ),
        (
            "sums",
            """start addf from fill
            for j = 0 to 96 by 40 { for i = 0 to 64 { for k = j to min(j + 40, 96) { compute addf at (i, k) } } }""",
            "to min",
        ),
        (
            "rows",
            """start maximumf from fill  start addf from fill_1
            parallel b = 0 to 64 by 12 { for i = b to min(b + 12, 64) { keep exp keep maximumf keep addf
              for j = 0 to 96 { compute maximumf at (i, j) }
              for j = 0 to 96 { compute exp at (i, j) }
              parts 4 addf at (d0, d1 floordiv 24)
              for j = 0 to 96 by 24 { for k = 0 to 24 { compute addf.parts at (i, j + k) } }
              for p = 0 to 4 { compute addf.total at (i, p) }
              compute addf.errors at (i)
              for j = 0 to 96 { compute divf at (i, j) } } }""",
            "memref<4xf32>",
        ),
        (
            "transposed",
            """for i = 0 to 96 by 32 { parallel j = 0 to 64 by 16 { stage exp.in0 at (d0, d1)
              transpose 8 k = 0 to 32, l = 0 to 16 { compute exp.in0 at (i + k, j + l) }
              for k = 0 to 32 { for l = 0 to 16 { compute exp at (i + k, j + l) } } } }""",
            "memref<32x16xf32>",
        ),
        (
            "transposed",
            """for i = 0 to 64 { for j = 0 to 64 { compute exp at (i, j) } }
            for i = 64 to 96 { stage exp.in0 at (d1)
              for j = 0 to 64 { compute exp.in0 at (i, j) }
              for j = 0 to 64 { compute exp at (i, j) } }""",
            "memref<64xf32>",
        ),
        (
            "sums",
            """start addf from fill
            for j = 0 to 96 { for i = 0 to 64 { parallel k = 0 to 1 { compute addf at (i + k, j) } } }""",
            "iter_args",
        ),
        ("transpose", "for i = 0 to 96 { for j = 0 to 64 { compute copy at (i, j) } }", "affine.for %"),
        (
            "transpose",
            "parallel i = 0 to 96 by 32 { transpose 8 k = 0 to 32, j = 0 to 64 { compute copy at (i + k, j) } }",
            "affine.parallel",
        ),
        (
            "transpose",
            "for j = 0 to 64 by 4 { for i = 0 to 96 { unroll u = 0 to 4 { compute copy at (i, j + u) } } }",
            "affine.for %",
        ),
    ],
)
def test_changed_by_hand(name: str, schedule: str, loops: str) -> None:
    text = edited(SCHEDULES[name], schedule)
    below = passed(text, "convert-linalg-to-affine")
    assert loops in below
    assert below != passed(printed(SCHEDULES[name]), "convert-linalg-to-affine")
    np.testing.assert_allclose(
        computed(text, tuple(STEPS[PLACE:])), computed(SCHEDULES[name], tuple(STEPS)), rtol=1e-5, atol=1e-5
    )


def test_every_thread_keeps_a_row_of_its_own() -> None:
    """Also where the parallel loop is inside of another one: the buffer of a row is allocated in its body."""
    schedule = """start maximumf from fill  start addf from fill_1
      for b = 0 to 64 by 32 { parallel i = 0 to 32 { keep exp keep maximumf keep addf
        for j = 0 to 96 { compute maximumf at (b + i, j) }
        for j = 0 to 96 { compute exp at (b + i, j) compute addf at (b + i, j) }
        for j = 0 to 96 { compute divf at (b + i, j) } } }"""
    text = edited(SCHEDULES["rows"], schedule)
    loops = passed(text, "convert-linalg-to-affine")
    ahead, body = loops.split("affine.parallel")
    assert "memref<96xf32>" not in ahead and body.count("memref.alloca() {alignment = 64 : i64} : memref<96xf32>") == 1
    expected = xdsl_xla.compile(ROWS, cache=False)(X)
    result = xdsl_xla.compile(text, pipeline=",".join(STEPS[PLACE:]), threads=2, cache=False)(X)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "schedule", "message"),
    [
        ("rows", "for i = 0 to 64 { for j = 0 to 96 { compute maximumf at (i, j) } }", "of 'fill' are not computed"),
        (
            "rows",
            """start maximumf from fill  start addf from fill_1
            for i = 0 to 64 { for j = 0 to 96 {
              compute maximumf at (i, j) compute exp at (i, j) compute addf at (i, j) compute divf at (i, j) } }""",
            "touch the same elements in different trips",
        ),
        ("elementwise", "for i = 0 to 64 { for j = 0 to 97 { compute addf at (i, j) } }", "goes from 0 to 96, not"),
        ("elementwise", "for i = 0 to 64 { for j = 0 to 96 { compute add at (i, j) } }", "the kernel has no op 'add'"),
        ("elementwise", "for i = 0 to 64 { vector 6 j = 0 to 96 { compute addf at (i, j) } }", "a power of two"),
        ("elementwise", "for j = 0 to 96 { vector 8 i = 0 to 64 { compute addf at (i, j) } }", "are no neighbours"),
        (
            "sums",
            "start addf from fill  parallel i = 0 to 64 { for j = 0 to 96 { compute addf at (i, j) } }",
            "writes the same",
        ),
        ("sums", "for i = 0 to 64 { for j = 0 to 96 { compute addf at (i, j) } }", "of 'fill' are not computed"),
        (
            "elementwise",
            "for i = 0 to 64 { for j = 0 to 96 by 10 overlapping { for k = 0 to 10 { compute addf at (i, j + k) } } }",
            "overlapping steps are for loops around a tile",
        ),
        (
            "sums",
            "for j = 0 to 96 { start addf from fill for i = 0 to 64 { compute addf at (i, j) } }",
            "outside of all",
        ),
        ("sums", "for j = 0 to 96 { chain i = 0 to 64 { compute addf at (i, j) } }", "for loops around a tile"),
        (
            "pairs",
            """start select from fill start select from fill_1
            for i = 0 to 64 { for k = 0 to 2 { for j = 0 to 96 by 2 { compute select at (i, j + k) } } }""",
            "may not be done in another order",
        ),
        (
            "transpose",
            "transpose 8 i = 0 to 64, j = 0 to 96 { compute copy at (j, i) }",
            "nothing that can be transposed",
        ),
        (
            "transpose",
            "for i = 0 to 96 { parallel j = 0 to 64 { parallel k = 0 to 1 { } } }",
            "a parallel loop around it",
        ),
        (
            "sums",
            "start addf from fill  parts 8 addf at (d0 floordiv 8, d1)  for i = 0 to 64 { for j = 0 to 96 { compute"
            " addf.parts at (i, j) } } for j = 0 to 96 { compute addf.errors at (j) }",
            "768 of the 768 points of 'addf.total' are not computed",
        ),
        (
            "sums",
            "start addf from fill  parts 8 addf at (d0 floordiv 8, d1)  parallel i = 0 to 64 { for j = 0 to 96 {"
            " compute addf.parts at (i, j) } }" + ENDS.format(8),
            "'addf.parts' writes the same elements in several trips of 'i'",
        ),
        (
            "sums",
            "start addf from fill  parts 7 addf at (d0 floordiv 8, d1)  for i = 0 to 64 { for j = 0 to 96 {"
            " compute addf.parts at (i, j) } }" + ENDS.format(7),
            "there are only 7 x 96 partial sums",
        ),
        (
            "sums",
            "start addf from fill  parts 9 addf at (d0 floordiv 8, d1)  for i = 0 to 64 { for j = 0 to 96 {"
            " compute addf.parts at (i, j) } }" + ENDS.format(9),
            "not all 9 x 96 partial sums of 'addf.parts' are used",
        ),
        ("sums", "parts 8 addf at (d0 floordiv 8)", "it has no index for d1"),
        ("sums", "parts 8 addf at (d0 floordiv 8, d1 + 1)", "the dimensions of the result, each once"),
        ("sums", "parts 8 addf at (d1, 0)", "is the number of a part"),
        ("sums", "parts 8 addf at (k, d1)", "expected dimensions of the op, d0, d1, not k"),
        ("sums", "parts 8 sum at (d0, d1)", "the kernel has no 'sum'; it has addf"),
        (
            "transposed",
            "for i = 0 to 96 { stage exp.in0 at (d0) for j = 0 to 64 { compute exp.in0 at (i, j) }"
            " for j = 0 to 64 { compute exp at (i, j) } }",
            "has no place for the elements along dimension 1",
        ),
        (
            "transposed",
            "for i = 0 to 96 { for j = 0 to 64 { compute exp.in0 at (i, j) } } for i = 0 to 96 { stage exp.in0 at (d1)"
            " for j = 0 to 64 { compute exp at (i, j) } }",
            "'exp.in0' is staged in loops that it is not in",
        ),
        (
            "transposed",
            "for i = 0 to 96 { stage exp.in0 at (d1) for j = 0 to 64 { compute exp at (i, j) } }",
            "not all of what it reads is copied by 'exp.in0'",
        ),
        (
            "transposed",
            "for i = 0 to 96 { for j = 0 to 64 { compute exp.in0 at (i, j) } stage exp.in0 at (d1)"
            " for j = 0 to 64 { compute exp at (i, j) } }",
            "stands behind 'exp.in0', for which it is meant",
        ),
        (
            "rows",
            "start maximumf from fill start addf from fill_1 for i = 0 to 64 {"
            " for j = 0 to 96 { compute maximumf at (i, j) } keep maximumf"
            " for j = 0 to 96 { compute exp at (i, j) compute addf at (i, j) }"
            " for j = 0 to 96 { compute divf at (i, j) } }",
            "stands behind 'maximumf', for which it is meant",
        ),
        (
            "sums",
            "start addf from fill for i = 0 to 64 { for j = 0 to 96 { compute addf.parts at (i, j) } }"
            " parts 8 addf at (d0 floordiv 8, d1)" + ENDS.format(8),
            "stands behind 'addf.parts', for which it is meant",
        ),
        (
            "elementwise",
            "for i = 0 to 64 by 5 { for k = i to min(i + 5, 64) { for l = i to i + 5 { compute addf at (k, l) } } }",
            "one only",
        ),
        (
            "elementwise",
            "for i = 0 to 64 by 5 { parallel k = i to min(i + 5, 64) { for j = 0 to 96 { compute addf at (k, j) } } }",
            "is a loop 'for'",
        ),
        (
            "elementwise",
            "for i = 0 to 64 { unroll j = 0 to 96, k = 0 to 64 { compute addf at (i, j) } }",
            "several times",
        ),
        ("elementwise", "unroll i = 0 to 64, j = 0 to 96 { compute addf at (i, j) }", "6144 copies of the body"),
        (
            "elementwise",
            "for i = 0 to 64 { for j = 0 to 97 { compute addf at (i, j) } }",
            "@elementwise_0: .*goes from",
        ),
    ],
)
def test_illegal(name: str, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        xdsl_xla.compile(edited(SCHEDULES[name], schedule), pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)


DOCUMENT = Path(xdsl_xla.__file__).parent / "docs" / "schedule.md"


@pytest.mark.slow
def test_the_steps_of_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files, its commands, and the schedule that it shows."""
    text = DOCUMENT.read_text()
    for name, body in re.findall(r"```\w+\n(?:#|//) (\S+)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(body.replace("4096", "64"))
    shown = re.search(r"```\n(start.*?)```", text, re.DOTALL)
    assert shown is not None
    commands = re.findall(r"^    \$ (\S+) (.*)$", text, re.MULTILINE)
    assert [tool for tool, _ in commands] == [
        "xla-opt",
        "python",
        "xla-opt",
        "xla-run",
        "xla-run",
        "xla-opt",
        *["xla-run"] * 2,
        "xla-opt",
        *["xla-run"] * 3,
    ]
    monkeypatch.setenv("XDSL_XLA_SCHEDULES", str(tmp_path / "tuned.schedules"))
    monkeypatch.chdir(tmp_path)
    for tool, arguments in commands:
        words = arguments.replace("60s", "0.5s").split()
        if tool == "python":
            subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
        else:
            call_tool(tool, words, check=True)
    scheduled = (tmp_path / "scheduled.mlir").read_text()
    assert [line.strip() for line in shown[1].replace("4096", "64").splitlines()] == [
        line.strip() for line in re.findall(r"#schedule.kernel<\{\n(.*?)\n *\}>", scheduled, re.DOTALL)[0].splitlines()
    ]
    loops = (tmp_path / "loops.mlir").read_text().split("func.func private", 1)[1]
    assert "memref.alloc() : memref<64x1024xf32>" in loops and "affine.parallel" in loops


@pytest.mark.parametrize(
    ("name", "schedule", "place"),
    [
        ("elementwise", "\nfor i = 0 to 64 {\n    for j = 0 to 97 { compute addf at (i, j) } }", "compute addf"),
        ("elementwise", "\nfor j = 0 to 96 {\n  vector 8 i = 0 to 64 { compute addf at (i, j) } }", "vector 8"),
    ],
)
def test_errors_name_file_line_and_column(name: str, schedule: str, place: str, tmp_path: Path) -> None:
    """Those found when the schedule is read, and those of loops that cannot be vectors."""
    file = tmp_path / "edited.mlir"
    text = edited(SCHEDULES[name], schedule)
    file.write_text(text)
    before = text[: text.index(place)]
    with pytest.raises(ScheduleError) as error:
        xdsl_xla.compile(file, pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)
    assert error.value.location == f"{file}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def test_chunks_of_a_file_count_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = edited(SCHEDULES["elementwise"], "\nfor i = 0 to 64 {\n    for j = 0 to 97 { compute addf at (i, j) } }")
    file = tmp_path / "edited.mlir"
    file.write_text(f"module {{}}\n// -----\n{text}")
    line = text[: text.index("for j = 0 to 97")].count("\n") + 3
    assert xla_opt.main(["--split-input-file", "-p", "kernels-schedule", str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"{file}:{line}:23: error: ")


def test_partial_sums_of_a_dimension_that_indices_divide() -> None:
    text = """func.func @main(%x: tensor<8x32x32x256xf32>, %m: tensor<8x8xf32>) -> tensor<8x256xf32> {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x32xf32>
      %j = stablehlo.reshape %r : (tensor<8x8x32xf32>) -> tensor<8x256xf32>
      %b = stablehlo.broadcast_in_dim %j, dims = [0, 3] : (tensor<8x256xf32>) -> tensor<8x32x32x256xf32>
      %d = stablehlo.multiply %x, %b : tensor<8x32x32x256xf32>
      %s = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [1, 2]
        : (tensor<8x32x32x256xf32>, tensor<f32>) -> tensor<8x256xf32>
      return %s : tensor<8x256xf32>
    }"""
    generator = np.random.default_rng(0)
    x, m = generator.random((8, 32, 32, 256), np.float32), generator.random((8, 8), np.float32)
    (result,) = xdsl_xla.compile(text, threads=2)(x, m)
    np.testing.assert_allclose(result, (x * np.repeat(m, 32, 1)[:, None, None]).sum((1, 2)), rtol=1e-5)


def test_partial_sums_in_rows_that_are_blocks() -> None:
    text = """
    func.func @main(%x: tensor<32x64xf32>, %n: tensor<40xi32>, %b: tensor<64xf32>) -> tensor<64xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %none = stablehlo.constant dense<0> : tensor<32x40x64xi32>
      %nothing = stablehlo.constant dense<0.0> : tensor<32x40x64xf32>
      %w = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<32x64xf32>) -> tensor<32x40x64xf32>
      %m = stablehlo.broadcast_in_dim %n, dims = [1] : (tensor<40xi32>) -> tensor<32x40x64xi32>
      %c = stablehlo.compare GT, %m, %none, SIGNED : (tensor<32x40x64xi32>, tensor<32x40x64xi32>) -> tensor<32x40x64xi1>
      %t = stablehlo.select %c, %w, %nothing : tensor<32x40x64xi1>, tensor<32x40x64xf32>
      %s = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<32x40x64xf32>, tensor<f32>) -> tensor<64xf32>
      %p = stablehlo.add %s, %b : tensor<64xf32>
      %r = stablehlo.multiply %p, %b : tensor<64xf32>
      return %r : tensor<64xf32>
    }"""
    generator = np.random.default_rng(0)
    x, b = generator.random((32, 64), np.float32), generator.random(64, np.float32)
    numbers = np.arange(40, dtype=np.int32) - 5
    (result,) = xdsl_xla.compile(text)(x, numbers, b)
    np.testing.assert_allclose(result, (34 * x.sum(0) + b) * b, rtol=1e-5)
