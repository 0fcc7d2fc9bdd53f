"""Processes that come to one collective with different ideas of it, or not at all: errors that say who and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import InvalidProgramError, XlaError
from xdsl_xla.frontends import xla_builder as xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.grid import run_grid
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"


def body(op: str, element: str = "f32", names: str = "l r b") -> str:
    left, right, result = names.split()
    return f"""({{
        ^bb0(%{left}: tensor<{element}>, %{right}: tensor<{element}>):
          %{result} = stablehlo.{op} %{left}, %{right} : tensor<{element}>
          stablehlo.return %{result} : tensor<{element}>
      }})"""


def all_reduce(shape: str = "4xf32", op: str = "add", groups: str = GROUPS, names: str = "l r b") -> str:
    element = shape.rpartition("x")[2]
    return f"""func.func @main(%x: tensor<{shape}>) -> tensor<{shape}> {{
      %0 = "stablehlo.all_reduce"(%x) <{{{groups}}}> {body(op, element, names)}
        : (tensor<{shape}>) -> tensor<{shape}>
      return %0 : tensor<{shape}>
    }}"""


def all_gather(dimension: int, shape: str = "2x2xf32") -> str:
    sizes = [2, 2]
    sizes[dimension] *= 2
    result = f"tensor<{sizes[0]}x{sizes[1]}xf32>"
    return f"""func.func @main(%x: tensor<{shape}>) -> {result} {{
      %0 = "stablehlo.all_gather"(%x) <{{all_gather_dim = {dimension} : i64, {GROUPS}}}>
        : (tensor<{shape}>) -> {result}
      return %0 : {result}
    }}"""


def all_to_all(split: int, concat: int) -> str:
    sizes = [2, 2]
    sizes[split] //= 2
    sizes[concat] *= 2
    result = f"tensor<{sizes[0]}x{sizes[1]}xf32>"
    return f"""func.func @main(%x: tensor<2x2xf32>) -> {result} {{
      %0 = "stablehlo.all_to_all"(%x) <{{split_dimension = {split} : i64, concat_dimension = {concat} : i64,
        split_count = 2 : i64, {GROUPS}}}> : (tensor<2x2xf32>) -> {result}
      return %0 : {result}
    }}"""


def reduce_scatter(dimension: int) -> str:
    sizes = [2, 2]
    sizes[dimension] //= 2
    result = f"tensor<{sizes[0]}x{sizes[1]}xf32>"
    return f"""func.func @main(%x: tensor<2x2xf32>) -> {result} {{
      %0 = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = {dimension} : i64, {GROUPS}}}> {body("add")}
        : (tensor<2x2xf32>) -> {result}
      return %0 : {result}
    }}"""


def permute(pairs: str = "dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>", shape: str = "4xf32") -> str:
    return f"""func.func @main(%x: tensor<{shape}>) -> tensor<{shape}> {{
      %0 = "stablehlo.collective_permute"(%x) <{{source_target_pairs = {pairs}}}> : (tensor<{shape}>) -> tensor<{shape}>
      return %0 : tensor<{shape}>
    }}"""


def broadcast(shape: str) -> str:
    return f"""func.func @main(%x: tensor<{shape}>) -> tensor<{shape}> {{
      %0 = "stablehlo.collective_broadcast"(%x) <{{{GROUPS}}}> : (tensor<{shape}>) -> tensor<{shape}>
      return %0 : tensor<{shape}>
    }}"""


def argument(text: str) -> Array:
    (shape,) = re.findall(r"@main\(%x: tensor<(.*?)>\)", text)
    *sizes, element = shape.split("x")
    return np.ones([int(size) for size in sizes], {"f32": np.float32, "i32": np.int32, "f64": np.float64}[element])


def compiled(*texts: str) -> list[Array]:
    programs = [
        [xdsl_xla.compile(text, replicas=len(texts), filename=f"{i}.mlir", cache=False)] for i, text in enumerate(texts)
    ]
    return [row[0][0] for row in run_grid(programs, [[[argument(text)]] for text in texts])]


def interpreted(*texts: str) -> list[Array]:
    """The functions of several files in one module."""
    modules = [parse_module(text.replace("@main", f"@main{i}"), f"{i}.mlir") for i, text in enumerate(texts)]
    first = modules[0]
    for module in modules[1:]:
        (function,) = module.ops
        function.detach()
        first.body.block.add_op(function)
    names = [[f"main{i}"] for i in range(len(texts))]
    return [row[0][0] for row in interpreter.run_grid(first, names, [[[argument(text)]] for text in texts])]


ENGINES = pytest.mark.parametrize("run", [compiled, interpreted])
Run = Callable[..., list[Array]]

DIFFERENT = {
    "sizes": (all_reduce("4xf32"), all_reduce("3xf32"), "operands: tensor<3xf32> here, tensor<4xf32>"),
    "elements": (all_reduce("4xf32"), all_reduce("4xi32"), "operands: tensor<4xi32> here, tensor<4xf32>"),
    "ranks": (all_reduce("4xf32"), all_reduce("4x1xf32"), "operands: tensor<4x1xf32> here, tensor<4xf32>"),
    "computations": (all_reduce(op="add"), all_reduce(op="maximum"), "computation: .*maximum.* here, .*add.*"),
    "groups": (
        all_reduce(),
        all_reduce(groups="replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>"),
        r"groups: \[\[\(1, 0\), \(0, 0\)\]\] here, \[\[\(0, 0\), \(1, 0\)\]\]",
    ),
    "gathered": (all_gather(0), all_gather(1), "results: tensor<2x4xf32> here, tensor<4x2xf32>"),
    "split": (all_to_all(0, 0), all_to_all(1, 1), "_dimension: 1 : i64 here, 0 : i64"),
    "scattered": (reduce_scatter(0), reduce_scatter(1), "(results: tensor<2x1xf32>|scatter_dimension: 1 : i64) here"),
    "permuted": (permute(shape="4xf32"), permute(shape="3xf32"), "operands: "),
    "pairs": (
        permute("dense<[[0, 1]]> : tensor<1x2xi64>"),
        permute(),
        r"groups: \[\[\(0, 0\), \(1, 0\)\], \[\(1, 0\), \(0, 0\)\]\] here",
    ),
    "broadcast": (broadcast("4xf32"), broadcast("4xf64"), "operands: tensor<4xf64> here, tensor<4xf32>"),
}


@ENGINES
@pytest.mark.parametrize("name", DIFFERENT)
def test_different_ideas_of_one_collective(name: str, run: Run) -> None:
    first, second, message = DIFFERENT[name]
    with pytest.raises(InvalidProgramError, match=message) as info:
        run(first, second)
    text = str(info.value)
    assert re.match(r"[01]\.mlir:2:\d+: 'stablehlo\.\w+' op: process \((\d), 0\) meets process \((\d), 0\)", text), text
    assert re.search(r" at [01]\.mlir:2:\d+$", text), text


@ENGINES
def test_computations_may_call_their_values_what_they_like(run: Run) -> None:
    for result in run(all_reduce(), all_reduce(names="left right sum")):
        assert result.tolist() == [2, 2, 2, 2]


@ENGINES
def test_groups_that_name_all_or_nobody_are_the_same(run: Run) -> None:
    for result in run(all_reduce(), all_reduce(groups="replica_groups = dense<> : tensor<0x0xi64>")):
        assert result.tolist() == [2, 2, 2, 2]


@ENGINES
def test_members_of_other_groups_wait_in_vain(run: Run) -> None:
    alone = "replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>"
    message = (
        r"^0\.mlir:2:\d+: the program cannot finish: process \(0, 0\) waits for .* in stablehlo.all_reduce at 0.mlir:2"
    )
    with pytest.raises(InvalidProgramError, match=message):
        run(all_reduce(), all_reduce(groups=alone))


IDENTITY = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }"


@ENGINES
@pytest.mark.parametrize("target", [IDENTITY, permute("dense<[[1, 0]]> : tensor<1x2xi64>")], ids=["none", "another"])
def test_a_permute_that_the_target_does_not_run(target: str, run: Run) -> None:
    with pytest.raises(InvalidProgramError) as info:
        run(permute("dense<[[0, 1]]> : tensor<1x2xi64>"), target)
    message = "process (1, 0) did not receive what process (0, 0) sent in stablehlo.collective_permute"
    assert re.fullmatch(rf"0\.mlir:2:\d+: 'stablehlo.collective_permute' op: {re.escape(message)}", str(info.value))


@ENGINES
def test_an_empty_permute_gives_zeros(run: Run) -> None:
    for result in run(*[permute("dense<> : tensor<0x2xi64>")] * 2):
        assert result.tolist() == [0, 0, 0, 0]


# Groups that do not fit the grid


def with_channel(op: str, types: str, attributes: str = "") -> str:
    """An op whose groups are of partitions, or of all processes."""
    argument, result = types.split(" -> ")
    return f"""func.func @main(%x: {argument}) -> {result} {{
      %0 = "stablehlo.{op}"(%x) <{{{attributes}, {CHANNEL}}}> : ({argument}) -> {result}
      return %0 : {result}
    }}"""


RAGGED = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = stablehlo.constant dense<0> : tensor<6xi32>
      %1 = stablehlo.custom_call @ragged_all_to_all(%x, %x, %0, %0, %0, %0) {{api_version = 4 : i32,
        backend_config = {{{0}}}}} : (tensor<4xf32>, tensor<4xf32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>,
        tensor<6xi32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }}"""

