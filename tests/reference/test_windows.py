"""Windowed reductions and selections."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import INF, NAN, evaluate, f32, i32, i64, same


def reduce_window(value: np.ndarray, attributes: str, shape: str, op: str = "add", init: int = 0) -> np.ndarray:
    operand = "x".join(map(str, value.shape))
    text = f""""stablehlo.reduce_window"(%a, %b) <{{{attributes}}}> ({{
      ^bb0(%x: tensor<i64>, %y: tensor<i64>):
        %r = stablehlo.{op} %x, %y : tensor<i64>
        stablehlo.return %r : tensor<i64>
      }}) : (tensor<{operand}xi64>, tensor<i64>) -> tensor<{shape}xi64>"""
    return evaluate(text, value, np.int64(init))


ROWS = i64([1, 2], [3, 4], [5, 6])


def test_example() -> None:
    attributes = """window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>,
        base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>,
        padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>"""
    same(reduce_window(ROWS, attributes, "2x2"), i64([0, 0], [3, 4]))


def test_plain_windows() -> None:
    same(reduce_window(ROWS, "window_dimensions = array<i64: 2, 2>", "2x1"), i64([10], [18]))
    same(reduce_window(ROWS, "window_dimensions = array<i64: 2, 1>", "2x2", "maximum"), i64([3, 4], [5, 6]))


def test_padding_holds_the_initial_value() -> None:
    attributes = "window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>"
    # The initial value starts each window, and is what the padding consists of.
    same(reduce_window(i64(1, 2), attributes, "3", init=10), i64(21, 13, 22))


def test_negative_padding_and_base_dilation() -> None:
    attributes = """window_dimensions = array<i64: 1>, base_dilations = array<i64: 2>,
        padding = dense<[[-1, 1]]> : tensor<1x2xi64>"""
    same(reduce_window(i64(1, 2, 3), attributes, "5"), i64(0, 2, 0, 3, 0))


def test_a_window_larger_than_the_operand() -> None:
    assert reduce_window(ROWS, "window_dimensions = array<i64: 4, 1>", "0x2").shape == (0, 2)


def test_several_inputs() -> None:
    text = """"stablehlo.reduce_window"(%a, %b, %c, %d) <{window_dimensions = array<i64: 2>}> ({
      ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
        %first = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %value = stablehlo.select %first, %x, %y : tensor<i1>, tensor<f32>
        %index = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
        stablehlo.return %value, %index : tensor<f32>, tensor<i32>
      }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)"""
    arguments = f32(1, 5, 5, 2), i32(0, 1, 2, 3), np.float32(-INF), np.int32(-1)
    values, indices = evaluate(text, *arguments, results=2)
    same(values, f32(5, 5, 5))
    same(indices, i32(1, 1, 2))


def select_and_scatter(value: np.ndarray, source: np.ndarray, attributes: str, init: float = 0) -> np.ndarray:
    operand, updates = ("x".join(map(str, x.shape)) for x in (value, source))
    text = f""""stablehlo.select_and_scatter"(%a, %b, %c) <{{{attributes}}}> ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %r = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %r : tensor<i1>
      }}, {{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %r = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }}) : (tensor<{operand}xf32>, tensor<{updates}xf32>, tensor<f32>) -> tensor<{operand}xf32>"""
    return evaluate(text, value, source, np.float32(init))


def test_select_and_scatter_example() -> None:
    value, source = f32([1, 5], [2, 5], [3, 6], [4, 4]), f32([5, 6], [7, 8])
    attributes = """window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>,
        padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>"""
    same(select_and_scatter(value, source, attributes), f32([0, 0], [0, 0], [5, 14], [7, 0]))


def test_select_and_scatter_adds_where_windows_overlap() -> None:
    attributes = "window_dimensions = array<i64: 2>"
    same(select_and_scatter(f32(1, 9, 1), f32(10, 20), attributes, 0.5), f32(0.5, 30.5, 0.5))


def test_select_and_scatter_never_selects_padding() -> None:
    attributes = "window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>"
    same(select_and_scatter(f32(-5, -7), f32(1, 2), attributes), f32(3, 0))


@pytest.mark.parametrize("value", [f32(NAN, 1), f32(1, NAN)])
def test_select_and_scatter_with_nan_takes_what_the_comparison_leaves(value: np.ndarray) -> None:
    same(select_and_scatter(value, f32(3), "window_dimensions = array<i64: 2>"), f32(0, 3))
