"""What is in a value: the elements of tuples, tokens aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import TupleType
from xdsl.ir import Attribute

from .attributes import TokenType

SIGNATURE = "xrt.signature"
"""The type that a custom call had before its tuples were flattened."""


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
