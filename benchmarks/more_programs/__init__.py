"""A second set of programs, written in JAX and lowered on the spot: what people use beyond the first 25.

Each function of the files here is one program; `@program` says the arguments it is lowered for and timed with. Needs
the extra `jax`.
"""

from __future__ import annotations

from ..suite import Program
from . import convolutions, elementwise, iterations, networks, products, sorting, windows
from .jax_program import PROGRAMS, load_from, lower

__all__ = ["PROGRAMS", "load", "lower", "names"]

FAMILIES = (sorting, windows, convolutions, products, networks, elementwise, iterations)
"""The files of programs, which enter the table when they are imported."""


def names() -> list[str]:
    """All program names, family by family."""
    return list(PROGRAMS)


def load(name: str, seed: int = 0) -> Program:
    """The program `name`, as `load_from` has it."""
    return load_from(PROGRAMS, name, seed)
