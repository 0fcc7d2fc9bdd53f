"""Files that are written for the user."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from typing import BinaryIO


def check_writable(path: str | None) -> None:
    """Raise what `written` would for a name that no file can have here, before the work that it is to hold is done."""
    if path is None:
        return
    problem = errno.EISDIR if os.path.isdir(path) else 0
    if not problem and not os.path.isdir(os.path.dirname(path) or os.curdir):
        problem = errno.ENOENT
    if problem:
        raise OSError(problem, os.strerror(problem), path)


@contextmanager
def all_or_none(paths: Iterable[str]) -> Generator[None]:
    """Of files that belong together none is left that has been written when something is raised."""
    before = {path: _state(path) for path in paths}
    try:
        yield
    except BaseException:
        for path, state in before.items():
            if os.path.isfile(path) and _state(path) != state:
                with suppress(OSError):
                    os.unlink(path)
        raise


def _state(path: str) -> tuple[int, ...] | None:
    """What is another one once a file was written."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


@contextmanager
def written(path: str | os.PathLike[str]) -> Generator[BinaryIO]:
    """A file of exactly this name to write. What writing raises, such as that the disk is full, names it too."""
    try:
        with open(path, "wb") as file:
            yield file
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(path)
        raise
