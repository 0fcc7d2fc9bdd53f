"""Addresses of functions that ctypes knows."""

from __future__ import annotations

import ctypes
from typing import Any


def function_address(function: Any) -> int:
    """The address of a function of ctypes, or what a `c_void_p` holds.

    `ctypes.cast` would say it, too, and leave a cycle of references that keeps the function until it is collected.
    """
    return ctypes.c_void_p.from_buffer(function).value or 0
