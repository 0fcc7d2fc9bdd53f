"""Where schedules stand that are no part of a program: a file beside it, and databases of what searches have found.

The texts are read here, and are part of a program's name in the compile cache; `ir/schedule_files.py` knows what they
mean, and is imported when something is compiled.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ArgumentError, XlaError
from .compile_cache.folder import default_folder, write_whole

if TYPE_CHECKING:
    from ..ir.schedule_files import Entry, Key, Schedules

VARIABLE = "XDSL_XLA_SCHEDULES"
"""This environment variable names the databases, separated as in `PATH`; the first one is written by searches."""

SUFFIX = ".schedules"
"""Of the file beside a program."""

DEFAULT_NAME = "tuned" + SUFFIX

_ENTRY = re.compile(r"\s*kernel\s")


class ScheduleTexts(NamedTuple):
    """What a program is compiled with: pairs of the name of a file and its text."""

    beside: tuple[str, str] | None = None
    databases: tuple[tuple[str, str], ...] = ()

    def parsed(self) -> Schedules:
        """Raises `InvalidProgramError`, which says where."""
        return _parsed(self)


@lru_cache(maxsize=8)
def _parsed(texts: ScheduleTexts) -> Schedules:
    from ..ir.schedule_files import Schedules, parse_entries

    found: dict[Key, Entry] = {}
    for name, text in reversed(texts.databases):
        found.update(parse_entries(text, name))
    return Schedules(parse_entries(texts.beside[1], texts.beside[0]) if texts.beside else {}, found)


def database_paths() -> list[Path]:
    """The files of databases, which need not exist: what `XDSL_XLA_SCHEDULES` says, otherwise one beside the compiled
    programs. Raises `ArgumentError`.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return [_expanded(name) for name in named.split(os.pathsep) if name]
    folder = default_folder()
    return [] if folder is None else [folder / DEFAULT_NAME]


def _expanded(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ArgumentError(f"{VARIABLE}={name}: whose home is not known") from None


def beside(program: str | os.PathLike[str] | None) -> Path | None:
    """The file `model.schedules` beside `model.mlir`, if there is one. None is no file, and so is `-`."""
    if not program or program == "-":
        return None
    path = os.path.splitext(program)[0] + SUFFIX
    return Path(path) if os.path.isfile(path) else None


def schedule_texts(file: str | os.PathLike[str] | None) -> ScheduleTexts:
    """The databases, and `file`, the one beside the program; a text that is no file may name those of an installed
    package, or hold schedules. Raises `XlaError` for what cannot be read.
    """
    databases = tuple((os.fspath(path), text) for path in database_paths() if (text := _known_text(path)))
    return ScheduleTexts(None if file is None else _named_text(file), databases)


def _named_text(file: str | os.PathLike[str]) -> tuple[str, str]:
    hint = ""
    if isinstance(file, str) and _is_text(file):
        return "<schedules>", file
    if isinstance(file, str) and not os.path.exists(file) and os.path.basename(file) == file:
        from .extensions.schedules import schedules_named, similar

        if (found := schedules_named(file)) is not None:
            return found
        hint = similar(file)
    try:
        return os.fspath(file), _text(Path(file))
    except XlaError as error:
        raise XlaError(f"{error.message}{hint}") from error


def _is_text(given: str) -> bool:
    """Whether schedules are given, not the name of a file."""
    return "\n" in given or (_ENTRY.match(given) is not None and not os.path.exists(given))


def _known_text(path: Path) -> str | None:
    """The text of a database; it is read again when it has changed."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return _text_as_of(path, status.st_mtime_ns, status.st_size, status.st_ino)


@lru_cache(maxsize=8)
def _text_as_of(path: Path, *_: int) -> str:
    return _text(path)


def _text(path: Path) -> str:
    if path.exists() and not path.is_file() and not path.is_dir():
        # A pipe or a device may have no end.
        raise XlaError(f"{path}: is no file")
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise XlaError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise XlaError(f"{path}: not UTF-8 text: {error}") from None


@contextmanager
def _alone_in(folder: Path) -> Generator[None]:
    """While no other process or thread records something in `folder`, if the system can say so."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # on some file systems of networks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def record(path: Path, entries: Iterable[Entry]) -> None:
    """Puts `entries` into the database `path`, in the place of those with the same key. What others have written in the
    meantime stays; the file appears whole. Raises `XlaError`.
    """
    from ..ir.schedule_files import parse_entries, text_of_entries

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone_in(path.parent):
            known: Mapping[Key, Entry] = parse_entries(_text(path), os.fspath(path)) if path.exists() else {}
            merged = {**known, **{entry.key: entry for entry in entries}}
            write_whole(path, text_of_entries(merged.values()).encode(), private=False)
    except OSError as error:
        raise XlaError(f"{path}: {error.strerror}") from error
