"""Times of programs, against sums by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from xdsl_xla.reference.processes import ProcessGrid
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.tools.simulation.machine import Link, Machine
from xdsl_xla.tools.simulation.timeline import Outcome, Simulation

MACHINE = Machine("test", 8, 1000.0, 500.0, 1000.0, 100.0, Link(1.0, 10.0, ("ring",)))
"""A step is a second, 10 bytes a second between devices; 1000 operations and 100 bytes of memory a second."""

REDUCE = """"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<10xf32>) -> tensor<10xf32>"""
"""40 bytes: two steps, twice 20 bytes: 6 seconds."""
PRODUCT = """stablehlo.dot_general %w, %w, contracting_dims = [1] x [0]
    : (tensor<50x50xf32>, tensor<50x50xf32>) -> tensor<50x50xf32>"""
"""250,000 operations, 250 seconds; 20,000 bytes would be 200."""


def run(body: str, machine: Machine = MACHINE, trips: int | None = None) -> Outcome:
    text = f"func.func @main(%x: tensor<10xf32>, %w: tensor<50x50xf32>, %n: tensor<i32>) {{\n{body}\nreturn }}"
    return Simulation(parse_module(text), ProcessGrid(2, 1), machine, trips).function("main")


def test_computation_is_bound_by_arithmetic_or_memory() -> None:
    outcome = run(f"%0 = {PRODUCT}")
    assert (outcome.seconds, outcome.arithmetic, outcome.memory) == (250, 250, 0)
    outcome = run("%0 = stablehlo.add %x, %x : tensor<10xf32>")  # one operand, one result
    assert (outcome.seconds, outcome.arithmetic, outcome.memory) == (pytest.approx(0.8), 0, pytest.approx(0.8))


def test_fused_values_do_not_reach_memory() -> None:
    body = "%0 = stablehlo.add %x, %x : tensor<10xf32>\n%1 = stablehlo.negate %0 : tensor<10xf32>"
    assert run(body).bytes == 80


def test_f64_has_a_rate_of_its_own() -> None:
    body = PRODUCT.replace("%w", "%d").replace("f32", "f64")
    constant = "%d = stablehlo.constant dense<1.0> : tensor<50x50xf64>"
    assert run(f"{constant}\n%0 = {body}").seconds == 500


def test_running_totals_are_one_operation_an_element() -> None:
    total = """%z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 10>, padding = dense<[[9, 0]]>
        : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<10xf32>, tensor<f32>) -> tensor<10xf32>"""
    assert run(total).operations == 10


def test_inserted_zeros_are_not_multiplied() -> None:
    convolution = """%i = stablehlo.constant dense<1.0> : tensor<1x10x4xf32>
    %k = stablehlo.constant dense<1.0> : tensor<3x4x8xf32>
    %0 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[1, 1]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x10x4xf32>, tensor<3x4x8xf32>) -> tensor<1x19x8xf32>"""
    assert run(convolution).operations == 2 * (19 * 8) * (3 * 4) / 2


def test_routines_of_lapack_are_counted() -> None:
    call = """%0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%w)
      : (tensor<50x50xf32>) -> (tensor<50x50xf32>, tensor<50xi32>, tensor<i32>)"""
    assert run(call).operations == pytest.approx(50**3 * 2 / 3)


def test_collectives_stand_alone_or_run_beside_computation() -> None:
    body = f"%0 = {REDUCE}\n%1 = {PRODUCT}"
    alone = run(body)
    assert (alone.seconds, alone.exposed, alone.latency, alone.transfer) == (256, 6, 2, 4)
    beside = run(body, replace(MACHINE, overlap=True))
    assert (beside.seconds, beside.exposed, beside.communicating) == (250, 0, 6)


def test_a_reader_waits_for_a_collective() -> None:
    body = f"%0 = {REDUCE}\n%1 = stablehlo.add %0, %0 : tensor<10xf32>"
    assert run(body, replace(MACHINE, overlap=True)).seconds == pytest.approx(6.8)


def test_async_pairs_run_beside_computation() -> None:
    inner = REDUCE.replace("%x", "%y")
    body = f"""%f = "stablehlo.async_start"(%x) ({{
    ^bb0(%y: tensor<10xf32>):
      %r = {inner}
      stablehlo.return %r : tensor<10xf32>
    }}) : (tensor<10xf32>) -> !stablehlo.future<tensor<10xf32>>
    %1 = {PRODUCT}
    %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<10xf32>>) -> tensor<10xf32>"""
    outcome = run(body)
    assert (outcome.seconds, outcome.communicating) == (250, 6)


LOOP = """%c0 = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.constant dense<100> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %c0) : tensor<i32>
  cond {
    %p = stablehlo.compare LT, %i, LIMIT : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %r = REDUCE
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }""".replace("REDUCE", REDUCE)


def test_loops_count_their_trips() -> None:
    outcome = run(LOOP.replace("LIMIT", "%c"))
    assert outcome.communicating == 600
    assert [row.count for row in outcome.rows.values()] == [100]
    assert outcome.remarks == []


def test_unknown_trips_are_given_or_remarked() -> None:
    outcome = run(LOOP.replace("LIMIT", "%n"), trips=7)
    assert outcome.communicating == 42
    assert "nobody knows how often this loop runs: 7 trips" in outcome.remarks[0]
    assert run(LOOP.replace("LIMIT", "%n")).communicating == 6


def test_collectives_of_other_notations() -> None:
    body = """%0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<10xf32>) -> tensor<10xf32>"""
    assert run(body).communicating == 6
    body = """%l = stablehlo.constant dense<2> : tensor<2xi32>
    %0 = stablehlo.custom_call @ragged_all_to_all(%x, %x, %l, %l, %l, %l) {api_version = 4 : i32,
      backend_config = {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}
      : (tensor<10xf32>, tensor<10xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
      -> tensor<10xf32>"""
    outcome = run(body)  # half of 40 bytes, in one step
    assert (outcome.communicating, outcome.computing) == (3, 0)
    assert [row.name for row in outcome.rows.values()] == ["ragged_all_to_all"]
