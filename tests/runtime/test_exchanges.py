"""What processes exchange is theirs: every collective in long loops, in any order of the processes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.reference.environment import Environment
from xdsl_xla.reference.processes import Activity, ProcessGrid
from xdsl_xla.runtime.grid import run_grid
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any

SUM = """({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>):
    %b = stablehlo.add %l, %r : tensor<i32>
    stablehlo.return %b : tensor<i32>
  })"""


def ids(rows: list[list[int]]) -> str:
    return f"dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def everyone(count: int) -> str:
    return f"replica_groups = {ids([list(range(count))])}"


def ring(count: int) -> str:
    return f"source_target_pairs = {ids([[i, (i + 1) % count] for i in range(count)])}"


def exchange(op: str, attributes: Callable[[int], str], region: str = "") -> Callable[[int, int], str]:
    """An op that gives a tensor for one like it."""

    def text(count: int, size: int) -> str:
        t = f"tensor<{size}xi32>"
        return f'%r = "stablehlo.{op}"(%x) <{{{attributes(count)}}}> {region} : ({t}) -> {t}'

    text.__name__ = op
    return text


def splitting(count: int) -> str:
    return f"split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = {count} : i64, {everyone(count)}"


all_reduce = exchange("all_reduce", everyone, SUM)
cross_replica_sum = exchange("cross-replica-sum", everyone)
collective_reduce = exchange("collective_reduce", everyone, SUM)
collective_broadcast = exchange("collective_broadcast", everyone)
collective_permute = exchange("collective_permute", ring)
all_to_all = exchange("all_to_all", splitting)


def twice(count: int, size: int) -> str:
    t = f"tensor<{size}xi32>"
    first = all_reduce(count, size).replace("%r =", "%once =")
    return f'{first}\n%r = "stablehlo.all_reduce"(%once) <{{{everyone(count)}}}> {SUM} : ({t}) -> {t}'


def several(count: int, size: int) -> str:
    """Of several operands, in groups of different sizes."""
    t, groups = f"tensor<{size}xi32>", [[0, *[-1] * (count - 2)], list(range(1, count))]
    return f"""%c = stablehlo.multiply %x, %x : {t}
      %sums:2 = "stablehlo.all_reduce"(%x, %c) <{{replica_groups = {ids(groups)}}}> {SUM} : ({t}, {t}) -> ({t}, {t})
      %r = stablehlo.subtract %sums#0, %sums#1 : {t}"""


def all_gather(count: int, size: int) -> str:
    t, whole, rows = (f"tensor<{n}xi32>" for n in (size, size * count, f"{count}x{size}"))
    return f"""%all = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64, {everyone(count)}}}> : ({t}) -> {whole}
      %rows = stablehlo.reshape %all : ({whole}) -> {rows}
      %weights = stablehlo.iota dim = 0 : {rows}
      %weighted = stablehlo.multiply %rows, %weights : {rows}
      %r = stablehlo.reduce(%weighted init: %zero) applies stablehlo.add across dimensions = [0]
        : ({rows}, tensor<i32>) -> {t}"""


