"""Files that are written for the user."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO


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
