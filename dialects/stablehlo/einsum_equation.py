"""The equations of `einsum` and `unary_einsum`: `ab,bc->ac`, with `...` for dimensions without a name.

Written as in NumPy and XLA: a letter names a dimension; equal letters have equal sizes, or a size of 1 that is
repeated; a letter twice in one operand takes the diagonal; a letter that the result lacks is summed over. Without `->`
the result has the letters that occur once, sorted, behind those of `...`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .shapes import Shape

Labels = tuple[str, ...]
"""The name of each dimension; a dimension that `...` stands for is called by its distance from the last of them."""

_TERM = re.compile(r"([A-Za-z]*+)(\.\.\.)?([A-Za-z]*+)")


class EinsumEquation(NamedTuple):
    """The dimensions of operands and result by name."""

    operands: tuple[Labels, ...]
    result: Labels

    @staticmethod
    def parse(text: str, shapes: Sequence[Shape]) -> EinsumEquation:
        """The equation `text` for operands of `shapes`. Raises ValueError where it does not fit them."""
        text = text.replace(" ", "")
        inputs, arrow, output = text.partition("->")
        terms = inputs.split(",")
        if len(terms) != len(shapes):
            raise ValueError(f"'{text}' is not an equation of {len(shapes)} operands")
        labels = [_labels(term, len(shape)) for term, shape in zip(terms, shapes, strict=True)]
        named = [label for term in labels for label in term]
        unnamed = sorted({label for label in named if label.startswith("-")}, key=int)
        if arrow:
            letters = output.replace("...", "", 1)
            result = _labels(output, len(letters) + (0 if letters == output else len(unnamed)))
        else:
            result = (*unnamed, *sorted({label for label in named if label.isalpha() and named.count(label) == 1}))
        if missing := set(result) - set(named):
            raise ValueError(f"'{text}' makes up result dimension {min(missing)}")
        if len(set(result)) != len(result):
            raise ValueError(f"a dimension occurs twice in the result of '{text}'")
        equation = EinsumEquation(tuple(labels), result)
        equation._check_sizes(shapes)
        return equation

    def _check_sizes(self, shapes: Sequence[Shape]) -> None:
        sizes = self.sizes(shapes)
        for labels, shape in zip(self.operands, shapes, strict=True):
            for label, size in zip(labels, shape, strict=True):
                if DYNAMIC_INDEX not in (size, sizes[label]) and size not in (1, sizes[label]):
                    raise ValueError(f"sizes {sizes[label]} and {size} for dimension {label}")

    def sizes(self, shapes: Sequence[Shape]) -> dict[str, int]:
        """The size of each name: that of the operands that have more than one element along it, if there is one."""
        sizes: dict[str, int] = {}
        for labels, shape in zip(self.operands, shapes, strict=True):
            for label, size in zip(labels, shape, strict=True):
                if sizes.get(label, 1) == 1:
                    sizes[label] = size
        return sizes

    def result_shape(self, shapes: Sequence[Shape]) -> Shape:
        """The shape of the result for operands of these shapes."""
        sizes = self.sizes(shapes)
        return tuple(sizes[label] for label in self.result)


def _labels(term: str, rank: int) -> Labels:
    """The names of the dimensions of one operand or of the result."""
    match = _TERM.fullmatch(term)
    if match is None:
        raise ValueError(f"'{term}' is not a term of letters and `...`")
    first, dots, last = match.groups()
    unnamed = rank - len(first) - len(last)
    if unnamed < 0 or (unnamed and not dots):
        raise ValueError(f"'{term}' names {len(first) + len(last)} of {rank} dimensions")
    return (*first, *(str(index) for index in range(-unnamed, 0)), *last)
