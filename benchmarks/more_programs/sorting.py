"""Sorting, selecting, looking up and scattering."""

from __future__ import annotations

from typing import Any

from .jax_program import f32, i32, jax, jnp, lax, program


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
