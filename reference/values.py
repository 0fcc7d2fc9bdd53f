"""What a program computes with: arrays, tuples of values, tokens and the pending results of asynchronous ops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

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
