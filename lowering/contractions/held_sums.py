"""What is kept in scratch memory of the sums of tiles while a reduction is done in parts, one for all tiles in turn.

Where there are many parts their sums are added up with the errors of the additions (`ir/compensated_sums.py`): the
error of one chain of additions would grow as the root of their number.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, SSAValue

from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.element_sizes import element_bytes
from ...ir.affine_builder import AffineBuilder, Base, Terms, plus, scaled
from ...ir.vector_arithmetic import VectorArithmetic
from .nest import Hold

Places = list[tuple[int, VectorType]]
"""Where vectors lie, and their types."""


class HeldSums:
    """The memory of `node`, for sums of `element_type` whose vectors are at `places` of what a tile has."""

    def __init__(
        self, node: Hold, element_type: Attribute, places: Places, builder: AffineBuilder, arithmetic: VectorArithmetic
    ) -> None:
        self.node, self.places, self.builder, self.arithmetic = node, places, builder, arithmetic
        tile = node.tile
        self.size, self.element_type = tile.shape.rows * tile.shape.columns, element_type
        count = self.size * tile.rows.count * tile.columns.count
        self.sums = builder.allocate(element_type, count) if node.sums else None
        self.errors = builder.allocate(element_type, count) if node.errors else None

    def place(self, tile: Terms, panel: Terms) -> Base:
        """Where what is kept of the tile number `tile` of a `panel` is."""
        if self.sums is None and self.errors is None:
            return Base(None, 0)
        along, down = self.node.along * self.size, self.node.down * self.size
        return self.builder.base(plus(scaled(panel, along), scaled(tile, down)))

    def fetch(self, place: Base) -> None:
        """Fetches the sums of a tile, if they are far away."""
        if self.sums is not None and self.node.fetched:
            bytes = self.size * element_bytes(self.element_type)
            self.builder.prefetch(self.sums, place, 0, -(-bytes // CACHE_LINE_BYTES))

    def load(self, place: Base) -> list[SSAValue]:
        """The sums of a tile."""
        assert self.sums is not None
        return [self.builder.load(self.sums, place, *at) for at in self.places]

    def load_errors(self, place: Base) -> list[SSAValue]:
        """What they are off by."""
        assert self.errors is not None
        return [self.builder.load(self.errors, place, *at) for at in self.places]

    def store(self, place: Base, sums: Sequence[SSAValue]) -> None:
        """Keeps the sums of a tile."""
        assert self.sums is not None
        for value, (offset, _) in zip(sums, self.places, strict=True):
            self.builder.store(value, self.sums, place, offset)

    def clear(self, place: Base) -> None:
        """They are off by nothing yet."""
        if self.errors is not None:
            for offset, type in self.places:
                self.builder.store(self.arithmetic.zero(type), self.errors, place, offset)

    def added(
        self, sums: Sequence[SSAValue], terms: Sequence[SSAValue], place: Base, last: bool = False
    ) -> list[SSAValue]:
        """`sums` with `terms` added. What they are off by is added at the `last` time, and otherwise kept.

        Vectors may overlap: all are loaded before one is stored.
        """
        arithmetic = self.arithmetic
        if self.errors is None:
            return list(map(arithmetic.add, sums, terms))
        before = self.load_errors(place)
        pairs = list(map(arithmetic.two_sum, sums, terms))
        after = [arithmetic.add(error, lost) for error, (_, lost) in zip(before, pairs, strict=True)]
        if last:
            return [arithmetic.with_error(new, error) for (new, _), error in zip(pairs, after, strict=True)]
        for error, (offset, _) in zip(after, self.places, strict=True):
            self.builder.store(error, self.errors, place, offset)
        return [new for new, _ in pairs]
