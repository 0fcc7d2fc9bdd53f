"""The kinds of arguments that operations take, as annotations that the door checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

from ...runtime.fitting_numbers import UnfitError, natural_array
from .checks import CHECKS, Call, Check, RefusedError, check_that, described, integer_check
from .configuration import ChannelHandle, Padding, ReplicaGroup
from .core import XlaOp
from .shapes import Shape

# Values of the program


Array = Annotated[XlaOp, check_that("an array", lambda op: op.is_array)]
Scalar = Annotated[XlaOp, check_that("a scalar", lambda op: op.is_array and op.shape.rank == 0)]
Token = Annotated[XlaOp, check_that("a token", lambda op: not op.is_tuple and op.shape.is_token)]
Arrays = Annotated[XlaOp, check_that("an array or a tuple of arrays", lambda op: all(s.is_array for s in _parts(op)))]
"""An array, or a tuple of arrays."""


Operands = Arrays | Sequence[Array]
"""One array or several: as a list or a tuple."""


def _parts(op: XlaOp) -> Sequence[Shape]:
    return op.shape.tuple_shapes if op.is_tuple else (op.shape,)


def _check_numbers(value: Any, expected: str) -> None:
    try:
        natural_array(value)
    except UnfitError:
        raise RefusedError(expected, described(value)) from None


def _array_or_numbers() -> Check:
    array = check_that("an array", lambda op: op.is_array)
    expected = "an array or numbers"

    def accept(value: Any, call: Call) -> Any:
        if isinstance(value, XlaOp):
            return array.accept(CHECKS[XlaOp].accept(value, call), call)
        _check_numbers(value, expected)
        return list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value

    return Check(expected, accept)


def _value_or_literal() -> Check:
    expected = "an XlaOp or numbers"

    def accept(value: Any, call: Call) -> Any:
        if isinstance(value, XlaOp):
            return CHECKS[XlaOp].accept(value, call)
        if isinstance(value, tuple):
            return tuple(accept(part, call) for part in cast("tuple[Any, ...]", value))
        _check_numbers(value, expected)
        return value

    return Check(expected, accept)


Value = Annotated[Any, _array_or_numbers()]
"""An array of the program, or numbers, which become a constant of the element type of the other operands."""
AnyValue = Annotated[Any, _value_or_literal()]
"""Any value of the program, or numbers; tuples of those are tuples."""
Index = Scalar | Annotated[int, integer_check(-(2**31), 2**31 - 1, "an integer of 32 bits")]
"""A scalar of the program, or an integer, which becomes one of S32."""

# Numbers and lists of them

Size = Annotated[int, integer_check(0, 2**63 - 1, "a size, 0 or more")]
Count = Annotated[int, integer_check(1, 2**63 - 1, "a positive integer")]
Sizes = Sequence[Size]
Integers = Sequence[int]
Pairs = Sequence[tuple[int, int]]
"""(low, high) amounts of padding, or (source, target) pairs."""
AnyPadding = Padding | Pairs

# Channels, groups

Groups = Sequence[ReplicaGroup | Integers] | None
Channel = ChannelHandle | Annotated[int, integer_check(0, 2**63 - 1, "a channel's number, 0 or more")]
