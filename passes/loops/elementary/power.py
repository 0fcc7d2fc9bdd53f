"""Roots and powers."""

from __future__ import annotations

from .arithmetic import Float


def rsqrt(x: Float) -> Float:
    return 1.0 / x.sqrt()
