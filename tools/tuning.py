"""`xla-run --tune TIME`: how long, with which arguments, and what it says meanwhile."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.compiler import Request
from ..runtime.signature import TensorSpec
from .reporting import UsageError
from .tensor_io import load_inputs, random_inputs

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..runtime.tuner.summary import Summary

DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|)", re.ASCII)
UNITS = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
"""Of durations, in seconds."""


def seconds_of(duration: str) -> float:
    """What `--tune` is given. Raises `UsageError`."""
    match = DURATION.fullmatch(duration)
    seconds = 0.0 if match is None else float(match[1]) * UNITS[match[2]]
    if not 0 < seconds < float("inf"):
        raise UsageError(f"--tune {duration}: expected a time such as 60, 60s or 2m")
    return seconds


def tune_program(source: bytes | ModuleOp, filename: str, request: Request, args: argparse.Namespace) -> Summary:
    """Search for better schedules with the arguments that the command line gives, or random ones."""
    from ..runtime.tuner.progress import Progress
    from ..runtime.tuner.tune import tune

    def inputs(specs: Sequence[TensorSpec]) -> Sequence[np.ndarray]:
        return load_inputs(args.input, specs) if args.input else random_inputs(specs, args.seed)

    seconds = seconds_of(args.tune)
    progress = Progress(sys.stderr, seconds)
    return tune(source, filename, request, seconds, inputs=inputs, seed=args.seed, progress=progress)
