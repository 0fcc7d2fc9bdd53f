"""Programs of the kinds for which libraries have a function: each in JAX, lowered on the spot, and in PyTorch.

The function of JAX is what this package and XLA compile; that of PyTorch is given the same arrays and returns what runs
the operator, laid out as it is fastest. Needs the extra `jax`; the other side needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ...errors import ArgumentError
from ..measure import Run
from ..suite import Program
from . import arrays, convolutions, networks, products
from .pair import PAIRS

__all__ = ["PAIRS", "library_function", "load", "names"]

FAMILIES = (products, convolutions, networks, arrays)
"""The files of programs, which enter the table when they are imported."""


def names() -> list[str]:
    """All program names, family by family."""
    return list(PAIRS)


def load(name: str, seed: int = 0) -> Program:
    """The program `name` with inputs drawn from `seed`.

    Raises ArgumentError for a name that is not there.
    """
    if name not in PAIRS:
        raise ArgumentError(f"no program '{name}'; there are {', '.join(PAIRS)}")
    return PAIRS[name].program.load(name, seed)


def library_function(name: str) -> Callable[..., Run]:
    """Makes the run of PyTorch, of the module `torch` and tensors of the inputs."""
    return cast("Callable[..., Run]", PAIRS[name].library)
