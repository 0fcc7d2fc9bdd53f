"""What a schedule says about one contraction, as loops: what `from_trees.py` reads, and `emit.py` writes."""

from __future__ import annotations

from dataclasses import dataclass

from ...decisions.model import CostModel
from .analysis import Contraction
from .fetching import Fetch
from .nest import Hold, Loops, Sums, Tile, View
from .packing import Pack, Panels

Node = Pack | Loops | View | Hold | Fetch | Tile


@dataclass(frozen=True)
class Plan:
    """A tiled contraction: the nodes of `nest` stand around each other, the last one is the `Tile`."""

    contraction: Contraction
    model: CostModel
    nest: tuple[Node, ...]

    @property
    def tile(self) -> Tile:
        """The innermost node."""
        tile = self.nest[-1]
        assert isinstance(tile, Tile)
        return tile

    @property
    def hoisted(self) -> Panels | None:
        """The panels of the right operand, if they are made in front of a loop of the program."""
        node = self.nest[0]
        return node if isinstance(node, Panels) and node.hoisted else None

    @property
    def has_shared_form(self) -> bool:
        """Whether there are functions for the loops of the tile, with what it reads as it is."""
        tile, contraction = self.tile, self.contraction
        is_plain = tile.sums is Sums.WHOLE and tile.filled and not tile.streamed_bytes
        return is_plain and has_shared_sums(contraction) and tile.factor_type == contraction.element_type


def has_shared_sums(contraction: Contraction) -> bool:
    """Whether there are functions for tiles of such sums, where they are whole: of floats by themselves."""
    return contraction.words is None and contraction.is_float and contraction.element_bits in (32, 64)
