"""Grids of compiled programs: collectives, asynchronous ops, programs that wait for each other."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError, InvalidProgramError, UnsupportedError
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.environment import Environment
from xdsl_xla.runtime.grid import run_grid
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any

BODY = """({{
      ^bb0(%l: tensor<{0}>, %r: tensor<{0}>):
        %b = stablehlo.{1} %l, %r : tensor<{0}>
        stablehlo.return %b : tensor<{0}>
      }})"""
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"


def agree(text: str, arguments: list[list[list[Array]]], pipeline: str = "xla-cpu") -> list[list[tuple[Array, ...]]]:
    """Compiled programs give the bits of the reference."""
    module = parse_module(text, "test.mlir")
    replicas, partitions = len(arguments), len(arguments[0])
    executable = xdsl_xla.compile(
        text, replicas=replicas, partitions=partitions, threads=1, verify=True, pipeline=pipeline
    )
    results = run_grid(executable, arguments)
    expected = interpreter.run_grid(module, [["main"] * partitions] * replicas, arguments)
    for row, wanted_row in zip(results, expected, strict=True):
        for values, wanted in zip(row, wanted_row, strict=True):
            for value, other in zip(values, wanted, strict=True):
                assert (value.shape, value.dtype) == (other.shape, other.dtype)
                assert value.tobytes() == np.ascontiguousarray(other).tobytes()
    return results


def numbers(replicas: int, partitions: int, shape: tuple[int, ...], dtype: Any) -> list[list[list[Array]]]:
    random = np.random.default_rng(0)
    return [[[(random.normal(size=shape) * 100).astype(dtype)] for _ in range(partitions)] for _ in range(replicas)]


def test_shapes_beside_dynamic_ones_do_not_follow_from_columns_of_groups() -> None:
    """With a channel and no global ids, a group of one replica holds all its partitions."""
    text = f"""func.func @main(%x: tensor<6x7xi32>) -> (tensor<3x7xi32>, tensor<12x7xi32>, tensor<i32>) {{
      %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<6x7xi32>) -> tensor<i32>
      %0 = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = 0 : i64,
        replica_groups = dense<0> : tensor<1x1xi64>, {CHANNEL}}}>
        {BODY.format("i32", "add")} : (tensor<6x7xi32>) -> tensor<3x7xi32>
      %1 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64,
        replica_groups = dense<0> : tensor<1x1xi64>, {CHANNEL}}}> : (tensor<6x7xi32>) -> tensor<12x7xi32>
      return %0, %1, %size : tensor<3x7xi32>, tensor<12x7xi32>, tensor<i32>
    }}"""
    agree(text, numbers(1, 2, (6, 7), np.int32))


@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
def test_collectives_of_no_elements(pipeline: str) -> None:
    """One after the other: what the second one takes is never computed."""
    text = f"""func.func @main(%x: tensor<2x0xf32>) -> tensor<2x0xf32> {{
      %0 = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}}>
        {BODY.format("f32", "add")} : (tensor<2x0xf32>) -> tensor<2x0xf32>
      %1 = "stablehlo.all_reduce"(%0) <{{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}}>
        {BODY.format("f32", "add")} : (tensor<2x0xf32>) -> tensor<2x0xf32>
      return %1 : tensor<2x0xf32>
    }}"""
    agree(text, numbers(2, 1, (2, 0), np.float32), pipeline)


@pytest.mark.sample(8)
@pytest.mark.parametrize("pipeline", ["xla-cpu", "xla-cpu-O0"])
@pytest.mark.parametrize(
    ("element", "dtype"),
    [("f32", np.float32), ("bf16", ml_dtypes.bfloat16), ("f64", np.float64), ("i8", np.int8), ("ui64", np.uint64)],
)
@pytest.mark.parametrize("op", ["add", "multiply", "maximum"])
def test_reductions(op: str, element: str, dtype: Any, pipeline: str) -> None:
    """Sums are formed in the same order in all processes, and in the reference."""
    text = f"""func.func @main(%x: tensor<3x4x{element}>) -> (tensor<3x4x{element}>, tensor<3x1x{element}>) {{
      %0 = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<[[3, 0, 2, 1]]> : tensor<1x4xi64>}}>
        {BODY.format(element, op)} : (tensor<3x4x{element}>) -> tensor<3x4x{element}>
      %1 = "stablehlo.reduce_scatter"(%0) <{{scatter_dimension = 1 : i64,
        replica_groups = dense<[[3, 0, 2, 1]]> : tensor<1x4xi64>}}>
        {BODY.format(element, op)} : (tensor<3x4x{element}>) -> tensor<3x1x{element}>
      return %0, %1 : tensor<3x4x{element}>, tensor<3x1x{element}>
    }}"""
    agree(text, numbers(4, 1, (3, 4), dtype), pipeline)


def test_a_body_of_several_ops() -> None:
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %p = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %s = stablehlo.add %l, %r : tensor<f32>
        %b = stablehlo.select %p, %r, %s : tensor<i1>, tensor<f32>
        stablehlo.return %b : tensor<f32>
      }) : (tensor<3xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    agree(text, numbers(3, 1, (3,), np.float32))


@pytest.mark.parametrize("groups", ["dense<[[0, 2, 3], [1, -1, -1]]> : tensor<2x3xi64>", "dense<> : tensor<0x0xi64>"])
@pytest.mark.parametrize("channel", ["", f", {CHANNEL}"])
def test_strategies(groups: str, channel: str) -> None:
    """Replicas of one partition, or those of all partitions; groups of different sizes."""
    text = f"""func.func @main(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<ui32>, tensor<ui32>) {{
      %0 = "stablehlo.all_reduce"(%x) <{{replica_groups = {groups}{channel}}}>
        {BODY.format("f64", "add")} : (tensor<2xf64>) -> tensor<2xf64>
      %1 = stablehlo.replica_id : tensor<ui32>
      %2 = stablehlo.partition_id : tensor<ui32>
      return %0, %1, %2 : tensor<2xf64>, tensor<ui32>, tensor<ui32>
    }}"""
    results = agree(text, numbers(4, 2, (2,), np.float64))
    assert [[(int(v[1]), int(v[2])) for v in row] for row in results] == [[(r, p) for p in range(2)] for r in range(4)]


def test_global_ids() -> None:
    text = f"""func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {{
      %0 = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, {CHANNEL},
        use_global_device_ids}}> {BODY.format("f32", "add")} : (tensor<2xf32>) -> tensor<2xf32>
      %1 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [2, 1]]>
        : tensor<2x2xi64>, {CHANNEL}, use_global_device_ids}}> : (tensor<2xf32>) -> tensor<4xf32>
      return %0, %1 : tensor<2xf32>, tensor<4xf32>
    }}"""
    agree(text, numbers(2, 2, (2,), np.float32))


def test_exchanges() -> None:
    text = f"""func.func @main(%x: tensor<4x3xi16>) -> (tensor<1x12xi16>, tensor<4x3xi16>, tensor<4x3xi16>) {{
      %0 = "stablehlo.all_to_all"(%x) <{{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64,
        replica_groups = dense<[[1, 0, 3, 2]]> : tensor<1x4xi64>, {CHANNEL}}}> : (tensor<4x3xi16>) -> tensor<1x12xi16>
      %1 = "stablehlo.collective_broadcast"(%x) <{{replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>,
        {CHANNEL}}}> : (tensor<4x3xi16>) -> tensor<4x3xi16>
      %2 = "stablehlo.collective_permute"(%x) <{{source_target_pairs
        = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>, {CHANNEL}}}> : (tensor<4x3xi16>) -> tensor<4x3xi16>
      return %0, %1, %2 : tensor<1x12xi16>, tensor<4x3xi16>, tensor<4x3xi16>
    }}"""
    agree(text, numbers(1, 4, (4, 3), np.int16))


def test_in_a_loop_with_random_numbers() -> None:
    """Jacobi-like steps with a neighbour; each process draws numbers of its own."""
    text = """func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<4> : tensor<i32>
      %a = stablehlo.constant dense<0.0> : tensor<f32>
      %b = stablehlo.constant dense<1.0> : tensor<f32>
      %shape = stablehlo.constant dense<5> : tensor<1xi64>
      %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<5xf32>
      cond {
        %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %next = stablehlo.add %i, %one : tensor<i32>
        %moved = "stablehlo.collective_permute"(%v) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]>
          : tensor<3x2xi64>}> : (tensor<5xf32>) -> tensor<5xf32>
        %noise = stablehlo.rng %a, %b, %shape, distribution = NORMAL
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<5xf32>
        %w = stablehlo.add %moved, %noise : tensor<5xf32>
        stablehlo.return %next, %w : tensor<i32>, tensor<5xf32>
      }
      return %r#1 : tensor<5xf32>
    }"""
    agree(text, numbers(3, 1, (5,), np.float32))


def test_asynchronous_ops_in_any_order() -> None:
    """Each process starts two sums, in another order than its neighbour; both end."""
    start = """%{0} = "stablehlo.async_start"(%x) ({{
      ^bb0(%operand: tensor<2xf32>):
        %scaled = stablehlo.multiply %operand, %x : tensor<2xf32>
        %total = "stablehlo.all_reduce"(%scaled) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
          channel_handle = #stablehlo.channel_handle<handle = {1}, type = 1>}}> {2}
          : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %total : tensor<2xf32>
      }}) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>"""
    add, maximum = start.format("s", 1, BODY.format("f32", "add")), start.format("m", 2, BODY.format("f32", "maximum"))
    done = '%{0}v = "stablehlo.async_done"(%{0}) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>'
    texts = [
        f"""func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {{
          {first}
          {second}
          {done.format("s")}
          {done.format("m")}
          return %sv, %mv : tensor<2xf32>, tensor<2xf32>
        }}"""
        for first, second in ((add, maximum), (maximum, add))
    ]
    programs = [[xdsl_xla.compile(text, replicas=2, verify=True)] for text in texts]
    x = [np.array([1, 2], np.float32), np.array([3, -4], np.float32)]
    for _ in range(2):
        results = run_grid(programs, [[[value]] for value in x])
        for ((total, greatest),) in results:
            assert total.tolist() == [10, 20]
            assert greatest.tolist() == [9, 16]


def test_asynchronous_ops_in_any_order_again_and_again() -> None:
    """In a loop they go through the same lanes; a lane that is used again is seen to wait for others."""
    start = """%{0} = "stablehlo.async_start"(%x) ({{
      ^bb0(%operand: tensor<2xf32>):
        %total = "stablehlo.all_reduce"(%operand) <{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
          channel_handle = #stablehlo.channel_handle<handle = {1}, type = 1>}}> {2}
          : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %total : tensor<2xf32>
      }}) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>"""
    add, maximum = start.format("s", 1, BODY.format("f32", "add")), start.format("m", 2, BODY.format("f32", "maximum"))
    done = '%{0}v = "stablehlo.async_done"(%{0}) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>'
    texts = [
        f"""func.func @main(%x0: tensor<2xf32>) -> tensor<2xf32> {{
          %c0 = stablehlo.constant dense<0> : tensor<i32>
          %c1 = stablehlo.constant dense<1> : tensor<i32>
          %n = stablehlo.constant dense<5> : tensor<i32>
          %w:2 = stablehlo.while(%i = %c0, %x = %x0) : tensor<i32>, tensor<2xf32> cond {{
            %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          }} do {{
            {first}
            {second}
            {done.format("s")}
            {done.format("m")}
            %d = stablehlo.subtract %sv, %mv : tensor<2xf32>
            %j = stablehlo.add %i, %c1 : tensor<i32>
            stablehlo.return %j, %d : tensor<i32>, tensor<2xf32>
          }}
          return %w#1 : tensor<2xf32>
        }}"""
        for first, second in ((add, maximum), (maximum, add))
    ]
    programs = [[xdsl_xla.compile(text, replicas=2)] for text in texts]
    x = [np.array([1, 2], np.float32), np.array([3, -4], np.float32)]
    results = run_grid(programs, [[[value]] for value in x], collective_timeout=20)
    for ((result,),) in results:
        assert result.tolist() == [1, -4]


def test_alone_an_asynchronous_op_is_done_at_once() -> None:
    text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %s = "stablehlo.async_start"(%x) ({{
      ^bb0(%operand: tensor<2xf32>):
        %total = "stablehlo.all_reduce"(%operand) <{{replica_groups = dense<0> : tensor<1x1xi64>}}>
          {BODY.format("f32", "add")} : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %total : tensor<2xf32>
      }}) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
      %d = "stablehlo.async_done"(%s) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
      return %d : tensor<2xf32>
    }}"""
    x = np.array([1, 2], np.float32)
    np.testing.assert_array_equal(xdsl_xla.compile(text, verify=True)(x)[0], x)


SUM = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def test_a_grid_that_cannot_finish_is_reported() -> None:
    """One process takes part in a sum, the other in a gather."""
    gather = (
        SUM.replace("cross-replica-sum", "all_gather")
        .replace("<{", "<{all_gather_dim = 0 : i64, ")
        .replace("-> tensor<2xf32>", "-> tensor<4xf32>")
        .replace("%0 : tensor<2xf32>", "%0 : tensor<4xf32>")
    )
    programs = [[xdsl_xla.compile(text, replicas=2)] for text in (SUM, gather)]
    x = np.zeros(2, np.float32)
    with pytest.raises(
        InvalidProgramError, match=r"cannot finish: process \(0, 0\) waits for .*; process \(1, 0\) waits"
    ):
        run_grid(programs, [[[x]], [[x]]])


def test_the_error_of_one_process_is_raised() -> None:
    text = SUM.replace(
        "%0 =", "%y = stablehlo.custom_call @fails_in_one(%x) : (tensor<2xf32>) -> tensor<2xf32>\n  %0 ="
    )

    @xdsl_xla.custom_call("fails_in_one")
    def fails_in_one(x: Array) -> Array:
        if x[0] == 1:
            raise ValueError("one")
        return x

    exe = xdsl_xla.compile(text, replicas=2)
    with pytest.raises(ValueError, match="one"):
        run_grid(exe, [[[np.zeros(2, np.float32)]], [[np.ones(2, np.float32)]]])


def test_wrong_grids() -> None:
    x = np.zeros(2, np.float32)
    exe = xdsl_xla.compile(SUM, replicas=2)
    with pytest.raises(ArgumentError, match="compiled for 2 replicas and 1 partitions, not for 1 and 1"):
        run_grid(exe, [[[x]]])
    with pytest.raises(InvalidProgramError, match=r"cannot finish: process \(0, 0\) waits"):
        exe(x)
    with pytest.raises(InvalidProgramError, match=r"groups \[\[0, 1\]\] name replica 1, of 1"):
        xdsl_xla.compile(SUM)
    with pytest.raises(ArgumentError, match="differ in number or length"):
        run_grid([[exe]], [[[x]], [[x]]])


def test_the_module_says_how_many_processes() -> None:
    text = f"module attributes {{mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32}} {{\n{SUM}\n}}"
    exe = xdsl_xla.compile(text)
    results = run_grid(exe, [[[np.ones(2, np.float32)]], [[np.ones(2, np.float32)]]])
    assert [row[0][0].tolist() for row in results] == [[2, 2], [2, 2]]


def test_queues_are_shared() -> None:
    text = """func.func @main() -> tensor<i32> {
      %t = stablehlo.create_token : !stablehlo.token
      %x:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
      return %x#0 : tensor<i32>
    }"""
    environment = Environment(infeed=[(np.array(i, np.int32),) for i in range(2)])
    results = run_grid(xdsl_xla.compile(text, replicas=2), [[[]], [[]]], environment)
    assert [int(row[0][0]) for row in results] == [0, 1]


def test_a_program_that_only_changes_shapes_for_several_devices() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) : (tensor<4xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    with pytest.raises(UnsupportedError, match="changes types"):
        xdsl_xla.compile(text)


def test_a_grid_that_has_run_is_kept_for_its_size_only() -> None:
    text = """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = stablehlo.add %x, %x : tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    executable = xdsl_xla.compile(text, partitions=2)
    value = [np.ones(2, np.int32)]
    run_grid(executable, [[value, value]])
    for rows in ([[value]], [[value], [value]], [[value] * 3], [[value, value]] * 2, [], [[], []]):
        with pytest.raises(ArgumentError):
            run_grid(executable, rows)


def test_a_ragged_exchange_with_a_channel_is_between_partitions() -> None:
    text = """func.func @main(%x: tensor<2xf32>, %at: tensor<2xi32>, %to: tensor<2xi32>) -> tensor<2xf32> {
      %n = stablehlo.constant dense<1> : tensor<2xi32>
      %0 = stablehlo.custom_call @ragged_all_to_all(%x, %x, %at, %n, %to, %n) {api_version = 4 : i32,
        backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}
        : (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    at = np.arange(2, dtype=np.int32)
    rows = [[[np.array(x, np.float32), at, np.full(2, i, np.int32)] for i, x in enumerate(([1, 2], [3, 4]))]]
    ((first,), (second,)) = run_grid(xdsl_xla.compile(text, partitions=2), rows)[0]
    assert (first.tolist(), second.tolist()) == ([1, 3], [2, 4])
