"""What code of xDSL raises where it should say what is wrong with a program."""

from __future__ import annotations

import struct
from traceback import walk_tb

from xdsl.utils.exceptions import VerifyException

CONSTRUCTION_ERRORS = (VerifyException, ValueError, OverflowError, NotImplementedError, MemoryError)
"""What constructors of attributes and types raise for values that they do not admit."""

UNEXPECTED = (AssertionError, AttributeError, LookupError, TypeError, struct.error)
"""What else code of xDSL raises for texts it does not expect."""


def is_from_xdsl(error: BaseException) -> bool:
    """Whether code of xDSL raised it: its dialects assert some things of the text that they should check."""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return frame.f_globals.get("__name__", "").startswith("xdsl.")
