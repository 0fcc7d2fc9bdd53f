"""Where the commands cannot write: one line that says so, and status 1."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.output_files import written
from xdsl_xla.tools.xla_run import main

FULL = "/dev/full"
ADD = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""

full_disk = pytest.mark.skipif(not os.path.exists(FULL), reason="no device that is always full")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    return path


def run(tool: str, *arguments: str, shell: str = "") -> subprocess.CompletedProcess[str]:
    """The command, with a redirection of the shell."""
    command = f'exec "$0" -m xdsl_xla.tools.{tool} "$@" {shell}'
    return subprocess.run(
        ["sh", "-c", command, sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=100
    )


@pytest.mark.sample(1)
@full_disk
@pytest.mark.parametrize("tool", ["xla_opt", "xla_run"])
def test_standard_output_on_a_full_disk(program: Path, tool: str) -> None:
    done = run(tool, str(program), shell=f"> {FULL}")
    assert done.returncode == 1
    assert done.stderr == "error: reading or writing: No space left on device\n"


@pytest.mark.sample(1)
@full_disk
@pytest.mark.parametrize(("tool", "option"), [("xla_opt", "-o"), ("xla_run", "--output")])
def test_a_file_on_a_full_disk(program: Path, tool: str, option: str) -> None:
    done = run(tool, str(program), option, FULL)
    assert done.returncode == 1
    assert done.stderr == f"error: {FULL}: No space left on device\n"
    assert not os.path.exists(f"{FULL}.npz")


@pytest.mark.sample(1)
@pytest.mark.skipif(os.name != "posix", reason="redirections of POSIX's shell")
@pytest.mark.parametrize("tool", ["xla_opt", "xla_run"])
def test_standard_output_that_is_closed(program: Path, tool: str) -> None:
    done = run(tool, str(program), shell=">&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_file_has_the_name_that_is_given(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "results"
    assert main([str(program), "--input", "2xf32=1 2", "--output", str(path)]) == 0
    with np.load(path) as results:
        assert results["out0"].tolist() == [2, 4]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["add.mlir", "results"]


@full_disk
def test_errors_of_writing_name_the_file() -> None:
    with pytest.raises(OSError, match=FULL) as info, written(FULL) as file:
        file.write(b"x")
    assert info.value.filename == FULL


@full_disk
def test_a_dump_on_a_full_disk(tmp_path: Path) -> None:
    first = min(path.name for path in dumped(tmp_path / "levels"))
    (tmp_path / first).symlink_to(FULL)
    with pytest.raises(XlaError, match=f"{first}: No space left on device"):
        dumped(tmp_path)


def dumped(directory: Path) -> list[Path]:
    xdsl_xla.compile(ADD, dump_dir=directory)
    return list(directory.iterdir())
