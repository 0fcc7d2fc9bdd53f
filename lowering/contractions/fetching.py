"""What tiles fetch of memory that is read after them: the rows of the next tile, and the next block to be packed.

Both are prefetches, for addresses that need not exist: past the ends of an operand nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from xdsl.ir import SSAValue

from ...decisions.model import CostModel
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.element_sizes import element_bytes
from ...ir.affine_builder import AffineBuilder, Terms, linear_expr, plus, scaled
from .analysis import Contraction, Cut, LoopDim, element_type_of


@dataclass(frozen=True)
class NextRows:
    """What tiles fetch of the rows of the next one: one element a step.

    It is `tile` elements further than the rows of the tile; `panel` and `steps` are how far the number of the panel and
    the loops of the reduction move it.
    """

    tile: int
    panel: int
    steps: tuple[int, ...]


def plan_next_rows(
    row: LoopDim, rows: int, share: int, reduction: tuple[LoopDim, ...], chains: tuple[int, ...], model: CostModel
) -> tuple[NextRows | None, tuple[LoopDim, ...], tuple[int, ...]]:
    """How each panel fetches `share` of the `rows` rows of the next tile; the loops of the reduction, and the levels of
    its `chains`, cut for that.

    `None` unless the reduction goes through rows from end to end.
    """
    unplanned = None, reduction, chains
    if reduction[-1].lhs != 1 or any(outer.lhs != inner.lhs * inner.size for outer, inner in pairwise(reduction)):
        return unplanned
    tile, steps = rows * row.lhs, prod(dim.size for dim in reduction)
    if row.lhs == steps:
        return NextRows(tile, share * row.lhs, tuple(share * dim.lhs for dim in reduction)), reduction, chains
    # Rows do not follow each other: one part of the steps for each of them.
    first, *others = reduction
    share = next((parts for parts in range(share, 2 * share + 1) if first.size % parts == 0), 0)
    if not share or steps // share < model.sums.shortest_chain:
        return unplanned
    if share == 1:
        return NextRows(tile, row.lhs, tuple(dim.lhs for dim in reduction)), reduction, chains
    parts = first.split(first.size // share) if first.size > share else (first,)
    cut = (*parts, *others)
    ahead = (row.lhs, *(share * dim.lhs for dim in cut[1:]))
    levels = tuple(level + len(cut) - len(reduction) for level in chains)
    return NextRows(tile, share * row.lhs, ahead), cut, levels


def plan_next_panel(rows: int, share: int, reduction: Sequence[LoopDim], outside: int) -> NextRows:
    """How each panel fetches `share` of the `rows` rows of the next tile where the left operand is in panels.

    The first `outside` loops of the `reduction` are around the tiles.
    """
    sizes = [dim.size for dim in reduction]
    steps = tuple(prod(sizes[index + 1 :]) * share for index in range(outside, len(sizes)))
    return NextRows(prod(sizes) * rows, prod(sizes[outside:]) * share, steps)


@dataclass(frozen=True)
class NextBlock:
    """What tiles fetch of the part of the right operand that is packed next: for every panel a share of its rows.

    A row of the part is cut into `pieces` of `lines` cache lines, and `rows` of them that are `stride` elements apart
    are fetched, or one piece. The part is `block` elements further than the one in use; where a reduction is done in
    chunks, the next chunk is.
    """

    rows: int
    pieces: int
    lines: int
    stride: int
    block: int

    def fetch(self, builder: AffineBuilder, flat: SSAValue, start: Terms, offset: int, share: Terms) -> None:
        """The share number `share` of the part that starts at `start` plus `offset` of `flat`."""
        if self.pieces == 1:
            base = builder.base(plus(start, scaled(share, self.rows * self.stride)))
        else:
            piece = self.lines * CACHE_LINE_BYTES // element_bytes(element_type_of(flat))
            number = linear_expr(list(share.values()))
            place = builder.evaluate(number // self.pieces * self.stride + number % self.pieces * piece, list(share))
            base = builder.base(plus(start, {place: 1}))
        for row in range(self.rows):
            builder.prefetch(flat, base, offset + row * self.stride, self.lines)


def plan_next_block(
    contraction: Contraction, columns: Cut, reduction: Sequence[LoopDim], shares: int, last: bool, model: CostModel
) -> NextBlock | None:
    """How the steps of `reduction` of the next block of `columns` are fetched in so many shares, or as much of them as
    they may; `None`: they are not rows.

    Steps of loops around the tiles have shares of their own. `last`: the shares are those of the last tiles of a block
    of columns, otherwise it is in use again.
    """
    if shares == 1 or any(outer.rhs != inner.rhs * inner.size for outer, inner in pairwise(reduction)):
        return None
    steps, step, column = prod(dim.size for dim in reduction), reduction[-1].rhs, columns.dim.rhs
    rows, run, stride = (steps, columns.block_size, step) if column == 1 else (columns.block_size, steps, column)
    if 1 not in (step, column) or stride < run:
        return None
    row_lines = -(-run * element_bytes(element_type_of(contraction.rhs.memref)) // CACHE_LINE_BYTES)
    lines = min(-(-rows * row_lines // shares), model.contractions.most_fetched_lines)
    block = columns.block_size * column if last else 0
    if lines > row_lines // 2:
        return NextBlock(-(-lines // row_lines), 1, row_lines, stride, block)
    pieces = row_lines // lines
    return NextBlock(1, pieces, -(-row_lines // pieces), stride, block)
