"""Layers of neural networks."""

from __future__ import annotations

from typing import Any

from ..more_programs.jax_program import f32, i32, jax, jnp, lax
from ..more_programs.networks import causal_attention
from .pair import images, pair

ATTENTION = f32(2, 8, 512, 64)


def _torch_attention(torch: Any, q: Any, k: Any, v: Any) -> Any:
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


pair("causal_attention_512", causal_attention, ATTENTION, ATTENTION, ATTENTION, library=_torch_attention)


def _softmax(x: Any) -> Any:
    return jax.nn.softmax(x, axis=-1)


pair("softmax", _softmax, f32(1024, 4096), library=lambda torch, x: lambda: torch.softmax(x, -1))


def _layer_norm(x: Any, scale: Any, offset: Any) -> Any:
    mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset


def _torch_layer_norm(torch: Any, x: Any, scale: Any, offset: Any) -> Any:
    return lambda: torch.nn.functional.layer_norm(x, (1024,), scale, offset)


pair("layer_norm", _layer_norm, f32(2048, 1024), f32(1024), f32(1024), library=_torch_layer_norm)


def _group_norm(x: Any, scale: Any, offset: Any) -> Any:
    parts = x.reshape(*x.shape[:-1], 32, -1)
    mean, variance = jnp.mean(parts, (1, 2, 4), keepdims=True), jnp.var(parts, (1, 2, 4), keepdims=True)
    return ((parts - mean) * lax.rsqrt(variance + 1e-5)).reshape(x.shape) * scale + offset


def _torch_group_norm(torch: Any, x: Any, scale: Any, offset: Any) -> Any:
    x = images(x)
    return lambda: torch.nn.functional.group_norm(x, 32, scale, offset).permute(0, 2, 3, 1)


pair("group_norm", _group_norm, f32(8, 32, 32, 256), f32(256), f32(256), library=_torch_group_norm)


def _group_norm_nchw(x: Any, scale: Any, offset: Any) -> Any:
    parts = x.reshape(x.shape[0], 32, -1)
    mean, variance = jnp.mean(parts, -1, keepdims=True), jnp.var(parts, -1, keepdims=True)
    normal = ((parts - mean) * lax.rsqrt(variance + 1e-5)).reshape(x.shape)
    return normal * scale[:, None, None] + offset[:, None, None]


def _torch_group_norm_nchw(torch: Any, x: Any, scale: Any, offset: Any) -> Any:
    return lambda: torch.nn.functional.group_norm(x, 32, scale, offset)


pair("group_norm_nchw", _group_norm_nchw, f32(8, 256, 32, 32), f32(256), f32(256), library=_torch_group_norm_nchw)


def _gelu(x: Any) -> Any:
    return jax.nn.gelu(x, approximate=False)


pair("gelu", _gelu, f32(1024, 4096), library=lambda torch, x: lambda: torch.nn.functional.gelu(x))


def _cross_entropy(logits: Any, labels: Any) -> Any:
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))


def _torch_cross_entropy(torch: Any, logits: Any, labels: Any) -> Any:
    labels = labels.long()
    return lambda: torch.nn.functional.cross_entropy(logits, labels)


pair("cross_entropy", _cross_entropy, f32(512, 8192), i32(512, high=8192), library=_torch_cross_entropy)


def _lstm(inputs: Any, input_weights: Any, state_weights: Any, bias: Any) -> Any:
    """Gates in PyTorch's order: input, forget, new, output."""

    def step(state: Any, x: Any) -> Any:
        hidden, cell = state
        into, forget, new, out = jnp.split(x + hidden @ state_weights.T, 4, axis=-1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(into) * jnp.tanh(new)
        hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
        return (hidden, cell), hidden

    start = (jnp.zeros((inputs.shape[1], state_weights.shape[1])),) * 2
    return lax.scan(step, start, inputs @ input_weights.T + bias)[1]


def _torch_lstm(torch: Any, inputs: Any, input_weights: Any, state_weights: Any, bias: Any) -> Any:
    layer = torch.nn.LSTM(input_weights.shape[1], state_weights.shape[1])
    values = {"weight_ih_l0": input_weights, "weight_hh_l0": state_weights, "bias_ih_l0": bias}
    layer.load_state_dict(values | {"bias_hh_l0": torch.zeros_like(bias)})
    return lambda: layer(inputs)[0]


WEIGHTS = {"low": -0.1, "high": 0.1}
pair(
    "lstm",
    _lstm,
    f32(64, 16, 256),
    f32(1024, 256, **WEIGHTS),
    f32(1024, 256, **WEIGHTS),
    f32(1024),
    library=_torch_lstm,
)
