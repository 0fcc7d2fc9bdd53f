"""Where a program that uses the builder is: the place that an operation and an error name."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FrameType

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

PACKAGE = str(Path(__file__).parent) + os.sep


def _frame() -> FrameType:
    """The innermost frame outside of this package."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


def caller() -> FileLineColLoc:
    """The place of the call as an attribute."""
    frame = _frame()
    return FileLineColLoc(StringAttr(frame.f_code.co_filename), IntAttr(frame.f_lineno), IntAttr(1))


def position() -> str:
    """The place of the call as text."""
    frame = _frame()
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
