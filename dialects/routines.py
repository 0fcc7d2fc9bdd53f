"""How calls of routines of a library name their arrays (`xrt.parameters`, `xrt_attributes.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute


def array_number(parameter: Attribute) -> int | None:
    """Which array a parameter is the address of, those of the outputs first; None for a letter or number."""
    if not isinstance(parameter, IntegerAttr):
        return None
    number = cast("IntegerAttr[Any]", parameter)
    return number.value.data if isinstance(number.type, IndexType) else None


def count_of_copied(parameters: Iterable[Attribute], outputs: int, inputs: int) -> int:
    """How many of the inputs the first outputs begin as copies of. The others are read where they are; their numbers
    follow those of the outputs."""
    numbers = {number for parameter in parameters if (number := array_number(parameter)) is not None}
    return inputs - sum(outputs <= number < outputs + inputs for number in numbers)