SUM = all_reduce().replace("all_reduce", "cross-replica-sum").replace(body("add", "f32"), "")
UNFIT = {
    "all_reduce": (all_reduce(), "leave out process \\(2, 0\\) of 3 replicas and 1 partitions"),
    "cross_replica_sum": (SUM, "leave out process \\(2, 0\\)"),
    "all_gather": (all_gather(0), "leave out process \\(2, 0\\)"),
    "all_to_all": (all_to_all(0, 0), "leave out process \\(2, 0\\)"),
    "reduce_scatter": (reduce_scatter(0), "leave out process \\(2, 0\\)"),
    "outside": (all_reduce(groups="replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"), "name replica 3, of 3"),
    "permute_outside": (permute("dense<[[0, 3]]> : tensor<1x2xi64>"), "name replica 3, of 3"),
    "gather_of_all": (
        with_channel(
            "all_gather",
            "tensor<2xf32> -> tensor<4xf32>",
            "all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>",
        ),
        "types for groups of 2 processes, not of 3",
    ),
    "parts_of_all": (
        with_channel(
            "all_to_all",
            "tensor<2xf32> -> tensor<2xf32>",
            "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, "
            "replica_groups = dense<> : tensor<0x0xi64>",
        ),
        "types for groups of 2 processes, not of 1",
    ),
    "ragged": (RAGGED.format("replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"), "leave out process \\(2, 0\\)"),
    "ragged_sizes": (
        RAGGED.format("replica_groups = dense<[[0, -1], [1, 2]]> : tensor<2x2xi64>"),
        "expected groups of one size",
    ),
    "ragged_twice": (RAGGED.format("replica_groups = dense<[[0, 0, 1]]> : tensor<1x3xi64>"), "repeat an id"),
    "ragged_parts": (
        RAGGED.format("replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>").replace("6xi32", "4xi32"),
        "4 parts for groups of 3 processes",
    ),
    "ragged_none": (RAGGED.format(""), "expected a matrix of ids as replica_groups, got None"),
    "ragged_other": (RAGGED.format('replica_groups = "all"'), 'expected a matrix of ids as replica_groups, got "all"'),
}
"""Programs that are wrong in a grid of three replicas."""


