"""The layouts of a custom call: one for each operand and result, of one tuple of results for each of its elements.

A layout lists the dimensions of a tensor, minor ones first. That of a tuple or a token is empty: what is in a tuple
lies row-major.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, TensorType, TupleType
from xdsl.ir import Attribute

from .attributes import TokenType
from .shapes import is_tensor
from .tuples import leaves


def layout_attribute(minor_to_major: Sequence[int]) -> DenseIntOrFPElementsAttr:
    """`dense<[0, 1]> : tensor<2xindex>`"""
    type = TensorType(IndexType(), [len(minor_to_major)])
    return DenseIntOrFPElementsAttr.from_list(type, list(minor_to_major))


EMPTY = layout_attribute(())


def row_major_layout(type: Attribute) -> DenseIntOrFPElementsAttr:
    return layout_attribute(range(len(type.get_shape()))[::-1]) if is_tensor(type) else EMPTY


def layouts_of_leaves(layouts: Iterable[Attribute], types: Iterable[Attribute]) -> list[Attribute]:
    """One layout for each tensor in values of `types`."""
    found: list[Attribute] = []
    for layout, type in zip(layouts, types, strict=True):
        if isinstance(type, TupleType):
            found.extend(map(row_major_layout, leaves(type)))
        elif not isinstance(type, TokenType):
            found.append(layout)
    return found


def layouts_of_values(layouts: Iterable[Attribute], types: Iterable[Attribute]) -> list[Attribute]:
    """The opposite of `layouts_of_leaves`."""
    rest, found = iter(layouts), list[Attribute]()
    for type in types:
        if isinstance(type, TupleType | TokenType):
            found.append(EMPTY)
            deque(islice(rest, len(list(leaves(type)))), 0)
        else:
            found.append(next(rest))
    return found
