"""`docs/jax.md`: its programs and commands, as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.frontends.pjrt.compile_options import OPTIONS
from xdsl_xla.tools import xla_opt

pytest.importorskip("jax")

PAGE = (Path(xdsl_xla.__file__).parent / "docs" / "jax.md").read_text()

START = "from xdsl_xla.frontends.pjrt import jax_plugin; jax_plugin.register()\n"
"""What JAX does by itself where the package is installed."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in re.findall(r"```python\n# (\S+\.py)\n(.*?)```", PAGE, re.DOTALL):
        (tmp_path / name).write_text(text)
    return tmp_path


def train(folder: Path, **variables: str) -> str:
    program = START + (folder / "train.py").read_text()
    environment = {**os.environ, "JAX_PLATFORMS": "xdsl_xla", **variables}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_runs(folder: Path) -> None:
    platform, value = train(folder).split()
    assert platform == "xdsl_xla"
    assert 0 < float(value) < 0.5


def test_a_pass_of_the_user_runs_in_it(folder: Path) -> None:
    (line,) = re.findall(r"^    \$ (XDSL_XLA_PASSES.*) python train.py$", PAGE, re.MULTILINE)
    variables = dict(word.split("=", 1) for word in line.split())
    assert "tanh, the first at" in train(folder, **variables)


def test_its_dump_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(folder, XDSL_XLA_DUMP_DIR="dump")
    first = min((folder / "dump").glob("*-0001/01_*.mlir"))
    assert xla_opt.main([str(first), "-p", "stablehlo-simplify"]) == 0
    assert "func.func" in capsys.readouterr().out


def test_all_options_are_named() -> None:
    named = set(re.findall(r"`XDSL_XLA_([A-Z_]+)` \| `xdsl_xla_", PAGE))
    assert {name.lower() for name in named} == set(OPTIONS)
