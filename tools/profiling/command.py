"""`xla-run --profile`: the program runs for half a second, its profile is a table, and files in a directory."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import XlaError
from ...runtime.compiler import Request
from ...runtime.executable import Executable
from ...runtime.output_files import written
from .formats import folded, records, trace
from .machine import machine
from .predictions import predictions
from .report import table

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

PROFILE_SECONDS = 0.5
"""How long a program runs to be profiled, once at least."""

MOST_RUNS = 1000

FILES = {"stacks.folded": folded, "trace.json": trace, "records.json": records}
"""What is written into a directory, beside the table."""


def profile_program(
    executable: Executable,
    inputs: Sequence[np.ndarray],
    source: bytes | ModuleOp,
    filename: str,
    request: Request,
    *,
    runs: int = 0,
    directory: str = "",
) -> str:
    """The table of a profile; `directory` receives it and the files. Raises `XlaError`."""
    arguments = executable.signature.arguments(inputs)
    if not runs:
        start = time.perf_counter()
        executable(*arguments)
        once = time.perf_counter() - start
        runs = max(1, min(MOST_RUNS, int(PROFILE_SECONDS / max(once, 1e-6))))
    profile = executable.profile(*arguments, runs=runs)
    predicted = predictions(source, filename, request)
    name = executable.signature.entry
    text = table(profile, predicted, machine(profile.threads), name)
    if directory:
        path = Path(directory)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise XlaError(f"{path}: {error.strerror}") from error
        _write(path / "table.txt", text)
        for file, made in FILES.items():
            _write(path / file, made(profile, predicted, name))
    return text


def _write(path: Path, text: str) -> None:
    with written(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
