"""What is in a value: the elements of tuples, tokens aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import TupleType
from xdsl.ir import Attribute

from .attributes import TokenType


def is_flat(types: Iterable[Attribute]) -> bool:
    """Whether there is no tuple and no token among `types`."""
    return not any(isinstance(type, TupleType | TokenType) for type in types)


def leaves(type: Attribute) -> Iterator[Attribute]:
    """The types of what is in a value of type `type`: of its elements, nested ones too, without tokens."""
    if isinstance(type, TupleType):
        for element in type.types.data:
            yield from leaves(element)
    elif not isinstance(type, TokenType):
        yield type


def flat(types: Iterable[Attribute]) -> list[Attribute]:
    """The types of what is in values of `types`, in order."""
    return [leaf for type in types for leaf in leaves(type)]


def has_tokens(types: Iterable[Attribute]) -> bool:
    """Whether there is a token among `types`, or in a tuple among them."""
    return any(
        has_tokens(type.types.data) if isinstance(type, TupleType) else isinstance(type, TokenType) for type in types
    )


def element_at(types: Sequence[Attribute], indices: Sequence[int]) -> Attribute | None:
    """The type that `indices` lead to: one of `types` and, if that is a tuple, into it; None if there is none."""
    if not indices or not 0 <= indices[0] < len(types):
        return None
    type, *rest = types[indices[0]], *indices[1:]
    return element_at(type.types.data if isinstance(type, TupleType) else (), rest) if rest else type


def is_tuple_result(types: Sequence[Attribute]) -> bool:
    """Whether the one result of a call is a tuple."""
    return len(types) == 1 and isinstance(types[0], TupleType)


def result_elements(types: Sequence[Attribute]) -> Sequence[Attribute]:
    """The types of the results of a call: of the elements, if there is one result and that is a tuple."""
    (first,) = types if is_tuple_result(types) else (None,)
    return first.types.data if isinstance(first, TupleType) else types


def is_result_table(types: Sequence[Attribute]) -> bool:
    """Whether a function in C with results of `types` is given a table of pointers to them, not the one result."""
    return len(types) != 1 or is_tuple_result(types)
