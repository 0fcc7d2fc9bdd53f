"""Computations on tensors of several elements, as loops, against the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.reference import interpreter
from xdsl_xla.runtime.mlir_text import parse_module

Array = Any

SCALAR = "tensor<f32>"
POLYNOMIAL = """
    %p = func.call @polynomial(%a) : (tensor<f32>) -> tensor<f32>"""
FUNCTIONS = """
func.func private @polynomial(%x: tensor<f32>) -> tensor<f32> {
  %i = stablehlo.iota dim = 0 : tensor<3xf32>
  %v = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %powers = stablehlo.power %v, %i : tensor<3xf32>
  %c = stablehlo.constant dense<[0.5, -1.0, 0.25]> : tensor<3xf32>
  %r = stablehlo.dot_general %powers, %c, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}"""
COMBINE = f"""({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):{POLYNOMIAL}
    %s = stablehlo.add %p, %b : {SCALAR}
    stablehlo.return %s : {SCALAR}
  }})"""
"""Not associative: used where at most one element meets an accumulator."""
SUM = f"""({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):
    %c = stablehlo.broadcast_in_dim %a, dims = [] : ({SCALAR}) -> tensor<2xf32>
    %d = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
    %e = stablehlo.dot_general %c, %d, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> {SCALAR}
    %s = stablehlo.add %e, %b : {SCALAR}
    stablehlo.return %s : {SCALAR}
  }})"""
"""A sum in disguise."""
LESS = f"""({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}, %i: tensor<i32>, %j: tensor<i32>):{POLYNOMIAL}
    %q = func.call @polynomial(%b) : ({SCALAR}) -> {SCALAR}
    %s = stablehlo.compare LT, %p, %q : ({SCALAR}, {SCALAR}) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }})"""
GREATER = f"""({{
  ^bb0(%a: {SCALAR}, %b: {SCALAR}):{POLYNOMIAL}
    %q = func.call @polynomial(%b) : ({SCALAR}) -> {SCALAR}
    %s = stablehlo.compare GE, %p, %q : ({SCALAR}, {SCALAR}) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }}, {SUM[1:]}"""


def check(op: str, types: list[str], *inputs: Array, results: int = 1) -> None:
    """`op` with operands `%0`, `%1`, ...; the last of `types` are those of the results."""
    parameters = ", ".join(f"%{i}: {type}" for i, type in enumerate(types[:-results]))
    outputs = ", ".join(types[-results:])
    signature = f"({', '.join(types[:-results])}) -> ({outputs})"
    values = "%r" if results == 1 else ", ".join(f"%r#{i}" for i in range(results))
    text = f"""func.func @main({parameters}) -> ({outputs}) {{
  %r{f":{results}" if results > 1 else ""} = {op} : {signature}
  return {values} : {outputs}
}}{FUNCTIONS}"""
    expected = interpreter.run(parse_module(text, "computations"), "main", list(inputs))
    for pipeline in ("xla-cpu", "xla-cpu-O0"):
        for result, wanted in zip(xdsl_xla.compile(text, pipeline=pipeline, threads=1)(*inputs), expected, strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5, strict=True)


def floats(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32)


ZERO = np.array(0, np.float32)


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (2, 0)])
def test_map(shape: tuple[int, ...]) -> None:
    type = f"tensor<{''.join(f'{size}x' for size in shape)}f32>"
    dims = f"array<i64{': ' if shape else ''}{', '.join(map(str, range(len(shape))))}>"
    check(f'"stablehlo.map"(%0, %1) <{{dimensions = {dims}}}> {COMBINE}', [type] * 3, floats(*shape), floats(*shape))


@pytest.mark.parametrize("dims", [[0], [1], [0, 2], [0, 1, 2], []])
def test_reduce(dims: list[int]) -> None:
    kept = [size for dim, size in enumerate((4, 3, 2)) if dim not in dims]
    result = f"tensor<{''.join(f'{size}x' for size in kept)}f32>"
    array = f"array<i64: {', '.join(map(str, dims))}>" if dims else "array<i64>"
    op = f'"stablehlo.reduce"(%0, %1) <{{dimensions = {array}}}> {SUM}'
    check(op, ["tensor<4x3x2xf32>", SCALAR, result], floats(4, 3, 2), np.array(0.5, np.float32))


def test_reduce_of_nothing() -> None:
    op = f'"stablehlo.reduce"(%0, %1) <{{dimensions = array<i64: 0>}}> {SUM}'
    check(op, ["tensor<0x3xf32>", SCALAR, "tensor<3xf32>"], floats(0, 3), np.array(0.5, np.float32))


def test_reduce_window() -> None:
    op = f"""\"stablehlo.reduce_window\"(%0, %1) <{{window_dimensions = array<i64: 2, 3>,
      window_strides = array<i64: 2, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>,
      padding = dense<[[1, 2], [-1, 3]]> : tensor<2x2xi64>}}> {SUM}"""
    check(op, ["tensor<4x6xf32>", SCALAR, "tensor<5x4xf32>"], floats(4, 6), np.array(0.25, np.float32))


@pytest.mark.parametrize("dim", [0, 1])
def test_sort(dim: int) -> None:
    """Equal elements, which keep their order, among them."""
    types = ["tensor<7x3xf32>", "tensor<7x3xi32>"]
    values = np.round(floats(7, 3) * 2) / 2
    op = f'"stablehlo.sort"(%0, %1) <{{dimension = {dim} : i64, is_stable = true}}> {LESS}'
    check(op, types * 2, values, np.arange(21, dtype=np.int32).reshape(7, 3), results=2)


@pytest.mark.parametrize(("element", "dtype"), [("i32", np.int32), ("ui64", np.uint64), ("i8", np.int8)])
def test_scatter(element: str, dtype: type) -> None:
    """Windows, in and out of range, partly too; places that get several updates."""
    op = f"""\"stablehlo.scatter\"(%0, %1, %2) <{{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0],
      index_vector_dim = 0>}}> {SUM}"""
    low = np.iinfo(dtype).max if dtype is np.uint64 else -1
    at = np.array([[0, 3, low, 2, 0], [1, 0, 2, low, 1]], dtype)
    types = ["tensor<3x4xf32>", f"tensor<2x5x{element}>", "tensor<5x2xf32>", "tensor<3x4xf32>"]
    check(op, types, floats(3, 4), at, floats(5, 2))


def test_scatter_with_batches() -> None:
    op = f"""\"stablehlo.scatter\"(%0, %1, %2) <{{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}}> {SUM}"""
    at = np.array([[0, 3, 3], [1, 5, 2]], np.int32)
    check(
        op, ["tensor<2x4xf32>", "tensor<2x3xi32>", "tensor<2x3xf32>", "tensor<2x4xf32>"], floats(2, 4), at, floats(2, 3)
    )


