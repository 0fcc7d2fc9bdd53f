"""What `contraction_blocking` decided about one contraction, as loops.

From the outside in:

    batch, outer columns, column blocks, [pack], outer rows, row blocks    macro loops, a prefix parallel
      outer reduction                                                      only where K is long
        panels of a column block, tiles of a row block
          reduction                                                        the micro-kernel
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from .... import contraction_blocking as blocking
from ....cost_model import worth_a_parallel_region
from ....target import Target
from .analysis import Contraction, Cut, LoopDim


@dataclass(frozen=True)
class Plan:
    """The loops of a tiled contraction.

    `accumulate`: tiles start from what `out` holds instead of the fill value. `packed`: the right operand is copied
    into panels; `pack_inside`: under the column blocks, into scratch of the thread, otherwise before the macro
    loops. `parallel`: how many of the macro loops are parallel.
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
    def pack_depth(self) -> int:
        """How many macro loops stand around a packing inside."""
        return len(self.contraction.batch) + len(self.outer_columns) + 1


ONE = LoopDim(1, 0, 0, 0)


def plan_contraction(contraction: Contraction, target: Target, threads: int, filled: bool) -> Plan | None:
    """The plan for `contraction`, or `None` if plain loops are as good.

    `filled`: a fill of the output precedes, and tiles may start from its value.
    """
    # A tile prefers rows that are close to each other; what is far apart is looped over outside.
    rows = sorted(contraction.rows or [ONE], key=lambda dim: abs(dim.lhs))
    column = contraction.columns[-1]
    row_count = prod(dim.size for dim in rows)
    outer_columns = prod(dim.size for dim in contraction.columns[:-1])
    batch = prod(dim.size for dim in contraction.batch)
    work = contraction.multiply_adds
    # Elements are converted while they are packed.
    contiguous = column.rhs == 1 and contraction.rhs.extension is None
    if not blocking.worth_tiling(row_count, column.size, work, contiguous):
        return None

    row_sizes = [dim.size for dim in rows]
    lanes = target.lanes(contraction.element_bits)

    def tile_for(exact: bool) -> blocking.RegisterTile | None:
        return blocking.choose_register_tile(row_sizes, column.size, work, lanes, target.vector_registers, exact)

    element_bytes = contraction.element_bits // 8
    reduction = contraction.reduction
    tile = tile_for(exact=not filled)
    if tile is None:
        return None
    outer_reduction: tuple[LoopDim, ...] = ()
    accumulate = not filled
    cut_reduction = _cut_reduction(reduction, tile.columns * element_bytes, target.l2_bytes)
    if cut_reduction[0]:
        exact_tile = tile_for(exact=True)
        if exact_tile is not None:
            tile, accumulate = exact_tile, True
            outer_reduction, reduction = cut_reduction

    row = rows[tile.row_dim]
    outer_rows = tuple(dim for dim in reversed(rows) if dim is not row and dim.size > 1)
    outer_row_count = prod(dim.size for dim in outer_rows)
    steps = prod(dim.size for dim in reduction)
    total_steps = steps * prod(dim.size for dim in outer_reduction)
    panel_bytes = steps * tile.columns * element_bytes
    tiles, panels = -(-row.size // tile.rows), -(-column.size // tile.columns)
    packed = not contiguous or blocking.worth_packing(
        row_count, abs(reduction[-1].rhs) * element_bytes, panel_bytes, target.l1_bytes
    )

    column_blocks = blocking.block_count(panels, panel_bytes, target.l2_bytes // 2)
    row_blocks = blocking.block_count(tiles, steps * tile.rows * element_bytes, target.l2_bytes // 4)
    bytes_moved = element_bytes * total_steps * (row_count + column.size * outer_columns) * batch
    parallel = 0
    pack_inside = packed
    if worth_a_parallel_region(bytes_moved, 2 * work, threads):
        outer = batch * outer_columns
        if not blocking.divides_well(outer * column_blocks, threads):
            if column.size >= row_count or packed:
                column_blocks = blocking.count_for_threads(panels, column_blocks, outer, threads)
            if not blocking.divides_well(outer * column_blocks * outer_row_count, threads):
                row_blocks = blocking.count_for_threads(
                    tiles, row_blocks, outer * column_blocks * outer_row_count, threads
                )
    plan = Plan(
        contraction,
        tile,
        Cut(row, tile.rows, row_blocks, tiles // row_blocks),
        Cut(column, tile.columns, column_blocks, panels // column_blocks),
        outer_rows,
        outer_reduction,
        reduction,
        accumulate,
        packed,
        pack_inside,
        parallel,
    )
    if worth_a_parallel_region(bytes_moved, 2 * work, threads):
        parallel = blocking.parallel_prefix(plan.macro_counts, threads)
        plan = replace(plan, parallel=parallel, pack_inside=packed and parallel <= plan.pack_depth)
    return plan


def _cut_reduction(
    reduction: Sequence[LoopDim], step_bytes: int, l2_bytes: int
) -> tuple[tuple[LoopDim, ...], tuple[LoopDim, ...]]:
    """The loops outside and inside the tiles."""
    outer, chunk = blocking.block_reduction([dim.size for dim in reduction], step_bytes, l2_bytes)
    dim = reduction[outer]
    blocks = dim.size // chunk
    outside = list(reduction[:outer])
    if blocks > 1:
        outside.append(LoopDim(blocks, dim.lhs * chunk, dim.rhs * chunk, 0))
    inside = [replace(dim, size=chunk)] if chunk > 1 else []
    return tuple(outside), (*inside, *reduction[outer + 1 :])
