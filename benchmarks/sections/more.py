"""Run time of the second set of programs, those of `more_programs`."""

from __future__ import annotations

from .. import more_programs
from .run import compare
from .section import Result, Settings

QUICK = (
    "argsort",
    "cumsum",
    "depthwise_conv",
    "gather_rows",
    "matmul_bf16",
    "rms_norm",
    "adam_update",
    "transpose_021",
)


def measure(settings: Settings) -> Result:
    """All of them lowered by JAX, then as the first set."""
    names = settings.chosen(more_programs.names(), QUICK)
    return compare("more", "Run time of more programs", names, more_programs.load, settings)
