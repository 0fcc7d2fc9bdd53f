"""Other tilings of a contraction: what a search draws from beside the one that was chosen.

Each differs in one of the things that a tiling is made of (Goto and van de Geijn, "Anatomy of High-Performance Matrix
Multiplication", 2008): the tile in registers, the blocks for the caches, what is packed and how, chunks of the
reduction. Which one is fast is for the search to find out; all are legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ...decisions.model import CostModel
from ...decisions.register_tiles import RegisterTile
from ...dialects.records import changed
from ...dialects.schedule.tree import PANELS, ROWS
from .analysis import LHS, RHS, Contraction, steps_of
from .nest import Sums
from .packing import Pack, Panels
from .plan import Plan
from .tiling import InWords, Tiling, rows_of


@dataclass(frozen=True)
class Choice:
    """What a tiling is made of: the tile, how many of these are in a block, which copies there are, and the steps of a
    chunk of the reduction, 0 for all."""

    tile: RegisterTile
    blocks: tuple[int, int]
    packed: bool
    left: str
    chunk: int = 0


class _Chosen(Tiling):
    """A tiling that does not choose."""

    def __init__(self, contraction: Contraction, model: CostModel, choice: Choice, threads: int, filled: bool) -> None:
        cut = (choice.tile, (), contraction.reduction, Sums.WHOLE)
        if choice.chunk:
            outside, inside = contraction.reduction[0].split(choice.chunk)
            cut = (choice.tile, (outside,), (inside,), Sums.SCRATCH)
        super().__init__(contraction, model, rows_of(contraction), cut, filled, threads)
        self.choice, self.packed, self.left = choice, choice.packed, choice.left

    def blocks(self) -> tuple[int, int]:
        tiles, panels = self.choice.blocks
        return min(tiles, self.tiles), min(panels, self.panels)


class _ChosenInWords(_Chosen, InWords):
    """The same of sums over words."""


def choice_of(plan: Plan) -> Choice:
    """What a plan is made of."""
    tile = plan.tile
    packs = {node.side: PANELS if isinstance(node, Panels) else ROWS for node in plan.nest if isinstance(node, Pack)}
    dims = [number for number, dim in enumerate(rows_of(plan.contraction)) if dim.strides == tile.rows.dim.strides]
    chunk = steps_of(tile.reduction) if tile.sums is Sums.SCRATCH else 0
    shape = changed(tile.shape, row_dim=dims[0] if dims else 0, alone=False)
    return Choice(shape, (tile.rows.count, tile.columns.count), RHS in packs, packs.get(LHS, ""), chunk)


def variants(plan: Plan, threads: int, filled: bool) -> Iterator[tuple[str, Tiling]]:
    """Tilings that differ from `plan` in one choice, each with what is different. `filled`: a fill precedes."""
    contraction, model = plan.contraction, plan.model
    start = choice_of(plan)
    for name, choice in _beside(start, contraction, model):
        if choice != start and _fits(choice, contraction, model, filled):
            chosen = _Chosen if contraction.words is None else _ChosenInWords
            yield name, chosen(contraction, model, choice, threads, filled)


def _beside(choice: Choice, contraction: Contraction, model: CostModel) -> Iterator[tuple[str, Choice]]:
    """Every choice that is one change away."""
    rows, columns, size = rows_of(contraction), contraction.columns[-1].size, contraction.reduction[0].size
    register = model.target.lanes(contraction.element_bits)
    for dim, vectors in product(range(len(rows)), range(1, model.tuning.most_vectors + 1)):
        span = min(vectors * register, columns)
        for height in range(1, min(model.tuning.most_rows, rows[dim].size) + 1):
            if height * vectors >= model.tiles.latency_chains or height == rows[dim].size:
                tile = RegisterTile(dim, height, -(-span // register), register, span)
                yield f"tile {height} x {span}", changed(choice, tile=tile)
    for number, what in enumerate(("rows", "columns")):
        for factor in model.tuning.block_factors:
            blocks = [*choice.blocks]
            blocks[number] = max(1, round(blocks[number] * factor))
            yield f"blocks of {blocks[number]} tiles of {what}", changed(choice, blocks=(blocks[0], blocks[1]))
    yield (
        "pack the right input" if not choice.packed else "unpack the right input",
        changed(choice, packed=not choice.packed),
    )
    for left, what in (("", "nothing"), (ROWS, "block"), (PANELS, "panels")):
        yield f"pack {what} of rows", changed(choice, left=left)
    for chunk in [0, *(chunk for chunk in range(model.tuning.fewest_chunk_steps, size) if size % chunk == 0)]:
        yield f"chunks of {chunk}" if chunk else "no chunks", changed(choice, chunk=chunk)


def _fits(choice: Choice, contraction: Contraction, model: CostModel, filled: bool) -> bool:
    """Whether the choices go together."""
    tile, column, rows, words = choice.tile, contraction.columns[-1], rows_of(contraction), contraction.words
    if words is not None:
        if not choice.packed or not (choice.left or words.left_is_there):
            return False
        if tile.lanes < model.tiles.fewest_lanes_of_words or (choice.chunk and words.rest):
            return False
    in_place = column.strides[RHS] == 1 and contraction.rhs.extension is None
    if tile.lanes < 2 or tile.lanes > tile.columns or tile.rows > rows[tile.row_dim].size:
        return False
    if (tile.rows + 1) * tile.vectors + 1 > model.target.vector_registers or not (choice.packed or in_place):
        return False
    if not filled and (column.size % tile.columns or rows[tile.row_dim].size % tile.rows):
        return False
    return not choice.chunk or (filled and len(contraction.reduction) == 1)
