"""Tiles whose loops are in a function that all programs share (`xrt.tile`).

That is a tile which starts from zero and whose sums are stored as they are: its code depends on little but its form.
What else is done to sums is written where the tile is, and reads them from the L1 cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, SSAValue

from ...decisions.register_tiles import EpilogueForm
from ...dialects.editing import new_op
from ...dialects.shared_attributes import UNIT, i64_array, i64_attribute
from ...dialects.xrt import TileOp
from ...ir.affine_builder import AffineBuilder, Base, Terms, scaled
from ...ir.structured import element_type
from .analysis import steps_of
from .micro_kernel import Source
from .nest import Tile
from .plan import Plan


def is_shared(plan: Plan, fill: SSAValue | None) -> bool:
    """Whether the tile of `plan`, which starts from `fill`, is to be computed by such a function."""
    tile = plan.tile
    return (
        plan.has_shared_form
        and tile.epilogue_form is not EpilogueForm.REGISTERS
        and plan.model.tiles.worth_sharing(tile.shape.rows * tile.shape.vectors * steps_of(tile.reduction))
        and fill is not None
        and _is_zero(fill)
    )


def _is_zero(fill: SSAValue) -> bool:
    """Whether a fill is the constant 0, which is not -0."""
    if not isinstance(fill.owner, arith.ConstantOp):
        return False
    value = fill.owner.value
    return isinstance(value, FloatAttr) and value.value.data == 0 and not str(value.value.data).startswith("-")


def shared_tile(
    tile: Tile,
    lhs: Source,
    rhs: Source,
    out: SSAValue,
    at: Base,
    down: int,
    fma: bool,
    panel: Terms,
    builder: AffineBuilder,
) -> TileOp | None:
    """The tile, which is `at` a place of `out` whose rows are `down` apart; the number of the panel is `panel`. None of
    one with factors of other types, or rows that are not as far apart as each other.
    """
    shape, apart = tile.shape, _distance(lhs.apart)
    if apart is None or lhs.conversion is not None or rhs.conversion is not None:
        return None
    if any(element_type(side.flat) != element_type(out) for side in (lhs, rhs)):
        return None
    groups = zip(rhs.apart, shape.groups, strict=True)
    places = [start + vector * shape.lanes for start, (_, count) in groups for vector in range(count)]
    properties: dict[str, Attribute] = {
        "trips": i64_array(*(dim.size for dim in tile.reduction)),
        "lhs_steps": i64_array(*lhs.steps),
        "rhs_steps": i64_array(*rhs.steps),
        "rows": i64_attribute(shape.rows),
        "lhs_row": i64_attribute(apart),
        "out_row": i64_attribute(down),
        "columns": i64_array(*shape.vector_starts),
        "at": i64_array(*places),
        "lanes": i64_attribute(shape.lanes),
        "chains": i64_array(*tile.chains),
    }
    operands = [lhs.flat, builder.index(lhs.start, lhs.apart[0]), rhs.flat, builder.index(rhs.start)]
    operands += [out, builder.index(at)]
    if tile.next_rows is not None:
        ahead = builder.move(lhs.start, scaled(panel, tile.next_rows.panel)) if panel else lhs.start
        operands.append(builder.index(ahead, tile.next_rows.tile))
        properties["ahead_steps"] = i64_array(*tile.next_rows.steps)
    if fma:
        properties["fma"] = UNIT
    return new_op(TileOp, operands, (), properties)


def _distance(places: Sequence[int]) -> int | None:
    """How far `places` are apart; None if these are different distances."""
    distances = {after - before for before, after in pairwise(places)}
    return None if len(distances) > 1 else next(iter(distances), 0)
