"""Steps of libraries that are written in JAX, as their documentation has them: the same function on XLA:CPU and here.

A library that is not installed is left out, with a line that says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from .step import STEPS, Step

LIBRARIES = {
    "flax": "flax_steps",
    "equinox": "equinox_steps",
    "optax": "optax_steps",
    "numpyro": "numpyro_steps",
    "diffrax": "diffrax_steps",
    "brax": "brax_steps",
    "jax_md": "jax_md_steps",
}
"""The name under which a library is imported, and the file with its steps; they also use optax and equinox."""

NEEDS = {"flax": ("optax",), "equinox": ("optax",), "diffrax": ("equinox", "optax"), "numpyro": (), "brax": ("flax",)}


def names() -> list[str]:
    """The libraries."""
    return list(LIBRARIES)


def missing(library: str) -> list[str]:
    """What has to be installed for the steps of a library."""
    return [name for name in (library, *NEEDS.get(library, ())) if find_spec(name) is None]


def steps(library: str) -> Iterator[Step]:
    """The steps of an installed library."""
    before = len(STEPS)
    import_module(f".{LIBRARIES[library]}", __name__)
    yield from STEPS[before:]
