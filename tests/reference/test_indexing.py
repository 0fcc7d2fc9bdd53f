"""Ops with indices that are values, out of range ones too."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import evaluate, f32, i32, i64, same, type_of, u8

GRID = i32([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0])


def dynamic_slice(value: np.ndarray, sizes: list[int], *starts: np.ndarray) -> np.ndarray:
    names = ", ".join(f"%{chr(ord('b') + i)}" for i in range(len(starts)))
    result = "".join(f"{n}x" for n in sizes)
    types = ", ".join(map(type_of, (value, *starts)))
    text = f"stablehlo.dynamic_slice %a, {names}, sizes = {sizes} : ({types}) -> tensor<{result}i32>"
    return evaluate(text, value, *starts)


def test_dynamic_slice() -> None:
    same(dynamic_slice(GRID, [2, 2], np.int64(-1), np.int64(3)), i32([1, 1], [1, 1]))
    value = i32(0, 1, 2, 3, 4)
    for start, expected in ((1, [1, 2]), (4, [3, 4]), (100, [3, 4]), (-100, [0, 1])):
        same(dynamic_slice(value, [2], np.int32(start)), i32(*expected))
    same(dynamic_slice(value, [2], np.uint8(255)), i32(3, 4))
    assert dynamic_slice(value, [0], np.int32(9)).shape == (0,)


def test_dynamic_update_slice() -> None:
    text = """stablehlo.dynamic_update_slice %a, %b, %c, %c
        : (tensor<4x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<4x4xi32>"""
    update = i32([7, 8], [9, 10])
    for start, clamped in ((1, 1), (3, 2), (-9, 0)):
        expected = GRID.copy()
        expected[clamped : clamped + 2, clamped : clamped + 2] = update
        same(evaluate(text, GRID, update, np.int64(start)), expected)


def gather(operand: np.ndarray, indices: np.ndarray, numbers: str, sizes: list[int], shape: str) -> np.ndarray:
    text = f""""stablehlo.gather"(%a, %b) <{{
        dimension_numbers = #stablehlo.gather<{numbers}>,
        slice_sizes = array<i64: {", ".join(map(str, sizes))}>, indices_are_sorted = false
      }}> : ({type_of(operand)}, {type_of(indices)}) -> tensor<{shape}i32>"""
    return evaluate(text, operand, indices)


def test_gather_of_rows() -> None:
    operand = i32([1, 2], [3, 4], [5, 6])
    numbers = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    same(gather(operand, i64([2], [0]), numbers, [1, 2], "2x2x"), i32([5, 6], [1, 2]))
    numbers = "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    same(gather(operand, i64([2], [0]), numbers, [1, 2], "2x2x"), i32([5, 1], [6, 2]))


def test_gather_clamps() -> None:
    operand = i32(10, 11, 12, 13)
    numbers = "offset_dims = [1], start_index_map = [0], index_vector_dim = 1"
    same(gather(operand, i64([3], [-5], [99]), numbers, [2], "3x2x"), i32([12, 13], [10, 11], [12, 13]))
    numbers = "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
    same(gather(operand, u8([255], [1]), numbers, [1], "2x"), i32(13, 11))


def test_gather_with_the_index_vector_first_and_permuted() -> None:
    operand = np.arange(12, dtype=np.int32).reshape(3, 4)
    numbers = "collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0"
    same(gather(operand, i64([0, 3], [1, 2]), numbers, [1, 1], "2x"), i32(4, 11))


def test_gather_with_batching_dimensions() -> None:
    operand = np.arange(12, dtype=np.int32).reshape(2, 6)
    numbers = """collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1],
        start_index_map = [1], index_vector_dim = 2"""
    indices = i64([[0], [1]], [[5], [2]], [[9], [-1]])
    same(gather(operand, indices, numbers, [1, 1], "3x2x"), i32([0, 7], [5, 8], [5, 6]))


def test_gather_of_one_slice_and_of_none() -> None:
    operand = i32(1, 2, 3)
    numbers = "offset_dims = [0], start_index_map = [0], index_vector_dim = 0"
    same(gather(operand, i64(1), numbers, [2], "2x"), i32(2, 3))
    numbers = "offset_dims = [1], start_index_map = [0], index_vector_dim = 1"
    assert gather(operand, np.zeros((0, 1), np.int64), numbers, [2], "0x2x").shape == (0, 2)


def scatter(
    operand: np.ndarray, indices: np.ndarray, updates: np.ndarray, numbers: str, op: str = "add", element: str = "i32"
) -> np.ndarray:
    text = f""""stablehlo.scatter"(%a, %b, %c) <{{
        scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, indices_are_sorted = false, unique_indices = false
      }}> ({{
      ^bb0(%x: tensor<{element}>, %y: tensor<{element}>):
        %r = stablehlo.{op} %x, %y : tensor<{element}>
        stablehlo.return %r : tensor<{element}>
      }}) : ({type_of(operand)}, {type_of(indices)}, {type_of(updates)}) -> {type_of(operand)}"""
    return evaluate(text, operand, indices, updates)


ROWS = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
ELEMENTS = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"


def test_scatter_of_rows_with_an_index_twice() -> None:
    operand = i32([1, 2], [3, 4], [5, 6])
    result = scatter(operand, i64([0], [2], [0]), i32([10, 20], [30, 40], [50, 60]), ROWS)
    same(result, i32([61, 82], [3, 4], [35, 46]))


def test_scatter_drops_what_is_outside() -> None:
    result = scatter(i32(1, 2, 3), i64([-1], [3], [1]), i32(10, 20, 30), ELEMENTS)
    same(result, i32(1, 32, 3))


def test_scatter_applies_updates_in_order() -> None:
    operand = f32(100)
    result = scatter(operand, i64([0], [0]), f32(3, 4), ELEMENTS, "subtract", "f32")
    same(result, f32(93))


def test_scatter_of_windows_element_by_element() -> None:
    numbers = "update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    result = scatter(i32(1, 2, 3), i64([2], [-1]), i32([10, 20], [30, 40]), numbers)
    same(result, i32(41, 2, 13))


def test_scatter_with_batching_dimensions() -> None:
    numbers = """inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
        scatter_dims_to_operand_dims = [1], index_vector_dim = 2"""
    operand = np.zeros((2, 3), np.int32)
    result = scatter(operand, i64([[0], [2]], [[1], [1]]), i32([1, 2], [3, 4]), numbers)
    same(result, i32([1, 0, 2], [0, 7, 0]))


def test_scatter_into_a_scalar() -> None:
    result = scatter(np.int32(5), np.zeros((0,), np.int64), np.int32(7), "index_vector_dim = 0")
    same(result, np.int32(12))


def test_scatter_without_updates() -> None:
    operand = i32(1, 2)
    same(scatter(operand, np.zeros((0, 1), np.int64), np.zeros((0,), np.int32), ELEMENTS), operand)


@pytest.mark.parametrize(("index", "expected"), [(1, [3, 4]), (7, [5, 6]), (-2, [1, 2])])
def test_torch_index_select(index: int, expected: list[int]) -> None:
    text = """"stablehlo.torch_index_select"(%a, %b) <{dim = 0 : i64, batch_dims = 0 : i64}>
        : (tensor<3x2xi32>, tensor<1xi32>) -> tensor<1x2xi32>"""
    same(evaluate(text, i32([1, 2], [3, 4], [5, 6]), i32(index)), i32(expected))


def test_torch_index_select_with_a_batch() -> None:
    text = """"stablehlo.torch_index_select"(%a, %b) <{dim = 1 : i64, batch_dims = 1 : i64}>
        : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>"""
    same(evaluate(text, i32([1, 2, 3], [4, 5, 6]), i32([2, 0], [1, 1])), i32([3, 1], [5, 5]))
