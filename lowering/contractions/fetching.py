"""What tiles fetch of memory that is read after them: the rows of the next tile, and the next block to be packed.

Both are prefetches, for addresses that need not exist: past the ends of an operand nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ...decisions.model import CostModel
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.element_sizes import element_bytes
from ...ir.affine_builder import AffineBuilder, Terms, linear_expr, plus, scaled
from ...ir.structured import element_type
from .analysis import LHS, RHS, LoopDim, Operand, steps_of
from .nest import Loop, NextRows, Steps


def _is_contiguous(reduction: Sequence[LoopDim], operand: int) -> bool:
    """Whether loops over `reduction` walk an operand as one loop would."""
    return all(outer.strides[operand] == inner.strides[operand] * inner.size for outer, inner in pairwise(reduction))


def cut_for_next_rows(row: LoopDim, steps: Steps, model: CostModel) -> Steps:
    """`steps` in loops, in which each panel fetches its share of the rows of the next tile, of `row`; of none unless
    they go through rows from end to end.
    """
    reduction, share, first = steps.reduction, steps.rows, steps.reduction[0]
    none = steps._replace(rows=0)
    if reduction[-1].strides[LHS] != 1 or not _is_contiguous(reduction, LHS):
        return none
    follow = row.strides[LHS] == steps_of(reduction)
    if not follow:
        # One part of the steps for each row.
        share = next((parts for parts in range(share, 2 * share + 1) if first.size % parts == 0), 0)
        if not share or steps_of(reduction) // share < model.sums.shortest_chain:
            return none
    cut = reduction
    if not follow and 1 < share < first.size:
        cut = (*first.split(first.size // share), *reduction[1:])
    levels = tuple(level + len(cut) - len(reduction) for level in steps.chains)
    return Steps(cut, levels, steps.factor_type, share)


def next_rows_of(row: LoopDim, rows: int, share: int, reduction: Sequence[LoopDim]) -> NextRows | None:
    """How each panel fetches `share` of the `rows` rows of the next tile in a `reduction`, which goes through rows from
    end to end, otherwise `None`. Where rows do not follow each other there is a step of the first loop for each."""
    down = row.strides[LHS]
    if reduction[-1].strides[LHS] != 1 or not _is_contiguous(reduction, LHS):
        return None
    ahead = [share * dim.strides[LHS] for dim in reduction]
    if down != steps_of(reduction) and share > 1:
        ahead[0] = down
    return NextRows(share, rows * down, share * down, tuple(ahead))


def plan_next_panel(rows: int, share: int, reduction: Sequence[LoopDim], outside: int) -> NextRows:
    """How each panel fetches `share` of the `rows` rows of the next tile where the left operand is in panels.

    The first `outside` loops of the `reduction` are around the tiles.
    """
    steps = tuple(steps_of(reduction[index + 1 :]) * share for index in range(outside, len(reduction)))
    return NextRows(share, steps_of(reduction) * rows, steps_of(reduction[outside:]) * share, steps)


@dataclass(frozen=True)
class Fetch:
    """What tiles fetch of the part of the right operand that is packed next: for every panel a share of its rows.

    A row of the part is cut into `pieces` of `lines` cache lines, and `rows` of them that are `stride` elements apart
    are fetched, or one piece. The part is `block` elements further than the one in use; where the loop `chunks` is
    around the packing, the next chunk is. The iterations of `loops` number the shares.
    """

    rows: int
    pieces: int
    lines: int
    stride: int
    block: int
    loops: tuple[Loop, ...]
    chunks: Loop | None

    def emit(self, builder: AffineBuilder, operand: Operand, start: Terms, share: Terms, chunk: Terms) -> None:
        """Fetches the share number `share` of what is packed after the part of `operand` that begins at `start`, or
        the chunk of this number of it."""
        ahead = self.block
        if self.chunks is not None and chunk:
            ((number, _),) = chunk.items()
            steps, stride = self.chunks.count, self.chunks.dim.strides[RHS]
            is_last = builder.evaluate((AffineExpr.dimension(0) + 1) // steps, [number])
            ahead, start = stride, plus(start, {is_last: self.block - steps * stride})
        flat = builder.flatten(operand.memref)
        if self.pieces == 1:
            base = builder.base(plus(start, scaled(share, self.rows * self.stride)))
        else:
            piece = self.lines * CACHE_LINE_BYTES // element_bytes(element_type(flat))
            number = linear_expr(list(share.values()))
            place = builder.evaluate(number // self.pieces * self.stride + number % self.pieces * piece, list(share))
            base = builder.base(plus(start, {place: 1}))
        builder.prefetch(flat, base, operand.offset + ahead, self.lines, self.rows, self.stride)


def plan_fetch(
    right: SSAValue,
    columns: Loop,
    reduction: Sequence[LoopDim],
    loops: tuple[Loop, ...],
    chunks: Loop | None,
    last: bool,
    model: CostModel,
) -> Fetch | None:
    """How the steps of `reduction` of the next one of the blocks of `columns` are fetched in shares that `loops`
    number, or as much of them as they may; `None`: they are not rows.

    Steps of loops around the tiles have shares of their own. `last`: the shares are those of the last tiles of a block
    of columns, otherwise it is in use again.
    """
    shares, column, step = 1, columns.dim.strides[RHS], reduction[-1].strides[RHS]
    for loop in loops:
        shares *= loop.count
    if shares == 1 or not _is_contiguous(reduction, RHS):
        return None
    steps, width = steps_of(reduction), columns.parts.span
    rows, run, stride = (steps, width, step) if column == 1 else (width, steps, column)
    if 1 not in (step, column) or stride < run:
        return None
    row_lines = -(-run * element_bytes(element_type(right)) // CACHE_LINE_BYTES)
    lines = min(-(-rows * row_lines // shares), model.contractions.most_fetched_lines)
    block = width * column if last else 0
    if lines > row_lines // 2:
        return Fetch(-(-lines // row_lines), 1, row_lines, stride, block, loops, chunks)
    pieces = row_lines // lines
    return Fetch(1, pieces, -(-row_lines // pieces), stride, block, loops, chunks)
