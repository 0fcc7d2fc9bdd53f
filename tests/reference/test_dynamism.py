"""Ops whose shapes are values."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl_xla.errors import InvalidProgramError

from .harness import evaluate, f32, i32, i64, same


def test_dynamic_broadcast_in_dim() -> None:
    text = """stablehlo.dynamic_broadcast_in_dim %a, %b, dims = [2, 1]
        : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<?x?x?xi64>"""
    expected = [[1, 1], [2, 2], [3, 3]]
    same(evaluate(text, i64([1, 2, 3]), i64(2, 3, 2)), i64(expected, expected))
    with pytest.raises(InvalidProgramError, match="does not fit output_dimensions"):
        evaluate(text, i64([1, 2, 3]), i64(2, 4, 2))


def test_dynamic_iota() -> None:
    text = "stablehlo.dynamic_iota %a, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi64>"
    same(evaluate(text, i64(3, 2)), i64([0, 0], [1, 1], [2, 2]))


def test_dynamic_reshape() -> None:
    text = "stablehlo.dynamic_reshape %a, %b : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<?x?xi64>"
    same(evaluate(text, i64([1, 2, 3], [4, 5, 6]), i64(3, 2)), i64([1, 2], [3, 4], [5, 6]))
    with pytest.raises(InvalidProgramError, match="6 elements do not fill"):
        evaluate(text, i64([1, 2, 3], [4, 5, 6]), i64(2, 2))


def test_dynamic_pad() -> None:
    text = """stablehlo.dynamic_pad %a, %b, %c, %d, %e
        : (tensor<2xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>"""
    same(evaluate(text, i32(1, 2), np.int32(9), i64(1), i64(-1), i64(1)), i32(9, 1, 9))


def test_real_dynamic_slice() -> None:
    text = """stablehlo.real_dynamic_slice %a, %b, %c, %d
        : (tensor<6xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>"""
    value = i32(0, 1, 2, 3, 4, 5)
    same(evaluate(text, value, i64(1), i64(6), i64(2)), i32(1, 3, 5))
    with pytest.raises(InvalidProgramError, match="slice"):
        evaluate(text, value, i64(4), i64(7), i64(1))


def test_dynamic_gather() -> None:
    text = """"stablehlo.dynamic_gather"(%a, %b, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        start_index_map = [0], index_vector_dim = 1>}>
        : (tensor<4xi32>, tensor<2x1xi64>, tensor<1xi32>) -> tensor<2x?xi32>"""
    same(evaluate(text, i32(1, 2, 3, 4), i64([1], [9]), i32(2)), i32([2, 3], [3, 4]))


def test_dynamic_conv() -> None:
    text = """"stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}>
        : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>"""
    result = evaluate(text, f32([[1], [2], [3]]), f32([[1]], [[10]]), i64([1, 0]))
    same(result, f32([[10], [21], [32]]))


def test_sizes_of_dimensions() -> None:
    value = i32([1, 2, 3], [4, 5, 6])
    same(evaluate("stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xi32>) -> tensor<i32>", value), np.int32(3))
    text = """%r = stablehlo.set_dimension_size %a, %b, dim = 1
        : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x?xi32, #stablehlo.bounds<?, 3>>"""
    same(evaluate(text, value, np.int32(2)), i32([1, 2], [4, 5]))
    with pytest.raises(InvalidProgramError, match="size 4 of a dimension of bound 3"):
        evaluate(text, value, np.int32(4))


def test_static_ops_take_the_sizes_of_their_operands() -> None:
    text = """%big = stablehlo.dynamic_iota %a, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %sums = "stablehlo.reduce_window"(%big, %zero) <{window_dimensions = array<i64: 2>}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %s = stablehlo.add %x, %y : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>"""
    same(evaluate(text, i64(4)), i32(1, 3, 5))


def test_a_shape_that_the_type_excludes_is_an_error() -> None:
    text = "stablehlo.dynamic_iota %a, dim = 0 : (tensor<1xi64>) -> tensor<3xi32>"
    with pytest.raises(InvalidProgramError, match=r"test\.mlir:2:.*result 0 has shape 4, its type is tensor<3xi32>"):
        evaluate(text, i64(4))
