"""Short tracebacks of errors that are the user's: from their call to the function of this package that refused it.

An `XlaError` says what is wrong and where in the program; through which twenty functions of the compiler it came is of
interest to those who work on these alone, and `XDSL_XLA_DEBUG=1` shows it. Frames of anybody else, such as those of a
pass or of a target of a custom call that come from outside, stay, and what these raise comes as short. What the error
was made of is dropped from the printed chain if it has no frames but internal ones; `error.__context__` keeps it. Other
exceptions are defects of this package, whose tracebacks are left whole.

The idea is that of JAX's traceback filtering.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from traceback import walk_tb
from types import FrameType, TracebackType
from typing import ParamSpec, TypeVar

from .errors import XlaError

DEBUG = "XDSL_XLA_DEBUG"
"""Whether errors show where in this package they come from: an environment variable, on unless empty or 0."""

INTERNAL = ("xdsl_xla", "xdsl", "contextlib", "functools")
"""The packages whose frames are left out."""

LIBRARIES = sys.stdlib_module_names | {"numpy", "scipy", "ml_dtypes", "llvmlite"}
"""Packages that raise what their callers have caused."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def debug_requested() -> bool:
    """Whether errors show where in this package they come from."""
    return os.environ.get(DEBUG, "0") not in ("", "0")


def short_tracebacks(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """`function`, from which errors of users come with nothing internal but its own frame."""

    @functools.wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            raise without_internals(error)  # noqa: B904

    return call


def without_internals(error: Exception) -> Exception:
    """`error` itself, to be raised again; if it is a user's, its traceback and that of what it was made of are without
    internal frames.
    """
    if debug_requested() or not (isinstance(error, XlaError) or _is_from_outside(error)):
        return error
    error.__traceback__ = _filtered(error.__traceback__)
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        shown = _filtered(cause.__traceback__)
        if shown is None:
            error.__context__ = cause
            error.__cause__, error.__suppress_context__ = None, True
        else:
            cause.__traceback__ = shown
    return error


def _filtered(traceback: TracebackType | None) -> TracebackType | None:
    """The entries of `traceback` that are not internal, as a new one; None if all others are of libraries."""
    entries: list[TracebackType] = []
    while traceback is not None:
        if not _is_internal(traceback.tb_frame):
            entries.append(traceback)
        traceback = traceback.tb_next
    if all(_package(entry.tb_frame) in LIBRARIES for entry in entries):
        return None
    kept: TracebackType | None = None
    for entry in reversed(entries):
        kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno or -1)
    return kept


def _is_from_outside(error: Exception) -> bool:
    """Whether code of a user has raised it, or what that has called."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__) if _package(frame) not in LIBRARIES]
    return bool(frames) and not _is_internal(frames[-1])


def _is_internal(frame: FrameType) -> bool:
    return _package(frame) in INTERNAL


def _package(frame: FrameType) -> str:
    return frame.f_globals.get("__name__", "").partition(".")[0]
