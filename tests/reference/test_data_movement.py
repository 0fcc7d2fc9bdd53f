"""Ops that move data."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import evaluate, f32, i4, i32, i64, same

ROWS = i32([1, 2, 3], [4, 5, 6])


def test_constant() -> None:
    same(evaluate("stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>"), i32([0, 1], [2, 3]))
    same(evaluate("stablehlo.constant dense<7> : tensor<2x0xi8>"), np.zeros((2, 0), np.int8))
    same(evaluate("stablehlo.constant dense<[-8, 7]> : tensor<2xi4>"), i4(-8, 7))
    text = "stablehlo.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>"
    same(evaluate(text), np.array([1 - 2j, 1 - 2j], np.complex64))


def test_iota() -> None:
    same(evaluate("stablehlo.iota dim = 0 : tensor<2x3xi32>"), i32([0, 0, 0], [1, 1, 1]))
    same(evaluate("stablehlo.iota dim = 1 : tensor<2x3xf32>"), f32([0, 1, 2], [0, 1, 2]))
    same(evaluate("stablehlo.iota dim = 0 : tensor<9xi4>"), i4(0, 1, 2, 3, 4, 5, 6, 7, -8))
    same(evaluate("stablehlo.iota dim = 0 : tensor<2xcomplex<f32>>"), np.array([0, 1], np.complex64))
    assert evaluate("stablehlo.iota dim = 1 : tensor<2x0xi32>").shape == (2, 0)


def test_broadcast_in_dim() -> None:
    text = "stablehlo.broadcast_in_dim %a, dims = [2, 1] : (tensor<1x3xi32>) -> tensor<2x3x2xi32>"
    expected = [[1, 1], [2, 2], [3, 3]]
    same(evaluate(text, i32([1, 2, 3])), i32(expected, expected))
    text = "stablehlo.broadcast_in_dim %a, dims = [] : (tensor<i32>) -> tensor<2x0xi32>"
    assert evaluate(text, np.int32(3)).shape == (2, 0)


def test_broadcast() -> None:
    text = "stablehlo.broadcast %a, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>"
    same(evaluate(text, i32(1, 2, 3)), i32([1, 2, 3], [1, 2, 3]))


def test_reshape() -> None:
    text = "stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>"
    same(evaluate(text, ROWS), i32([1, 2], [3, 4], [5, 6]))
    same(evaluate("stablehlo.reshape %a : (tensor<1x1xi32>) -> tensor<i32>", i32([7])), np.int32(7))


def test_transpose() -> None:
    text = "stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>"
    value = i32([[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]])
    same(evaluate(text, value), i32([[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]))


def test_reverse() -> None:
    same(evaluate("stablehlo.reverse %a, dims = [1] : tensor<2x3xi32>", ROWS), i32([3, 2, 1], [6, 5, 4]))
    same(evaluate("stablehlo.reverse %a, dims = [] : tensor<2x3xi32>", ROWS), ROWS)


def test_slice() -> None:
    value = i64([0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1])
    text = "stablehlo.slice %a [1:3, 2:4] : (tensor<3x4xi64>) -> tensor<2x2xi64>"
    same(evaluate(text, value), i64([1, 1], [1, 1]))
    text = "stablehlo.slice %a [0:6:4] : (tensor<6xi32>) -> tensor<2xi32>"
    same(evaluate(text, i32(0, 1, 2, 3, 4, 5)), i32(0, 4))
    text = "stablehlo.slice %a [2:2] : (tensor<6xi32>) -> tensor<0xi32>"
    assert evaluate(text, i32(0, 1, 2, 3, 4, 5)).shape == (0,)


def test_concatenate() -> None:
    text = "stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>"
    result = evaluate(text, i64([1, 2], [3, 4], [5, 6]), i64([7, 8]))
    same(result, i64([1, 2], [3, 4], [5, 6], [7, 8]))


def pad(value: np.ndarray, low: list[int], high: list[int], interior: list[int], shape: str) -> np.ndarray:
    operand = "x".join(map(str, value.shape))
    text = f"""stablehlo.pad %a, %b, low = {low}, high = {high}, interior = {interior}
        : (tensor<{operand}xi32>, tensor<i32>) -> tensor<{shape}xi32>"""
    return evaluate(text, value, np.int32(9))


def test_pad_with_all_kinds_of_padding() -> None:
    expected = i32([9] * 9, [9, 1, 9, 9, 2, 9, 9, 3, 9], [9] * 9, [9, 4, 9, 9, 5, 9, 9, 6, 9], [9] * 9)
    same(pad(ROWS, [1, 1], [1, 1], [1, 2], "5x9"), expected)


def test_negative_padding_cuts_off_after_interior_padding() -> None:
    same(pad(i32(1, 2, 3), [-1], [-1], [1], "3"), i32(9, 2, 9))
    same(pad(i32(1, 2, 3), [-2], [3], [0], "4"), i32(3, 9, 9, 9))
    same(pad(i32(1, 2), [4], [-5], [0], "1"), i32(9))


@pytest.mark.parametrize("interior", [0, 2])
def test_padding_of_nothing(interior: int) -> None:
    same(pad(np.zeros((0,), np.int32), [1], [1], [interior], "2"), i32(9, 9))


def test_rank_zero() -> None:
    text = "stablehlo.pad %a, %b, low = [], high = [], interior = [] : (tensor<i8>, tensor<i8>) -> tensor<i8>"
    same(evaluate(text, np.int8(3), np.int8(4)), np.int8(3))
    same(evaluate("stablehlo.transpose %a, dims = [] : (tensor<i8>) -> tensor<i8>", np.int8(3)), np.int8(3))
