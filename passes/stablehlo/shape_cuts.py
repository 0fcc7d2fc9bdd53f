"""Shapes of the same elements in row-major order, as the places where their dimensions end.

A *cut* of a shape is the number of elements behind one of its dimensions: `8x64x49` has the cuts 1, 49, 3136 and 25088.
A shape with more cuts has the dimensions of one with fewer in parts. What stands along some dimensions of a shape, such
as the operand of a broadcast, stands along dimensions of every shape that has the cuts around them: its *spans*.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

Shape: TypeAlias = tuple[int, ...]

Span: TypeAlias = tuple[int, int]
"""Two cuts: the dimensions between them."""


def cuts_of(shape: Sequence[int]) -> list[int]:
    """The cuts of a shape without dimensions of size 0, from the last dimension on, those of size 1 left out."""
    cuts = [1]
    for size in reversed(shape):
        if size != 1:
            cuts.append(cuts[-1] * size)
    return cuts


def spans_of(shape: Sequence[int], dims: Collection[int]) -> list[Span]:
    """Where the dimensions `dims` of a shape lie, from the first one on: neighbours are one span."""
    spans: list[Span] = []
    behind = 1
    for dim in reversed(range(len(shape))):
        around = behind * shape[dim]
        if dim in dims and shape[dim] != 1:
            if spans and spans[-1][1] == behind:
                behind = spans.pop()[0]
            spans.append((behind, around))
        behind = around
    return spans[::-1]


def dims_in(shape: Sequence[int], spans: Iterable[Span]) -> list[int]:
    """The dimensions of a shape, but for those of size 1, that lie in one of the spans."""
    found: list[int] = []
    spans, behind = list(spans), 1
    for dim in reversed(range(len(shape))):
        around = behind * shape[dim]
        if shape[dim] != 1 and any(low <= behind and around <= high for low, high in spans):
            found.append(dim)
        behind = around
    return found[::-1]


def shape_with(cuts: Collection[int]) -> Shape | None:
    """The shape that has these cuts, 1 and the number of elements among them; None where dimensions overlap."""
    pairs = list(pairwise(sorted(cuts)))
    if any(high % low for low, high in pairs):
        return None
    return tuple(high // low for low, high in reversed(pairs))
