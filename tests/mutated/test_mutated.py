"""Damaged programs that once were crashes, hangs, tracebacks or wrong values: all end tidily.

The files are what `python -m xdsl_xla.tools.mutate` found, minimised, named after their causes.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from xdsl_xla.tools.mutate.readers import reader_of_file

FILES = sorted(path for path in Path(__file__).parent.iterdir() if reader_of_file(path) is not None)


@cache
def endings() -> dict[str, str]:
    """How each file ends: what `--check` says, in a process without the threads of this one."""
    command = [sys.executable, "-m", "xdsl_xla.tools.mutate", "--check", *map(str, FILES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line.rpartition(": ") for line in done.stdout.splitlines()]
    return {Path(file).name: ending for file, _, ending in lines}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_ends_tidily(path: Path) -> None:
    assert endings()[path.name] in ("REFUSED", "ACCEPTED", "AGREED", "NOT_COMPARED")
