"""What `contraction_blocking` decided about one contraction, as loops.

From the outside in:

    batch, outer columns, column blocks, [pack], outer rows, row blocks    macro loops, a prefix parallel
      outer reduction                                                      only where K is long
        tiles of a row block, panels of a column block
          reduction                                                        the micro-kernel

Where sums are held, the outer reduction stands between the macro loops and the packing.

The rows of a tile come from beyond the L2 cache and are used for all panels of a block in turn; where a block of rows
has just been copied, the panels are outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Operation

from ....decisions import contraction_blocking as blocking
from ....decisions.cost_model import worth_a_parallel_region
from ....decisions.target import Target
from .analysis import Contraction, Cut, LoopDim, Operand, element_count_of
from .fetching import NextBlock, NextRows, plan_next_block, plan_next_panel, plan_next_rows


@dataclass(frozen=True)
class Plan:
    """The loops of a tiled contraction.

    `accumulate`: tiles start from what `out` holds instead of the fill value. `packed`: the right operand is copied
    into panels; `pack_inside`: under the column blocks, into scratch of the thread, otherwise before the macro
    loops; `hoisted`: before a loop of the program that does not change it. `parallel`: how many of the macro loops are
    parallel. `left_packed`: blocks of the left operand are copied; `left_panels`: all of it is, before the macro loops,
    into panels of the rows of a tile.
    `chains`: how many of the loops of `reduction` stand around a chain of additions, and before that around sums of
    such chains: the levels of partial sums. `factor_type`: the type that factors have in the
    micro-kernel and a chain of additions is in: the accumulator's, or f32 where that gives the same integers.
    `prefetched`: copies of rows that lie far apart fetch them ahead.
    `next_rows`: how tiles fetch the rows of the next one, if they do.
    `packing_splits`, `left_packing_splits`: the parts of the outermost reduction that are packed in parallel, before
    the macro loops.
    `epilogue_form`: how an epilogue is applied.
    `sums_held`: the loop of `outer_reduction` is outside those over tiles and panels, whose sums are in scratch memory;
    tiles may overlap.
    """

    contraction: Contraction
    tile: blocking.RegisterTile
    rows: Cut
    columns: Cut
    outer_rows: tuple[LoopDim, ...]
    outer_reduction: tuple[LoopDim, ...]
    reduction: tuple[LoopDim, ...]
    accumulate: bool
    packed: bool
    pack_inside: bool
    parallel: int
    left_packed: bool
    chains: tuple[int, ...]
    factor_type: Attribute
    prefetched: bool
    next_rows: NextRows | None
    hoisted: bool = False
    packing_splits: int = 1
    left_packing_splits: int = 1
    epilogue_form: blocking.EpilogueForm | None = None
    sums_held: bool = False
    left_panels: bool = False

    @property
    def outer_columns(self) -> tuple[LoopDim, ...]:
        """The column dimensions around the vectorised one."""
        return self.contraction.columns[:-1]

    @property
    def macro_counts(self) -> list[int]:
        """Trip counts of the macro loops."""
        return [
            *(dim.size for dim in self.contraction.batch),
            *(dim.size for dim in self.outer_columns),
            self.columns.blocks,
            *(dim.size for dim in self.outer_rows),
            self.rows.blocks,
        ]

    @property
    def reduction_steps(self) -> int:
        """The steps of the micro-kernel."""
        return prod(dim.size for dim in self.reduction)

    def conversion(self, operand: Operand) -> type[Operation] | None:
        """What makes a `factor_type` of an element of `operand`."""
        if self.factor_type == self.contraction.element_type:
            return operand.extension
        return arith.UIToFPOp if operand.extension is arith.ExtUIOp else arith.SIToFPOp

    def of_left_panels(self) -> Plan:
        """This plan with the operands exchanged, for packing the left one: its panels are the rows of a tile."""
        contraction, rows = self.contraction, self.tile.rows
        exchanged = replace(
            contraction,
            lhs=contraction.rhs,
            rhs=contraction.lhs,
            batch=_exchanged(contraction.batch),
            columns=_exchanged((*self.outer_rows, self.rows.dim)),
        )
        return replace(
            self,
            contraction=exchanged,
            tile=blocking.RegisterTile(0, 1, 1, rows, rows),
            columns=replace(self.rows, dim=_exchanged([self.rows.dim])[0]),
            outer_reduction=_exchanged(self.outer_reduction),
            reduction=_exchanged(self.reduction),
            packing_splits=self.left_packing_splits,
            sums_held=False,
        )

    @property
    def pack_depth(self) -> int:
        """How many macro loops stand around a packing inside."""
        return len(self.contraction.batch) + len(self.outer_columns) + 1

    @property
    def tiles_per_packing(self) -> int:
        """How many tiles use what is packed inside, panel by panel."""
        around = 1 if self.sums_held else prod(self.macro_counts[self.pack_depth :])
        return around * self.rows.per_block * self.columns.per_block

    @property
    def next_block(self) -> NextBlock | None:
        """How tiles fetch what is packed next, if they do."""
        if not (self.prefetched and self.packed and self.pack_inside) or self.left_packed:
            return None
        last = not self.sums_held or prod(self.macro_counts[self.pack_depth :]) == 1
        return plan_next_block(self.contraction, self.columns, self.reduction, self.tiles_per_packing, last)


ONE = LoopDim(1, 0, 0, 0)


def _exchanged(dims: Sequence[LoopDim]) -> tuple[LoopDim, ...]:
    """The loops as they move the operands if these change places."""
    return tuple(replace(dim, lhs=dim.rhs, rhs=dim.lhs) for dim in dims)


def plan_contraction(
    contraction: Contraction, target: Target, threads: int, filled: bool, invariant: bool = False
) -> Plan | None:
    """The plan for `contraction`, or `None` if plain loops are as good.

    `filled`: a fill of the output precedes, and tiles may start from its value. `invariant`: the contraction is in a
    loop of the program that does not change the right operand. There is no plan with an epilogue where
    sums are not finished inside a tile: a reduction that long makes little of another pass over the results.
    """
    # A tile prefers rows that are close to each other; what is far apart is looped over outside.
    rows = sorted(contraction.rows or [ONE], key=lambda dim: abs(dim.lhs))
    column = contraction.columns[-1]
    row_count = prod(dim.size for dim in rows)
    # Elements are converted while they are packed.
    in_place = column.rhs == 1 and contraction.rhs.extension is None
    dot_product = 0 if invariant else _dot_product(contraction)
    if not blocking.worth_tiling(row_count, column.size, contraction.multiply_adds, in_place, dot_product):
        return None
    parallel = _worth_a_parallel_region(contraction, threads)
    tiling = _tile(contraction, rows, target, filled, threads if parallel else 1)
    if tiling is None:
        return None
    tile, outer_reduction, reduction = tiling
    sums_held = filled and bool(outer_reduction) and _is_cut_in_chunks(contraction, rows, tile, target)
    form = None
    if contraction.epilogue is not None:
        if not filled or (outer_reduction and not sums_held):
            return None
        form = blocking.epilogue_form(contraction.epilogue.vector_ops, tile.rows * tile.vectors)

    element_bytes = contraction.element_bits // 8
    step_bytes = prod(dim.size for dim in reduction) * element_bytes
    row = rows[tile.row_dim]
    outer_rows = tuple(dim for dim in reversed(rows) if dim is not row and dim.size > 1)
    tiles, panels = -(-row.size // tile.rows), -(-column.size // tile.columns)
    panel_bytes = step_bytes * tile.columns
    packed = not in_place or blocking.worth_packing(
        row_count, abs(reduction[-1].rhs) * element_bytes, panel_bytes, target.l1_bytes
    )
    accumulate = not filled or (bool(outer_reduction) and not sums_held)
    block_panels = blocking.pieces_per_block(panels, panel_bytes, target.l2_bytes // 2, accumulate)
    if sums_held:
        sums_bytes = block_panels * tile.rows * tile.columns * element_bytes
        block_tiles = blocking.pieces_per_block(tiles, sums_bytes, blocking.HELD_SUMS_BYTES)
    else:
        block_tiles = blocking.pieces_per_block(tiles, step_bytes * tile.rows, target.l2_bytes // 4, accumulate)

    innermost = abs(reduction[-1].lhs) * element_bytes if abs(row.lhs) == 1 else 0
    left_packed = blocking.worth_packing_left(
        contraction.lhs.extension is not None,
        row_count,
        tile.vectors,
        panels,
        innermost,
        reduction[-1].size,
        target.l1_bytes,
    )
    left_panels = left_packed and _has_left_panels(contraction, row, outer_rows)
    left_packed = left_packed and not left_panels
    far = blocking.worth_prefetching(_bytes_read(contraction), target.l2_bytes)
    chains, reduction, factor_type = _chains(contraction, reduction)
    if parallel:
        outer = prod(dim.size for dim in (*contraction.batch, *contraction.columns[:-1]))
        if column.size >= row_count or packed:
            block_panels = blocking.pieces_for_threads(panels, block_panels, outer, threads, accumulate)
        outer *= -(-panels // block_panels) * prod(dim.size for dim in outer_rows)
        block_tiles = blocking.pieces_for_threads(tiles, block_tiles, outer, threads, accumulate)
    next_rows = None
    share = -(-tile.rows // block_panels)
    if left_panels:
        next_rows = plan_next_panel(tile.rows, share, (*outer_reduction, *reduction), len(outer_reduction))
    elif far and not left_packed and len(contraction.reduction) == 1:
        next_rows, reduction, chains = plan_next_rows(row, tile.rows, share, reduction, chains)
    plan = Plan(
        contraction,
        tile,
        Cut(row, tile.rows, -(-tiles // block_tiles), block_tiles),
        Cut(column, tile.columns, -(-panels // block_panels), block_panels),
        outer_rows,
        outer_reduction,
        reduction,
        accumulate=accumulate,
        packed=packed,
        pack_inside=packed and not invariant,
        parallel=0,
        left_packed=left_packed,
        chains=chains,
        factor_type=factor_type,
        prefetched=far,
        next_rows=next_rows,
        hoisted=packed and invariant,
        epilogue_form=form,
        sums_held=sums_held,
        left_panels=left_panels,
    )
    if not parallel:
        return plan
    prefix = blocking.parallel_prefix(plan.macro_counts, threads)
    batch = prod(dim.size for dim in contraction.batch)
    panel_count = batch * prod(dim.size for dim in plan.outer_columns) * plan.columns.pieces
    steps = (*outer_reduction, *reduction)[0].size
    return replace(
        plan,
        parallel=prefix,
        pack_inside=plan.pack_inside and prefix <= plan.pack_depth,
        packing_splits=blocking.packing_splits(panel_count, steps, threads),
        left_packing_splits=blocking.packing_splits(batch * plan.rows.pieces, steps, threads),
    )


def _tile(
    contraction: Contraction, rows: Sequence[LoopDim], target: Target, filled: bool, threads: int
) -> tuple[blocking.RegisterTile, tuple[LoopDim, ...], tuple[LoopDim, ...]] | None:
    """The register tile, and the reduction loops outside and inside the tiles.

    Tiles that accumulate in the output must not overlap, so they divide the product or the reduction stays whole.
    """

    def choose(exact: bool) -> blocking.RegisterTile | None:
        return blocking.choose_register_tile(
            [dim.size for dim in rows],
            contraction.columns[-1].size,
            contraction.multiply_adds,
            target.lanes(contraction.element_bits),
            target.vector_registers,
            exact,
            threads,
            prod(dim.size for dim in (*contraction.batch, *contraction.columns[:-1])),
        )

    tile = choose(exact=not filled)
    if tile is None:
        return None
    step_bytes = tile.columns * contraction.element_bits // 8
    if filled and _is_cut_in_chunks(contraction, rows, tile, target):
        (dim,) = contraction.reduction
        chunk = blocking.chunk_steps(dim.size, step_bytes, target.l2_bytes)
        outside, inside = dim.split(chunk)
        return tile, (outside,), (inside,)
    outside, inside = _cut_reduction(contraction.reduction, step_bytes, target.l2_bytes)
    exact_tile = choose(exact=True) if outside else None
    if exact_tile is None:
        return tile, (), contraction.reduction
    return exact_tile, outside, inside


def _dot_product(contraction: Contraction) -> int:
    """The steps of the reduction if it goes through both operands from end to end, without conversions."""
    steps = contraction.reduction[-1]
    converted = contraction.lhs.extension or contraction.rhs.extension
    alone = len(contraction.reduction) == 1 and steps.lhs == steps.rhs == 1
    return steps.size if alone and contraction.is_float and not converted else 0


def _is_cut_in_chunks(
    contraction: Contraction, rows: Sequence[LoopDim], tile: blocking.RegisterTile, target: Target
) -> bool:
    """Whether the reduction is done in chunks for all tiles of a block in turn, with their sums in scratch memory."""
    if not contraction.is_float or len(contraction.reduction) != 1:
        return False
    bytes = contraction.element_bits // 8
    steps, left = contraction.reduction[0].size, prod(dim.size for dim in (*rows, *contraction.reduction)) * bytes
    return blocking.worth_cutting(steps, tile.columns * bytes, left, target.l2_bytes)


def _chains(
    contraction: Contraction, reduction: tuple[LoopDim, ...]
) -> tuple[tuple[int, ...], tuple[LoopDim, ...], Attribute]:
    """The levels of chains of additions, the loops of the reduction cut for that, and the type of the factors."""
    element_type, bits = contraction.element_type, contraction.product_bits
    if bits is None and not contraction.is_float:
        return (), reduction, element_type
    sizes = [dim.size for dim in reduction]
    limit = blocking.chain_limit(sizes, bits)
    if prod(sizes) <= limit:
        return (), reduction, element_type if bits is None else f32
    outside, inside = _cut(reduction, limit)
    if prod(dim.size for dim in inside) < blocking.FEWEST_CHAIN_STEPS:
        return (), reduction, element_type
    if bits is not None:
        return (len(outside),), (*outside, *inside), f32
    levels: list[int] = [len(outside)]
    groups: tuple[LoopDim, ...] = ()
    while prod(dim.size for dim in outside) > blocking.MOST_CHAINS:
        outside, group = _cut(outside, blocking.CHAINS_TOGETHER)
        if not outside or prod(dim.size for dim in group) == 1:
            outside = (*outside, *group)
            break
        levels = [len(outside), *(level + len(outside) + len(group) - levels[0] for level in levels)]
        groups = (*group, *groups)
    return tuple(levels), (*outside, *groups, *inside), element_type


def _cut(loops: tuple[LoopDim, ...], limit: int) -> tuple[tuple[LoopDim, ...], tuple[LoopDim, ...]]:
    """The loops around chains of about `limit` steps, and those of a chain."""
    outer, chunk = blocking.cut_chain([dim.size for dim in loops], limit)
    dim, inside = loops[outer], loops[outer + 1 :]
    outside = loops[:outer] if chunk == dim.size else (*loops[:outer], dim.split(chunk)[0])
    return outside, (replace(dim, size=chunk), *inside) if chunk > 1 else inside


def _has_left_panels(contraction: Contraction, row: LoopDim, outer_rows: Sequence[LoopDim]) -> bool:
    """Whether a transposed left operand is packed once, before the macro loops: where it is not larger then, and its
    elements can be converted as vectors."""
    if contraction.lhs.extension not in (None, arith.ExtFOp):
        return False
    size = prod(dim.size for dim in (*contraction.batch, row, *contraction.reduction))
    return row.lhs == 1 and not outer_rows and size <= element_count_of(contraction.lhs.memref)


def _bytes_read(contraction: Contraction) -> int:
    steps = prod(dim.size for dim in (*contraction.batch, *contraction.reduction))
    rows = prod(dim.size for dim in contraction.rows)
    columns = prod(dim.size for dim in contraction.columns)
    return steps * (rows + columns) * contraction.element_bits // 8


def _worth_a_parallel_region(contraction: Contraction, threads: int) -> bool:
    return worth_a_parallel_region(_bytes_read(contraction), 2 * contraction.multiply_adds, threads)


def _cut_reduction(
    reduction: Sequence[LoopDim], step_bytes: int, l2_bytes: int
) -> tuple[tuple[LoopDim, ...], tuple[LoopDim, ...]]:
    """The loops outside and inside the tiles."""
    outer, chunk = blocking.block_reduction([dim.size for dim in reduction], step_bytes, l2_bytes)
    dim = reduction[outer]
    blocks = dim.size // chunk
    outside = list(reduction[:outer])
    if blocks > 1:
        outside.append(dim.split(chunk)[0])
    inside = [replace(dim, size=chunk)] if chunk > 1 else []
    return tuple(outside), (*inside, *reduction[outer + 1 :])
