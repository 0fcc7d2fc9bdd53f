"""Elements of lines at computed places."""

from __future__ import annotations

from ....ir.tensor_builder import Tensor


def elements_of_lines(x: Tensor, places: Tensor) -> Tensor:
    """The elements of each line of `x`, along its last dimension, at the places that `places` has for the line."""
    return x.take(places, x.rank - 1, batch=x.rank - 1)
