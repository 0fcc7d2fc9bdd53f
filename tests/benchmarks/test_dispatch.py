"""The section on calls of JAX runs, and both platforms give the same results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")


def test_calls_on_both_platforms_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = [sys.executable, "-m", "xdsl_xla.benchmarks", "dispatch", "--blocks", "1", "--json", str(file)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    result = json.loads(file.read_text())["sections"]["dispatch"]
    assert result["failures"] == []
    rows = result["tables"][0]["rows"]
    assert [row["call"] for row in rows] == [
        "x + 1 of a device array",
        "x + 1 of a NumPy array",
        "x + 1 of 100 leaves",
        "x + 1, to NumPy",
    ]
    assert all(row["ours_seconds"] > 0 and row["jax_seconds"] > 0 for row in rows)
