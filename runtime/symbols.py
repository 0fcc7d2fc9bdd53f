"""Under which name the linker knows the entry function of a program."""

from __future__ import annotations

import ctypes
import itertools
import re
import sys
from collections.abc import Container

from ..dialects.xrt_names import SYMBOLS

USUAL = "main"
"""The name that most programs have. Generated code never calls a function of it."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def linkable(name: str, taken: Container[str]) -> str:
    """`name`, or another one in its place: LLVM keeps names that begin with `llvm.` to itself and takes some characters
    in none, and a function that the process has already, such as `memcpy`, may be what generated code means to call.
    Names of functions of the runtime stay: they are refused.
    """
    if (
        name == USUAL
        or name in SYMBOLS
        or (_PLAIN.fullmatch(name) and not name.startswith("llvm") and not _is_in_process(name))
    ):
        return name
    candidates = (f"entry_{number}" for number in itertools.count())
    return next(candidate for candidate in candidates if candidate not in taken)


def _is_in_process(name: str) -> bool:
    return sys.platform != "win32" and hasattr(ctypes.CDLL(None), name)
