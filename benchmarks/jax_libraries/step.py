"""What a library's step is: a function of JAX and its arguments, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

jax = cast(Any, import_module("jax"))
jnp = cast(Any, import_module("jax.numpy"))
lax = cast(Any, import_module("jax.lax"))

Made = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of `jax.jit` and its arguments, pytrees of arrays."""


@dataclass(frozen=True)
class Step:
    """One entry. `tolerance`: how far results of two compilers may be apart, relative to the largest of each array."""

    name: str
    make: Callable[[], Made]
    tolerance: float = 1e-3


STEPS: list[Step] = []


def step(name: str, tolerance: float = 1e-3) -> Callable[[Callable[[], Made]], Callable[[], Made]]:
    """Enters the function, which makes the step of that name."""

    def enter(make: Callable[[], Made]) -> Callable[[], Made]:
        STEPS.append(Step(name, make, tolerance))
        return make

    return enter


def library(name: str) -> Any:
    """The module, without types: libraries need not be installed where types are checked."""
    return import_module(name)


def normal(seed: int, *shape: int) -> Any:
    """Random numbers, the same ones everywhere."""
    return jax.random.normal(jax.random.key(seed), shape)
