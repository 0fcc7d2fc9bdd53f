"""Batch normalisation (StableHLO specification, `batch_norm_training`, `batch_norm_inference`, `batch_norm_grad`)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .arrays import Array, narrow
from .registry import Call, reference


def _per_feature(call: Call, operand: Array) -> tuple[Callable[[Array], Array], tuple[int, ...]]:
    """How to broadcast a value per feature over `operand`, and the dimensions features are spread over."""
    index = call.int("feature_index")
    shape = [n if d == index else 1 for d, n in enumerate(operand.shape)]
    return lambda value: value.astype(np.float64).reshape(shape), tuple(d for d in range(operand.ndim) if d != index)


def _normalized(operand: Array, mean: Array, variance: Array, epsilon: float) -> Array:
    return (operand.astype(np.float64) - mean) / np.sqrt(variance + epsilon)


@reference("stablehlo.batch_norm_inference")
def batch_norm_inference(
    call: Call, operand: Array, scale: Array, offset: Array, mean: Array, variance: Array
) -> Array:
    """scale * (x - mean) / sqrt(variance + epsilon) + offset, computed in double precision."""
    spread, _ = _per_feature(call, operand)
    normalized = _normalized(operand, spread(mean), spread(variance), call.float("epsilon"))
    return narrow(spread(scale) * normalized + spread(offset), operand.dtype)


@reference("stablehlo.batch_norm_training")
def batch_norm_training(call: Call, operand: Array, scale: Array, offset: Array) -> tuple[Array, Array, Array]:
    """Also returns mean and variance of the batch, divided by the number of elements, not one less."""
    spread, others = _per_feature(call, operand)
    wide = operand.astype(np.float64)
    count = operand.size // operand.shape[call.int("feature_index")] if operand.size else 0
    mean = np.sum(wide, others) / count
    variance = np.sum((wide - spread(mean)) ** 2, others) / count
    normalized = _normalized(operand, spread(mean), spread(variance), call.float("epsilon"))
    results = (spread(scale) * normalized + spread(offset), mean, variance)
    output, batch_mean, batch_variance = (narrow(r, operand.dtype) for r in results)
    return output, batch_mean, batch_variance


@reference("stablehlo.batch_norm_grad")
def batch_norm_grad(
    call: Call, operand: Array, scale: Array, mean: Array, variance: Array, grad_output: Array
) -> tuple[Array, Array, Array]:
    """The gradients of `batch_norm_training` with respect to operand, scale and offset."""
    spread, others = _per_feature(call, operand)
    epsilon = call.float("epsilon")
    count = operand.size // operand.shape[call.int("feature_index")] if operand.size else 0
    gradient = grad_output.astype(np.float64)
    normalized = _normalized(operand, spread(mean), spread(variance), epsilon)
    grad_offset = np.sum(gradient, others)
    grad_scale = np.sum(gradient * normalized, others)
    centred = count * gradient - spread(grad_offset) - normalized * spread(grad_scale)
    grad_operand = spread(scale) / (count * np.sqrt(spread(variance) + epsilon)) * centred
    first, second, third = (narrow(r, operand.dtype) for r in (grad_operand, grad_scale, grad_offset))
    return first, second, third
