"""Elementwise arithmetic, reductions, and moving elements about."""

from __future__ import annotations

from typing import Any

from .jax_program import f32, i32, jnp, program


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
