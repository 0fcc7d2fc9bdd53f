"""What tiles fetch of memory that is read after them: the rows of the next tile, and the next block to be packed.

Both are prefetches, for addresses that need not exist: past the ends of an operand nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from .... import contraction_blocking as blocking
from ....cost_model import element_bytes
from .affine_builder import AffineBuilder, Terms, plus
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
    row: LoopDim, rows: int, share: int, reduction: tuple[LoopDim, ...], chains: int
) -> tuple[NextRows | None, tuple[LoopDim, ...]]:
    """How each panel fetches `share` of the `rows` rows of the next tile, and the loops of the reduction cut for that.

    `None` unless the reduction goes through rows from end to end.
    """
    if reduction[-1].lhs != 1 or len(reduction) > 1 + chains:
        return None, reduction
    tile = rows * row.lhs
    if row.lhs == prod(dim.size for dim in reduction):
        return NextRows(tile, share * row.lhs, tuple(share * dim.lhs for dim in reduction)), reduction
    # Rows do not follow each other: one part of the steps for each of them.
    dim = reduction[-1]
    share = next((parts for parts in range(share, 2 * share + 1) if dim.size % parts == 0), 0)
    if len(reduction) > 1 or not share or dim.size // share < blocking.SHORTEST_CHAIN:
        return None, reduction
    if share == 1:
        return NextRows(tile, row.lhs, (1,)), reduction
    return NextRows(tile, share * row.lhs, (row.lhs, share)), dim.split(dim.size // share)


def plan_next_panel(rows: int, share: int, reduction: Sequence[LoopDim], outside: int) -> NextRows:
    """How each panel fetches `share` of the `rows` rows of the next tile where the left operand is in panels.

    The first `outside` loops of the `reduction` are around the tiles.
    """
    sizes = [dim.size for dim in reduction]
    steps = tuple(prod(sizes[index + 1 :]) * share for index in range(outside, len(sizes)))
    return NextRows(prod(sizes) * rows, prod(sizes[outside:]) * share, steps)


@dataclass(frozen=True)
class NextBlock:
    """What each of the tiles of a block fetches of the right operand's part that is packed next: `lines` cache lines.

    The part is rows of `row_lines` lines, `stride` elements apart, and `block` elements further than the one in use;
    where a reduction is done in chunks, the next chunk is.
    """

    lines: int
    row_lines: int
    stride: int
    block: int

    def fetch(self, builder: AffineBuilder, flat: SSAValue, start: Terms, offset: int, tile: Terms) -> None:
        """The share of the tile number `tile` of the part that starts at `start` plus `offset` of `flat`."""
        line_elements = blocking.CACHE_LINE_BYTES // element_bytes(element_type_of(flat))
        with builder.loop(self.lines) as variable:
            number = {value: factor * self.lines for value, factor in tile.items()}
            number = plus(number, {} if variable is None else {variable: 1})
            if not number:
                return
            line = builder.base(number).value
            assert line is not None
            position = AffineExpr.dimension(0)
            row, rest = position // self.row_lines, position % self.row_lines
            place = builder.evaluate(row * self.stride + rest * line_elements, [line])
            builder.prefetch(flat, builder.base(plus(start, {place: 1})), offset)


def plan_next_block(
    contraction: Contraction, columns: Cut, reduction: Sequence[LoopDim], tiles: int, last: bool
) -> NextBlock | None:
    """How `tiles` tiles fetch the next block of `columns`, all of whose `reduction` is packed; `None`: it is not rows.

    `last`: the tiles are the last of a block of columns, otherwise it is in use again.
    """
    if any(outer.rhs != inner.rhs * inner.size for outer, inner in pairwise(reduction)):
        return None
    steps, step, column = prod(dim.size for dim in reduction), reduction[-1].rhs, columns.dim.rhs
    rows, run, stride = (steps, columns.block_size, step) if column == 1 else (columns.block_size, steps, column)
    if 1 not in (step, column) or stride < run:
        return None
    row_lines = -(-run * element_bytes(element_type_of(contraction.rhs.memref)) // blocking.CACHE_LINE_BYTES)
    return NextBlock(-(-rows * row_lines // tiles), row_lines, stride, columns.block_size * column if last else 0)
