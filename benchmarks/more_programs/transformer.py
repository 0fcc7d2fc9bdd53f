"""A block of a transformer, for programs of any length."""

from __future__ import annotations

from typing import Any

from ..suite import Draw
from .jax_program import f32, jax, jnp, lax
from .networks import causal_attention


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
    mixed = jnp.moveaxis(causal_attention(q, k, v), 1, 2).reshape(x.shape)
    x = x + mixed @ to_output
    return x + jax.nn.gelu(normal(x, scale1) @ to_hidden) @ from_hidden
