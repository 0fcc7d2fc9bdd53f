"""Reductions, map and sort."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from .harness import ELEMENT_TYPES, INF, NAN, boolean, evaluate, f32, i8, i32, i64, same, type_of


def reduce(op: str, value: Any, init: Any, dimensions: list[int]) -> np.ndarray:
    value = np.asarray(value)
    element = ELEMENT_TYPES[value.dtype]
    shape = "".join(f"{n}x" for d, n in enumerate(value.shape) if d not in dimensions)
    text = f"""stablehlo.reduce(%a init: %b) applies stablehlo.{op} across dimensions = {dimensions}
        : ({type_of(value)}, tensor<{element}>) -> tensor<{shape}{element}>"""
    return evaluate(text, value, np.asarray(init, value.dtype))


def test_example() -> None:
    same(reduce("add", i64([0, 1, 2, 3, 4, 5]), 0, [1]), i64(15))


def test_over_several_dimensions() -> None:
    value = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    same(reduce("add", value, 0, [0, 2]), i32(60, 92, 124))
    same(reduce("maximum", value, 0, [0, 1, 2]), np.int32(23))
    same(reduce("add", value, 0, []), value)


def test_the_initial_value_takes_part_once() -> None:
    same(reduce("add", i32(1, 2, 3), 10, [0]), np.int32(16))
    same(reduce("maximum", i32(1, 2), 7, [0]), np.int32(7))
    same(reduce("multiply", f32(2, 3), 5, [0]), np.float32(30))


def test_reduction_of_nothing_is_the_initial_value() -> None:
    same(reduce("add", np.zeros((0,), np.float32), 5, [0]), np.float32(5))
    same(reduce("minimum", np.zeros((2, 0), np.int32), 7, [1]), i32(7, 7))
    assert reduce("add", np.zeros((0, 3), np.int32), 0, [1]).shape == (0,)


def test_nan_and_infinities() -> None:
    same(reduce("maximum", f32(1, NAN, 3), -INF, [0]), np.float32(NAN))
    same(reduce("add", f32(INF, -INF), 0, [0]), np.float32(NAN))


def test_booleans() -> None:
    value = boolean([True, False], [True, True])
    same(reduce("and", value, True, [1]), boolean(False, True))
    same(reduce("or", value, False, [0]), boolean(True, True))


def test_sums_are_formed_in_pairs() -> None:
    # One by one, 2^24 + 1 + 1 ... stays 2^24 in single precision.
    value = np.ones(2**10 + 1, np.float32)
    value[0] = 2.0**24
    same(reduce("add", value, 0, [0]), np.float32(2.0**24 + 2**10))
    value = np.full(1000, 1, ml_dtypes.bfloat16)
    assert float(reduce("add", value, 0, [0])) == 1000


def test_a_reducer_that_is_not_associative_takes_one_element_after_the_other() -> None:
    text = """stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        reducer(%x: tensor<f32>, %y: tensor<f32>) {
          %square = stablehlo.multiply %y, %y : tensor<f32>
          %sum = stablehlo.add %x, %square : tensor<f32>
          stablehlo.return %sum : tensor<f32>
        }"""
    same(evaluate(text, f32(1, 2, 3, 4), np.float32(5)), np.float32(35))


ARGMAX = """stablehlo.reduce(%a init: %c), (%b init: %d) across dimensions = [0]
    : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %first = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %value = stablehlo.select %first, %x, %y : tensor<i1>, tensor<f32>
      %index = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %index : tensor<f32>, tensor<i32>
    }"""


def test_several_inputs_are_combined_in_order() -> None:
    inputs = f32(1, 7, 7, 2), i32(0, 1, 2, 3)
    value, index = evaluate(ARGMAX, *inputs, np.float32(-INF), np.int32(-1), results=2)
    same(value, np.float32(7))
    same(index, np.int32(1))


def test_bodies_that_are_not_elementwise() -> None:
    text = """"stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>):
        %wide = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<i32>) -> tensor<1xi32>
        %back = stablehlo.reshape %wide : (tensor<1xi32>) -> tensor<i32>
        %sum = stablehlo.add %back, %y : tensor<i32>
        stablehlo.return %sum : tensor<i32>
      }) : (tensor<3x2xi32>, tensor<i32>) -> tensor<2xi32>"""
    same(evaluate(text, i32([1, 2], [3, 4], [5, 6]), np.int32(0)), i32(9, 12))


MAP = """"stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %product = stablehlo.multiply %x, %y : tensor<i64>
    stablehlo.return %product : tensor<i64>
  }) : (TYPE, TYPE) -> TYPE"""


def test_map() -> None:
    lhs, rhs = i64([0, 1], [2, 3]), i64([4, 5], [6, 7])
    same(evaluate(MAP.replace("TYPE", "tensor<2x2xi64>"), lhs, rhs), i64([0, 5], [12, 21]))
    empty = np.zeros((2, 0), np.int64)
    same(evaluate(MAP.replace("TYPE", "tensor<2x0xi64>"), empty, empty), empty)


def test_map_with_a_captured_value() -> None:
    text = """%k = stablehlo.constant dense<10> : tensor<i64>
      %r = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
      ^bb0(%x: tensor<i64>):
        %sum = stablehlo.add %x, %k : tensor<i64>
        stablehlo.return %sum : tensor<i64>
      }) : (tensor<2xi64>) -> tensor<2xi64>"""
    same(evaluate(text, i64(1, 2)), i64(11, 12))


def sort(value: np.ndarray, dimension: int, direction: str = "LT", kind: str = "") -> np.ndarray:
    element, type = ELEMENT_TYPES[value.dtype], type_of(value)
    text = f""""stablehlo.sort"(%a) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
      ^bb0(%x: tensor<{element}>, %y: tensor<{element}>):
        %less = stablehlo.compare {direction}, %x, %y{kind} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }}) : ({type}) -> {type}"""
    return evaluate(text, value)


def test_sort() -> None:
    value = i64([1, 2, 3], [3, 2, 1])
    same(sort(value, 0, "GT"), i64([3, 2, 3], [1, 2, 1]))
    same(sort(value, 1), i64([1, 2, 3], [1, 2, 3]))
    same(sort(value, -1, "GT"), i64([3, 2, 1], [3, 2, 1]))


@pytest.mark.parametrize("size", [0, 1, 2, 7, 64])
def test_sort_of_any_size(size: int) -> None:
    value = np.random.default_rng(size).integers(-50, 50, (3, size)).astype(np.int32)
    same(sort(value, 1), np.sort(value, 1))


def test_sort_in_total_order_places_nan_last() -> None:
    value = f32(NAN, 1, -0.0, 0.0, -INF, INF)
    same(sort(value, 0, kind=", TOTALORDER"), f32(-INF, -0.0, 0.0, 1, INF, NAN))


def test_sort_of_several_inputs_is_stable() -> None:
    text = """"stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%x: tensor<i8>, %y: tensor<i8>, %i: tensor<i32>, %j: tensor<i32>):
        %less = stablehlo.compare LT, %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }) : (tensor<5xi8>, tensor<5xi32>) -> (tensor<5xi8>, tensor<5xi32>)"""
    keys, order = evaluate(text, i8(2, 1, 2, 1, 0), i32(0, 1, 2, 3, 4), results=2)
    same(keys, i8(0, 1, 1, 2, 2))
    same(order, i32(4, 1, 3, 0, 2))
