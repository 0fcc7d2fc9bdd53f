"""Parts of neural networks, and their gradients."""

from __future__ import annotations

from typing import Any

from .jax_program import bf16, f32, gradients, i32, jax, jnp, lax, program


def causal_attention(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
    mask = jnp.tril(jnp.ones((q.shape[2], q.shape[2]), bool))
    return jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1) @ v


@program(f32(4, 8, 256, 64), f32(4, 8, 256, 64), f32(4, 8, 256, 64))
def attention(q: Any, k: Any, v: Any) -> Any:
    return causal_attention(q, k, v)


@program(bf16(4, 8, 256, 64), bf16(4, 8, 256, 64), bf16(4, 8, 256, 64))
def attention_bf16(q: Any, k: Any, v: Any) -> Any:
    return causal_attention(q, k, v)


@program(f32(2, 4, 256, 64), f32(2, 4, 256, 64), f32(2, 4, 256, 64))
def attention_grad(q: Any, k: Any, v: Any) -> Any:
    return gradients(causal_attention, q, k, v)


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
    return gradients(_batch_norm, x, scale, offset)


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
