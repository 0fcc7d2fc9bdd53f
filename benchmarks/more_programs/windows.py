"""Scans, and reductions of windows."""

from __future__ import annotations

from typing import Any

from .jax_program import f32, gradients, jnp, lax, program


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
    return gradients(_max_pool, x)


@program(f32(8, 112, 112, 64))
def average_pool(x: Any) -> Any:
    return lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") / 9