def reduce_scatter(count: int, size: int) -> str:
    t, part, rows = (f"tensor<{n}xi32>" for n in (size, size // count, f"{count}x{size // count}"))
    return f"""%part = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = 0 : i64, {everyone(count)}}}> {SUM}
        : ({t}) -> {part}
      %rows = stablehlo.broadcast_in_dim %part, dims = [1] : ({part}) -> {rows}
      %r = stablehlo.reshape %rows : ({rows}) -> {t}"""


def ragged_all_to_all(count: int, size: int) -> str:
    """Equal parts, each to the process after the one that it is for."""
    t, part, sizes = f"tensor<{size}xi32>", size // count, f"tensor<{count}xi32>"
    return f"""%iota = stablehlo.iota dim = 0 : {sizes}
      %part = stablehlo.constant dense<{part}> : {sizes}
      %starts = stablehlo.multiply %iota, %part : {sizes}
      %me = stablehlo.replica_id : tensor<ui32>
      %place = stablehlo.convert %me : (tensor<ui32>) -> tensor<i32>
      %places = stablehlo.broadcast_in_dim %place, dims = [] : (tensor<i32>) -> {sizes}
      %targets = stablehlo.multiply %places, %part : {sizes}
      %r = stablehlo.custom_call @ragged_all_to_all(%x, %x, %starts, %part, %targets, %part) {{api_version = 4 : i32,
        backend_config = {{{everyone(count)}}}}} : ({t}, {t}, {sizes}, {sizes}, {sizes}, {sizes}) -> {t}"""


def asynchronous(count: int, size: int) -> str:
    t = f"tensor<{size}xi32>"
    body = all_reduce(count, size).replace("(%x)", "(%v)")
    return f"""%f = "stablehlo.async_start"(%x) ({{
      ^bb0(%v: {t}):
        {body}
        stablehlo.return %r : {t}
      }}) : ({t}) -> !stablehlo.future<{t}>
      %r = "stablehlo.async_done"(%f) : (!stablehlo.future<{t}>) -> {t}"""


def send_and_recv(count: int, size: int) -> str:
    t, channel = f"tensor<{size}xi32>", "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    return f"""%token = stablehlo.create_token : !stablehlo.token
      %sent = "stablehlo.send"(%x, %token) <{{{channel}, {ring(count)}}}> : ({t}, !stablehlo.token) -> !stablehlo.token
      %r, %done = "stablehlo.recv"(%sent) <{{{channel}, {ring(count)}}}>
        : (!stablehlo.token) -> ({t}, !stablehlo.token)"""


REPLICAS: list[Callable[[int, int], str]] = [
    all_reduce,
    twice,
    several,
    cross_replica_sum,
    collective_reduce,
    collective_broadcast,
    collective_permute,
    all_to_all,
    all_gather,
    reduce_scatter,
    ragged_all_to_all,
    asynchronous,
]
"""Collectives of replicas, `%r` of `%x`."""


def loop(step: str, size: int, turns: int) -> str:
    """`step` in a loop that overwrites its operand in each turn."""
    t = f"tensor<{size}xi32>"
    return f"""func.func @main(%a: {t}) -> {t} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %n = stablehlo.constant dense<{turns}> : tensor<i32>
      %three = stablehlo.constant dense<3> : {t}
      %end:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, {t}
      cond {{
        %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      }} do {{
        {step}
        %scaled = stablehlo.multiply %r, %three : {t}
        %mixed = stablehlo.add %scaled, %x : {t}
        %turn = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> {t}
        %y = stablehlo.add %mixed, %turn : {t}
        %next = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %next, %y : tensor<i32>, {t}
      }}
      return %end#1 : {t}
    }}"""


def values(count: int, size: int) -> list[list[list[Array]]]:
    return [[[np.arange(size, dtype=np.int32) * (i + 1) + i]] for i in range(count)]


def reference_results(text: str, arguments: list[list[list[Array]]]) -> list[Array]:
    programs = [["main"] * len(row) for row in arguments]
    results = interpreter.run_grid(parse_module(text), programs, arguments)
    return [process[0] for row in results for process in row]


def compiled_results(text: str, arguments: list[list[list[Array]]], threads: int = 1) -> list[Array]:
    executable = xdsl_xla.compile(text, replicas=len(arguments), partitions=len(arguments[0]), threads=threads)
    return [process[0] for row in run_grid(executable, arguments) for process in row]


def agree(text: str, arguments: list[list[list[Array]]], threads: int = 1) -> None:
    expected = reference_results(text, arguments)
    for result, wanted in zip(compiled_results(text, arguments, threads), expected, strict=True):
        np.testing.assert_array_equal(result, wanted)


@pytest.fixture
def any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes go on in a random order instead of their own."""
    generator = random.Random(0)

    def turns(self: ProcessGrid) -> list[Activity]:
        return generator.sample(self.activities, len(self.activities))

    monkeypatch.setattr(ProcessGrid, "turns", turns)


@pytest.mark.sample(4)
@pytest.mark.parametrize("count", [2, 3, 4, 8])
@pytest.mark.parametrize("collective", REPLICAS, ids=lambda f: f.__name__)
def test_200_turns(collective: Callable[[int, int], str], count: int, any_order: None) -> None:
    size = 24
    agree(loop(collective(count, size), size, 200), values(count, size), threads=2)


@pytest.mark.sample(2)
@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_200_turns_of_messages(count: int, any_order: None) -> None:
    """Between partitions, as `send` and `recv` are."""
    arguments = [[process for row in values(count, 24) for process in row]]
    agree(loop(send_and_recv(count, 24), 24, 200), arguments)


@pytest.mark.parametrize("collective", [all_reduce, asynchronous, collective_permute], ids=lambda f: f.__name__)
def test_under_delays(collective: Callable[[int, int], str], any_order: None) -> None:
    generator = random.Random(1)

    @xdsl_xla.custom_call("delay")
    def delay(x: Array) -> Array:
        time.sleep(generator.random() / 500)
        return x

    size, count = 24, 3
    t = f"tensor<{size}xi32>"
    call = "%{0} = stablehlo.custom_call @delay(%{1}) {{has_side_effect = true}} : (" + t + ") -> " + t
    step = collective(count, size).replace("%r =", "%before =").replace("return %r", "return %before")
    delayed = f"{call.format('x', 'x0')}\n{step}\n{call.format('r', 'before')}"
    agree(loop(delayed, size, 20).replace("%x = %a", "%x0 = %a"), values(count, size))


@pytest.mark.slow
def test_a_sum_of_sums() -> None:
    text = f"""func.func @main(%x: tensor<1xi32>) -> tensor<1xi32> {{
      {twice(2, 1)}
      return %r : tensor<1xi32>
    }}"""
    for _ in range(200):
        assert [int(result[0]) for result in compiled_results(text, [[[np.array([i], np.int32)]] for i in (1, 3)])] == [
            8,
            8,
        ]


