"""What all ways to sort a line have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Block

from ...dialects.linalg_ext import SortOp
from ...ir.structured import element_type
from ..convert_stablehlo_to_linalg.arithmetic import Index, materialized
from ..convert_stablehlo_to_linalg.builder import Lowering, Scalars
from ..convert_stablehlo_to_linalg.loops import Buffer
from .sort_keys import SortKey, sort_key


class LineSort(ABC):
    """A way to sort lines, one at a time; `number` is that of its `Method`."""

    def __init__(self, ctx: Lowering, op: SortOp, number: int) -> None:
        self.ctx, self.op, self.number = ctx, op, number
        self.dim, self.size, self.count = op.dim, op.shape[op.dim], op.count
        self.elements = [element_type(output) for output in op.outputs]
        self.operands = [None if value is None else Buffer(ctx, value) for value in op.operands_or_none]
        self.results = [Buffer(ctx, output) for output in op.outputs]
        self.comparator: Block = op.comparator.block
        self.known_key = sort_key(self.comparator)

    @property
    def key(self) -> SortKey:
        """The key that is compared."""
        assert self.known_key is not None
        return self.known_key

    def allocate(self) -> None:  # noqa: B027
        """Get the memory that a line needs."""

    @abstractmethod
    def sort_line(self, line: Sequence[Index]) -> None:
        """Sort the line at these indices of the other dimensions into the results."""

    def at(self, line: Sequence[Index], k: Index) -> list[Index]:
        """The indices of element `k` of a line."""
        return [*line[: self.dim], k, *line[self.dim :]]

    def read(self, line: Sequence[Index], k: Index) -> Scalars:
        """Element `k` of a line, of each operand."""
        return [
            materialized(self.ctx, k).apply(arith.IndexCastOp, to=element)
            if operand is None
            else operand[self.at(line, k)]
            for operand, element in zip(self.operands, self.elements, strict=True)
        ]
