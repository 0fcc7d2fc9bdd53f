"""Another version of this package: a checkout of a revision, and processes that run either version."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from ..errors import ArgumentError, XlaError
from .suite import Program

ROOT = Path(__file__).parents[1]


@contextmanager
def checkout(version: str) -> Generator[Path]:
    """A folder with the package of `version`: a folder that is one, or a revision of this repository.

    Raises `ArgumentError` for what is neither.
    """
    if (Path(version) / "pipelines.py").is_file():
        yield Path(version).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "checkout"
        command = ["git", "-C", str(ROOT), "worktree", "add", "--detach", str(place), version]
        added = subprocess.run(command, capture_output=True, text=True, check=False)
        if added.returncode:
            raise ArgumentError(f"no revision or checkout '{version}': {added.stderr.strip().splitlines()[-1]}")
        try:
            yield place
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(place)], check=False)


class Side:
    """A process that compiles and runs programs with the package in `folder`."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._link = tempfile.TemporaryDirectory()
        (Path(self._link.name) / "xdsl_xla").symlink_to(folder, target_is_directory=True)
        environment = {**os.environ, "PYTHONPATH": self._link.name, "XDSL_XLA_CACHE": "0"}
        command = [sys.executable, str(Path(__file__).with_name("version_side.py")), str(threads)]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, command: str) -> Mapping[str, float]:
        """The answer to a command of `version_side.py`. Raises `XlaError` if it failed."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise XlaError("its process ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise XlaError(answer["error"])
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
        self._link.cleanup()


class Stored:
    """A program in files, for the processes."""

    def __init__(self, program: Program, folder: Path) -> None:
        self.name = program.name
        self.text, self.inputs = folder / f"{program.name}.mlir", folder / f"{program.name}.npz"
        self.text.write_text(program.text, encoding="utf-8")
        np.savez(self.inputs, *program.inputs)  # pyright: ignore[reportUnknownMemberType]
