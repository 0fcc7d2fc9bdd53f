"""Options of compilation that several commands take: what they say of themselves, and what they may be."""

from __future__ import annotations

import argparse

from ..decisions.model import CostModel
from ..decisions.target import is_register_width
from ..runtime.extensions.cost_models import NoCostModelError, cost_model_named
from ..runtime.threads import MAX_THREADS
from .reporting import UsageError, describe

COST_MODEL_PLACE = "MODEL"
DENORMALS_HELP = "subnormal numbers: flush (the default) or preserve (that of executable tests); docs/semantics.md"

COST_MODEL_HELP = (
    "what decides: FILE.py:NAME, MODULE:NAME or the name of an installed package's model; a `CostModel`, or a function"
    " without parameters that returns one"
)
SCHEDULES_HELP = (
    "schedules of kernels, by name, if not those of the file model.schedules beside model.mlir: a file, or the name of"
    " an installed package's schedules"
)
LOAD_PASS_HELP = (
    "a file with passes, dialects or pipelines, which need no package (docs/extending.md); may be repeated, and comes"
    " first where names meet"
)


def load_cost_model(place: str | None) -> CostModel | None:
    """The model that `place` names, None for None. Raises `UsageError` where there is none."""
    if place is None:
        return None
    try:
        return cost_model_named(place)
    except NoCostModelError as error:
        raise UsageError(f"--cost-model: {describe(error).removeprefix('error: ')}") from error


def check_machine(args: argparse.Namespace) -> None:
    """Raises `UsageError` for numbers of threads and of bits of vectors that no machine has."""
    if args.threads is not None and not 1 <= args.threads <= MAX_THREADS:
        raise UsageError(f"--threads {args.threads}: at least 1, at most {MAX_THREADS}")
    if args.vector_bits and not is_register_width(args.vector_bits):
        raise UsageError(f"--vector-bits {args.vector_bits}: a power of two of at least 64, or 0 for this machine's")
