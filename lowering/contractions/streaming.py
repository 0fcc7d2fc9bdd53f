"""Plans for products of few rows with a right operand from beyond the L2 cache, which is read once, in place.

Such a product takes the time of reading. So a few steps of the reduction at a time are done for all columns in turn:
what is read is neighbouring rows of the operand side by side, as the hardware prefetches, instead of a piece of every
row. The sums of all tiles are in scratch memory meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from xdsl.dialects import arith

from ...decisions.blocks import parallel_prefix, pieces_for_threads, pieces_per_block
from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bytes
from .analysis import Contraction, Cut, element_type_of
from .plan import ONE, Plan


def plan_stream(contraction: Contraction, model: CostModel, threads: int, filled: bool) -> Plan | None:
    """The plan for `contraction`, or `None` if it has many rows or a small right operand. `filled`: as for
    `plan_contraction`."""
    *outer_rows, row = contraction.rows or (ONE,)
    *outer_steps, steps = contraction.reduction
    column, rhs = contraction.columns[-1], contraction.rhs
    if not filled or outer_rows or outer_steps or column.rhs != 1:
        return None
    if rhs.extension not in (None, arith.ExtFOp):
        return None
    read_bytes = element_bytes(element_type_of(rhs.memref))
    outer = prod(dim.size for dim in (*contraction.batch, *contraction.columns[:-1]))
    rhs_bytes = outer * column.size * steps.size * read_bytes
    chunk = model.contractions.streamed_steps(
        row.size, steps.size, abs(steps.rhs) * read_bytes, rhs_bytes, model.target.l2_bytes
    )
    lanes = model.target.lanes(contraction.element_bits)
    if not chunk or column.size < lanes:
        return None
    tile = model.tiles.streamed_tile(row.size, column.size, lanes, model.target.vector_registers)
    tiles, panels = -(-row.size // tile.rows), -(-column.size // tile.columns)
    sums = tiles * tile.rows * tile.columns * contraction.element_bits // 8
    per_block = pieces_per_block(panels, sums + chunk * tile.columns * read_bytes, model.target.l2_bytes // 2)
    parallel = model.parallelism.worth_a_parallel_region(rhs_bytes, 2 * contraction.multiply_adds, threads)
    if parallel:
        per_block = pieces_for_threads(panels, per_block, outer, threads)
    form = None
    if contraction.epilogue is not None:
        form = model.tiles.epilogue_form(contraction.epilogue.vector_ops(model), tile.rows * tile.vectors)
    outside, inside = steps.split(chunk)
    plan = Plan(
        contraction,
        model,
        tile,
        Cut(row, tile.rows, 1, tiles),
        Cut(column, tile.columns, -(-panels // per_block), per_block),
        (),
        (outside,),
        (inside,),
        accumulate=False,
        packed=False,
        pack_inside=False,
        parallel=0,
        left_packed=contraction.lhs.extension is not None,
        chains=(),
        factor_type=contraction.element_type,
        prefetched=True,
        next_rows=None,
        epilogue_form=form,
        sums_held=True,
    )
    return replace(plan, parallel=parallel_prefix(plan.macro_counts, threads)) if parallel else plan
