"""Batch normalisation."""

from __future__ import annotations

import numpy as np
import pytest

from .harness import close, evaluate, f64

OPERAND = f64([[1, 2], [3, 4]], [[3, 4], [1, 2]])
TYPE, FEATURES = "tensor<2x2x2xf64>", "tensor<2xf64>"
ATTRIBUTES = "<{epsilon = 0.0 : f32, feature_index = 2 : i64}>"


def test_inference_example() -> None:
    text = f""""stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) {ATTRIBUTES}
        : ({TYPE}, {FEATURES}, {FEATURES}, {FEATURES}, {FEATURES}) -> {TYPE}"""
    result = evaluate(text, OPERAND, f64(1, 1), f64(1, 1), f64(2, 3), f64(1, 1))
    close(result, f64([[0, 0], [2, 2]], [[2, 2], [0, 0]]))


def test_training_example() -> None:
    text = f""""stablehlo.batch_norm_training"(%a, %b, %c) {ATTRIBUTES}
        : ({TYPE}, {FEATURES}, {FEATURES}) -> ({TYPE}, {FEATURES}, {FEATURES})"""
    output, mean, variance = evaluate(text, OPERAND, f64(1, 1), f64(1, 1), results=3)
    close(output, f64([[0, 0], [2, 2]], [[2, 2], [0, 0]]))
    close(mean, f64(2, 3))
    close(variance, f64(1, 1))


def training(operand: np.ndarray, scale: np.ndarray, offset: np.ndarray) -> np.ndarray:
    axes = (0, 1)
    mean, variance = operand.mean(axes), operand.var(axes)
    return scale * (operand - mean) / np.sqrt(variance + 0.5) + offset


def test_gradients_are_those_of_training() -> None:
    rng = np.random.default_rng(0)
    operand, gradient = rng.standard_normal((2, 3, 2)), rng.standard_normal((2, 3, 2))
    scale, offset = f64(2, -3), f64(1, 5)
    type = "tensor<2x3x2xf64>"
    text = f""""stablehlo.batch_norm_grad"(%a, %b, %c, %d, %e) <{{epsilon = 0.5 : f32, feature_index = 2 : i64}}>
        : ({type}, {FEATURES}, {FEATURES}, {FEATURES}, {type}) -> ({type}, {FEATURES}, {FEATURES})"""
    statistics = operand.mean((0, 1)), operand.var((0, 1))
    results = evaluate(text, operand, scale, *statistics, gradient, results=3)
    step = 1e-6
    for result, place in zip(results, range(3), strict=True):
        arguments = [operand, scale, offset]
        expected = np.zeros_like(result)
        for index in np.ndindex(result.shape):
            difference = np.zeros_like(result)
            difference[index] = step
            ends = [
                training(*(a + s * difference if i == place else a for i, a in enumerate(arguments))) for s in (1, -1)
            ]
            expected[index] = np.sum(gradient * (ends[0] - ends[1])) / (2 * step)
        close(result, expected, 1e-7, 1e-7)


@pytest.mark.parametrize("feature_index", [0, 1])
def test_any_feature_dimension(feature_index: int) -> None:
    operand = np.arange(6, dtype=np.float32).reshape(2, 3)
    count = operand.shape[feature_index]
    attributes = f"<{{epsilon = 1.0 : f32, feature_index = {feature_index} : i64}}>"
    text = f""""stablehlo.batch_norm_training"(%a, %b, %b) {attributes}
        : (tensor<2x3xf32>, tensor<{count}xf32>, tensor<{count}xf32>)
        -> (tensor<2x3xf32>, tensor<{count}xf32>, tensor<{count}xf32>)"""
    _, mean, variance = evaluate(text, operand, np.ones(count, np.float32), results=3)
    close(mean, operand.mean(1 - feature_index))
    close(variance, operand.var(1 - feature_index))
