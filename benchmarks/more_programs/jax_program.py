"""What programs written in JAX are made of: the table they enter, how arguments are drawn, how they are lowered."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import ml_dtypes
import numpy as np

from ...errors import ArgumentError, UnsupportedError
from ..suite import Draw, Program

try:
    jax = cast(Any, importlib.import_module("jax"))
except ImportError:
    raise UnsupportedError("programs written in JAX need it: pip install 'xdsl-xla[jax]'") from None
jnp, lax = jax.numpy, jax.lax

Function = Callable[..., Any]


@dataclass(frozen=True)
class JaxProgram:
    """A function and how its arguments are drawn, each a `Draw` or a tree of them."""

    function: Function
    arguments: tuple[Any, ...]

    def load(self, name: str, seed: int = 0) -> Program:
        """As a program of that name, with inputs drawn from `seed`."""
        generator = np.random.default_rng(seed)
        draws: list[Draw] = jax.tree.leaves(self.arguments)
        return Program(name, lower(self.function, *self.arguments), tuple(draw.array(generator) for draw in draws))


Programs = dict[str, JaxProgram]
"""By name."""

PROGRAMS: Programs = {}


def program(*arguments: Any, table: Programs = PROGRAMS) -> Callable[[Function], Function]:
    """Makes the function the program of its name."""

    def register(function: Function) -> Function:
        table[function.__name__] = JaxProgram(function, arguments)
        return function

    return register


def load_from(programs: Programs, name: str, seed: int) -> Program:
    """The program `name` of a table with inputs drawn from `seed`.

    Raises ArgumentError for a name that is not there.
    """
    if name not in programs:
        raise ArgumentError(f"no program '{name}'; there are {', '.join(programs)}")
    return programs[name].load(name, seed)


def lower(function: Function, *arguments: Any) -> str:
    """The StableHLO text of `function` for arguments of these shapes and types, or trees of them."""

    def struct(draw: Draw) -> Any:
        return jax.ShapeDtypeStruct(draw.shape, draw.dtype)

    structs = jax.tree.map(struct, arguments)
    return jax.jit(function, keep_unused=True).lower(*structs).as_text()


def f32(*shape: int, low: float = -1.0, high: float = 1.0) -> Draw:
    return Draw(shape, np.dtype(np.float32), low, high)


def f16(*shape: int) -> Draw:
    return Draw(shape, np.dtype(np.float16), -1.0, 1.0)


def bf16(*shape: int) -> Draw:
    return Draw(shape, np.dtype(ml_dtypes.bfloat16), -1.0, 1.0)


def i8(*shape: int) -> Draw:
    return Draw(shape, np.dtype(np.int8), -128, 128)


def i32(*shape: int, low: int = 0, high: int) -> Draw:
    return Draw(shape, np.dtype(np.int32), low, high)


def gradients(function: Function, *arguments: Any) -> Any:
    """Of the sum of the squares of what `function` returns, with respect to all arguments."""

    def loss(*arguments: Any) -> Any:
        return jnp.sum(function(*arguments) ** 2)

    return jax.grad(loss, tuple(range(len(arguments))))(*arguments)
