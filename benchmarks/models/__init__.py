"""Whole models, written compactly in JAX and lowered on the spot: what people compile, of their real sizes.

Each function of the files here is one model; `@model` says its parameters, as trees of arrays, and its inputs. Weights
are arguments, drawn when a model is loaded. `python -m xdsl_xla.benchmarks.models FOLDER` writes the StableHLO texts,
which need no JAX from then on. Needs the extra `jax`.
"""

from __future__ import annotations

from ..more_programs.jax_program import load_from
from ..suite import Program
from . import convolutional, graphs, recurrent, simulation, transformers
from .model import MODELS

__all__ = ["MODELS", "load", "names"]

FAMILIES = (transformers, convolutional, recurrent, graphs, simulation)
"""The files of models, which enter the table when they are imported."""


def names() -> list[str]:
    """All models, family by family."""
    return [name for family in FAMILIES for name in MODELS if MODELS[name].function.__module__ == family.__name__]


def load(name: str, seed: int = 0) -> Program:
    """The model `name`, as `load_from` has it."""
    return load_from(MODELS, name, seed)
