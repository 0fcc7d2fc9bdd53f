"""`pip install -e .` makes a package that Python imports, and that type checkers and editors follow."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla

ROOT = Path(__file__).parents[2]

USE = """
import numpy as np
import xdsl_xla
from xdsl_xla.frontends import xla_builder as xla

executable = xdsl_xla.compile("program.mlir", threads=2)
reveal_type(executable)
(result,) = executable(np.zeros(3))
reveal_type(xdsl_xla.__version__)
builder = xla.XlaBuilder("double")
computation = builder.build(builder.parameter(0, xla.Shape.array(xla.F32, [3])))
xdsl_xla.compile(computation)
xdsl_xla.compile(bytearray(b"text"))
xdsl_xla.compile(3)  # wrong
"""

USE_OF_JAX = """
import jax
xdsl_xla.compile(jax.jit(abs).lower(1))
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, without what the package does not need."""
    copy = tmp_path_factory.mktemp("checkout") / "a copy"
    ignored = shutil.ignore_patterns(".*", "tests", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=ignored)
    return copy


def built(checkout: Path, directory: Path, *settings: str) -> zipfile.ZipFile:
    """What the build backend of `pyproject.toml` makes for `pip install -e`."""
    script = (
        "import sys; sys.path.insert(0, 'installing'); import editable_backend\n"
        "print(editable_backend.build_editable(sys.argv[1], dict(s.split('=') for s in sys.argv[2:])))"
    )
    command = [sys.executable, "-c", script, str(directory), *settings]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(directory / done.stdout.split()[-1])


@pytest.fixture(scope="module")
def python(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has the package and its dependencies."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("[lL]ib/**/site-packages")
    with built(checkout, folder) as wheel:
        wheel.extractall(site)
    assert [path.suffix for path in site.iterdir() if path.is_file()] == [".pth"]
    (site / "dependencies.pth").write_text(str(Path(np.__file__).parents[1]))
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def test_the_package_is_imported_from_the_checkout(checkout: Path, python: Path, tmp_path: Path) -> None:
    script = "import xdsl_xla.errors as e; print(xdsl_xla.__file__, e.__file__, xdsl_xla.compile, sep='\\n')"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-c", f"import xdsl_xla; {script}"]
    output = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[:2] == [str(checkout / "__init__.py"), str(checkout / "errors.py")]


@pytest.mark.slow
def test_it_can_be_built_again(checkout: Path, python: Path, tmp_path: Path) -> None:
    """What is behind the link stays."""
    with built(checkout, tmp_path) as wheel:
        (path,) = (wheel.read(name).decode() for name in wheel.namelist() if name.endswith(".pth"))
    (link,) = Path(path.strip()).iterdir()
    assert link.resolve() == checkout and (link / "errors.py").exists() and python.exists()


def test_setuptools_own_modes_are_left(checkout: Path, python: Path, tmp_path: Path) -> None:
    with built(checkout, tmp_path, "editable_mode=lenient") as wheel:
        assert any("finder" in name for name in wheel.namelist()) and python.exists()


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers(checker: str, python: Path, tmp_path: Path) -> None:
    pytest.importorskip(checker)
    program = tmp_path / "use.py"
    program.write_text(USE + (USE_OF_JAX if find_spec("jax") else ""))
    commands = {
        "mypy": ["--strict", "--python-executable", str(python), "--cache-dir", str(tmp_path / "cache")],
        "pyright": ["--pythonpath", str(python)],
    }
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    command = [sys.executable, "-m", checker, *commands[checker], program.name]
    output = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
    assert re.search(r'"executable" is "Executable"|is "xdsl_xla.runtime.executable.Executable"', output), output
    errors = [line for line in output.splitlines() if re.search(r"use.py:\d+(:\d+)?.* error:", line)]
    line = USE.splitlines().index("xdsl_xla.compile(3)  # wrong") + 1
    assert len(errors) == 1 and f"use.py:{line}:" in errors[0], output


def test_the_backend_gets_into_source_distributions() -> None:
    assert "graft installing" in (ROOT / "MANIFEST.in").read_text().splitlines()
    assert xdsl_xla.__file__ == str(Path(xdsl_xla.__file__).resolve())
