"""Ops in which several processes take part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from xdsl_xla.errors import InvalidProgramError
from xdsl_xla.reference.interpreter import run_grid
from xdsl_xla.reference.processes import ProcessGrid
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.verifying import verify_module

from .harness import evaluate, f32, i32, i64, same, type_of, u32

SUM = """({
  ^bb0(%lhs: tensor<i64>, %rhs: tensor<i64>):
    %sum = stablehlo.add %lhs, %rhs : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  })"""


def run(op: str, values: Sequence[Sequence[Any]], result: str, before: str = "") -> list[list[np.ndarray]]:
    """The result of `op` on `%a`, which is `values[i][j]` in partition j of replica i, after the op `before`."""
    text = f"""func.func @main(%a: {type_of(values[0][0])}) -> {result} {{
        {before}
        %r = {op}
        return %r : {result}
      }}"""
    module = parse_module(text, "test.mlir")
    verify_module(module)
    programs = [["main"] * len(row) for row in values]
    grid = run_grid(module, programs, [[[value] for value in row] for row in values])
    return [[results[0] for results in row] for row in grid]


def test_strategies_of_the_specification() -> None:
    grid = ProcessGrid(4, 2)
    assert grid.cross_replica([[0, 1], [2, 3]]) == [
        [(0, 0), (1, 0)],
        [(0, 1), (1, 1)],
        [(2, 0), (3, 0)],
        [(2, 1), (3, 1)],
    ]
    assert grid.cross_partition([[0, 1]]) == [[(r, 0), (r, 1)] for r in range(4)]
    assert grid.cross_replica_and_partition([[0, 1], [2, 3]]) == [
        [(0, 0), (1, 0), (0, 1), (1, 1)],
        [(2, 0), (3, 0), (2, 1), (3, 1)],
    ]
    assert grid.flattened_ids([[0, 1, 2, 3], [4, 5, 6, 7]]) == [
        [(0, 0), (0, 1), (1, 0), (1, 1)],
        [(2, 0), (2, 1), (3, 0), (3, 1)],
    ]
    assert grid.cross_replica([[0, 1, 2], [3, -1, -1]])[-1] == [(3, 1)]
    assert grid.flattened_ids([]) == [[(r, p) for r in range(4) for p in range(2)]]


def test_all_gather_example() -> None:
    op = """"stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
        : (tensor<2x2xi64>) -> tensor<2x4xi64>"""
    values = [[i64([1, 2], [3, 4])], [i64([5, 6], [7, 8])]]
    for row in run(op, values, "tensor<2x4xi64>"):
        same(row[0], i64([1, 2, 5, 6], [3, 4, 7, 8]))


def test_all_reduce_example() -> None:
    op = f""""stablehlo.all_reduce"(%a) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> {SUM}
        : (tensor<4xi64>) -> tensor<4xi64>"""
    for row in run(op, [[i64(1, 2, 3, 4)], [i64(5, 6, 7, 8)]], "tensor<4xi64>"):
        same(row[0], i64(6, 8, 10, 12))


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ("replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>", [[101, 1010], [101, 1010]]),
        (
            "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
            "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
            [[1111, 1111], [1111, 1111]],
        ),
        (
            "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids, "
            "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
            [[11, 11], [1100, 1100]],
        ),
        (
            "replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids, "
            "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
            [[1001, 110], [110, 1001]],
        ),
    ],
)
def test_groups_of_processes(groups: str, expected: list[list[int]]) -> None:
    op = f'"stablehlo.all_reduce"(%a) <{{{groups}}}> {SUM} : (tensor<i64>) -> tensor<i64>'
    result = run(op, [[np.int64(1), np.int64(10)], [np.int64(100), np.int64(1000)]], "tensor<i64>")
    assert [[int(x) for x in row] for row in result] == expected


def test_groups_named_by_a_mesh() -> None:
    mesh = '#stablehlo.mesh<axes = [<name = "x", size = 2>, <name = "y", size = 2>]>'
    groups = f'#stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [#stablehlo.axis_ref<name = "y">]>'
    op = f""""stablehlo.all_reduce"(%a) <{{replica_groups = {groups}, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}}> {SUM} : (tensor<i64>) -> tensor<i64>"""
    result = run(op, [[np.int64(1), np.int64(10)], [np.int64(100), np.int64(1000)]], "tensor<i64>")
    assert [[int(x) for x in row] for row in result] == [[11, 11], [1100, 1100]]


def test_reduce_scatter_example() -> None:
    op = f""""stablehlo.reduce_scatter"(%a) <{{scatter_dimension = 1 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> {SUM} : (tensor<2x4xi64>) -> tensor<2x2xi64>"""
    values = [[i64([1, 2, 3, 4], [5, 6, 7, 8])], [i64([9, 10, 11, 12], [13, 14, 15, 16])]]
    first, second = run(op, values, "tensor<2x2xi64>")
    same(first[0], i64([10, 12], [18, 20]))
    same(second[0], i64([14, 16], [22, 24]))


def test_all_to_all_example() -> None:
    op = """"stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xi64>) -> tensor<4x2xi64>"""
    values = [[i64([1, 2, 3, 4], [5, 6, 7, 8])], [i64([9, 10, 11, 12], [13, 14, 15, 16])]]
    first, second = run(op, values, "tensor<4x2xi64>")
    same(first[0], i64([1, 2], [5, 6], [9, 10], [13, 14]))
    same(second[0], i64([3, 4], [7, 8], [11, 12], [15, 16]))


def test_collective_permute_gives_zeros_to_who_is_no_target() -> None:
    op = """"stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}>
        : (tensor<2xi32>) -> tensor<2xi32>"""
    results = run(op, [[i32(1, 2)], [i32(3, 4)], [i32(5, 6)]], "tensor<2xi32>")
    assert [row[0].tolist() for row in results] == [[0, 0], [1, 2], [3, 4]]


def test_collective_permute_in_a_ring_and_to_oneself() -> None:
    op = """"stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        source_target_pairs = dense<[[0, 1], [1, 0], [2, 2]]> : tensor<3x2xi64>}> : (tensor<i64>) -> tensor<i64>"""
    (row,) = run(op, [[np.int64(1), np.int64(2), np.int64(3)]], "tensor<i64>")
    assert [int(x) for x in row] == [2, 1, 3]


def test_collective_broadcast() -> None:
    op = """"stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}>
        : (tensor<2xi32>) -> tensor<2xi32>"""
    results = run(op, [[i32(1, 2)], [i32(3, 4)], [i32(5, 6)]], "tensor<2xi32>")
    assert [row[0].tolist() for row in results] == [[0, 0], [5, 6], [5, 6]]


def test_a_root_outside_of_the_group() -> None:
    options = "{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}"
    types = "(tensor<2xi64>, tensor<1xi32>) -> tensor<2xi64>"
    root = "%root = stablehlo.constant dense<2> : tensor<1xi32>"
    values = [[i64(1, 2)], [i64(3, 4)]]
    broadcast = f'"stablehlo.collective_broadcast"(%a, %root) {options} : {types}'
    with pytest.raises(InvalidProgramError, match=r"'stablehlo.collective_broadcast' op: roots \[2\] of a group of 2"):
        run(broadcast, values, "tensor<2xi64>", root)
    reduction = f'"stablehlo.collective_reduce"(%a, %root) {SUM} {options} : {types}'
    assert [row[0].tolist() for row in run(reduction, values, "tensor<2xi64>", root)] == [[0, 0], [0, 0]]


def test_cross_replica_sum() -> None:
    op = """"stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
        : (tensor<2xf32>) -> tensor<2xf32>"""
    for row in run(op, [[f32(1, 2)], [f32(3, 4)]], "tensor<2xf32>"):
        same(row[0], f32(4, 6))


@pytest.mark.parametrize(("op", "expected"), [("replica_id", [[0, 0], [1, 1]]), ("partition_id", [[0, 1], [0, 1]])])
def test_ids(op: str, expected: list[list[int]]) -> None:
    values = [[np.int32(0)] * 2] * 2
    assert [[int(x) for x in row] for row in run(f"stablehlo.{op} : tensor<ui32>", values, "tensor<ui32>")] == expected


def test_alone_a_program_is_the_only_process() -> None:
    same(evaluate("stablehlo.replica_id : tensor<ui32>"), u32(0)[0])
    op = f""""stablehlo.all_reduce"(%a) <{{replica_groups = dense<[[0]]> : tensor<1x1xi64>}}> {SUM}
        : (tensor<2xi64>) -> tensor<2xi64>"""
    same(evaluate(op, i64(1, 2)), i64(1, 2))


def test_a_group_with_processes_that_do_not_exist_is_an_error() -> None:
    op = f""""stablehlo.all_reduce"(%a) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> {SUM}
        : (tensor<2xi64>) -> tensor<2xi64>"""
    with pytest.raises(InvalidProgramError, match="name replica 1, of 1"):
        evaluate(op, i64(1, 2))


REDUCE = f'"stablehlo.all_reduce"(%a) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> {SUM}'
UNEQUAL = f"""
func.func @reduces(%a: tensor<i64>) -> tensor<i64> {{
  %r = {REDUCE} : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}}
func.func @does_not(%a: tensor<i64>) -> tensor<i64> {{
  return %a : tensor<i64>
}}
func.func @fails(%a: tensor<i64>) -> tensor<i64> {{
  %r = stablehlo.custom_call @unknown(%a) : (tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}}
func.func @loops(%a: tensor<i64>) -> tensor<i64> {{
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i64>, tensor<i64>
    cond {{
      %n = stablehlo.constant dense<3> : tensor<i64>
      %more = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i64>
      %next = stablehlo.add %i, %one : tensor<i64>
      %reduced = {REDUCE.replace("%a", "%x")} : (tensor<i64>) -> tensor<i64>
      stablehlo.return %next, %reduced : tensor<i64>, tensor<i64>
    }}
  return %r#1 : tensor<i64>
}}
"""


def run_programs(first: str, second: str) -> list[list[tuple[np.ndarray, ...]]]:
    module = parse_module(UNEQUAL, "test.mlir")
    return run_grid(module, [[first], [second]], [[[np.int64(1)]], [[np.int64(2)]]])


def test_a_program_that_cannot_finish_is_an_error() -> None:
    with pytest.raises(
        InvalidProgramError, match=r"cannot finish: process \(0, 0\) waits for .* in stablehlo.all_reduce"
    ):
        run_programs("reduces", "does_not")


def test_the_error_of_one_process_ends_all() -> None:
    with pytest.raises(Exception, match="unknown target @unknown"):
        run_programs("reduces", "fails")


def test_collectives_in_a_loop_meet_once_per_turn() -> None:
    assert [int(row[0][0]) for row in run_programs("loops", "loops")] == [12, 12]


ASYNC = f"""%future = "stablehlo.async_start"(%a) ({{
  ^bb0(%v: tensor<4xi64>):
    %s = "stablehlo.all_reduce"(%v) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}> {SUM}
      : (tensor<4xi64>) -> tensor<4xi64>
    stablehlo.return %s : tensor<4xi64>
  }}) : (tensor<4xi64>) -> !stablehlo.future<tensor<4xi64>>
  %r = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<4xi64>>) -> tensor<4xi64>"""


def test_asynchronous_collectives() -> None:
    text = f"func.func @main(%a: tensor<4xi64>) -> tensor<4xi64> {{ {ASYNC}\n return %r : tensor<4xi64> }}"
    module = parse_module(text, "test.mlir")
    results = run_grid(module, [["main"], ["main"]], [[[i64(1, 2, 3, 4)]], [[i64(5, 6, 7, 8)]]])
    for row in results:
        same(row[0][0], i64(6, 8, 10, 12))


def test_asynchronous_collectives_started_in_different_orders_meet() -> None:
    def start(name: str, channel: int) -> str:
        return f"""%{name} = "stablehlo.async_start"(%a) ({{
            ^bb0(%v: tensor<i64>):
              %s = "stablehlo.all_reduce"(%v) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
                channel_handle = #stablehlo.channel_handle<handle = {channel}, type = 1>}}> {SUM}
                : (tensor<i64>) -> tensor<i64>
              stablehlo.return %s : tensor<i64>
            }}) : (tensor<i64>) -> !stablehlo.future<tensor<i64>>"""

    def done(name: str) -> str:
        return f'%{name}r = "stablehlo.async_done"(%{name}) : (!stablehlo.future<tensor<i64>>) -> tensor<i64>'

    orders = {"f": (start("x", 1), start("y", 2)), "g": (start("y", 2), start("x", 1))}
    text = "".join(
        f"""func.func @{name}(%a: tensor<i64>) -> tensor<i64> {{ {first}
        {second}
        {done("x")}
        {done("y")}
        %s = stablehlo.add %xr, %yr : tensor<i64>
        return %s : tensor<i64> }}
        """
        for name, (first, second) in orders.items()
    )
    results = run_grid(parse_module(text), [["f"], ["g"]], [[[np.int64(1)]], [[np.int64(2)]]])
    assert [int(row[0][0]) for row in results] == [6, 6]
