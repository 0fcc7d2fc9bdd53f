"""Recurrent networks over long sequences."""

from __future__ import annotations

from typing import Any

from .model import Tree, affine, dense, f32, jax, jnp, lax, model

GRU: Tree = {"input": dense(64, 768), "state": dense(256, 768), "head": dense(256, 10)}


@model(GRU, f32(1000, 8, 64))
def gru_1000(parameters: Tree, inputs: Any) -> Any:
    """1,000 steps of a gated recurrent unit (Cho et al., 2014) of 256 states for 8 sequences."""

    def step(state: Any, x: Any) -> Any:
        reset_x, update_x, new_x = jnp.split(x, 3, -1)
        reset_h, update_h, new_h = jnp.split(affine(state, parameters["state"]), 3, -1)
        update = jax.nn.sigmoid(update_x + update_h)
        new = jnp.tanh(new_x + jax.nn.sigmoid(reset_x + reset_h) * new_h)
        return (1 - update) * new + update * state, None

    prepared = affine(inputs, parameters["input"])
    last, _ = lax.scan(step, jnp.zeros((inputs.shape[1], 256)), prepared)
    return affine(last, parameters["head"])
