"""Files and streams that the user names, read whole."""

from __future__ import annotations

import errno
import io
import os
import stat
from typing import BinaryIO

MOST_OF_A_DEVICE = 1 << 26
"""Bytes that a character device may give: nobody's program is longer, and `/dev/zero` has no end."""


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file, a pipe or a device. Raises `OSError`, also for a device without end."""
    with open(path, "rb") as file:
        return read_stream(file)


def read_stream(stream: BinaryIO) -> bytes:
    """What is left of a stream. Raises `OSError`, also for a device without end."""
    if not _is_device(stream):
        return stream.read()
    data = stream.read(MOST_OF_A_DEVICE + 1)
    if len(data) > MOST_OF_A_DEVICE:
        raise OSError(errno.EFBIG, "it is a device that has no end", str(stream.name))
    return data


def _is_device(stream: BinaryIO) -> bool:
    """Whether it is a character device, and no terminal."""
    try:
        number = stream.fileno()
    except io.UnsupportedOperation:
        return False
    return stat.S_ISCHR(os.fstat(number).st_mode) and not os.isatty(number)
