"""`stream OP`: results that are stored past the caches."""

from __future__ import annotations

import numpy as np
import pytest
import xdsl_xla
from tool_calls import call_tool
from xdsl_xla.ir.schedule_errors import ScheduleError

from lowering.edited_schedules import PLACE, STEPS, edited, passed

ADD = """
func.func @main(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %r = stablehlo.add %x, %x : tensor<{0}xf32>
  return %r : tensor<{0}xf32>
}}"""
SMALL = ADD.format("64x96")
BIASED = """
func.func @main(%x: tensor<{0}x1024xf32>, %b: tensor<1024xf32>) -> tensor<{0}x1024xf32> {{
  %t = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<1024xf32>) -> tensor<{0}x1024xf32>
  %r = stablehlo.add %x, %t : tensor<{0}x1024xf32>
  return %r : tensor<{0}x1024xf32>
}}"""

READ_AGAIN = """
func.func @main(%x: tensor<4096x1024xf32>) -> (tensor<4096x1024xf32>, tensor<1024x4096xf32>) {
  %r = stablehlo.cosine %x : tensor<4096x1024xf32>
  %s = "stablehlo.sort"(%r) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %t = stablehlo.transpose %s, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
  return %r, %t : tensor<4096x1024xf32>, tensor<1024x4096xf32>
}"""

SUMS = """
func.func @main(%x: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<64x96xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x96xf32>, tensor<f32>) -> tensor<64xf32>
  return %e, %s : tensor<64x96xf32>, tensor<64xf32>
}"""

PRODUCT = """
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %z : tensor<64x64xf32>
}"""

LINES = """
func.func @main(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %y = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<64x96xf32>) -> tensor<64x96xf32>
  return %y : tensor<64x96xf32>
}"""


def scheduled(program: str) -> str:
    """A program with its schedules, for a CPU that is known."""
    steps = ",".join((*STEPS[: PLACE - 1], "kernels-schedule{vector_bits=512}"))
    return call_tool("xla-opt", ["-p", steps], stdin=program, check=True).stdout


def test_decided_for_large_results() -> None:
    assert "stream addf" in scheduled(BIASED.format(4096))
    assert "stream" not in scheduled(BIASED.format(1024))


def test_not_for_what_is_done_from_end_to_end() -> None:
    """Loops that were merged to one: half of the time longer past the caches, measured for 16 MB."""
    assert "stream" not in scheduled(ADD.format("4096x1024"))


def test_what_the_program_reads_again_stays_in_the_cache() -> None:
    assert "stream cos" not in scheduled(READ_AGAIN)


LOOPS = "for i = 0 to 64 { for j = 0 to 96 { compute addf at (i, j) } }"
TILES = """start addf from fill
  for i = 0 to 64 by 4 { for j = 0 to 64 by 16 { for k = 0 to 64 {
    tile i1 = 0 to 4, j1 = 0 to 16 by 16 { compute addf at (i + i1, j + j1, k) } } } }"""


@pytest.mark.parametrize(("program", "schedule"), [(SMALL, "stream addf " + LOOPS), (PRODUCT, "stream addf " + TILES)])
def test_obeyed(program: str, schedule: str) -> None:
    text = edited(program, schedule)
    assert "{xrt.stream}" in passed(text, ",".join(STEPS[PLACE : STEPS.index("loops-stream-results") + 1]))
    cached = passed(edited(program, schedule.replace("stream addf ", "")), ",".join(STEPS[PLACE:]))
    assert "nontemporal" not in cached
    shape = (64, 96) if program == SMALL else (64, 64)
    inputs = [np.random.default_rng(0).standard_normal(shape).astype(np.float32)] * (1 if program == SMALL else 2)
    expected = xdsl_xla.compile(program, cache=False)(*inputs)
    result = xdsl_xla.compile(text, pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)(*inputs)
    np.testing.assert_allclose(result, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("program", "schedule", "message"),
    [
        (SMALL, f"stream mulf {LOOPS}", "the kernel has no 'mulf'; it has addf"),
        (SMALL, f"stream addf stream addf {LOOPS}", "it is streamed already"),
        (SMALL, LOOPS.replace("compute", "stream addf compute"), "it stands outside of all loops"),
        (
            SUMS,
            "stream exp start addf from fill for i = 0 to 64 { for j = 0 to 96 "
            "{ compute exp at (i, j) compute addf at (i, j) } }",
            "the kernel reads it",
        ),
        (LINES, "stream sort for i = 0 to 64 { compute sort at (i) by merge runs 2 }", "written line by line"),
    ],
)
def test_illegal(program: str, schedule: str, message: str) -> None:
    with pytest.raises(ScheduleError, match=message):
        xdsl_xla.compile(edited(program, schedule), pipeline=",".join(STEPS[PLACE - 1 :]), cache=False)


def test_a_lowering_alone_checks_it_too() -> None:
    text = edited(SMALL, f"stream mulf {LOOPS}")
    result = call_tool("xla-opt", ["-p", "convert-linalg-to-affine"], stdin=text)
    assert result.returncode == 1 and "the kernel has no 'mulf'" in result.stderr
