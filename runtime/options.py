"""The options of public functions: each is checked by its name before anything is done with it.

What an option does not take is an `ArgumentError`: the option, what was expected, what came.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn, cast

import numpy as np

from ..errors import ArgumentError


def refuse(name: str, expected: str, value: object) -> NoReturn:
    """Raises `ArgumentError` for the value of an argument."""
    raise ArgumentError(f"argument {name}: expected {expected}, got {value!r:.200}")


def whole(name: str, value: object, least: int | None = None, greatest: int | None = None) -> int:
    """`value` as an int, if it is a whole number of Python or NumPy between the bounds."""
    number: int | None = None
    if isinstance(value, np.integer):
        number = int(cast("np.integer[Any]", value))
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    if number is None or (least is not None and number < least) or (greatest is not None and number > greatest):
        upwards = "" if least is None else f" of at least {least}"
        refuse(
            name,
            f"an integer{upwards}" if greatest is None else f"an integer from {least} to {greatest}",
            cast("object", value),
        )
    return number


def whole_or_none(name: str, value: Any, least: int | None = None, greatest: int | None = None) -> int | None:
    """As `whole`, or None."""
    return None if value is None else whole(name, value, least, greatest)


def text(name: str, value: Any) -> str:
    """`value` if it is a string."""
    if not isinstance(value, str):
        refuse(name, "a string", value)
    return value


def text_or_none(name: str, value: Any) -> str | None:
    """As `text`, or None."""
    return None if value is None else text(name, value)


def path_or_none(name: str, value: Any) -> str | os.PathLike[str] | None:
    """`value` if it is a path or None."""
    if not isinstance(value, str | os.PathLike | None):
        refuse(name, "a path or None", value)
    return cast("str | os.PathLike[str] | None", value)


def truth(name: str, value: Any) -> bool:
    """`value` as a bool, if it is one of Python or NumPy."""
    if not isinstance(value, bool | np.bool_):
        refuse(name, "True or False", value)
    return bool(cast("object", value))