@ENGINES
@pytest.mark.parametrize("name", UNFIT)
def test_groups_that_do_not_fit(name: str, run: Run) -> None:
    text, message = UNFIT[name]
    with pytest.raises(InvalidProgramError, match=message) as info:
        run(text, text, text)
    assert re.match(r"0\.mlir:[23]:\d+: ", str(info.value)), str(info.value)


@pytest.mark.parametrize("name", UNFIT)
def test_groups_that_do_not_fit_are_found_by_the_compiler(name: str) -> None:
    text, message = UNFIT[name]
    with pytest.raises(InvalidProgramError, match=message):
        xdsl_xla.compile(text, replicas=3)


@ENGINES
def test_groups_of_different_sizes(run: Run) -> None:
    groups = "replica_groups = dense<[[0, -1, -1], [1, 2, 3]]> : tensor<2x3xi64>"
    assert [int(result[0]) for result in run(*[all_reduce(groups=groups)] * 4)] == [1, 3, 3, 3]


def test_groups_of_different_sizes_in_hlo_text() -> None:
    text = """HloModule m, replica_count=4
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
ENTRY main { x = f32[2] parameter(0)  ROOT r = f32[2] all-reduce(x), replica_groups={{0},{1,2,3}}, to_apply=add }"""
    results = run_grid(xdsl_xla.compile(text), [[[np.ones(2, np.float32)]]] * 4)
    assert [row[0][0].tolist() for row in results] == [[1, 1], [3, 3], [3, 3], [3, 3]]
    gathered = text.replace("ROOT r = f32[2] all-reduce", "ROOT r = f32[4] all-gather").replace(
        "to_apply=add", "dimensions={0}"
    )
    with pytest.raises(XlaError, match=r":3:.*all_gather \(C4\): expected groups of one size"):
        xdsl_xla.compile(gathered)


