"""Short forms of the campaigns of JAX on this compiler; the long ones are commands."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("jax")


def run(*arguments: str) -> str:
    """Run a campaign, which succeeds; what it prints."""
    command = [sys.executable, "-m", "xdsl_xla.tools.pjrt_endurance", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "JAX_PLATFORMS"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    return done.stdout


def test_calls_leave_nothing_over() -> None:
    assert "20000 calls: " in run("calls", "20000")


def test_ctrl_c_ends_programs() -> None:
    assert "1 interrupts, 0 failures" in run("interrupts", "1")


@pytest.mark.slow
def test_processes_start_and_end() -> None:
    assert "10 starts, 0 failures" in run("starts", "10")


@pytest.mark.slow
def test_compilations_leave_nothing_over() -> None:
    assert "100 compilations: " in run("compilations", "100")
