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

from ...decisions.blocks import (
    block_reduction,
    chunk_steps,
    cut_chain,
    packing_splits,
    parallel_prefix,
    pieces_for_threads,
    pieces_per_block,
)
from ...decisions.model import CostModel
from ...decisions.register_tiles import EpilogueForm, RegisterTile
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
    model: CostModel
    tile: RegisterTile
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
    epilogue_form: EpilogueForm | None = None
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
            tile=RegisterTile(0, 1, 1, rows, rows),
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
        return plan_next_block(self.contraction, self.columns, self.reduction, self.tiles_per_packing, last, self.model)


ONE = LoopDim(1, 0, 0, 0)


def _exchanged(dims: Sequence[LoopDim]) -> tuple[LoopDim, ...]:
    """The loops as they move the operands if these change places."""
    return tuple(replace(dim, lhs=dim.rhs, rhs=dim.lhs) for dim in dims)


def plan_contraction(
    contraction: Contraction, model: CostModel, threads: int, filled: bool, invariant: bool = False
) -> Plan | None:
    """The plan for `contraction`, or `None` if plain loops are as good.

    `filled`: a fill of the output precedes, and tiles may start from its value. `invariant`: the contraction is in a
    loop of the program that does not change the right operand. There is no plan with an epilogue where
    sums are not finished inside a tile: a reduction that long makes little of another pass over the results.
    """
    # A tile prefers rows that are close to each other; what is far apart is looped over outside.
    rows = sorted(contraction.rows or [ONE], key=lambda dim: abs(dim.lhs))
    column = contraction.columns[-1]
    # Elements are converted while they are packed.
    in_place = column.rhs == 1 and contraction.rhs.extension is None
    dot_product = 0 if invariant else _dot_product(contraction)
    row_count = prod(dim.size for dim in rows)
    if not model.contractions.worth_tiling(row_count, column.size, contraction.multiply_adds, in_place, dot_product):
        return None
    parallel = _worth_a_parallel_region(contraction, threads, model)
    tiling = _tile(contraction, rows, model, filled, threads if parallel else 1)
    if tiling is None:
        return None
    tile, outer_reduction, _ = tiling
    sums_held = filled and bool(outer_reduction) and _is_cut_in_chunks(contraction, rows, tile, model)
    form = None
    if contraction.epilogue is not None:
        if not filled or (outer_reduction and not sums_held):
            return None
        form = model.tiles.epilogue_form(contraction.epilogue.vector_ops(model), tile.rows * tile.vectors)
    sharing = threads if parallel else 0
    tiled = _Tiled(contraction, model, rows, *tiling, filled, in_place, sums_held, sharing)
    plan = _planned(tiled, form, invariant)
    return _in_parallel(plan, threads) if parallel else plan


