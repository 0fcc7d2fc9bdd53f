"""The folder of compiled programs: one file each, named by its key.

Files appear whole (written beside and renamed), so that processes need not agree on anything. What is damaged, no
file, or written by another user counts as absent. Reading a file makes it the newest one; where the folder exceeds its
bound the oldest files go. What the file system refuses costs nothing but the cache.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

from ...interruptions import is_interruption
from ..compiled_program import CompiledProgram
from ..variables import number, switch
from .stored_program import DamagedError, NotStorableError, from_bytes, to_bytes

SWITCH = "XDSL_XLA_CACHE"
"""This environment variable turns the cache off: 0, off, no or false."""

FOLDER = "XDSL_XLA_CACHE_DIR"
"""And this one says where it is."""

SIZE = "XDSL_XLA_CACHE_SIZE"
"""And this one how large it may grow, in MiB."""

DEFAULT_MEGABYTES = 512

KEPT = 0.8
"""How much of the bound is left when the oldest files have gone: they go seldom and together."""

SUFFIX = ".xlaprogram"
TEMPORARY = ".writing"
READING = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
"""How files are opened: without waiting for a writer, if one is a pipe."""

TEMPORARY_SECONDS = 3600
"""Age of the temporary file of a process that has not lived to rename it."""


def is_on() -> bool:
    """Whether programs are cached unless a caller says otherwise. Raises `ArgumentError`."""
    return switch(SWITCH, True)


def default_folder() -> Path | None:
    """Where the cache is: the variable `XDSL_XLA_CACHE_DIR`, or the place of the system for such files."""
    try:
        if chosen := os.environ.get(FOLDER):
            return Path(chosen).expanduser()
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA")
            root = Path(base) if base else Path.home() / "AppData" / "Local"
        elif sys.platform == "darwin":
            root = _home() / "Library" / "Caches"
        else:
            base = os.environ.get("XDG_CACHE_HOME", "")
            root = Path(base) if os.path.isabs(base) else _home() / ".cache"
    except RuntimeError:  # no home
        return None
    return root / "xdsl-xla"


def _home() -> Path:
    """Raises `RuntimeError` if there is none. An empty `HOME` is none, not the root of the file system."""
    if os.environ.get("HOME") == "":
        raise RuntimeError("no home")
    return Path.home()


def _bound() -> int:
    """In bytes. Raises `ArgumentError`."""
    return int(number(SIZE, DEFAULT_MEGABYTES) * 2**20)


def load(key: str) -> CompiledProgram | None:
    """The program `key`, if it is there."""
    folder = default_folder()
    if folder is None:
        return None
    path = os.path.join(folder, key + SUFFIX)
    try:
        data = _read(path)
        program = None if data is None else from_bytes(key, data)
    except (OSError, DamagedError) as error:
        if is_interruption(error):
            raise
        return None
    if program is not None:
        with contextlib.suppress(OSError):
            os.utime(path)
    return program


def _read(path: str) -> bytes | None:
    """The contents of a file that `store` may have written; None for anything else of that name, such as a pipe, which
    is not waited for.
    """
    descriptor = os.open(path, READING)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _bound() or not _is_trusted(status):
            return None
        return file.read(status.st_size)


def _is_trusted(status: os.stat_result) -> bool:
    """Whether no one but this user (or root) has written a file."""
    if sys.platform == "win32":
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & 0o022


def store(key: str, program: CompiledProgram) -> None:
    """Keep the program for other processes, if that can be done."""
    folder = default_folder()
    if folder is None:
        return
    try:
        data = to_bytes(key, program)
        if len(data) > KEPT * _bound():
            return
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / (key + SUFFIX), data)
        _shrink(folder)
    except (OSError, NotStorableError) as error:
        if is_interruption(error):
            raise


def write_whole(path: Path, data: bytes, *, private: bool = True) -> None:
    """All of the file or nothing. One that is not for this user alone keeps its permissions, and links to it stay."""
    path = path if private else Path(os.path.realpath(path))
    descriptor, temporary = tempfile.mkstemp(TEMPORARY, dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            if not private:
                os.chmod(temporary, _permissions(path))
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _permissions(path: Path) -> int:
    """Those of a file, or of a new one."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


def _shrink(folder: Path) -> None:
    """Remove the files that have not been used for longest, as far as the bound requires it."""
    files: list[tuple[float, int, str]] = []
    now = time.time()
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if not stat.S_ISREG(status.st_mode):
                    continue
                if entry.name.endswith(SUFFIX):
                    files.append((status.st_mtime, status.st_size, entry.path))
                elif entry.name.endswith(TEMPORARY) and now - status.st_mtime > TEMPORARY_SECONDS:
                    os.unlink(entry.path)
    size, bound = sum(size for _, size, _ in files), _bound()
    if size <= bound:
        return
    for _, file_size, path in sorted(files):
        if size <= KEPT * bound:
            return
        with contextlib.suppress(OSError):
            os.unlink(path)
        size -= file_size
