"""Fourier transforms, random numbers, loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..suite import Draw
from .jax_program import f32, jax, jnp, lax, program


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