def test_groups_of_the_builder() -> None:
    """Of different sizes; and a permute of nobody."""
    total = xla.XlaBuilder("total")
    scalar, array = xla.Shape(xla.PrimitiveType.F32), xla.Shape(xla.PrimitiveType.F32, (2,))
    add = total.build(total.parameter(0, scalar, "a") + total.parameter(1, scalar, "b"))
    builder = xla.XlaBuilder("main")
    x = builder.parameter(0, array, "x")
    results = [xla.all_reduce(x, add, [[0], [1, 2, 3]]), xla.collective_permute(x, [])]
    exe = xdsl_xla.compile(builder.build(xla.tuple(builder, results)).module, replicas=4)
    for count, (result,) in zip([1, 3, 3, 3], run_grid(exe, [[[np.ones(2, np.float32)]]] * 4), strict=True):
        first, second = result
        assert first.tolist() == [count, count] and second.tolist() == [0, 0]


def test_an_empty_permute_of_hlo_text() -> None:
    text = """HloModule m, replica_count=2
ENTRY main { x = f32[2] parameter(0)  ROOT r = f32[2] collective-permute(x), source_target_pairs={} }"""
    results = run_grid(xdsl_xla.compile(text), [[[np.ones(2, np.float32)]]] * 2)
    assert [row[0][0].tolist() for row in results] == [[0, 0], [0, 0]]
    assert xdsl_xla.compile(text.replace(", replica_count=2", ""))(np.ones(2, np.float32))[0].tolist() == [0, 0]


@ENGINES
def test_who_is_in_no_group_is_no_root(run: Run) -> None:
    """Not even of a reduction that makes something of zeros, whose root is a place that a group could have."""
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %root = stablehlo.constant dense<1> : tensor<1xi32>
      %0 = "stablehlo.collective_reduce"(%x, %root) <{{{GROUPS}, has_dynamic_root}}> ({{
        ^bb0(%l: tensor<f32>, %r: tensor<f32>):
          %s = stablehlo.add %l, %r : tensor<f32>
          %e = stablehlo.exponential %s : tensor<f32>
          stablehlo.return %e : tensor<f32>
      }}) : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }}"""
    first, second, third = run(text, text, text)
    assert not first.any() and not third.any()
    np.testing.assert_allclose(second, np.exp(2 * np.ones(4)), rtol=1e-6)


@ENGINES
def test_errors_in_asynchronous_ops_name_their_place(run: Run) -> None:
    def start(shape: str) -> str:
        t = f"tensor<{shape}>"
        return f"""func.func @main(%x: {t}) -> {t} {{
          %f = "stablehlo.async_start"(%x) ({{
          ^bb0(%v: {t}):
            %0 = "stablehlo.all_reduce"(%v) <{{{GROUPS}}}> {body("add")} : ({t}) -> {t}
            stablehlo.return %0 : {t}
          }}) : ({t}) -> !stablehlo.future<{t}>
          %d = "stablehlo.async_done"(%f) : (!stablehlo.future<{t}>) -> {t}
          return %d : {t}
        }}"""

    with pytest.raises(InvalidProgramError) as info:
        run(start("4xf32"), start("3xf32"))
    assert re.match(r"[01]\.mlir:4:\d+: .* at [01]\.mlir:4:\d+$", str(info.value))
    with pytest.raises(
        InvalidProgramError, match=r"0\.mlir:11:\d+: the program cannot finish: .*0\.mlir:11:.*0\.mlir:4:"
    ):
        run(start("4xf32"), IDENTITY)
