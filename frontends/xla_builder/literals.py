"""Literals, numbers of Python and arrays of NumPy, as arrays of an element type that they fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ArgumentError
from ...runtime.fitting_numbers import UnfitError, fitting_array, natural_array
from .shapes import PrimitiveType, Shape

_OF_PYTHON = {"b": PrimitiveType.PRED, "i": PrimitiveType.S32, "f": PrimitiveType.F32, "c": PrimitiveType.C64}
"""The element types of Python's numbers, by NumPy's letter for their kind."""


def array_of_literal(
    literal: Any, element_type: PrimitiveType | None, argument: str
) -> tuple[np.ndarray, PrimitiveType]:
    """The elements and their type: `element_type` if it is given, else that of NumPy's array or of Python's numbers.

    Raises `ArgumentError` that names the argument for what are no numbers, and for numbers that do not fit the type.
    """
    try:
        if element_type is None:
            element_type = _natural_type(literal)
        return fitting_array(literal, element_type.dtype), element_type
    except UnfitError as error:
        wanted = "numbers" if element_type is None else f"numbers that fit {element_type.value}"
        raise ArgumentError(f"{argument}: expected {wanted}, got {error}") from None


def _natural_type(literal: Any) -> PrimitiveType:
    array = natural_array(literal)
    if isinstance(literal, np.ndarray | np.generic) or array.dtype.kind not in _OF_PYTHON:
        return Shape.of(array).element_type
    return _OF_PYTHON[array.dtype.kind]
