"""How one contraction is tiled: what is chosen, and the schedule that says it.

From the outside in:

    batch, outer columns, column blocks, [pack], outer rows, row blocks    macro loops, a prefix parallel
      outer reduction                                                      only where K is long
        tiles of a row block, panels of a column block
          reduction                                                        the micro-kernel

Where sums are held in scratch memory, the outer reduction stands between the macro loops and the packing.

The rows of a tile come from beyond the L2 cache and are used for all panels of a block in turn; where a block of rows
has just been copied, the panels are outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32

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
from ...dialects.element_sizes import element_bytes
from ...dialects.records import changed
from ...dialects.schedule.tree import PANELS, PARALLEL, ROWS, Node
from ...ir.structured import element_type, shape_of
from ...properties import cached_property
from .analysis import LHS, OUT, RHS, Contraction, LoopDim, in_words, steps_of
from .fetching import cut_for_next_rows, plan_fetch
from .nest import Axis, Loop, Parts, Steps, Sums
from .plan import has_shared_sums
from .trees import Writer
from .words import choose_words


def tiling_of(
    contraction: Contraction, model: CostModel, threads: int, filled: bool, invariant: bool = False
) -> Tiling | None:
    """The tiling of `contraction`, or `None` if plain loops are as good.

    `filled`: a fill of the output precedes, and tiles may start from its value. `invariant`: the contraction is in a
    loop of the program that does not change the right operand. There is no tiling with an epilogue where
    sums are not finished inside a tile: a reduction that long makes little of another pass over the results.
    """
    rows = rows_of(contraction)
    tiling = _streamed(contraction, model, rows, threads, filled)
    words = choose_words(contraction, model) if tiling is None else None
    if words is not None:
        tiling = _tiled(in_words(contraction, words), model, rows, threads, filled, invariant)
    tiling = tiling or _tiled(contraction, model, rows, threads, filled, invariant)
    if tiling is None or (contraction.epilogue is not None and (not filled or tiling.sums is Sums.OUTPUT)):
        return None
    return tiling


def rows_of(contraction: Contraction) -> list[LoopDim]:
    """The dimensions along which a tile may have rows: those that are close to each other first, as what is far apart
    is better looped over outside."""
    no_rows = LoopDim(1, (0,) * len(contraction.columns[-1].strides))
    return sorted(contraction.rows or [no_rows], key=lambda dim: abs(dim.strides[LHS]))


def _tiled(
    contraction: Contraction, model: CostModel, rows: list[LoopDim], threads: int, filled: bool, invariant: bool
) -> Tiling | None:
    column = contraction.columns[-1]
    # Elements are converted while they are packed.
    in_place = column.strides[RHS] == 1 and contraction.rhs.extension is None
    run = 0 if invariant else _run(contraction)
    dot_product = run if len(contraction.reduction) == 1 else 0
    multiply_adds, columns = contraction.multiply_adds, steps_of(contraction.columns)
    steps = steps_of(contraction.reduction)
    matrix = model.matrix(prod(shape_of(contraction.lhs.memref)), contraction.element_bits)
    narrow = run > 0 and model.contractions.are_narrow(steps_of(rows), columns, steps, run, matrix)
    if not model.contractions.worth_tiling(
        steps_of(rows), columns, steps, multiply_adds, in_place, dot_product, narrow
    ):
        return None
    if not model.parallelism.worth_a_parallel_region(_bytes_read(contraction), 2 * multiply_adds, threads):
        threads = 1
    cut = _tile(contraction, rows, model, filled, threads)
    if cut is None:
        return None
    if contraction.words is None:
        return Tiling(contraction, model, rows, cut, filled, threads, invariant)
    shape, outside, *_ = cut
    if shape.lanes < model.tiles.fewest_lanes_of_words or (contraction.words.rest and outside):
        return None
    return InWords(contraction, model, rows, cut, filled, threads, invariant)


def _streamed(
    contraction: Contraction, model: CostModel, rows: list[LoopDim], threads: int, filled: bool
) -> _Streaming | None:
    """The tiling of a product of few rows with a right operand from beyond the L2 cache, which is read once, in place;
    `None` of others."""
    *outer_steps, steps = contraction.reduction
    row, column, rhs = rows[-1], contraction.columns[-1], contraction.rhs
    if not filled or len(rows) > 1 or outer_steps or column.strides[RHS] != 1:
        return None
    if rhs.extension not in (None, arith.ExtFOp):
        return None
    bytes = element_bytes(element_type(rhs.memref))
    rhs_bytes = steps_of((*contraction.batch, *contraction.columns, steps)) * bytes
    chunk = model.contractions.streamed_steps(
        row.size, steps.size, abs(steps.strides[RHS]) * bytes, rhs_bytes, model.target.l2_bytes
    )
    lanes = model.target.lanes(contraction.element_bits)
    if not chunk or column.size < lanes:
        return None
    tile = model.tiles.streamed_tile(row.size, column.size, lanes, model.target.vector_registers)
    if not model.parallelism.worth_a_parallel_region(rhs_bytes, 2 * contraction.multiply_adds, threads):
        threads = 1
    outside, inside = steps.split(chunk)
    return _Streaming(contraction, model, rows, (tile, (outside,), (inside,), Sums.SCRATCH), filled, threads)


_Cut = tuple[RegisterTile, tuple[LoopDim, ...], tuple[LoopDim, ...], Sums]
"""A tile, the loops of the reduction outside and inside it, and where sums are meanwhile."""


class Tiling:
    """A contraction for which the tile is chosen, with the loops of the reduction `outside` and `inside` the tiles, and
    where the `sums` are meanwhile.

    `threads` share its macro loops. `invariant`: a loop of the program does not change the right operand.
    """

    def __init__(
        self,
        contraction: Contraction,
        model: CostModel,
        rows: Sequence[LoopDim],
        cut: _Cut,
        filled: bool,
        threads: int,
        invariant: bool = False,
    ) -> None:
        self.tile, self.outside, self.inside, self.sums = cut
        self.contraction, self.model, self.numbers, self.target = contraction, model, model.contractions, model.target
        self.filled, self.threads, self.invariant = filled, threads, invariant
        # Tiles lie along a dimension of the rows and one of the columns; other ones are around.
        self.row, self.column = rows[self.tile.row_dim], contraction.columns[-1]
        self.outer_rows = tuple(dim for dim in reversed(rows) if dim is not self.row and dim.size > 1)
        self.row_count = steps_of(rows)
        self.tiles, self.panels = -(-self.row.size // self.tile.rows), -(-self.column.size // self.tile.columns)
        self.products = steps_of((*contraction.batch, *contraction.columns[:-1]))
        self.bytes = contraction.element_bits // 8
        self.step_bytes = steps_of(self.inside) * self.bytes
        """Of an operand, for one row or column of a tile."""
        self.is_far = self.numbers.worth_prefetching(_bytes_read(contraction), self.target.l2_bytes)
        """Whether what lies far apart is fetched ahead."""

    @cached_property
    def packed(self) -> bool:
        """Whether the right operand is copied into panels."""
        step = abs(self.inside[-1].strides[RHS]) * self.bytes
        in_place = self.column.strides[RHS] == 1 and self.contraction.rhs.extension is None
        panel_bytes = self.step_bytes * self.tile.columns
        return not in_place or self.numbers.worth_packing(self.row_count, step, panel_bytes, self.target.l1_bytes)

    @cached_property
    def left(self) -> str:
        """The form in which the left operand is copied, if it is.

        A transposed one is packed once, before the macro loops, where it is not larger then, and its elements can be
        converted as vectors.
        """
        operand, along, steps = self.contraction.lhs, self.row.strides[LHS], self.inside[-1]
        apart = abs(steps.strides[LHS]) * self.bytes if abs(along) == 1 else 0
        converted, vectors = operand.extension is not None, self.tile.vectors
        if not self.numbers.worth_packing_left(
            converted, self.row_count, vectors, self.panels, apart, steps.size, self.target.l1_bytes
        ):
            return ""
        size = steps_of((*self.contraction.batch, self.row, *self.contraction.reduction))
        if along != 1 or self.outer_rows or size > prod(shape_of(operand.memref)):
            return ROWS
        return PANELS if operand.extension in (None, arith.ExtFOp) else ROWS

    @property
    def starts_from_fill(self) -> bool:
        """Whether tiles start from the value of the fill in front, so that it is not stored."""
        return self.filled and self.sums is not Sums.OUTPUT

    def blocks(self) -> tuple[int, int]:
        """How many tiles and how many panels are in a block."""
        l2_bytes, tile, threads = self.target.l2_bytes, self.tile, self.threads
        # Tiles that accumulate in the output must not overlap.
        exact = not self.filled or self.sums is Sums.OUTPUT
        block_panels = pieces_per_block(self.panels, self.step_bytes * tile.columns, l2_bytes // 2, exact)
        if self.sums is Sums.SCRATCH:
            sums_bytes = block_panels * tile.rows * tile.columns * self.bytes
            block_tiles = pieces_per_block(self.tiles, sums_bytes, self.numbers.held_sums_bytes)
        else:
            block_tiles = pieces_per_block(self.tiles, self.step_bytes * tile.rows, l2_bytes // 4, exact)
        if threads > 1:
            outer = self.products
            if self.column.size >= self.row_count or self.packed:
                block_panels = pieces_for_threads(self.panels, block_panels, outer, threads, exact)
            outer *= -(-self.panels // block_panels) * steps_of(self.outer_rows)
            block_tiles = pieces_for_threads(self.tiles, block_tiles, outer, threads, exact)
        return block_tiles, block_panels

    def steps(self, block_panels: int) -> Steps:
        """The steps of a tile, each of the panels of a block fetching its share of the next rows."""
        steps, share = _chains(self.contraction, self.inside, self.model), -(-self.tile.rows // block_panels)
        if self.left == PANELS:
            return steps._replace(rows=share)
        if self.is_far and not self.left and len(self.contraction.reduction) == 1:
            return cut_for_next_rows(self.row, steps._replace(rows=share), self.model)
        return steps

    def nodes(self, name: str, finish: str) -> tuple[Node, ...]:
        """The schedule: loops around the op called `name`, and the elementwise op `finish` that is applied to it."""
        contraction, threads, held = self.contraction, self.threads, self.sums is Sums.SCRATCH
        block_tiles, block_panels = self.blocks()
        batch, outer_rows, chunks = map(Loop.steps, (contraction.batch, self.outer_rows, self.outside))
        outer = (*batch, *Loop.steps(contraction.columns[:-1]))
        columns, panels = _cut(self.column, self.tile.columns, block_panels, Axis.COLUMNS)
        rows, tiles = _cut(self.row, self.tile.rows, block_tiles, Axis.ROWS)
        macro, depth = (*outer, columns, *outer_rows, rows), len(outer) + 1
        prefix = parallel_prefix([loop.count for loop in macro], threads) if threads > 1 else 0
        inside = self.packed and not self.invariant and prefix <= depth
        steps, writer = self.steps(panels.count), Writer(contraction, name, finish)

        def parts(loops: tuple[Loop, ...]) -> int:
            """Of a copy in front of the macro loops, which threads share."""
            if threads == 1 or not prefix:
                return 0
            return packing_splits(prod(loop.count for loop in loops), self._packed_steps(steps), threads)

        if self.packed and not inside:
            writer.pack(RHS, PANELS, self.is_far, parts((*outer, columns, panels)), self.invariant)
        if self.left == PANELS:
            writer.pack(LHS, PANELS, self.is_far, parts((*batch, rows, tiles)))
        writer.enter(macro[:prefix], PARALLEL)
        writer.enter(macro[prefix:depth])
        if inside and not held:
            writer.pack(RHS, PANELS, self.is_far)
        writer.enter(macro[max(prefix, depth) :])
        if self.sums is not Sums.WHOLE:
            self._hold(writer, steps_of(steps.reduction))
            writer.enter_chunks(chunks, held)
        if inside and held:
            writer.pack(RHS, PANELS, self.is_far)
        if self.left == ROWS:
            writer.pack(LHS, ROWS, self.is_far)
        rows_outside = self.packed if held else self.left != ROWS
        writer.enter_tiles((tiles, panels) if rows_outside else (panels, tiles), panels, self.sums is Sums.WHOLE)
        if inside and self.is_far and self.left != ROWS:
            # Macro loops inside the packing number its tiles too.
            shares = (tiles, panels) if held else (*outer_rows, rows, tiles, panels)
            if plan_fetch(contraction.rhs.memref, columns, steps.reduction, shares, None, True, self.model) is not None:
                writer.fetch(RHS)
        ahead = self.numbers.streamed_ahead_bytes if held and not self.packed else 0
        return writer.tile(self.tile, self.row, self.column, steps, self._form(steps), ahead)

    def _packed_steps(self, steps: Steps) -> int:
        """The trips of the outermost loop of the reduction, of which threads may pack parts."""
        words = self.contraction.words
        if words is not None and (words.rest or words.offset):
            # The last word has another form, and a panel ends with sums of all of it.
            return 1
        return (*self.outside, *steps.reduction)[0].size

    def _hold(self, writer: Writer, inside: int) -> None:
        """What is kept of the tiles of a block between loops of the reduction, with so many steps `inside`."""
        numbers, held = self.model.sums, self.sums is Sums.SCRATCH
        errors = self.contraction.is_float and numbers.worth_errors(steps_of(self.outside), inside)
        writer.hold(held and self.outside[0].size > 1, errors, numbers.worth_fetching_sums(inside))

    def _form(self, steps: Steps) -> EpilogueForm | None:
        """How the elementwise op is applied to a tile."""
        contraction, epilogue = self.contraction, self.contraction.epilogue
        if epilogue is None:
            return None
        is_plain = self.sums is Sums.WHOLE and self.filled and steps.factor_type == contraction.element_type
        shared = steps_of(steps.reduction) if is_plain and has_shared_sums(contraction) else 0
        sums = self.tile.rows * self.tile.vectors
        return self.model.tiles.epilogue_form(epilogue.vector_ops(self.model), sums, shared)


class _Streaming(Tiling):
    """A tiling of a product whose right operand is streamed.

    Such a product takes the time of reading. So a few steps of the reduction at a time are done for all columns in
    turn: what is read is neighbouring rows of the operand side by side, as the hardware prefetches, instead of a piece
    of every row. The sums of all tiles are in scratch memory meanwhile.
    """

    def __init__(self, contraction: Contraction, *given: Any) -> None:
        super().__init__(contraction, *given)
        self.packed, self.left = False, "" if contraction.lhs.extension is None else ROWS
        self.is_far = True

    def blocks(self) -> tuple[int, int]:
        tile, l2_bytes = self.tile, self.target.l2_bytes
        sums = self.tiles * tile.rows * tile.columns * self.bytes
        read = element_bytes(element_type(self.contraction.rhs.memref)) * tile.columns
        per_block = pieces_per_block(self.panels, sums + steps_of(self.inside) * read, l2_bytes // 2)
        if self.threads > 1:
            per_block = pieces_for_threads(self.panels, per_block, self.products, self.threads)
        return self.tiles, per_block

    def steps(self, block_panels: int) -> Steps:
        return Steps(self.inside, (), self.contraction.element_type)


class InWords(Tiling):
    """A tiling of sums over words, which are copied of both operands where they are not there.

    A left operand whose words are there is read in place. One that all of several loops over columns use, such as the
    kernel of a convolution whose results lie in rows of pixels, is copied once, in front of these.
    """

    def __init__(self, contraction: Contraction, *given: Any) -> None:
        super().__init__(contraction, *given)
        words = contraction.words
        assert words is not None
        self.tile = changed(self.tile, alone=True)
        reused = steps_of(contraction.columns[:-1]) > 1 and not self.outer_rows
        self.packed, self.left = True, "" if words.left_is_there else PANELS if reused else ROWS

    def steps(self, block_panels: int) -> Steps:
        # Words of the next rows are not fetched.
        return super().steps(block_panels)._replace(rows=0)


def _cut(dim: LoopDim, span: int, per_block: int, axis: Axis) -> tuple[Loop, Loop]:
    """The loop over blocks of `per_block` pieces of `span` steps, and the one over the pieces of a block."""
    pieces = -(-dim.size // span)
    size = min(per_block * span, dim.size)
    return Loop(dim, Parts(-(-pieces // per_block), size, dim.size), axis), Loop(
        dim, Parts(per_block, span, size), axis
    )


def _tile(
    contraction: Contraction, rows: Sequence[LoopDim], model: CostModel, filled: bool, threads: int
) -> _Cut | None:
    """How `contraction` is cut.

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
            steps_of((*contraction.batch, *contraction.columns[:-1])),
            contraction.columns[-1].strides[RHS] != 1,
        )

    tile = choose(exact=not filled)
    if tile is None:
        return None
    reduction, l2_bytes, bytes = contraction.reduction, model.target.l2_bytes, contraction.element_bits // 8
    step_bytes = tile.columns * bytes
    if filled and contraction.is_float and len(reduction) == 1:
        # Chunks for all tiles of a block in turn.
        left_bytes = steps_of((*rows, *reduction)) * bytes
        if model.contractions.worth_cutting(reduction[0].size, step_bytes, left_bytes, l2_bytes):
            outside, inside = reduction[0].split(chunk_steps(reduction[0].size, step_bytes, l2_bytes))
            return tile, (outside,), (inside,), Sums.SCRATCH
    outside, inside = _split(reduction, block_reduction, step_bytes, l2_bytes)
    exact_tile = choose(exact=True) if outside else None
    if exact_tile is None:
        return tile, (), reduction, Sums.WHOLE
    return exact_tile, outside, inside, Sums.OUTPUT


