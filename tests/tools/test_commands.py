"""The installed commands, interrupted while they are imported."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.tools import commands

PROGRAM = """
from xdsl_xla.tools import commands
load = commands.import_module

def import_module(*names):
    print(".", flush=True)
    return load(*names)

commands.import_module = import_module
raise SystemExit(commands.{0}())
"""
"""Says so when the imports begin."""


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("command", ["xla_opt", "xla_run"])
def test_an_interruption_at_the_start_is_one_line(command: str, delay: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(command), "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b".\n"
    time.sleep(delay)
    os.kill(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (commands.INTERRUPTED, b"interrupted\n")


CRASHING = """
import ctypes
from dataclasses import dataclass
from xdsl.passes import ModulePass

@dataclass(frozen=True)
class CrashPass(ModulePass):
    name = "crash"

    def apply(self, ctx, op):
        ctypes.string_at(0)
"""


@pytest.mark.parametrize("command", ["xla_opt", "xla_run", "xla_compile", "xla_lsp"])
def test_modules_that_are_run_are_the_commands(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before they import anything else: what they import after that may be interrupted."""
    monkeypatch.setattr(commands, command, lambda: 77)
    monkeypatch.delitem(sys.modules, f"xdsl_xla.tools.{command}", raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(f"xdsl_xla.tools.{command}", run_name="__main__")
    assert ended.value.code == 77


def test_a_pass_that_ends_the_process_is_named(tmp_path: Path) -> None:
    (tmp_path / "crash.py").write_text(CRASHING)
    command = [sys.executable, "-c", "from xdsl_xla.tools import commands; commands.xla_opt()"]
    arguments = ["-", "--load-pass", "crash.py", "-p", "crash"]
    done = subprocess.run([*command, *arguments], input="", capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGSEGV
    places = [line for line in done.stderr.splitlines() if "ctypes" not in line]
    assert places[0].startswith("Fatal Python error: Segmentation fault")
    assert any('crash.py", line 11 in apply' in line for line in places[:5])


def test_every_installed_command_is_here() -> None:
    project = tomllib.loads((Path(xdsl_xla.__file__).parent / "pyproject.toml").read_text())
    for name, place in project["project"]["scripts"].items():
        module, _, function = place.partition(":")
        assert (module, function) == (commands.__name__, name.replace("-", "_"))
        assert callable(getattr(commands, function))
