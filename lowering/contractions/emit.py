"""Writes the loops of a planned contraction: macro loops, packing, micro-kernel."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.ir.affine import AffineExpr

from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, plus, scaled
from .analysis import LoopDim, Operand, element_type_of
from .finish import Finisher
from .packing import LeftPacker, PanelPacker, allocate, index_of, load_vector
from .plan import Plan
from .two_sum import STRICT, two_sum, with_error

INTEGERS_START, INTEGERS_START_BITS = 1.5 * 2**23, 0x4B400000
"""Where sums of integers start that are formed in f32 (`contraction_blocking.EXACT_BITS`), and its bits."""
WRAPPING: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}


Step = Callable[[Sequence[SSAValue], Sequence[SSAValue]], list[SSAValue]]
"""What a step of the reduction makes of the accumulators, given the variables of its loops."""


class _Held(NamedTuple):
    """Where the sums of a tile are between chunks of the reduction: in `sums` at `place`, each vector at an offset; and
    so in `errors` what they are off by, if that is kept.
    """

    sums: SSAValue
    errors: SSAValue | None
    place: Base
    vectors: list[tuple[int, VectorType]]


class Emitter:
    """Emits one plan into a block. `fill` is what tiles start from unless the plan accumulates, `panels` the packed
    right operand if that is there already.

    The `_terms` say how the variables of the loops entered so far move an operand; `column_block` and `row_block` are
    where the current blocks start, as linear forms too, and `tiles_before` how many tiles stand above them.
    """

    def __init__(
        self, plan: Plan, fma: bool, fill: SSAValue | None, block: Block, panels: SSAValue | None = None
    ) -> None:
        self.plan = plan
        self.model = plan.model
        self.panels = panels
        self.contraction = plan.contraction
        self.fill = fill
        self.builder = AffineBuilder(block)
        self.groups = plan.tile.groups
        self.lanes = [count * plan.tile.lanes for _, count in self.groups]
        self.fma = fma and not isinstance(plan.factor_type, IntegerType)
        self.lhs_terms: dict[SSAValue, int] = {}
        self.rhs_terms: dict[SSAValue, int] = {}
        self.out_terms: dict[SSAValue, int] = {}
        self.packed_terms: dict[SSAValue, int] = {}
        self.row_block: Terms = {}
        self.column_block: Terms = {}
        self.tiles_before: dict[SSAValue, int] = {}
        self.packer = PanelPacker(plan, self.builder)
        self.left = LeftPacker(plan, self.builder)
        self.left_panels = PanelPacker(plan.of_left_panels(), self.builder) if plan.left_panels else None
        self.finisher = Finisher(plan, self.builder)

    def emit(self) -> None:
        """Packing if it stands outside, then the macro loops."""
        plan, contraction, builder = self.plan, self.contraction, self.builder
        counts = plan.macro_counts
        panels = self.panels
        if plan.packed and not plan.pack_inside and panels is None:
            panels = self.packer.pack_everything()
        left_panels = self.left_panels.pack_everything() if self.left_panels else None
        with ExitStack() as loops:
            variables = loops.enter_context(builder.parallel(counts[: plan.parallel]))
            lhs = left_panels or builder.flatten(contraction.lhs.memref)
            out = builder.flatten(contraction.out.memref)
            self.finisher.prepare()
            inner = max(plan.parallel, plan.pack_depth)
            variables += [loops.enter_context(builder.loop(count)) for count in counts[plan.parallel : inner]]
            if plan.pack_inside and not plan.sums_held:
                panels = self.packer.pack_block(variables)
            variables += [loops.enter_context(builder.loop(count)) for count in counts[inner:]]
            self._place(variables, outside=plan.packed and not plan.pack_inside)
            rhs = builder.flatten(contraction.rhs.memref) if panels is None else panels
            if plan.sums_held:
                self._chunks(lhs, rhs, out, variables[: plan.pack_depth])
            else:
                self._tiles(lhs, rhs, out)

    def _place(self, variables: Sequence[SSAValue | None], outside: bool) -> None:
        """Notes where the macro loops with `variables` move the operands."""
        plan = self.plan
        outer = (*self.contraction.batch, *plan.outer_columns)
        dims = [*outer, None, *plan.outer_rows, None]
        packed_strides = self.packer.outer_strides()
        for index, (dim, variable) in enumerate(zip(dims, variables, strict=False)):
            if variable is None:
                continue
            if index > len(outer):
                self.tiles_before[variable] = prod(plan.macro_counts[index + 1 :]) * plan.rows.per_block
            if dim is not None:
                self._move(dim, variable)
                if outside and index < len(outer):
                    self.packed_terms[variable] = packed_strides[index]
                if self.left_panels and index < len(self.contraction.batch):
                    self.lhs_terms[variable] = self.left_panels.outer_strides()[index]
            elif index == len(outer):
                self.column_block = plan.columns.block_start(self.builder, index_of(variable))
                if outside:
                    self.packed_terms[variable] = plan.columns.per_block * self.packer.panel_size
            else:
                self.row_block = plan.rows.block_start(self.builder, index_of(variable))
                if self.left_panels:
                    self.lhs_terms[variable] = plan.rows.per_block * self.left_panels.panel_size

    def _rows_start(self, tile: Terms, in_block: Terms) -> Terms:
        """Where the rows of the tile number `tile` of a block, which start at `in_block` of it, are in what is read of
        the left operand."""
        plan = self.plan
        if plan.left_packed:
            return scaled(in_block, self.left.row_stride)
        if self.left_panels:
            return plus(self.lhs_terms, scaled(tile, self.left_panels.panel_size))
        return plus(self.lhs_terms, scaled(plus(self.row_block, in_block), plan.rows.dim.lhs))

    def _move_step(self, index: int, variable: SSAValue) -> None:
        """Notes the loop over the outer reduction number `index`."""
        self._move(self.plan.outer_reduction[index], variable)
        if self.left_panels:
            self.lhs_terms[variable] = self.left_panels.strides[index]

    def _move(self, dim: LoopDim, variable: SSAValue) -> None:
        self.lhs_terms[variable] = dim.lhs
        self.rhs_terms[variable] = dim.rhs
        self.out_terms[variable] = dim.out
        self.finisher.move(dim.others, variable)

    # The tiles

    def _tiles(self, lhs: SSAValue, rhs: SSAValue, out: SSAValue) -> None:
        plan, builder = self.plan, self.builder
        errors = self._errors()
        if errors is not None:
            self._each_error(errors, None)
        with ExitStack() as loops:
            outer_steps: dict[SSAValue, int] = {}
            for index, dim in enumerate(plan.outer_reduction):
                variable = loops.enter_context(builder.loop(dim.size))
                if variable is not None:
                    self._move_step(index, variable)
                    outer_steps[variable] = self.packer.strides[index]
            if plan.left_packed:
                lhs = self.left.pack(plus(self.lhs_terms, scaled(self.row_block, plan.rows.dim.lhs)))
            panels, tiles = plan.columns.per_block, plan.rows.per_block
            if plan.left_packed:
                panel, tile = (index_of(loops.enter_context(builder.loop(count))) for count in (panels, tiles))
            else:
                tile, panel = (index_of(loops.enter_context(builder.loop(count))) for count in (tiles, panels))
                self._fetch_next_block(plus(self.tiles_before, tile), panel)
            column = plus(self.column_block, plan.columns.piece_start(builder, panel))
            in_block = plan.rows.piece_start(builder, tile)
            row = plus(self.row_block, in_block)
            lhs_base = self._rows_start(tile, in_block)
            if plan.packed:
                rhs_base = plus(self.packed_terms, outer_steps, scaled(panel, self.packer.panel_size))
            else:
                rhs_base = plus(self.rhs_terms, column)
            out_base = self._out_base(row, column)
            places = self._places_in_out()
            if plan.accumulate and not plan.outer_reduction:
                inits = [builder.load(out, out_base, *place) for place in places]
            else:
                inits = self._for_each_group(self._initial_value, self.contraction.element_type) * plan.tile.rows
            results = self._reduce(lhs, lhs_base, rhs, rhs_base, inits, panel)
            if plan.outer_reduction:
                held = [builder.load(out, out_base, *place) for place in places]
                if errors is None:
                    results = [self._sum(*pair) for pair in zip(held, results, strict=True)]
                else:
                    *_, place = self._tile_place_of(tile, panel)
                    vectors = self._places_in_scratch()
                    results = self._with_errors(held, results, errors, place, vectors, last=False)

            self._finish(results, row, column, out, out_base)
        if errors is not None:
            self._each_error(errors, out)

    def _finish(self, sums: Sequence[SSAValue], row: Terms, column: Terms, out: SSAValue, out_base: Base) -> None:
        """Stores what becomes of the sums of the tile at `row` and `column`."""
        plan, builder = self.plan, self.builder

        def store(value: SSAValue, step: Terms, row: int, index: int) -> None:
            down = plan.rows.dim.out
            base = builder.move(out_base, scaled(step, down)) if step else out_base
            builder.store(value, out, base, row * down + plan.tile.vector_starts[self.groups[index][0]])

        self.finisher.finish(sums, row, column, store)

    def _chunks(self, lhs: SSAValue, rhs: SSAValue, out: SSAValue, column_variables: Sequence[SSAValue | None]) -> None:
        """A part of the reduction for all tiles in turn, whose sums are in scratch memory until the last part.

        `column_variables`: those of the macro loops down to the column block.
        """
        plan, builder, tile = self.plan, self.builder, self.plan.tile
        panels, tiles, size = plan.columns.per_block, plan.rows.per_block, tile.rows * tile.columns
        (dim,) = plan.outer_reduction
        sums = allocate(builder, self.contraction.element_type, panels * tiles * size) if dim.size > 1 else None
        errors = self._errors()
        places = self._places_in_scratch()
        with builder.loop(dim.size) as variable:
            chunk = index_of(variable)
            if variable is not None:
                self._move_step(0, variable)
            if plan.pack_inside:
                rhs = self.packer.pack_block(column_variables, scaled(chunk, dim.rhs))
            if plan.left_packed:
                lhs = self.left.pack(plus(self.lhs_terms, scaled(self.row_block, plan.rows.dim.lhs)))
            with self._each_tile() as (tile_number, panel):
                self._fetch_next_block(index_of(tile_number), index_of(panel), chunk)
                in_block, column, place = self._tile_place(tile_number, panel)
                row = plus(self.row_block, in_block)
                lhs_terms = self._rows_start(index_of(tile_number), in_block)
                if plan.packed:
                    panel_start = index_of(panel, self.packer.panel_size)
                    chunk_start = {} if plan.pack_inside else scaled(chunk, self.packer.strides[0])
                    rhs_terms = plus(self.packed_terms, chunk_start, panel_start)
                else:
                    rhs_terms = plus(self.rhs_terms, column)
                out_base = self._out_base(row, column)
                if sums is not None and self.model.sums.worth_fetching_sums(plan.reduction_steps):
                    bytes = size * element_bytes(self.contraction.element_type)
                    builder.prefetch(sums, place, 0, -(-bytes // CACHE_LINE_BYTES))
                zeros = self._for_each_group(self._zero, self.contraction.element_type) * tile.rows
                results = self._reduce(lhs, lhs_terms, rhs, rhs_terms, zeros, index_of(panel))
                finish = partial(self._finish, row=row, column=column, out=out, out_base=out_base)
                if sums is None or variable is None:
                    finish(self._started(results))
                else:
                    self._end_chunk(variable, dim.size, results, _Held(sums, errors, place, places), finish)

    def _end_chunk(
        self,
        variable: SSAValue,
        chunks: int,
        results: Sequence[SSAValue],
        held: _Held,
        finish: Callable[[Sequence[SSAValue]], None],
    ) -> None:
        """What becomes of the `results` of the chunk number `variable` for a tile: its sums, in the end finished."""
        builder = self.builder

        def total(last: bool = False) -> list[SSAValue]:
            loads = [builder.load(held.sums, held.place, *at) for at in held.vectors]
            if held.errors is None:
                return [self._sum(*pair) for pair in zip(loads, results, strict=True)]
            return self._with_errors(loads, results, held.errors, held.place, held.vectors, last)

        def hold(values: Sequence[SSAValue]) -> None:
            for value, (offset, _) in zip(values, held.vectors, strict=True):
                builder.store(value, held.sums, held.place, offset)

        with builder.where(variable, most=0):
            hold(self._started(results))
            if held.errors is not None:
                self._clear(held.errors, held.place, held.vectors)
        if chunks > 2:
            with builder.where(variable, least=1, most=chunks - 2):
                hold(total())
        with builder.where(variable, least=chunks - 1):
            finish(total(last=True))

    # The errors of sums of chunks

    def _errors(self) -> SSAValue | None:
        """Memory for what the sums of the tiles of a block are off by, where many chunks are added up."""
        plan, builder = self.plan, self.builder
        chunks = prod(dim.size for dim in plan.outer_reduction)
        if not self.contraction.is_float or not self.model.sums.worth_errors(chunks, plan.reduction_steps):
            return None
        size = plan.columns.per_block * plan.rows.per_block * plan.tile.rows * plan.tile.columns
        return allocate(builder, self.contraction.element_type, size)

    def _places_in_scratch(self) -> list[tuple[int, VectorType]]:
        """Where the vectors of a tile lie in scratch memory for tiles, and their types."""
        tile = self.plan.tile
        return [
            (row * tile.columns + tile.vector_starts[first], vector_type(self.contraction.element_type, lanes))
            for row in range(tile.rows)
            for (first, _), lanes in zip(self.groups, self.lanes, strict=True)
        ]

    def _with_errors(
        self,
        sums: Sequence[SSAValue],
        terms: Sequence[SSAValue],
        errors: SSAValue,
        place: Base,
        vectors: Sequence[tuple[int, VectorType]],
        last: bool,
    ) -> list[SSAValue]:
        """`sums` with `terms` added. What they are off by is added at the `last` time, and otherwise kept.

        Vectors may overlap: all are loaded before one is stored.
        """
        builder = self.builder
        before = [builder.load(errors, place, *at) for at in vectors]
        pairs = [two_sum(builder, *pair) for pair in zip(sums, terms, strict=True)]
        after = [self._sum(error, lost) for error, (_, lost) in zip(before, pairs, strict=True)]
        if last:
            return [with_error(builder, new, error) for (new, _), error in zip(pairs, after, strict=True)]
        for error, (offset, _) in zip(after, vectors, strict=True):
            builder.store(error, errors, place, offset)
        return [new for new, _ in pairs]

    def _clear(self, errors: SSAValue, place: Base, vectors: Sequence[tuple[int, VectorType]]) -> None:
        """Nothing is off yet."""
        for offset, type in vectors:
            self.builder.store(self._zero(type), errors, place, offset)

    def _each_error(self, errors: SSAValue, add_to: SSAValue | None) -> None:
        """Over the tiles of a block: `errors` become zero, or are added to `add_to`, the output."""
        plan, builder = self.plan, self.builder
        with builder.loop(plan.rows.per_block) as tile, builder.loop(plan.columns.per_block) as panel:
            row, column, place = self._tile_place(tile, panel)
            if add_to is None:
                self._clear(errors, place, self._places_in_scratch())
                return
            out_base = self._out_base(plus(self.row_block, row), column)
            places = self._places_in_out()
            totals = [builder.load(add_to, out_base, *at) for at in places]
            held = [builder.load(errors, place, *at) for at in self._places_in_scratch()]
            for total, error, (offset, _) in zip(totals, held, places, strict=True):
                builder.store(with_error(builder, total, error), add_to, out_base, offset)

    def _out_base(self, row: Terms, column: Terms) -> Base:
        """Where the tile at `row` and `column` is in the output."""
        down = self.plan.rows.dim.out
        return self.builder.base(plus(self.out_terms, column, scaled(row, down)), self.contraction.out.offset)

    def _started(self, sums: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The sums of the first part of a reduction, which starts from the initial value."""
        if self.fill is None:
            return sums
        inits = self._for_each_group(self._initial_value, self.contraction.element_type) * self.plan.tile.rows
        return [self._sum(*pair) for pair in zip(inits, sums, strict=True)]

    @contextmanager
    def _each_tile(self) -> Generator[tuple[SSAValue | None, SSAValue | None]]:
        """Loops over the tiles and the panels of a block: rows stay in the L1 cache for all packed panels in turn."""
        panels, tiles = self.plan.columns.per_block, self.plan.rows.per_block
        if self.plan.packed:
            with self.builder.loop(tiles) as tile, self.builder.loop(panels) as panel:
                yield tile, panel
        else:
            with self.builder.loop(panels) as panel, self.builder.loop(tiles) as tile:
                yield tile, panel

    def _tile_place(self, tile: SSAValue | None, panel: SSAValue | None) -> tuple[Terms, Terms, Base]:
        """The row of a tile in its block, its column, and where its sums are, if these are in scratch memory."""
        return self._tile_place_of(index_of(tile), index_of(panel))

    def _tile_place_of(self, tile: Terms, panel: Terms) -> tuple[Terms, Terms, Base]:
        plan, builder = self.plan, self.builder
        row = plan.rows.piece_start(builder, tile)
        column = plus(self.column_block, plan.columns.piece_start(builder, panel))
        size = plan.tile.rows * plan.tile.columns
        down, along = (plan.columns.per_block, 1) if plan.packed else (1, plan.rows.per_block)
        return row, column, builder.base(plus(scaled(panel, along * size), scaled(tile, down * size)))

    def _places_in_out(self) -> list[tuple[int, VectorType]]:
        """Where the vectors of a tile lie in the output, and their types."""
        plan, starts = self.plan, self.plan.tile.vector_starts
        types = [vector_type(plan.contraction.element_type, lanes) for lanes in self.lanes]
        return [
            (row * plan.rows.dim.out + starts[first], type)
            for row in range(plan.tile.rows)
            for (first, _), type in zip(self.groups, types, strict=True)
        ]

    def _for_each_group(self, value: Callable[[VectorType], SSAValue], element_type: Attribute) -> list[SSAValue]:
        """The values that `value` makes for the vectors of a row; one for vectors of the same type."""
        made = {lanes: value(vector_type(element_type, lanes)) for lanes in dict.fromkeys(self.lanes)}
        return [made[lanes] for lanes in self.lanes]

    def _initial_value(self, type: VectorType) -> SSAValue:
        """What the sum of a tile starts from."""
        if self.plan.accumulate or self.fill is None:
            return self._zero(type)
        if isinstance(self.fill.owner, arith.ConstantOp):
            constant = self.fill.owner.value
            assert isinstance(constant, FloatAttr | IntegerAttr)
            return self._splat(constant.value.data, type)
        return self._broadcast(self.fill, type)

    def _zero(self, type: VectorType) -> SSAValue:
        return self._splat(0 if isinstance(type.element_type, IntegerType) else 0.0, type)

    def _splat(self, value: float, type: VectorType) -> SSAValue:
        return self.builder.constant(DenseIntOrFPElementsAttr.from_list(cast(VectorType[Any], type), [value]), type)

    def _broadcast(self, value: SSAValue, vector_type: VectorType) -> SSAValue:
        return self.builder.add(new_op(vector.BroadcastOp, operands=[value], result_types=[vector_type]))

    def _reduce(
        self,
        lhs: SSAValue,
        lhs_terms: Terms,
        rhs: SSAValue,
        rhs_terms: Terms,
        inits: Sequence[SSAValue],
        panel: Terms | None = None,
    ) -> Sequence[SSAValue]:
        """The micro-kernel: a rank-1 update of the tile for every step of the reduction.

        Each `panel` of a block fetches its share of the rows of the next tile.
        """
        plan, builder, contraction = self.plan, self.builder, self.contraction
        # What does not change inside is computed outside, as one value.
        left_copied = plan.left_packed or plan.left_panels
        lhs_start = builder.base(lhs_terms, 0 if left_copied else contraction.lhs.offset)
        rhs_start = builder.base(rhs_terms, 0 if plan.packed else contraction.rhs.offset)
        next_rows = lhs_start
        if plan.next_rows is not None and panel:
            next_rows = builder.move(lhs_start, scaled(panel, plan.next_rows.panel))
        right_strides = [dim.rhs for dim in plan.reduction]
        if plan.packed:
            right_strides = self.packer.strides[len(self.packer.strides) - len(plan.reduction) :]
        left_strides, row_stride = self._strides_of_rows()

        def step(variables: Sequence[SSAValue], values: Sequence[SSAValue]) -> list[SSAValue]:
            moved = dict(zip(variables, left_strides, strict=True))
            if plan.next_rows is not None:
                ahead = dict(zip(variables, plan.next_rows.steps, strict=True))
                builder.prefetch(lhs, builder.move(next_rows, ahead), plan.next_rows.tile)
            lhs_base = builder.move(lhs_start, moved)
            vectors = self._vectors_of_step(
                rhs, builder.move(rhs_start, dict(zip(variables, right_strides, strict=True)))
            )
            results: list[SSAValue] = []
            for row in range(plan.tile.rows):
                element = builder.load(lhs, lhs_base, row * row_stride)
                if not left_copied:
                    element = self._extended(element, contraction.lhs)
                factors = self._for_each_group(partial(self._broadcast, element), plan.factor_type)
                accumulators = values[row * len(vectors) :]
                results += map(self._multiply_add, factors, vectors, accumulators)
            return results

        return self._sums(step, inits)

    def _strides_of_rows(self) -> tuple[Sequence[int], int]:
        """How the left operand moves in the loops of the reduction, and from row to row of a tile."""
        plan = self.plan
        if plan.left_packed:
            return self.left.strides, self.left.row_stride
        if self.left_panels:
            return self.left_panels.strides[len(plan.outer_reduction) :], 1
        return [dim.lhs for dim in plan.reduction], plan.rows.dim.lhs

    def _vectors_of_step(self, rhs: SSAValue, base: Base) -> list[SSAValue]:
        """What a step multiplies the elements of the left operand by."""
        plan = self.plan
        starts = self.packer.vector_starts if plan.packed else plan.tile.vector_starts
        conversion = None if plan.packed else self.contraction.rhs.extension
        vectors = [
            load_vector(self.builder, rhs, base, starts[first], lanes, plan.factor_type, conversion)
            for (first, _), lanes in zip(self.groups, self.lanes, strict=True)
        ]
        if plan.sums_held and not plan.packed:
            self._fetch_ahead(rhs, base)
        return vectors

    def _sums(self, step: Step, inits: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """What the loops of the reduction add to `inits`, by way of partial sums where chains are too long."""
        plan, builder = self.plan, self.builder
        exact = plan.factor_type != self.contraction.element_type
        sizes = [dim.size for dim in plan.reduction]

        def partial_sums(
            outer: Sequence[SSAValue], levels: Sequence[int], starts: Sequence[SSAValue]
        ) -> Sequence[SSAValue]:
            """The sums of the loops inside `outer`, from `starts` on; those of each level are sums of the next one."""

            def add_up_products(inner: Sequence[SSAValue], values: Sequence[SSAValue]) -> list[SSAValue]:
                return step([*outer, *inner], values)

            if not levels:
                return builder.carrying_loops(sizes[len(outer) :], starts, add_up_products)

            def add_up(inner: Sequence[SSAValue], sums: Sequence[SSAValue]) -> list[SSAValue]:
                zero = partial(self._splat, INTEGERS_START) if exact else self._zero
                zeros = self._for_each_group(zero, plan.factor_type) * plan.tile.rows
                results = partial_sums([*outer, *inner], levels[1:], zeros)
                if exact:
                    results = [self._as_integers(value) for value in results]
                return [self._sum(*pair) for pair in zip(sums, results, strict=True)]

            return builder.carrying_loops(sizes[len(outer) : levels[0]], starts, add_up)

        return partial_sums([], plan.chains or ((0,) if exact else ()), inits)

    def _fetch_next_block(self, tile: Terms, panel: Terms, chunk: Terms | None = None) -> None:
        """What the tile number `tile` of a `panel` fetches of the part of the right operand that is packed next.

        That is the chunk after number `chunk`, and after the last one the next block.
        """
        next_block, builder, plan = self.plan.next_block, self.builder, self.plan
        if next_block is None:
            return
        right = self.contraction.rhs
        start = plus(self.rhs_terms, scaled(self.column_block, plan.columns.dim.rhs))
        share = plus(scaled(tile, plan.columns.per_block), panel)
        ahead = next_block.block
        if chunk:
            ((number, _),) = chunk.items()
            (dim,) = plan.outer_reduction
            is_last = builder.evaluate((AffineExpr.dimension(0) + 1) // dim.size, [number])
            ahead, back = dim.rhs, next_block.block - dim.size * dim.rhs
            start = plus(start, {is_last: back})
        next_block.fetch(builder, builder.flatten(right.memref), start, right.offset + ahead, share)

    def _fetch_ahead(self, rhs: SSAValue, base: Base) -> None:
        """Prefetches what tiles further on in the row will read."""
        size = element_bytes(element_type_of(rhs))
        for start in range(0, self.plan.tile.columns, CACHE_LINE_BYTES // size):
            self.builder.prefetch(rhs, base, start + self.model.contractions.streamed_ahead_bytes // size)

    def _sum(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The sum of two vectors of accumulators."""
        add, flags = (arith.AddfOp, STRICT) if self.contraction.is_float else (arith.AddiOp, WRAPPING)
        return self.builder.add(new_op(add, operands=[left, right], result_types=[left.type], properties=dict(flags)))

    def _as_integers(self, value: SSAValue) -> SSAValue:
        """What has been added to `INTEGERS_START`."""
        lanes = cast(VectorType[Any], value.type).element_count()
        type = vector_type(self.contraction.element_type, lanes)
        bits = self.builder.add(new_op(vector.BitcastOp, operands=[value], result_types=[type]))
        start = self._splat(INTEGERS_START_BITS, type)
        properties = dict(WRAPPING)
        return self.builder.add(
            new_op(arith.SubiOp, operands=[bits, start], result_types=[type], properties=properties)
        )

    def _multiply_add(self, left: SSAValue, right: SSAValue, addend: SSAValue) -> SSAValue:
        types = [addend.type]
        if self.fma:
            return self.builder.add(new_op(vector.FMAOp, operands=[left, right, addend], result_types=types))
        is_float = not isinstance(self.plan.factor_type, IntegerType)
        multiply, add = (arith.MulfOp, arith.AddfOp) if is_float else (arith.MuliOp, arith.AddiOp)
        flags = STRICT if is_float else WRAPPING
        product = self.builder.add(new_op(multiply, operands=[left, right], result_types=types, properties=flags))
        return self.builder.add(new_op(add, operands=[addend, product], result_types=types, properties=flags))

    def _extended(self, value: SSAValue, operand: Operand) -> SSAValue:
        """The element `value` of `operand` as a factor."""
        conversion = self.plan.conversion(operand)
        if conversion is None:
            return value
        return self.builder.add(new_op(conversion, operands=[value], result_types=[self.plan.factor_type]))
