"""Other plans for a contraction: what a search draws from beside the plan that was chosen.

Each differs in what a plan is made of (Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication",
2008): the tile in registers, the blocks for the caches, what is packed and how, chunks of the reduction. Which one is
fast is for the search to find out; all are legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from ...decisions.model import CostModel
from ...decisions.register_tiles import RegisterTile
from .analysis import LHS, RHS, Contraction, LoopDim
from .nest import Sums
from .packing import Block, Pack, Panels
from .plan import Plan, Tiling, rows_of


@dataclass(frozen=True)
class Choice:
    """What a plan is made of: the tile, how many of these are in a block, which copies there are, and the steps of a
    chunk of the reduction, 0 for all."""

    tile: RegisterTile
    blocks: tuple[int, int]
    packed: bool
    left: type[Pack] | None
    chunk: int = 0


class _Chosen(Tiling):
    """A tiling that does not choose."""

    def __init__(self, contraction: Contraction, model: CostModel, choice: Choice, threads: int, filled: bool) -> None:
        rows, reduction = rows_of(contraction), contraction.reduction
        cut = (choice.tile, (), reduction, Sums.WHOLE)
        if choice.chunk:
            outside, inside = reduction[0].split(choice.chunk)
            cut = (choice.tile, (outside,), (inside,), Sums.SCRATCH)
        super().__init__(contraction, model, rows, cut, filled, threads)
        self.choice, self.packed, self.left = choice, choice.packed, choice.left

    def blocks(self) -> tuple[int, int]:
        tiles, panels = self.choice.blocks
        return min(tiles, self.tiles), min(panels, self.panels)


def choice_of(plan: Plan) -> Choice:
    """What a plan is made of."""
    tile = plan.tile
    packs = {node.side: type(node) for node in plan.nest if isinstance(node, Pack)}
    return Choice(tile.shape, (tile.rows.count, tile.columns.count), RHS in packs, packs.get(LHS))


def variants(plan: Plan, threads: int, random: Random) -> Iterator[tuple[str, Plan]]:
    """Plans that differ from `plan` in one or more of their choices, each with what is different; without end."""
    contraction, model = plan.contraction, plan.model
    start = choice_of(plan)
    while True:
        names: list[str] = []
        choice = start
        for name in random.sample(("tile", "blocks", "pack", "left", "chunk"), random.choice((1, 1, 2, 3))):
            choice = _changed(name, choice, contraction, model, random)
            names.append(name)
        if choice != start and _fits(choice, contraction, model, plan.tile.filled):
            yield " and ".join(sorted(names)), _Chosen(contraction, model, choice, threads, plan.tile.filled).plan()


def _changed(name: str, choice: Choice, contraction: Contraction, model: CostModel, random: Random) -> Choice:
    if name == "tile":
        rows, columns = rows_of(contraction), contraction.columns[-1].size
        dim = random.randrange(len(rows))
        lanes = model.target.lanes(contraction.element_bits) // random.choice((1, 1, 1, 2))
        vectors = random.randint(1, 6)
        height = random.randint(1, min(14, rows[dim].size))
        span = min(vectors * lanes, columns)
        return replace(choice, tile=RegisterTile(dim, height, -(-span // max(lanes, 1)), lanes, span))
    if name == "blocks":
        tiles, panels = (max(1, round(count * random.choice((0.25, 0.5, 1, 2, 4)))) for count in choice.blocks)
        return replace(choice, blocks=(tiles, panels))
    if name == "pack":
        return replace(choice, packed=not choice.packed)
    if name == "left":
        return replace(choice, left=random.choice((None, Block, Panels)))
    size = contraction.reduction[0].size
    return replace(choice, chunk=random.choice([0, *(chunk for chunk in range(8, size) if size % chunk == 0)]))


def _fits(choice: Choice, contraction: Contraction, model: CostModel, filled: bool) -> bool:
    """Whether the choices go together."""
    tile, column = choice.tile, contraction.columns[-1]
    in_place = column.strides[RHS] == 1 and contraction.rhs.extension is None
    rows: list[LoopDim] = rows_of(contraction)
    if tile.lanes < 2 or tile.lanes > tile.columns or tile.rows > rows[tile.row_dim].size:
        return False
    if (tile.rows + 1) * tile.vectors + 1 > model.target.vector_registers or not (choice.packed or in_place):
        return False
    if not filled and (column.size % tile.columns or rows[tile.row_dim].size % tile.rows):
        return False
    return not choice.chunk or (filled and len(contraction.reduction) == 1)