def test_select_and_scatter() -> None:
    """Overlapping windows that reach into the padding."""
    op = f"""\"stablehlo.select_and_scatter\"(%0, %1, %2) <{{window_dimensions = array<i64: 2, 3>, window_strides =
      array<i64: 1, 2>, padding = dense<[[1, 0], [2, 1]]> : tensor<2x2xi64>}}> {GREATER}"""
    types = ["tensor<3x4xf32>", "tensor<3x3xf32>", SCALAR, "tensor<3x4xf32>"]
    check(op, types, floats(3, 4), floats(3, 3), np.array(0.5, np.float32))


def test_a_sort_inside_a_reduction() -> None:
    """Any op: here the larger of both, by sorting them."""
    op = f"""\"stablehlo.reduce\"(%0, %1) <{{dimensions = array<i64: 1>}}> ({{
      ^bb0(%a: {SCALAR}, %b: {SCALAR}):
        %c = stablehlo.reshape %a : ({SCALAR}) -> tensor<1xf32>
        %d = stablehlo.reshape %b : ({SCALAR}) -> tensor<1xf32>
        %e = stablehlo.concatenate %c, %d, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
        %f = "stablehlo.sort"(%e) <{{dimension = 0 : i64}}> ({{
        ^bb1(%x: {SCALAR}, %y: {SCALAR}):
          %s = stablehlo.compare LT, %x, %y : ({SCALAR}, {SCALAR}) -> tensor<i1>
          stablehlo.return %s : tensor<i1>
        }}) : (tensor<2xf32>) -> tensor<2xf32>
        %g = stablehlo.slice %f [1:2] : (tensor<2xf32>) -> tensor<1xf32>
        %h = stablehlo.reshape %g : (tensor<1xf32>) -> {SCALAR}
        stablehlo.return %h : {SCALAR}
      }})"""
    check(op, ["tensor<3x5xf32>", SCALAR, "tensor<3xf32>"], floats(3, 5), ZERO)
