"""The source distribution: all of the repository, and a wheel can be made of it that works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
sys.path.insert(0, "installing")
import editable_backend
print("made", getattr(editable_backend, sys.argv[1])(sys.argv[2]))
"""
NO_SOURCES = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", "Output", ".lit_test_times.txt", ".whl"
)
REPOSITORY = "https://example.org/our/project"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def built(kind: str, checkout: Path, directory: Path, repository: str) -> Path:
    """What the build backend of `pyproject.toml` makes of a checkout."""
    directory.mkdir(exist_ok=True)
    environment = {**os.environ, "XDSL_XLA_REPOSITORY": repository}
    command = [sys.executable, "-c", SCRIPT, kind, str(directory)]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return directory / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("checkout") / "copy"
    shutil.copytree(ROOT, copy, ignore=NO_SOURCES)
    return copy


@pytest.fixture(scope="module")
def unpacked(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    before = {path.relative_to(checkout) for path in checkout.rglob("*") if path.is_file()}
    with tarfile.open(built("build_sdist", checkout, folder / "dist", "")) as archive:
        archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    (folder / "files").write_text("\n".join(sorted(path.as_posix() for path in before)))
    return folder / f"xdsl_xla-{VERSION}"


@pytest.mark.slow
def test_it_has_every_file(unpacked: Path) -> None:
    """Of the checkout: sources, tests with their programs, pages, examples, and what builds and checks them."""
    expected = set((unpacked.parent / "files").read_text().splitlines())
    found = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert sorted(expected - found) == []
    extra = {name for name in found - expected if not re.match(r"PKG-INFO|setup\.cfg|xdsl_xla\.egg-info/", name)}
    assert sorted(extra) == []
    assert {"tests/conftest.py", "docs/site/hooks.py", "mkdocs.yml", "examples/attention.mlir", ".ci/run"} <= found


@pytest.mark.slow
def test_a_wheel_made_of_it_works(unpacked: Path, tmp_path: Path) -> None:
    wheel = built("build_wheel", unpacked, tmp_path / "dist", "")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    site = tmp_path / "site"
    assert not (site / "xdsl_xla" / "tests").exists() and not (site / "xdsl_xla" / "setup.py").exists()
    environment = {**os.environ, "PYTHONPATH": str(site), "XDSL_XLA_CACHE": "0"}
    command = [sys.executable, "-P", "-m", "xdsl_xla.tools.xla_run", str(ROOT / "examples" / "attention.mlir")]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "out0: tensor<8x4xf32>" in done.stdout, done.stderr
    (metadata,) = site.glob("*.dist-info/METADATA")
    text = metadata.read_text("utf-8")
    assert "Project-URL" not in text and "](docs" not in text and "<!--" not in text
    assert "docs/running.md" in text


def test_links_lead_to_the_repository(checkout: Path, tmp_path: Path) -> None:
    """If the build knows it, as that of a release does."""
    wheel = built("build_wheel", checkout, tmp_path / "dist", REPOSITORY)
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        text = archive.read(name).decode()
    assert f"Project-URL: Repository, {REPOSITORY}\n" in text
    assert "Description-Content-Type: text/markdown" in text
    links = re.findall(r"\]\(([^)]+)\)", re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL))
    assert f"{REPOSITORY}/blob/main/docs/running.md" in links
    assert [link for link in links if not link.startswith("https://")] == []
