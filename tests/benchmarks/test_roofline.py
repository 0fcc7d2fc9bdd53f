"""Least times of programs, from rates that are given."""

from __future__ import annotations

import pytest
from xdsl_xla.benchmarks import roofline
from xdsl_xla.tools.profiling.machine import Level, Machine

MACHINE = Machine(1, 1000.0, (Level("L1", 1000, 100.0), Level("memory", 4000, 10.0)))


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(threads: int, measurements: int) -> Machine:
        return MACHINE

    monkeypatch.setattr("xdsl_xla.tools.profiling.machine.machine", measured)


def limit(signature: str, body: str) -> roofline.Limit:
    found = roofline.limit_of(f"func.func @main({signature} {{\n{body}\n}}", 1)
    assert found is not None
    return found


def test_a_product_is_bound_by_arithmetic() -> None:
    found = limit(
        "%a: tensor<10x10xf32>) -> tensor<10x10xf32>",
        "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]"
        " : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>\nreturn %0 : tensor<10x10xf32>",
    )
    assert found == (2.0, 8.0) and found.seconds == 8 and found.reached(16) == 0.5


def test_more_bytes_come_from_a_farther_level() -> None:
    found = limit(
        "%a: tensor<1000xf32>) -> tensor<f32>",
        "%0 = stablehlo.constant dense<0.0> : tensor<f32>\nreturn %0 : tensor<f32>",
    )
    assert found.traffic == 4 / 100
    body = "%0 = stablehlo.negate %a : tensor<1000xf32>\nreturn %0 : tensor<1000xf32>"
    assert limit("%a: tensor<1000xf32>) -> tensor<1000xf32>", body).traffic == 8000 / 10


def test_of_a_table_the_rows_that_are_read_count() -> None:
    body = (
        "%0 = stablehlo.dynamic_slice %a, %i, sizes = [10] : (tensor<1000xf32>, tensor<i32>) -> tensor<10xf32>\n"
        "return %0 : tensor<10xf32>"
    )
    assert limit("%a: tensor<1000xf32>, %i: tensor<i32>) -> tensor<10xf32>", body).traffic == (40 + 4 + 40) / 100


def test_loops_of_unknown_length_have_no_limit() -> None:
    loop = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.while(%i = %n) : tensor<i32>
        cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1> }
        do { stablehlo.return %i : tensor<i32> }
      return %0 : tensor<i32>
    }"""
    assert roofline.limit_of(loop, 1) is None