def _run(contraction: Contraction) -> int:
    """The steps of the innermost loop of a reduction of floats if they are neighbours in both operands, without
    conversions."""
    steps = contraction.reduction[-1]
    converted = contraction.lhs.extension or contraction.rhs.extension
    return steps.size if steps.strides[:OUT] == (1, 1) and contraction.is_float and not converted else 0


def _chains(contraction: Contraction, reduction: tuple[LoopDim, ...], model: CostModel) -> Steps:
    """The loops of the reduction, cut for chains of additions."""
    element_type, bits, numbers = contraction.element_type, contraction.product_bits, model.sums
    if contraction.words is not None:
        element_type, bits = contraction.word_type, None
    if bits is None and not contraction.is_float:
        return Steps(reduction, (), element_type)
    limit = numbers.chain_limit([dim.size for dim in reduction], bits)
    if steps_of(reduction) <= limit:
        return Steps(reduction, (), element_type if bits is None else f32)
    outside, inside = _split(reduction, cut_chain, limit)
    if steps_of(inside) < numbers.fewest_chain_steps:
        return Steps(reduction, (), element_type)
    if bits is not None:
        is_exact = steps_of(inside) <= limit
        return Steps((*outside, *inside), (len(outside),), f32) if is_exact else Steps(reduction, (), element_type)
    levels: list[int] = [len(outside)]
    groups: tuple[LoopDim, ...] = ()
    while steps_of(outside) > numbers.most_chains:
        outside, group = _split(outside, cut_chain, numbers.chains_together)
        if not outside or steps_of(group) == 1:
            outside = (*outside, *group)
            break
        levels = [len(outside), *(level + len(outside) + len(group) - levels[0] for level in levels)]
        groups = (*group, *groups)
    return Steps((*outside, *groups, *inside), tuple(levels), element_type)


def _split(
    loops: tuple[LoopDim, ...], cut: Callable[..., tuple[int, int]], *limits: int
) -> tuple[tuple[LoopDim, ...], tuple[LoopDim, ...]]:
    """The loops outside and inside of where `cut` says, by their sizes and `limits`: how many loops are outside, and
    how many steps of the next one are inside."""
    outer, chunk = cut([dim.size for dim in loops], *limits)
    dim, inside = loops[outer], loops[outer + 1 :]
    outside = loops[:outer] if chunk == dim.size else (*loops[:outer], dim.split(chunk)[0])
    return outside, (changed(dim, size=chunk), *inside) if chunk > 1 else inside


def _bytes_read(contraction: Contraction) -> int:
    rows_and_columns = steps_of(contraction.rows) + steps_of(contraction.columns)
    steps = steps_of((*contraction.batch, *contraction.reduction))
    return steps * rows_and_columns * contraction.element_bits // 8