@dataclass(frozen=True)
class _Tiled:
    """A contraction for which the tile is chosen, with the loops outside and inside the tiles.

    `threads` share its macro loops, or none does.
    """

    contraction: Contraction
    model: CostModel
    rows: Sequence[LoopDim]
    tile: RegisterTile
    outer_reduction: tuple[LoopDim, ...]
    reduction: tuple[LoopDim, ...]
    filled: bool
    in_place: bool
    sums_held: bool
    threads: int

    @property
    def element_bytes(self) -> int:
        return self.contraction.element_bits // 8

    @property
    def step_bytes(self) -> int:
        """Of an operand, for one row or column of a tile."""
        return prod(dim.size for dim in self.reduction) * self.element_bytes

    @property
    def row(self) -> LoopDim:
        """The row dimension that tiles lie along."""
        return self.rows[self.tile.row_dim]

    @property
    def row_count(self) -> int:
        return prod(dim.size for dim in self.rows)

    @property
    def outer_rows(self) -> tuple[LoopDim, ...]:
        return tuple(dim for dim in reversed(self.rows) if dim is not self.row and dim.size > 1)

    @property
    def column(self) -> LoopDim:
        """The column dimension that tiles lie along."""
        return self.contraction.columns[-1]

    @property
    def tiles(self) -> int:
        return -(-self.row.size // self.tile.rows)

    @property
    def panels(self) -> int:
        return -(-self.column.size // self.tile.columns)

    @property
    def accumulate(self) -> bool:
        """Whether tiles start from what the output holds."""
        return not self.filled or (bool(self.outer_reduction) and not self.sums_held)

    @property
    def packed(self) -> bool:
        """Whether the right operand is copied into panels."""
        step = abs(self.reduction[-1].rhs) * self.element_bytes
        panel_bytes = self.step_bytes * self.tile.columns
        return not self.in_place or self.model.contractions.worth_packing(
            self.row_count, step, panel_bytes, self.model.target.l1_bytes
        )

    @property
    def left_packed(self) -> bool:
        """Whether the left operand is copied, as blocks or panels."""
        innermost = abs(self.reduction[-1].lhs) * self.element_bytes if abs(self.row.lhs) == 1 else 0
        return self.model.contractions.worth_packing_left(
            self.contraction.lhs.extension is not None,
            self.row_count,
            self.tile.vectors,
            self.panels,
            innermost,
            self.reduction[-1].size,
            self.model.target.l1_bytes,
        )

    def blocks(self) -> tuple[int, int]:
        """How many tiles and how many panels are in a block."""
        l2_bytes, tile, accumulate = self.model.target.l2_bytes, self.tile, self.accumulate
        block_panels = pieces_per_block(self.panels, self.step_bytes * tile.columns, l2_bytes // 2, accumulate)
        if self.sums_held:
            sums_bytes = block_panels * tile.rows * tile.columns * self.element_bytes
            block_tiles = pieces_per_block(self.tiles, sums_bytes, self.model.contractions.held_sums_bytes)
        else:
            block_tiles = pieces_per_block(self.tiles, self.step_bytes * tile.rows, l2_bytes // 4, accumulate)
        if self.threads:
            outer = prod(dim.size for dim in (*self.contraction.batch, *self.contraction.columns[:-1]))
            if self.column.size >= self.row_count or self.packed:
                block_panels = pieces_for_threads(self.panels, block_panels, outer, self.threads, accumulate)
            outer *= -(-self.panels // block_panels) * prod(dim.size for dim in self.outer_rows)
            block_tiles = pieces_for_threads(self.tiles, block_tiles, outer, self.threads, accumulate)
        return block_tiles, block_panels


def _planned(tiled: _Tiled, form: EpilogueForm | None, invariant: bool) -> Plan:
    """The plan without parallel loops."""
    contraction, model, tile, row = tiled.contraction, tiled.model, tiled.tile, tiled.row
    block_tiles, block_panels = tiled.blocks()
    packed, left_packed = tiled.packed, tiled.left_packed
    left_panels = left_packed and _has_left_panels(contraction, row, tiled.outer_rows)
    left_packed = left_packed and not left_panels
    far = model.contractions.worth_prefetching(_bytes_read(contraction), model.target.l2_bytes)
    chains, reduction, factor_type = _chains(contraction, tiled.reduction, model)
    next_rows = None
    share = -(-tile.rows // block_panels)
    if left_panels:
        steps = (*tiled.outer_reduction, *reduction)
        next_rows = plan_next_panel(tile.rows, share, steps, len(tiled.outer_reduction))
    elif far and not left_packed and len(contraction.reduction) == 1:
        next_rows, reduction, chains = plan_next_rows(row, tile.rows, share, reduction, chains, model)
    return Plan(
        contraction,
        model,
        tile,
        Cut(row, tile.rows, -(-tiled.tiles // block_tiles), block_tiles),
        Cut(tiled.column, tile.columns, -(-tiled.panels // block_panels), block_panels),
        tiled.outer_rows,
        tiled.outer_reduction,
        reduction,
        accumulate=tiled.accumulate,
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
        sums_held=tiled.sums_held,
        left_panels=left_panels,
    )


def _in_parallel(plan: Plan, threads: int) -> Plan:
    """`plan` with macro loops, and packing in front of them, that `threads` share."""
    prefix = parallel_prefix(plan.macro_counts, threads)
    batch = prod(dim.size for dim in plan.contraction.batch)
    panel_count = batch * prod(dim.size for dim in plan.outer_columns) * plan.columns.pieces
    steps = (*plan.outer_reduction, *plan.reduction)[0].size
    return replace(
        plan,
        parallel=prefix,
        pack_inside=plan.pack_inside and prefix <= plan.pack_depth,
        packing_splits=packing_splits(panel_count, steps, threads),
        left_packing_splits=packing_splits(batch * plan.rows.pieces, steps, threads),
    )


def _tile(
    contraction: Contraction, rows: Sequence[LoopDim], model: CostModel, filled: bool, threads: int
) -> tuple[RegisterTile, tuple[LoopDim, ...], tuple[LoopDim, ...]] | None:
    """The register tile, and the reduction loops outside and inside the tiles.

    Tiles that accumulate in the output must not overlap, so they divide the product or the reduction stays whole.
    """

    def choose(exact: bool) -> RegisterTile | None:
        return model.tiles.choose_register_tile(
            [dim.size for dim in rows],
            contraction.columns[-1].size,
            contraction.multiply_adds,
            model.target.lanes(contraction.element_bits),
            model.target.vector_registers,
            exact,
            threads,
            prod(dim.size for dim in (*contraction.batch, *contraction.columns[:-1])),
        )

    tile = choose(exact=not filled)
    if tile is None:
        return None
    step_bytes = tile.columns * contraction.element_bits // 8
    if filled and _is_cut_in_chunks(contraction, rows, tile, model):
        (dim,) = contraction.reduction
        chunk = chunk_steps(dim.size, step_bytes, model.target.l2_bytes)
        outside, inside = dim.split(chunk)
        return tile, (outside,), (inside,)
    outside, inside = _cut_reduction(contraction.reduction, step_bytes, model.target.l2_bytes)
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


def _is_cut_in_chunks(contraction: Contraction, rows: Sequence[LoopDim], tile: RegisterTile, model: CostModel) -> bool:
    """Whether the reduction is done in chunks for all tiles of a block in turn, with their sums in scratch memory."""
    if not contraction.is_float or len(contraction.reduction) != 1:
        return False
    bytes = contraction.element_bits // 8
    steps, left = contraction.reduction[0].size, prod(dim.size for dim in (*rows, *contraction.reduction)) * bytes
    return model.contractions.worth_cutting(steps, tile.columns * bytes, left, model.target.l2_bytes)


def _chains(
    contraction: Contraction, reduction: tuple[LoopDim, ...], model: CostModel
) -> tuple[tuple[int, ...], tuple[LoopDim, ...], Attribute]:
    """The levels of chains of additions, the loops of the reduction cut for that, and the type of the factors."""
    element_type, bits = contraction.element_type, contraction.product_bits
    if bits is None and not contraction.is_float:
        return (), reduction, element_type
    sizes = [dim.size for dim in reduction]
    limit = model.sums.chain_limit(sizes, bits)
    if prod(sizes) <= limit:
        return (), reduction, element_type if bits is None else f32
    outside, inside = _cut(reduction, limit)
    if prod(dim.size for dim in inside) < model.sums.fewest_chain_steps:
        return (), reduction, element_type
    if bits is not None:
        return (len(outside),), (*outside, *inside), f32
    levels: list[int] = [len(outside)]
    groups: tuple[LoopDim, ...] = ()
    while prod(dim.size for dim in outside) > model.sums.most_chains:
        outside, group = _cut(outside, model.sums.chains_together)
        if not outside or prod(dim.size for dim in group) == 1:
            outside = (*outside, *group)
            break
        levels = [len(outside), *(level + len(outside) + len(group) - levels[0] for level in levels)]
        groups = (*group, *groups)
    return tuple(levels), (*outside, *groups, *inside), element_type


def _cut(loops: tuple[LoopDim, ...], limit: int) -> tuple[tuple[LoopDim, ...], tuple[LoopDim, ...]]:
    """The loops around chains of about `limit` steps, and those of a chain."""
    outer, chunk = cut_chain([dim.size for dim in loops], limit)
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


def _worth_a_parallel_region(contraction: Contraction, threads: int, model: CostModel) -> bool:
    return model.parallelism.worth_a_parallel_region(_bytes_read(contraction), 2 * contraction.multiply_adds, threads)


def _cut_reduction(
    reduction: Sequence[LoopDim], step_bytes: int, l2_bytes: int
) -> tuple[tuple[LoopDim, ...], tuple[LoopDim, ...]]:
    """The loops outside and inside the tiles."""
    outer, chunk = block_reduction([dim.size for dim in reduction], step_bytes, l2_bytes)
    dim = reduction[outer]
    blocks = dim.size // chunk
    outside = list(reduction[:outer])
    if blocks > 1:
        outside.append(dim.split(chunk)[0])
    inside = [replace(dim, size=chunk)] if chunk > 1 else []
    return tuple(outside), (*inside, *reduction[outer + 1 :])
