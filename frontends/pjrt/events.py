"""The event of what has happened already, and the error of what never will; machine code makes all others."""

from __future__ import annotations

import ctypes

from .objects import STATIC, new

_ready = new("Event")
_ready.count = STATIC
READY = ctypes.addressof(_ready)
"""The event of what has happened already."""
