"""What is better by itself has to be no worse in the program."""

from __future__ import annotations

import time

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.dialects.schedule.syntax import text_of
from xdsl_xla.runtime.tuner.whole_program import WholeProgram
from xdsl_xla.runtime.tuner.workbench import Workbench

from .programs import EXP, bench, known_times, request
from .test_neighbours import read

COLUMNS = read("for j = 0 to 16 { for i = 0 to 24 { compute exp at (i, j) } }")
TILES = read("for i = 0 to 24 by 2 { for t = 0 to 2 { for j = 0 to 16 { compute exp at (i + t, j) } } }")


def test_what_makes_it_slower_is_refused() -> None:
    watch = known_times(lambda label: 1.2 if "by 2" in label else 1.0)
    whole = WholeProgram.of(bench(EXP).program, None, watch, 10)
    assert whole.accepts({"elementwise_0": COLUMNS}) is None
    assert whole.current.label == f"elementwise_0\n{text_of(COLUMNS)}"
    assert whole.accepts({"elementwise_0": TILES}) == "the program takes 120.0%"
    assert whole.trees == {"elementwise_0": COLUMNS}
    assert not whole.obstacle


def test_it_runs_with_the_arguments_that_are_given() -> None:
    x = np.float32(np.arange(24 * 16).reshape(24, 16) / 100)
    whole = WholeProgram.of(bench(EXP).program, lambda specs: [x for _ in specs], known_times(lambda _: 1.0), 10)
    assert whole.accepts({"elementwise_0": COLUMNS}) is None
    (result,) = whole.current.run()
    np.testing.assert_allclose(result, np.exp(x), rtol=1e-6)


def test_donated_arguments_stay_as_they_are() -> None:
    program = EXP.replace("%x: tensor<24x16xf32>", "%x: tensor<24x16xf32> {tf.aliasing_output = 0 : i32}")
    x = np.ones((24, 16), np.float32)
    work = Workbench(program, "program", request()._replace(donate=True))
    whole = WholeProgram.of(work.program, lambda _: [x], known_times(lambda _: 1.0), 10)
    (result,) = whole.current.run()
    assert (x == 1).all() and result[0, 0] > 2


FOREVER = """
func.func @main(%x: tensor<24x16xf32>) -> tensor<24x16xf32> {
  %0 = stablehlo.while(%y = %x) : tensor<24x16xf32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %e = stablehlo.sine %y : tensor<24x16xf32>
      stablehlo.return %e : tensor<24x16xf32>
    }
  return %0 : tensor<24x16xf32>
}
"""


def test_a_program_without_end_is_not_run() -> None:
    start = time.perf_counter()
    whole = WholeProgram.of(bench(FOREVER).program, None, known_times(lambda _: 1.0), 0.1)
    assert whole.obstacle == "takes more than 0.1 s" and time.perf_counter() - start < 60
    assert whole.accepts({}) is None


def test_programs_with_effects_are_not_run() -> None:
    called: list[object] = []
    xdsl_xla.custom_call("tuner_effect")(lambda x: called.append(x) or x)
    program = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @tuner_effect(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    whole = WholeProgram.of(bench(program).program, None, known_times(lambda _: 1.0), 1)
    assert whole.obstacle == "calls what may have effects" and not called


@pytest.mark.parametrize("attribute", ["mhlo.num_replicas", "mhlo.num_partitions"])
def test_programs_for_several_processes_are_not_run(attribute: str) -> None:
    program = f"module attributes {{{attribute} = 2 : i32}} {{ {EXP} }}"
    assert WholeProgram.of(bench(program).program, None, known_times(lambda _: 1.0), 1).obstacle
