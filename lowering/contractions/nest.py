"""The loops of a tiled contraction as nodes, from the outside in; each stands around those behind it.

    view lhs, out
    loop columns 2 by 256                           blocks of columns
      pack rhs panels                               a copy of what the loops inside read of an operand
      loop rows 8 by 66
        loop rows 11 by 6, columns 4 by 64          tiles
          fetch rhs ahead                           of what is packed next
          tile 6 x 64 reduce 500

`packing.py` has the nodes for copies, `fetching.py` the one for what is fetched. They are read from a
schedule (`from_trees.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from xdsl.ir import Attribute

from ...decisions.register_tiles import EpilogueForm, RegisterTile
from ...ir.affine_builder import AffineBuilder, Terms
from .analysis import LoopDim


@dataclass(frozen=True)
class Parts:
    """`count` parts of `span` steps each of `size` steps; the last one overlaps its neighbour where they do not fit."""

    count: int
    span: int
    size: int

    @staticmethod
    def of(size: int, span: int = 1) -> Parts:
        """As many parts of `span` steps, at most `size`, as it takes."""
        return Parts(-(-size // span), span, size)

    def start(self, builder: AffineBuilder, number: Terms) -> Terms:
        """Where the part of this `number` starts."""
        return builder.part_start(number, self.count, self.span, self.size)


class Axis(Enum):
    """What a loop walks, in the order in which addresses are formed."""

    STEPS = "steps"
    COLUMNS = "columns"
    ROWS = "rows"


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop over parts of a dimension: columns and rows of tiles, and blocks of them; single steps of others."""

    dim: LoopDim
    parts: Parts
    axis: Axis = Axis.STEPS

    @staticmethod
    def steps(dims: Sequence[LoopDim]) -> tuple[Loop, ...]:
        """Loops over the steps of `dims`."""
        return tuple(Loop(dim, Parts.of(dim.size)) for dim in dims)

    @property
    def count(self) -> int:
        """Its iterations."""
        return self.parts.count


class Loops(NamedTuple):
    """Loops in each other, or one parallel loop."""

    loops: tuple[Loop, ...]
    parallel: bool = False


class View(NamedTuple):
    """Operands that are read or written in place."""

    operands: tuple[int, ...]


class Sums(Enum):
    """Where the sums of a tile are while loops of the reduction run around the tiles."""

    WHOLE = "registers"
    """There are no such loops."""
    OUTPUT = "output"
    SCRATCH = "scratch"


class Steps(NamedTuple):
    """The loops of the `reduction` in a tile: the levels of them that are `chains` of additions, the type that factors
    have, and how many `rows` of the next tile are fetched meanwhile."""

    reduction: tuple[LoopDim, ...]
    chains: tuple[int, ...]
    factor_type: Attribute
    rows: int = 0


class NextRows(NamedTuple):
    """What tiles fetch of the rows of the next one: one element a step.

    Each panel fetches `share` rows. The element is `tile` elements further than the rows of the tile; `panel` and
    `steps` are how far the number of the panel and the loops of the reduction move it.
    """

    share: int
    tile: int
    panel: int
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Tile:
    """A rank-1 update of the sums in registers for every step of `reduction`, and what becomes of the sums.

    `filled`: they start from the value of a fill, not from what the output holds. `chains`: how many of the loops of
    `reduction` stand around a chain of additions, and before that around sums of such chains: the levels of partial
    sums. `factor_type`: the type that factors have and a chain of additions is in: the accumulator's, or f32 where that
    gives the same integers. `streamed_bytes`: how far ahead what is read of the right operand is fetched.
    """

    shape: RegisterTile
    rows: Loop
    columns: Loop
    reduction: tuple[LoopDim, ...]
    chains: tuple[int, ...]
    factor_type: Attribute
    next_rows: NextRows | None
    sums: Sums
    filled: bool
    streamed_bytes: int = 0
    epilogue_form: EpilogueForm | None = None


@dataclass(frozen=True)
class Hold:
    """Scratch memory for what is known of the tiles of a block between steps of the loops behind it: with `sums` their
    sums, which are in the output otherwise, with `errors` what these are off by.

    `chunks` is the loop between which the sums are there. A tile's place is its row times `down` plus its column times
    `along`. `fetched`: tiles fetch their sums.
    """

    tile: Tile
    chunks: Loop | None
    down: int
    along: int
    sums: bool
    errors: bool
    fetched: bool
