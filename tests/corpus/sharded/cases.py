"""What a sharded program of the corpus is: the program for a mesh, the same one for one device, and arguments."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from numpy.typing import NDArray

Function = Callable[..., Any]


@dataclass
class Case:
    """`sharded` is what `jax.jit` or `jax.pmap` gives; `plain` computes the same on one device."""

    sharded: Any
    plain: Function
    arguments: Sequence[Any]


Builder = Callable[[Mesh, np.random.Generator], Case]
CASES: dict[str, tuple[dict[str, int], Builder]] = {}
"""By name: the sizes of the axes of the mesh, and what makes the case."""


def case(**axes: int) -> Callable[[Builder], Builder]:
    """Registers a case on a mesh of these axes."""

    def register(builder: Builder) -> Builder:
        CASES[builder.__name__] = (axes, builder)
        return builder

    return register


def make_case(name: str) -> Case:
    """The case, with arguments that depend on its name only."""
    axes, builder = CASES[name]
    devices = np.array(jax.devices()[: prod(axes.values())]).reshape(*axes.values())
    return builder(Mesh(devices, tuple(axes)), np.random.default_rng(zlib.crc32(name.encode())))


def normal(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> NDArray[np.float32]:
    """Normal numbers of that standard deviation."""
    return (rng.standard_normal(shape) * scale).astype(np.float32)


def spread(mesh: Mesh, *axes: Any) -> NamedSharding:
    """The sharding of an array of which each dimension is split along the axes named in its place."""
    return NamedSharding(mesh, PartitionSpec(*axes))


def constrained(mesh: Mesh | None) -> Function:
    """`c(x, *axes)` is `x`, constrained to that sharding; without a mesh `x` itself."""
    if mesh is None:
        return lambda x, *axes: x
    return lambda x, *axes: jax.lax.with_sharding_constraint(x, spread(mesh, *axes))
