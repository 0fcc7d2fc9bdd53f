"""A second set of programs, written in JAX and lowered on the spot: what people use beyond the first 25.

Each function is one program; `@program` says the arguments it is lowered for and timed with. Needs the extra `jax`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import ml_dtypes
import numpy as np

from ..errors import ArgumentError, UnsupportedError
from .suite import Draw, Program

try:
    jax = cast(Any, importlib.import_module("jax"))
except ImportError:
    raise UnsupportedError("programs written in JAX need it: pip install 'xdsl-xla[jax]'") from None
jnp, lax = jax.numpy, jax.lax

Function = Callable[..., Any]


@dataclass(frozen=True)
class JaxProgram:
    """A function and how its arguments are drawn."""

    function: Function
    arguments: tuple[Draw, ...]


PROGRAMS: dict[str, JaxProgram] = {}


def program(*arguments: Draw) -> Callable[[Function], Function]:
    """Makes the function the program of its name."""

    def register(function: Function) -> Function:
        PROGRAMS[function.__name__] = JaxProgram(function, arguments)
        return function

    return register


def names() -> list[str]:
    """All program names, in the order of this file."""
    return list(PROGRAMS)


def lower(function: Function, *arguments: Draw) -> str:
    """The StableHLO text of `function` for arguments of these shapes and types."""
    structs = [jax.ShapeDtypeStruct(draw.shape, draw.dtype) for draw in arguments]
    return jax.jit(function, keep_unused=True).lower(*structs).as_text()


def load(name: str, seed: int = 0) -> Program:
    """The program `name` with inputs drawn from `seed`.

    Raises ArgumentError for a name that is not there.
    """
    if name not in PROGRAMS:
        raise ArgumentError(f"no program '{name}'; there are {', '.join(PROGRAMS)}")
    chosen = PROGRAMS[name]
    generator = np.random.default_rng(seed)
    inputs = tuple(draw.array(generator) for draw in chosen.arguments)
    return Program(name, lower(chosen.function, *chosen.arguments), inputs)


def f32(*shape: int, low: float = -1.0, high: float = 1.0) -> Draw:
    return Draw(shape, np.dtype(np.float32), low, high)


def f16(*shape: int) -> Draw:
    return Draw(shape, np.dtype(np.float16), -1.0, 1.0)


def bf16(*shape: int) -> Draw:
    return Draw(shape, np.dtype(ml_dtypes.bfloat16), -1.0, 1.0)


def i8(*shape: int) -> Draw:
    return Draw(shape, np.dtype(np.int8), -128, 128)


def i32(*shape: int, low: int = 0, high: int) -> Draw:
    return Draw(shape, np.dtype(np.int32), low, high)


def _gradient(function: Function, *arguments: Any) -> Any:
    """Of the sum of the squares of what `function` returns, with respect to all arguments."""

    def loss(*arguments: Any) -> Any:
        return jnp.sum(function(*arguments) ** 2)

    return jax.grad(loss, tuple(range(len(arguments))))(*arguments)


# Sorting and selection


@program(f32(256, 4096))
def argsort(x: Any) -> Any:
    return jnp.argsort(x, axis=-1)


@program(i32(1000, 1000, low=-(10**9), high=10**9))
def sort_i32_rows(x: Any) -> Any:
    return jnp.sort(x, axis=-1)


@program(f32(256, 4096))
def sort_descending(x: Any) -> Any:
    return -jnp.sort(-x, axis=0)


@program(i32(200_000, high=1000), f32(200_000))
def sort_by_key(keys: Any, values: Any) -> Any:
    return lax.sort((keys, values), num_keys=1)


@program(f32(256, 32_000))
def top_k(x: Any) -> Any:
    return lax.top_k(x, 8)


@program(f32(1024, 4096))
def argmax(x: Any) -> Any:
    return jnp.argmax(x, axis=-1)


@program(f32(512, 1024))
def median(x: Any) -> Any:
    return jnp.median(x, axis=-1)


# Scans and windows


@program(f32(1024, 4096))
def cumsum(x: Any) -> Any:
    return jnp.cumsum(x, axis=1)


@program(f32(4096, 1024))
def cumsum_columns(x: Any) -> Any:
    return jnp.cumsum(x, axis=0)


@program(f32(1_000_000))
def cumsum_1m(x: Any) -> Any:
    return jnp.cumsum(x)


@program(f32(512, 2048))
def cumlogsumexp(x: Any) -> Any:
    return lax.cumlogsumexp(x, axis=1)


@program(f32(512, 2048))
def associative_scan(x: Any) -> Any:
    def step(left: Any, right: Any) -> Any:
        return left[0] * right[0], right[0] * left[1] + right[1]

    return lax.associative_scan(step, (x, x), axis=1)[1]


def _max_pool(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")


@program(f32(8, 112, 112, 64))
def max_pool(x: Any) -> Any:
    return _max_pool(x)


@program(f32(8, 56, 56, 64))
def max_pool_grad(x: Any) -> Any:
    return _gradient(_max_pool, x)


@program(f32(8, 112, 112, 64))
def average_pool(x: Any) -> Any:
    return lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") / 9


# Convolutions


def _conv(x: Any, kernel: Any, stride: int = 1, **options: Any) -> Any:
    return lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), **options
    )


@program(f32(8, 56, 56, 128), f32(3, 3, 1, 128))
def depthwise_conv(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel, feature_group_count=128)


@program(f32(4, 28, 28, 128), f32(3, 3, 1, 128))
def depthwise_conv_grad(x: Any, kernel: Any) -> Any:
    return _gradient(depthwise_conv, x, kernel)


@program(f32(8, 28, 28, 128), f32(3, 3, 16, 128))
def grouped_conv(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel, feature_group_count=8)


@program(f32(8, 28, 28, 64), f32(4, 4, 64, 32))
def conv_transpose(x: Any, kernel: Any) -> Any:
    return lax.conv_transpose(x, kernel, (2, 2), "SAME")


@program(f32(4, 224, 224, 3), f32(7, 7, 3, 64))
def conv7x7_stride2(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel, 2)


@program(f32(8, 28, 28, 256), f32(1, 1, 256, 128))
def conv1x1(x: Any, kernel: Any) -> Any:
    return _conv(x, kernel)


@program(f32(4, 64, 28, 28), f32(64, 64, 3, 3))
def conv_nchw(x: Any, kernel: Any) -> Any:
    return lax.conv(x, kernel, (1, 1), "SAME")


@program(f32(16, 1000, 64), f32(5, 64, 64))
def conv1d(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (1,), "SAME", dimension_numbers=("NHC", "HIO", "NHC"))


# Gathers and scatters


@program(f32(20_000, 256), i32(8192, high=20_000))
def gather_rows(table: Any, indices: Any) -> Any:
    return table[indices]


@program(f32(1024, 1024), i32(1024, 1024, high=1024))
def take_along_axis(x: Any, indices: Any) -> Any:
    return jnp.take_along_axis(x, indices, axis=1)


@program(i32(1_000_000, high=256))
def histogram(x: Any) -> Any:
    return jnp.zeros(256, jnp.int32).at[x].add(1)


@program(f32(100_000, 32), i32(100_000, high=1000))
def segment_sum(x: Any, segments: Any) -> Any:
    return jax.ops.segment_sum(x, segments, 1000)


@program(i32(2048, high=1000), f32(1000, 256))
def one_hot_matmul(labels: Any, table: Any) -> Any:
    return jax.nn.one_hot(labels, 1000) @ table


@program(f32(20_000, 128), i32(8192, high=20_000), f32(8192, 128))
def embed_grad(table: Any, indices: Any, cotangent: Any) -> Any:
    def loss(table: Any) -> Any:
        return jnp.vdot(table[indices], cotangent)

    return jax.grad(loss)(table)


# Products


@program(f32(4096, 8, 8), f32(4096, 8, 8))
def batched_small_matmul(x: Any, y: Any) -> Any:
    return x @ y


@program(f32(512, 32, 32), f32(512, 32, 32))
def batched_matmul32(x: Any, y: Any) -> Any:
    return x @ y


@program(i8(512, 512), i8(512, 512))
def matmul_int8(x: Any, y: Any) -> Any:
    return lax.dot(x, y, preferred_element_type=jnp.int32)


@program(bf16(512, 512), bf16(512, 512))
def matmul_bf16(x: Any, y: Any) -> Any:
    return x @ y


@program(f16(512, 512), f16(512, 512))
def matmul_f16(x: Any, y: Any) -> Any:
    return x @ y


@program(f32(4, 256, 8, 64), f32(4, 256, 8, 64))
def einsum_bhqk(q: Any, k: Any) -> Any:
    return jnp.einsum("bqhd,bkhd->bhqk", q, k)


@program(f32(1024, 512), f32(1024, 512))
def gram(x: Any, y: Any) -> Any:
    return x.T @ y


@program(f32(256, 256))
def outer_chain(x: Any) -> Any:
    return jnp.linalg.multi_dot([x, x, x, x])


@program(f32(128, 128))
def solve(x: Any) -> Any:
    return jnp.linalg.solve(x + 20 * jnp.eye(128, dtype=x.dtype), x)


@program(f32(512, 512), f32(512, 64))
def triangular_solve(x: Any, b: Any) -> Any:
    return lax.linalg.triangular_solve(jnp.tril(x) / 512 + jnp.eye(512, dtype=x.dtype), b, left_side=True, lower=True)


# Networks


def _attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
    mask = jnp.tril(jnp.ones((q.shape[2], q.shape[2]), bool))
    return jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1) @ v


@program(f32(4, 8, 256, 64), f32(4, 8, 256, 64), f32(4, 8, 256, 64))
def attention(q: Any, k: Any, v: Any) -> Any:
    return _attention(q, k, v)


@program(bf16(4, 8, 256, 64), bf16(4, 8, 256, 64), bf16(4, 8, 256, 64))
def attention_bf16(q: Any, k: Any, v: Any) -> Any:
    return _attention(q, k, v)


@program(f32(2, 4, 256, 64), f32(2, 4, 256, 64), f32(2, 4, 256, 64))
def attention_grad(q: Any, k: Any, v: Any) -> Any:
    return _gradient(_attention, q, k, v)


@program(f32(8, 1, 64), f32(8, 2048, 64), f32(8, 2048, 64), i32(high=2048))
def decode_attention(q: Any, k: Any, v: Any, length: Any) -> Any:
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / 8
    return jax.nn.softmax(jnp.where(jnp.arange(2048) <= length, scores, -jnp.inf), axis=-1) @ v


def _batch_norm(x: Any, scale: Any, offset: Any) -> Any:
    mean, variance = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    return jax.nn.relu((x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset)


@program(f32(16, 56, 56, 64), f32(64), f32(64))
def batch_norm_train(x: Any, scale: Any, offset: Any) -> Any:
    return _batch_norm(x, scale, offset)


@program(f32(16, 28, 28, 64), f32(64), f32(64))
def batch_norm_grad(x: Any, scale: Any, offset: Any) -> Any:
    return _gradient(_batch_norm, x, scale, offset)


@program(bf16(2048, 1024), bf16(1024), bf16(1024))
def layer_norm_bf16(x: Any, scale: Any, offset: Any) -> Any:
    wide = x.astype(jnp.float32)
    mean, variance = jnp.mean(wide, -1, keepdims=True), jnp.var(wide, -1, keepdims=True)
    return ((wide - mean) * lax.rsqrt(variance + 1e-5)).astype(x.dtype) * scale + offset


@program(f32(2048, 1024), f32(1024))
def rms_norm(x: Any, scale: Any) -> Any:
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


@program(f32(512, 1024), f32(1024))
def layer_norm_grad(x: Any, scale: Any) -> Any:
    def loss(x: Any, scale: Any) -> Any:
        normal = (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5)
        return jnp.sum((normal * scale) ** 3)

    return jax.grad(loss, (0, 1))(x, scale)


@program(f32(1024, 8192))
def logsumexp(x: Any) -> Any:
    return jax.nn.logsumexp(x, axis=-1)


@program(f32(512, 8192), i32(512, high=8192))
def cross_entropy_grad(logits: Any, labels: Any) -> Any:
    def loss(logits: Any) -> Any:
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))

    return jax.value_and_grad(loss)(logits)


@program(f32(32, 64, 128), f32(128, 384, low=-0.1, high=0.1), f32(128, 384, low=-0.1, high=0.1))
def gru_scan(inputs: Any, input_weights: Any, state_weights: Any) -> Any:
    def step(state: Any, x: Any) -> Any:
        reset_x, update_x, new_x = jnp.split(x @ input_weights, 3, axis=-1)
        reset_h, update_h, new_h = jnp.split(state @ state_weights, 3, axis=-1)
        update = jax.nn.sigmoid(update_x + update_h)
        new = jnp.tanh(new_x + jax.nn.sigmoid(reset_x + reset_h) * new_h)
        state = (1 - update) * new + update * state
        return state, state

    return lax.scan(step, jnp.zeros(inputs.shape[1:]), inputs)[1]


@program(f32(32, 16, 64), f32(64, 64), f32(64, 64))
def rnn_grad(inputs: Any, input_weights: Any, state_weights: Any) -> Any:
    def loss(input_weights: Any, state_weights: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            return jnp.tanh(x @ input_weights + state @ state_weights / 8), None

        return jnp.sum(lax.scan(step, jnp.zeros(inputs.shape[1:]), inputs)[0] ** 2)

    return jax.grad(loss, (0, 1))(input_weights, state_weights)


@program(*[f32(1_000_000)] * 3, f32(1_000_000, low=0.0))
def adam_update(parameters: Any, gradient: Any, mean: Any, square: Any) -> Any:
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient**2
    return parameters - 1e-3 * (mean / 0.9) / (jnp.sqrt(square / 0.9) + 1e-8), mean, square


@program(f32(16, 128, 8, 64))
def rotary_embedding(x: Any) -> Any:
    positions = jnp.arange(128)[:, None] * 10_000 ** (-jnp.arange(32) / 32)
    cosine, sine = jnp.cos(positions)[:, None], jnp.sin(positions)[:, None]
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * cosine - b * sine, a * sine + b * cosine], axis=-1)


# Movement and elementwise


@program(f32(64, 128, 256))
def transpose_021(x: Any) -> Any:
    return jnp.transpose(x, (0, 2, 1)) * 2


@program(f32(64, 128, 256))
def transpose_210(x: Any) -> Any:
    return jnp.transpose(x, (2, 1, 0))


@program(f32(1024, 1024), f32(1024, 1024))
def concatenate_slice(x: Any, y: Any) -> Any:
    return jnp.concatenate([x[:, 256:], y[:, :768]], axis=1) + 1


@program(f32(1024, 2048))
def roll(x: Any) -> Any:
    return jnp.roll(x, 100, axis=1) + jnp.roll(x, 1, axis=0)


@program(f32(16, 256, 256))
def tril_mask(x: Any) -> Any:
    return jnp.where(jnp.tril(jnp.ones((256, 256), bool)), x, -jnp.inf)


@program(f32(256, 1024))
def repeat(x: Any) -> Any:
    return jnp.repeat(x, 4, axis=0)


@program(f32(1024, 1024))
def pad_reverse(x: Any) -> Any:
    return jnp.pad(x[::-1, ::-1], ((2, 2), (2, 2)), mode="reflect")


@program(f32(2048, 1024, low=-4, high=4))
def where_chain(x: Any) -> Any:
    y = jnp.where(x > 1, x * x, jnp.where(x < -1, -x, jnp.where(x == 0, 1.0, jnp.exp(x))))
    return jnp.clip(jnp.where(jnp.isnan(y), 0.0, y), 0.0, 10.0)


@program(f32(1024, 1024, low=0.1, high=10))
def elementary(x: Any) -> Any:
    return jnp.sin(x) * jnp.log(x) + jnp.tanh(x) * jnp.power(x, 1.7) - jnp.arctan2(x, 2.0)


@program(f32(2048, 2048))
def mean_var_std(x: Any) -> Any:
    return jnp.mean(x, 0), jnp.var(x, 1), jnp.std(x)


@program(f32(64, 256, 64))
def reduce_middle(x: Any) -> Any:
    return jnp.sum(x, axis=1), jnp.max(x, axis=(0, 2))


@program(i32(1024, 1024, low=1, high=10**6), i32(1024, 1024, low=1, high=1000))
def integer_division(x: Any, y: Any) -> Any:
    return x // y + x % y


@program(f32(2048, 1024))
def quantize_int8(x: Any) -> Any:
    scale = jnp.max(jnp.abs(x), axis=-1, keepdims=True) / 127
    return jnp.round(x / scale).astype(jnp.int8), scale


# Transforms, random numbers, iterations


@program(f32(16, 256, 256))
def fft2(x: Any) -> Any:
    return jnp.fft.fft2(x)


@program(f32(256, 1024))
def rfft(x: Any) -> Any:
    return jnp.fft.rfft(x)


@program(f32(64, 1000))
def fft1000(x: Any) -> Any:
    return jnp.abs(jnp.fft.fft(x))


@program(Draw((2,), np.dtype(np.uint32), 0, 1000))
def dropout_mask(key: Any) -> Any:
    return jax.random.bernoulli(key, 0.9, (1024, 1024))


@program(Draw((2,), np.dtype(np.uint32), 0, 1000), f32(256, 1000))
def categorical(key: Any, logits: Any) -> Any:
    return jax.random.categorical(key, logits)


@program(f32(64, 64))
def power_iteration(x: Any) -> Any:
    def step(_: Any, v: Any) -> Any:
        w = x @ v
        return w / jnp.linalg.norm(w)

    return lax.fori_loop(0, 200, step, jnp.ones(64, x.dtype))


@program(f32(64, 64, low=0.1, high=10))
def newton_roots(x: Any) -> Any:
    def unfinished(state: Any) -> Any:
        root, change = state
        return jnp.max(jnp.abs(change) / root) > 1e-6

    def step(state: Any) -> Any:
        root, _ = state
        change = (root * root * root - x) / (3 * root * root)
        return root - change, change

    return lax.while_loop(unfinished, step, (jnp.maximum(x, 1.0), x))[0]


@program(f32(2048, 3), f32(16, 3))
def kmeans_step(points: Any, centers: Any) -> Any:
    distances = jnp.sum((points[:, None] - centers) ** 2, axis=-1)
    mine = jax.nn.one_hot(jnp.argmin(distances, axis=1), 16)
    return mine.T @ points / jnp.maximum(jnp.sum(mine, axis=0), 1)[:, None]


@functools.cache
def transformer_weights(width: int) -> tuple[Draw, ...]:
    """The weights of one transformer block: attention's two matrices, the network's two, and the two scales."""
    return (
        f32(width, 3 * width, low=-0.05, high=0.05),
        f32(width, width, low=-0.05, high=0.05),
        f32(width, 4 * width, low=-0.05, high=0.05),
        f32(4 * width, width, low=-0.05, high=0.05),
        f32(width),
        f32(width),
    )


def transformer_block(x: Any, weights: Any, heads: int) -> Any:
    """Causal attention and a network of one hidden layer, each behind a layer norm, on `batch x length x width`."""
    to_qkv, to_output, to_hidden, from_hidden, scale0, scale1 = weights
    batch, length, width = x.shape

    def normal(x: Any, scale: Any) -> Any:
        return (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5) * scale

    qkv = (normal(x, scale0) @ to_qkv).reshape(batch, length, 3, heads, width // heads)
    q, k, v = jnp.moveaxis(qkv, (2, 3), (0, 2))
    mixed = jnp.moveaxis(_attention(q, k, v), 1, 2).reshape(x.shape)
    x = x + mixed @ to_output
    return x + jax.nn.gelu(normal(x, scale1) @ to_hidden) @ from_hidden