CONSTANT = "stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]> : tensor<12xi32>"


@pytest.mark.parametrize("collective", [*REPLICAS, send_and_recv], ids=lambda f: f.__name__)
def test_constants_are_exchanged_too(collective: Callable[[int, int], str]) -> None:
    """What every process knows is not what every process gets."""
    text = f"""func.func @main(%a: tensor<12xi32>) -> (tensor<12xi32>, tensor<ui32>, tensor<ui32>) {{
      %x = {CONSTANT}
      %zero = stablehlo.constant dense<0> : tensor<i32>
      {collective(3, 12)}
      %replica = stablehlo.replica_id : tensor<ui32>
      %partition = stablehlo.partition_id : tensor<ui32>
      return %r, %replica, %partition : tensor<12xi32>, tensor<ui32>, tensor<ui32>
    }}"""
    rows = values(3, 12)
    arguments = [[process for row in rows for process in row]] if collective is send_and_recv else rows
    grid = len(arguments), len(arguments[0])
    executable = xdsl_xla.compile(text, replicas=grid[0], partitions=grid[1])
    expected = interpreter.run_grid(parse_module(text), [["main"] * grid[1]] * grid[0], arguments)
    for row, wanted_row in zip(run_grid(executable, arguments), expected, strict=True):
        for results, wanted in zip(row, wanted_row, strict=True):
            for result, other in zip(results, wanted, strict=True):
                np.testing.assert_array_equal(result, other)


@pytest.mark.parametrize("collective", REPLICAS, ids=lambda f: f.__name__)
def test_nothing_is_exchanged_too(collective: Callable[[int, int], str]) -> None:
    agree(loop(collective(2, 0), 0, 2), values(2, 0))
    groups = "replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>"
    if everyone(2) in collective(2, 0) and collective not in (all_to_all, all_gather, reduce_scatter):
        agree(loop(collective(2, 0).replace(everyone(2), groups, 1), 0, 2), values(2, 0))


CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"


@pytest.mark.parametrize("op", ["all_gather", "reduce_scatter"])
def test_groups_of_all_partitions(op: str) -> None:
    """The group is as many times as large as there are partitions, which the op alone does not say."""
    small, large = "tensor<2xi32>", "tensor<8xi32>"
    dimension = "all_gather_dim" if op == "all_gather" else "scatter_dimension"
    types, body = (f"({small}) -> {large}", "") if op == "all_gather" else (f"({large}) -> {small}", SUM)
    argument, result = types[1:].split(") -> ")
    text = f"""func.func @main(%x: {argument}) -> {result} {{
      %r = "stablehlo.{op}"(%x) <{{{dimension} = 0 : i64, {everyone(2)}, {CHANNEL}}}> {body} : {types}
      return %r : {result}
    }}"""
    size = 2 if op == "all_gather" else 8
    agree(text, [[[np.arange(size, dtype=np.int32) + 10 * i + j] for j in range(2)] for i in range(2)])


LARGE = 3_000_000


@pytest.mark.sample(1)
@pytest.mark.parametrize("collective", [twice, collective_reduce, ragged_all_to_all], ids=lambda f: f.__name__)
def test_large_operands(collective: Callable[[int, int], str]) -> None:
    agree(loop(collective(2, LARGE), LARGE, 3), values(2, LARGE), threads=2)


def test_memory_of_meetings_is_given_back() -> None:
    """A loop of collectives keeps nothing of the turns before."""
    text = loop(all_reduce(2, 4), 4, 50)
    grid = ProcessGrid(2, 1)
    executable = xdsl_xla.compile(text, replicas=2)
    x = np.ones(4, np.int32)
    grid.run({(i, 0): lambda process: executable.with_environment(Environment(process=process))(x) for i in range(2)})
    assert not grid._meetings  # pyright: ignore[reportPrivateUsage]


def test_the_host_keeps_what_it_was_sent() -> None:
    """An outfeed and a transfer to the host of a value that the loop overwrites."""
    t, turns = "tensor<4xi32>", 20
    step = f"""%token = stablehlo.create_token : !stablehlo.token
      %out = "stablehlo.outfeed"(%x, %token) <{{outfeed_config = ""}}> : ({t}, !stablehlo.token) -> !stablehlo.token
      %sent = "stablehlo.send"(%x, %out) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>,
        is_host_transfer = true}}> : ({t}, !stablehlo.token) -> !stablehlo.token
      %r = stablehlo.negate %x : {t}"""
    text, x = loop(step, 4, turns), np.arange(4, dtype=np.int32)
    executable, environment = xdsl_xla.compile(text), Environment()
    executable(x)
    interpreter.run(parse_module(text), "main", [x], environment)
    host, expected = executable.environment.host, environment.host
    written, sent = ([batch[0].tolist() for batch in queue] for queue in (host.outfeed, host.to_host[1]))
    assert len(written) == turns
    assert written == sent == [batch[0].tolist() for batch in expected.outfeed]
    x[:] = -1
    assert expected.outfeed[0][0].tolist() == [0, 1, 2, 3]
