"""The equations of `einsum` and `unary_einsum`: `ab,bc->ac`, with `...` for dimensions without a name.

Written as in NumPy and XLA: a letter names a dimension; equal letters have equal sizes, or a size of 1 that is
repeated; a letter twice in one operand takes the diagonal; a letter that the result lacks is summed over. Without `->`
the result has the letters that occur once, sorted, behind those of `...`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import Shape, shape_of
from ...errors import InvalidProgramError

Labels = tuple[str, ...]
"""The name of each dimension; a dimension that `...` stands for is called by its distance from the last of them."""

_TERM = re.compile(r"([A-Za-z]*)(\.\.\.)?([A-Za-z]*)")


class EinsumEquation(NamedTuple):
    """The dimensions of operands and result by name."""

    operands: tuple[Labels, ...]
    result: Labels

    @staticmethod
    def of(op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp) -> EinsumEquation:
        """The equation of `op`. Raises InvalidProgramError where it is malformed or does not fit the operands."""
        text = op.einsum_config.data.replace(" ", "")
        inputs, arrow, output = text.partition("->")
        terms = inputs.split(",")
        if len(terms) != len(op.operands):
            raise InvalidProgramError(f"{op.name}: {len(op.operands)} operands for the equation '{text}'", op)
        ranks = [len(shape_of(value)) for value in op.operands]
        labels = [_labels(op, term, rank) for term, rank in zip(terms, ranks, strict=True)]
        named = [label for term in labels for label in term]
        unnamed = sorted({label for label in named if label.startswith("-")}, key=int)
        if arrow:
            letters = output.replace("...", "", 1)
            result = _labels(op, output, len(letters) + (0 if letters == output else len(unnamed)))
        else:
            result = (*unnamed, *sorted({label for label in named if label.isalpha() and named.count(label) == 1}))
        if missing := set(result) - set(named):
            raise InvalidProgramError(f"{op.name}: '{text}' makes up result dimension {min(missing)}", op)
        if len(set(result)) != len(result):
            raise InvalidProgramError(f"{op.name}: a dimension occurs twice in the result of '{text}'", op)
        return EinsumEquation(tuple(labels), result)

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


def _labels(op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp, term: str, rank: int) -> Labels:
    """The names of the dimensions of one operand or of the result."""
    match = _TERM.fullmatch(term)
    if match is None:
        raise InvalidProgramError(f"{op.name}: '{term}' is not a term of letters and `...`", op)
    first, dots, last = match.groups()
    unnamed = rank - len(first) - len(last)
    if unnamed < 0 or (unnamed and not dots):
        raise InvalidProgramError(f"{op.name}: '{term}' names {len(first) + len(last)} of {rank} dimensions", op)
    return (*first, *(str(index) for index in range(-unnamed, 0)), *last)
