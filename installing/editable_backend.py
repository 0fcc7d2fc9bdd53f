"""The build backend: setuptools, with editable installs that type checkers and editors follow.

The root of the repository is the package, which no search path can say by itself; setuptools installs a hook into the
import system for that, which pyright, mypy and Pylance do not run. Here `pip install -e .` makes a folder in `build/`
with one link, `xdsl_xla`, to the root, and puts that folder on the path. Where links cannot be made (Windows without
developer mode), or with `--config-settings editable_mode=...`, setuptools does what it does.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (  # the rest of a backend
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

PACKAGE = "xdsl_xla"
ROOT = Path(__file__).resolve().parents[1]
TREES = "__editable__.*"
"""The folders in `build/` that setuptools fills with links to files in its strict mode, and puts on the path."""


def build_editable(
    wheel_directory: str, config_settings: Mapping[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """The name of the wheel that `pip install -e .` installs."""
    settings: dict[str, Any] = dict(config_settings or {})
    if "editable_mode" in settings or not _can_link():
        return build_meta.build_editable(wheel_directory, settings, metadata_directory)
    for tree in (ROOT / "build").glob(TREES):
        _remove(tree)
    wheel = build_meta.build_editable(wheel_directory, {**settings, "editable_mode": "strict"}, metadata_directory)
    for tree in (ROOT / "build").glob(TREES):
        _remove(tree / PACKAGE)
        (tree / PACKAGE).symlink_to(ROOT, target_is_directory=True)
    return wheel


def _can_link() -> bool:
    probe = ROOT / "build" / "probe"
    try:
        probe.parent.mkdir(exist_ok=True)
        probe.unlink(missing_ok=True)
        probe.symlink_to(ROOT, target_is_directory=True)
        probe.unlink()
    except OSError:
        return False
    return True


def _remove(path: Path) -> None:
    """A folder with what is in it, but nothing behind a link."""
    if path.is_symlink():
        path.unlink()
        return
    inner = path / PACKAGE
    if inner.is_symlink():
        inner.unlink()
    if path.exists():
        shutil.rmtree(path)
