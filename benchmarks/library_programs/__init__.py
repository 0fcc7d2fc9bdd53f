"""Programs of the kinds for which libraries have a function: each in JAX, lowered on the spot, and in PyTorch.

The function of JAX is what this package and XLA compile; that of PyTorch is given the same arrays and returns what runs
the operator, laid out as it is fastest. Needs the extra `jax`; the other side needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ..measure import Run
from ..more_programs.jax_program import load_from
from ..suite import Program
from . import arrays, convolutions, networks, products
from .pair import LIBRARIES, PROGRAMS

__all__ = ["LIBRARIES", "PROGRAMS", "library_function", "load", "names"]

FAMILIES = (products, convolutions, networks, arrays)
"""The files of programs, which enter the table when they are imported."""


def names() -> list[str]:
    """All program names, family by family."""
    return list(PROGRAMS)


def load(name: str, seed: int = 0) -> Program:
    """The program `name`, as `load_from` has it."""
    return load_from(PROGRAMS, name, seed)


def library_function(name: str) -> Callable[..., Run]:
    """Makes the run of PyTorch, of the module `torch` and tensors of the inputs."""
    return cast("Callable[..., Run]", LIBRARIES[name])
