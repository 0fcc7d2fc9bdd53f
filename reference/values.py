"""What a program computes with: arrays, tuples of values, tokens and the pending results of asynchronous ops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

if TYPE_CHECKING:
    from .arrays import Array


class Token:
    """Orders ops with side effects; carries nothing."""

    def __repr__(self) -> str:
        return "token"


TOKEN = Token()


@dataclass
class Future:
    """The results of an `async_start`, None as long as its body runs."""

    results: tuple[Value, ...] | None = None


Value: TypeAlias = "Array | Token | Future | tuple[Value, ...]"


def owned(value: Any) -> Any:
    """`value` with copies of the arrays in it, so that it stays what it is when their owner goes on."""
    if isinstance(value, tuple | list):
        return tuple(owned(element) for element in cast("tuple[Any, ...]", value))
    return cast(Any, value).copy() if isinstance(value, np.ndarray) else value
