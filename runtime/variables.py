"""What environment variables say. A value that says nothing is an error that names the variable, not a default."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..errors import ArgumentError

ON, OFF = ("1", "on", "yes", "true"), ("0", "off", "no", "false")


def given(name: str) -> str:
    """The value without blanks around it; empty where there is none."""
    return os.environ.get(name, "").strip()


def switch(name: str, default: bool) -> bool:
    """Whether something is on. Raises `ArgumentError`."""
    return switched(name, given(name), default)


def switched(name: str, text: str, default: bool) -> bool:
    """What `text`, the value of `name`, says. Raises `ArgumentError`."""
    word = text.strip().lower()
    if word and word not in ON and word not in OFF:
        raise ArgumentError(f"{name}={text}: expected 1 or 0")
    return word in ON if word else default


def choice(name: str, choices: Sequence[str]) -> str:
    """One of `choices`, or nothing. Raises `ArgumentError`."""
    word = given(name).lower()
    if word and word not in choices:
        raise ArgumentError(f"{name}={given(name)}: expected {' or '.join(choices)}")
    return word


def number(name: str, default: float) -> float:
    """A number that is not negative. Raises `ArgumentError`."""
    text = given(name)
    try:
        value = float(text or default)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise ArgumentError(f"{name}={text}: expected a number")
    return value
