"""NumPy's way to compute what a benchmark program computes, where NumPy has it: a function of the same inputs.

There is none where NumPy lacks the function (erf, convolutions, scans with a body) or the numbers are others (random
numbers). Written as one would write NumPy, in the type of the inputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Any]

NUMPY_PROGRAMS: dict[str, Function] = {}


def program(*names: str) -> Callable[[Function], Function]:
    """Makes the function the peer of the programs of these names."""

    def register(function: Function) -> Function:
        NUMPY_PROGRAMS.update(dict.fromkeys(names, function))
        return function

    return register


@program("matmul1k", "matmul256", "matvec", "bmm", "batched_small_matmul", "batched_matmul32")
def matmul(x: Array, y: Array) -> Array:
    return x @ y


@program("linear_relu")
def linear_relu(x: Array, weights: Array, bias: Array) -> Array:
    return np.maximum(x @ weights + bias, 0)


@program("gram")
def gram(x: Array, y: Array) -> Array:
    return x.T @ y


@program("outer_chain")
def outer_chain(x: Array) -> Array:
    return np.linalg.multi_dot([x, x, x, x])


@program("einsum_bhqk")
def einsum_bhqk(q: Array, k: Array) -> Array:
    return q.transpose(0, 2, 1, 3) @ k.transpose(0, 2, 3, 1)


@program("softmax")
def softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    powers /= powers.sum(-1, keepdims=True)
    return powers


@program("logsumexp")
def logsumexp(x: Array) -> Array:
    top = x.max(-1, keepdims=True)
    return np.log(np.exp(x - top).sum(-1)) + top[..., 0]


def _normal(x: Array) -> Array:
    centered = x - x.mean(-1, keepdims=True)
    return centered / np.sqrt(np.square(centered).mean(-1, keepdims=True) + np.float32(1e-5))


@program("layernorm")
def layernorm(x: Array, scale: Array, offset: Array) -> Array:
    return _normal(x) * scale + offset


@program("rms_norm")
def rms_norm(x: Array, scale: Array) -> Array:
    return x / np.sqrt(np.square(x).mean(-1, keepdims=True) + np.float32(1e-6)) * scale


@program("batch_norm_train")
def batch_norm_train(x: Array, scale: Array, offset: Array) -> Array:
    normal = (x - x.mean((0, 1, 2))) / np.sqrt(x.var((0, 1, 2)) + np.float32(1e-5))
    return np.maximum(normal * scale + offset, 0)


def _attention(q: Array, k: Array, v: Array) -> Array:
    scores = q @ k.swapaxes(-1, -2) / np.float32(math.sqrt(q.shape[-1]))
    mask = np.tri(q.shape[-2], dtype=bool)
    return softmax(np.where(mask, scores, np.float32(-1e9))) @ v


@program("attention")
def attention(q: Array, k: Array, v: Array) -> Array:
    return _attention(q, k, v)


@program("transformer_fwd")
def transformer_fwd(
    x: Array, to_qkv: Array, to_output: Array, to_hidden: Array, from_hidden: Array, scale0: Array, scale1: Array
) -> Array:
    batch, length, width = x.shape
    qkv = (_normal(x) * scale0 @ to_qkv).reshape(batch, length, 24, 64).transpose(0, 2, 1, 3)
    mixed = _attention(qkv[:, :8], qkv[:, 8:16], qkv[:, 16:])
    x = x + mixed.transpose(0, 2, 1, 3).reshape(batch, length, width) @ to_output
    hidden = _normal(x) * scale1 @ to_hidden
    inner = np.float32(0.797884583) * (hidden + np.float32(0.044715) * hidden * hidden * hidden)
    return x + hidden * (np.float32(0.5) * (1 + np.tanh(inner))) @ from_hidden


@program("lstm")
def lstm(inputs: Array, weights: Array, bias: Array) -> Array:
    _, batch, width = inputs.shape
    hidden = cell = np.zeros((batch, width), np.float32)
    outputs = np.empty_like(inputs)
    for number, x in enumerate(inputs):
        gates = np.concatenate([x, hidden], axis=1) @ weights + bias
        enter, keep, new, leave = np.split(gates, 4, axis=1)
        cell = _sigmoid(keep) * cell + _sigmoid(enter) * np.tanh(new)
        hidden = _sigmoid(leave) * np.tanh(cell)
        outputs[number] = hidden
    return outputs


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


@program("adam_update")
def adam_update(parameters: Array, gradient: Array, mean: Array, square: Array) -> tuple[Array, ...]:
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    return parameters - 1e-3 * (mean / 0.9) / (np.sqrt(square / 0.9) + 1e-8), mean, square


@program("reduce_rows")
def reduce_rows(x: Array) -> Array:
    return x.sum(1)


@program("reduce_cols")
def reduce_cols(x: Array) -> Array:
    return x.sum(0)


@program("reduce_middle")
def reduce_middle(x: Array) -> tuple[Array, ...]:
    return x.sum(1), x.max((0, 2))


@program("mean_var_std")
def mean_var_std(x: Array) -> tuple[Array, ...]:
    return x.mean(0), x.var(1), np.asarray(x.std())


@program("argmax")
def argmax(x: Array) -> Array:
    return x.argmax(-1).astype(np.int32)


@program("cumsum")
def cumsum(x: Array) -> Array:
    return x.cumsum(1)


@program("cumsum_columns", "cumsum_1m")
def cumsum_columns(x: Array) -> Array:
    return x.cumsum(0)


@program("transpose_add")
def transpose_add(x: Array) -> Array:
    return x.T + x


@program("transpose_021")
def transpose_021(x: Array) -> Array:
    return np.multiply(x.transpose(0, 2, 1), np.float32(2), order="C")


@program("transpose_210")
def transpose_210(x: Array) -> Array:
    return np.ascontiguousarray(x.transpose(2, 1, 0))


@program("concatenate_slice")
def concatenate_slice(x: Array, y: Array) -> Array:
    return np.concatenate([x[:, 256:], y[:, :768]], axis=1) + 1


@program("roll")
def roll(x: Array) -> Array:
    return np.roll(x, 100, axis=1) + np.roll(x, 1, axis=0)


@program("tril_mask")
def tril_mask(x: Array) -> Array:
    return np.where(np.tri(x.shape[-1], dtype=bool), x, np.float32(-np.inf))


@program("repeat")
def repeat(x: Array) -> Array:
    return np.repeat(x, 4, axis=0)


@program("pad_reverse")
def pad_reverse(x: Array) -> Array:
    return np.pad(x[::-1, ::-1], 2, mode="reflect")


@program("elementary")
def elementary(x: Array) -> Array:
    return np.sin(x) * np.log(x) + np.tanh(x) * np.power(x, 1.7) - np.arctan2(x, 2.0)


@program("integer_division")
def integer_division(x: Array, y: Array) -> Array:
    return x // y + x % y


@program("sort1m", "sort_i32_rows")
def sort(x: Array) -> Array:
    return np.sort(x, axis=-1)


@program("sort_descending")
def sort_descending(x: Array) -> Array:
    return -np.sort(-x, axis=0)


@program("argsort")
def argsort(x: Array) -> Array:
    return np.argsort(x, axis=-1, stable=True).astype(np.int32)


@program("sort_by_key")
def sort_by_key(keys: Array, values: Array) -> tuple[Array, ...]:
    order = np.argsort(keys, stable=True)
    return keys[order], values[order]


@program("median")
def median(x: Array) -> Array:
    return np.median(x, axis=-1)


@program("embed", "gather_rows")
def gather_rows(table: Array, indices: Array) -> Array:
    return table[indices]


@program("take_along_axis")
def take_along_axis(x: Array, indices: Array) -> Array:
    return np.take_along_axis(x, indices, axis=1)


@program("scatter_add")
def scatter_add(table: Array, indices: Array, updates: Array) -> Array:
    result = table.copy()
    np.add.at(result, indices, updates)
    return result


@program("segment_sum")
def segment_sum(x: Array, segments: Array) -> Array:
    result = np.zeros((1000, x.shape[1]), x.dtype)
    np.add.at(result, segments, x)
    return result


@program("histogram")
def histogram(x: Array) -> Array:
    return np.bincount(x, minlength=256).astype(np.int32)


@program("fft")
def fft(real: Array, imaginary: Array) -> Array:
    return np.fft.fft2(real + np.complex64(1j) * imaginary)


@program("fft2")
def fft2(x: Array) -> Array:
    return np.fft.fft2(x)


@program("rfft")
def rfft(x: Array) -> Array:
    return np.fft.rfft(x)


@program("fft1000")
def fft1000(x: Array) -> Array:
    return np.abs(np.fft.fft(x))


@program("jacobi")
def jacobi(x: Array) -> Array:
    x = x.copy()
    for _ in range(100):
        x[1:-1, 1:-1] = np.float32(0.25) * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return x


@program("cholesky")
def cholesky(x: Array) -> Array:
    return np.linalg.cholesky(x @ x.T + 256 * np.eye(256, dtype=x.dtype))


@program("solve")
def solve(x: Array) -> Array:
    return np.linalg.solve(x + 20 * np.eye(128, dtype=x.dtype), x)
