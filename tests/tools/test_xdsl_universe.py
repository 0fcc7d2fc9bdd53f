"""What `xdsl-opt` has of this package, alone and beside others."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import xdsl_xla
from xdsl.universe import XDSL_UNIVERSE
from xdsl_xla.pipelines import PASSES, XLA_CPU, expand
from xdsl_xla.runtime.program_context import DIALECTS
from xdsl_xla.tools.targets import TARGETS
from xdsl_xla.tools.xdsl_universe import UNIVERSE

PROGRAM = """
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.reshape %x : (tensor<3x4xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.add %1, %1 : tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}
"""


def test_what_xdsl_has_is_left_to_it() -> None:
    """The document names these."""
    assert DIALECTS.keys() - UNIVERSE.all_dialects.keys() == {"arith", "llvm"}
    assert PASSES.keys() - UNIVERSE.all_passes.keys() == {"convert-scf-to-cf"}
    assert TARGETS.keys() - UNIVERSE.all_targets.keys() == {"llvm", "mlir", "obj"}
    for own, xdsls in (
        (UNIVERSE.all_dialects, XDSL_UNIVERSE.all_dialects),
        (UNIVERSE.all_passes, XDSL_UNIVERSE.all_passes),
        (UNIVERSE.all_targets, XDSL_UNIVERSE.all_targets),
    ):
        assert own and own.keys().isdisjoint(xdsls)


def distribution(folder: Path, name: str, module: str, text: str | None = None) -> None:
    """Metadata of a package with a universe."""
    info = folder / f"{name}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text(f"[xdsl.universe]\n{name} = {module}:UNIVERSE\n")
    if text is not None:
        (folder / f"{module}.py").write_text(text)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A place for packages in which this one is installed as `pyproject.toml` says, whatever else is."""
    project = tomllib.loads((Path(xdsl_xla.__file__).parent / "pyproject.toml").read_text())["project"]
    (entry,) = project["entry-points"]["xdsl.universe"].values()
    distribution(tmp_path / "site", "xdsl_xla", entry.partition(":")[0])
    return tmp_path / "site"


def xdsl_opt(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "xdsl.tools.xdsl_opt", *arguments]
    return subprocess.run(
        command, input=PROGRAM, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )


def test_passes_run_in_xdsl_opt(site: Path) -> None:
    done = xdsl_opt(site, "-p", "stablehlo-simplify")
    assert done.returncode == 0 and "stablehlo.add %x, %x" in done.stdout and "reshape" not in done.stdout, done.stderr
    done = xdsl_opt(site, "-p", expand(XLA_CPU))
    assert done.returncode == 0 and "llvm.func @main" in done.stdout, done.stderr
    done = xdsl_opt(site, "-t", "hlo")
    assert done.returncode == 0 and done.stdout.startswith("HloModule main"), done.stderr


def test_beside_another_package_with_stablehlo(site: Path) -> None:
    """`xdsl-opt` still runs, with theirs, and says what that means."""
    text = "from xdsl.ir import Dialect\nfrom xdsl.universe import Universe\n"
    text += 'UNIVERSE = Universe(all_dialects={"stablehlo": lambda: Dialect("stablehlo", [], [])},'
    text += ' all_passes={"stablehlo-simplify": lambda: None})\n'
    distribution(site, "another", "another", text)
    done = xdsl_opt(site, "--allow-unregistered-dialect", "-p", "cse")
    assert "Duplicate definition" not in done.stderr
    assert "xdsl-opt takes the dialect 'stablehlo' of the package another 0.1.0" in done.stderr
