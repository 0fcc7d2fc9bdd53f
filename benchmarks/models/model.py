"""What models are made of: the table they enter, and how their weights are drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod, sqrt
from typing import Any

from ..more_programs.jax_program import Function, Programs, f32, i32, jax, jnp, lax, program
from ..suite import Draw

__all__ = [
    "MODELS",
    "Function",
    "Tree",
    "affine",
    "dense",
    "descend",
    "f32",
    "i32",
    "jax",
    "jnp",
    "lax",
    "layer_norm",
    "model",
    "norm",
    "ones",
    "small",
    "weights",
]


Tree = dict[str, Any]
"""Parameters by name."""

MODELS: Programs = {}

model: Callable[..., Callable[[Function], Function]] = partial(program, table=MODELS)
"""Makes the function the model of its name."""


def weights(*shape: int) -> Draw:
    """Of a layer: of a variance that keeps the size of what goes through, by all but the last dimension."""
    bound = sqrt(3 / prod(shape[:-1]))
    return f32(*shape, low=-bound, high=bound)


def ones(*shape: int) -> Draw:
    """Scales: near one."""
    return f32(*shape, low=0.9, high=1.1)


def small(*shape: int) -> Draw:
    """Offsets: near zero."""
    return f32(*shape, low=-0.02, high=0.02)


def norm(size: int) -> Tree:
    """Scale and offset of a normalisation."""
    return {"scale": ones(size), "offset": small(size)}


def dense(inputs: int, outputs: int) -> Tree:
    """Of an affine layer."""
    return {"weight": weights(inputs, outputs), "bias": small(outputs)}


def affine(x: Any, layer: Tree) -> Any:
    return x @ layer["weight"] + layer["bias"]


def layer_norm(x: Any, layer: Tree) -> Any:
    mean, variance = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * layer["scale"] + layer["offset"]


def descend(parameters: Tree, gradient: Tree, rate: float) -> Tree:
    """A step of gradient descent."""

    def step(value: Any, slope: Any) -> Any:
        return value - rate * slope

    return jax.tree.map(step, parameters, gradient)
