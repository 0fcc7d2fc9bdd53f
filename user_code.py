"""Code that is not of this package: files that a user names, and where in them something went wrong.

A pass, a pattern, a fusion policy or a dialect of a user runs in the midst of the compiler. What it raises is reported
with its own file and line, which are those of the innermost frame that is neither of this package, nor of what it is
built on, nor of Python.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import linecache
import os
import sys
import sysconfig
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from .errors import InternalError, XlaError, place_of
from .interruptions import is_interruption

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from xdsl.ir import Operation

FOUNDATIONS = ("xdsl", "numpy", "llvmlite", "ml_dtypes", "scipy", "jax", "jaxlib", "immutabledict", "ordered_set")
"""Packages, and those that come with them, in whose files no user's mistake is."""

ROOMS = "benchmarks decisions dialects frontends ir lowering passes reference runtime tools".split()
"""The folders of this package whose code is its own."""


class UserFrame(NamedTuple):
    """A line of a user's code that was running when something was raised."""

    file: str
    line: int
    function: str
    rewritten: str | None
    """Which op the function had been given, and where in the program it stands."""

    @property
    def place(self) -> str:
        """As errors name it: `file:line`."""
        return f"{shown_path(self.file)}:{self.line}"

    def described(self) -> str:
        """What ran there, as further lines of a message."""
        source = linecache.getline(self.file, self.line).strip()
        lines = [f"\n  in {self.function}: {source}" if source else f"\n  in {self.function}"]
        if self.rewritten is not None:
            lines.append(f"\n  given {self.rewritten}")
        return "".join(lines)


class UserCodeError(InternalError):
    """Code of a user, called by the compiler, has raised what it should not: `location` says where, as `file:line`."""

    def __init__(self, message: str, location: str) -> None:
        super().__init__(message)
        self.message = message
        self.location = location

    def __str__(self) -> str:
        return f"{self.location}: {self.message}"


def user_frame(error: BaseException) -> UserFrame | None:
    """The innermost frame of a user's code that `error` came through; None if it came through none.

    The frames above the compiler, which called it, do not count.
    """
    frames = list(walk_tb(error.__traceback__))
    inside = next((i for i, (frame, _) in enumerate(frames) if _is_ours(frame.f_code)), len(frames))
    for frame, line in reversed(frames[inside:]):
        if _is_users(frame):
            code = frame.f_code
            return UserFrame(code.co_filename, line, code.co_qualname, _given_op(frame))
    return None


def user_error(error: BaseException, doing: str) -> UserCodeError | None:
    """`error` as one of the user's code, which was `doing` something; None if it came through none of that."""
    frame = user_frame(error)
    if frame is None:
        return None
    return UserCodeError(f"{doing}: {summary(error)}{frame.described()}", frame.place)


def shown_path(path: str) -> str:
    """`path` from the working directory, if it is inside of that."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):  # there is no working directory, or it is on another drive
        return path
    return path if relative.startswith(os.pardir) else relative


def summary(error: BaseException) -> str:
    """The kind and the message of what was raised, on one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _given_op(frame: FrameType) -> str | None:
    """The first argument of a function that is an op other than the whole module."""
    if "xdsl.ir" not in sys.modules:
        return None
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]:
        value = frame.f_locals.get(name)
        if isinstance(value, Operation) and not isinstance(value, ModuleOp):
            return _described_op(value)
    return None


def _described_op(op: Operation) -> str:
    place = place_of(op)
    return f"'{op.name}'" if place is None else f"'{op.name}' of {place}"


def is_of_this_package(cls: type) -> bool:
    """Whether a class, say of a pass, is defined in this package."""
    return cls.__module__.startswith(f"{__name__.rpartition('.')[0]}.")


def _is_ours(code: CodeType) -> bool:
    """Whether it is of this package itself, of which a checkout has more than is installed: tests and examples."""
    own, path = os.path.dirname(os.path.realpath(__file__)), os.path.realpath(code.co_filename)
    if not path.startswith(own + os.sep):
        return False
    first, *rest = path[len(own) + 1 :].split(os.sep)
    return first in ROOMS if rest else True


def _is_users(frame: FrameType) -> bool:
    """Whether it is of a file that a user has written, or installed, or of what is typed at a prompt. What else has no
    file, such as generated methods of dataclasses, is nobody's.
    """
    code = frame.f_code
    if code.co_filename.startswith("<"):
        return frame.f_globals.get("__name__") == "__main__" and code.co_filename in ("<stdin>", "<string>")
    if _is_ours(code):
        return False
    path = os.path.realpath(code.co_filename)
    paths = sysconfig.get_paths()
    for name in ("purelib", "platlib"):  # which are inside of what Python came with
        folder = os.path.join(os.path.realpath(paths[name]), "")
        if path.startswith(folder):
            return path[len(folder) :].split(os.sep)[0].removesuffix(".py") not in FOUNDATIONS
    python = [os.path.join(os.path.realpath(paths[name]), "") for name in ("stdlib", "platstdlib")]
    return not path.startswith((*python, *map(_folder, FOUNDATIONS)))


def _folder(package: str) -> str:
    """Of a package that has been imported; otherwise of none."""
    file = getattr(sys.modules.get(package), "__file__", None)
    return os.path.join(os.path.dirname(os.path.realpath(file)), "") if file else os.devnull


class _Uncached(importlib.machinery.SourceFileLoader):
    """Reads the source each time: compiled files of Python do not notice two edits within a second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def imported_file(path: str | os.PathLike[str], purpose: str) -> ModuleType:
    """The module that a file of Python is, executed; `purpose` is part of its name in `sys.modules`, where dataclasses
    and fingerprints look it up. It can import what is beside it. Raises `XlaError` with file and line.
    """
    file = Path(path)
    if not file.is_file():
        raise XlaError(f"{path}: no such file of Python")
    digest = hashlib.blake2b(os.fsencode(file.resolve()), digest_size=8).hexdigest()
    name = f"xdsl_xla_{purpose}_{digest}"
    loader = _Uncached(name, str(file.resolve()))
    spec = importlib.util.spec_from_file_location(name, loader.path, loader=loader)
    assert spec is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    linecache.checkcache(loader.path)
    if (folder := os.path.dirname(loader.path)) not in sys.path:
        sys.path.append(folder)  # at the end: it takes no other module's place
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        if is_interruption(error) or isinstance(error, XlaError):
            raise
        raise load_error(error, str(path)) from error
    return module


def load_error(error: BaseException, fallback: str) -> XlaError:
    """An error for code of a user that cannot be imported, at the line that is wrong; `fallback` if that is unknown."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        place = f"{shown_path(error.filename)}:{error.lineno or 1}"
        return XlaError(f"{type(error).__name__}: {error.msg}", location=place)
    frame = _last_frame(error)
    if frame is None:
        return XlaError(f"{fallback}: {summary(error)}")
    return XlaError(f"{summary(error)}{frame.described()}", location=frame.place)


def _last_frame(error: BaseException) -> UserFrame | None:
    """The innermost frame of a user's code, whoever called it."""
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if _is_users(frame):
            return UserFrame(frame.f_code.co_filename, line, frame.f_code.co_qualname, None)
    return None
