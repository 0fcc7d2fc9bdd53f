"""Writes the nodes of a planned contraction, each inside those before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, VectorType
from xdsl.ir import SSAValue

from ...dialects.editing import new_op
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, index_of, plus, scaled
from ...ir.vector_arithmetic import VectorArithmetic
from .analysis import LHS, OUT, RHS
from .fetching import Fetch
from .finish import Finisher, Store
from .held_sums import HeldSums, Places
from .micro_kernel import MicroKernel, Source
from .nest import Axis, Hold, Loop, Loops, Sums, Tile, View
from .packing import Pack, Panels
from .plan import Node, Plan
from .shared_tiles import is_shared, shared_tile
from .word_packing import WordPanels


@dataclass
class _Entered:
    """A loop that is written, the number of its iteration, and where that starts in its dimension, once it is asked."""

    loop: Loop
    number: Terms
    start: Terms | None = None


class Emitter:
    """Emits one plan. `fill` is what tiles start from unless the plan accumulates, `panels` the packed right operand if
    that is there already.
    """

    def __init__(
        self, plan: Plan, fma: bool, fill: SSAValue | None, builder: AffineBuilder, panels: SSAValue | None = None
    ) -> None:
        self.plan = plan
        self.contraction, self.tile, self.fill = plan.contraction, plan.tile, fill
        self.builder = builder
        self.arithmetic = VectorArithmetic(self.builder, fma)
        self.flat: dict[int, SSAValue] = {} if panels is None else {RHS: panels}
        """The memory of each operand, or of its copy."""
        self.copies: dict[int, Pack] = {}
        self.entered: list[_Entered] = []
        self.held: HeldSums | None = None
        self.kernel = MicroKernel(plan, self.builder, self.arithmetic)
        self.finisher = Finisher(plan, self.builder, self.arithmetic, self._in_place)

    def emit(self) -> None:
        """All nodes."""
        with ExitStack() as stack:
            for node in self.plan.nest:
                self._write(node, stack)

    def _write(self, node: Node, stack: ExitStack) -> None:
        """Writes `node`; what it stands around goes where the builder is then."""
        builder = self.builder
        # Where iterations start is computed behind views of what all of them write, and what tiles fetch.
        if not isinstance(node, Fetch) and not (isinstance(node, View) and OUT in node.operands):
            self._settle()
        if isinstance(node, Loops):
            counts = [loop.count for loop in node.loops]
            self._enter(node.loops, stack.enter_context(builder.loops(counts, node.parallel)))
        elif isinstance(node, View):
            for operand in node.operands:
                self.flat[operand] = builder.flatten(self.contraction.operands[operand].memref)
            if OUT in node.operands:
                self.finisher.prepare(self.flat)
        elif isinstance(node, Pack):
            if not (isinstance(node, Panels) and node.hoisted):
                self.flat[node.side] = node.emit(builder, self._in_place(node.side))
            self.copies[node.side] = node
        elif isinstance(node, Hold):
            self._hold(node, stack)
        elif isinstance(node, Fetch):
            share: Terms = {}
            for loop in node.loops:
                share = plus(scaled(share, loop.count), self._number(loop))
            node.emit(builder, self.contraction.operands[RHS], self._in_place(RHS), share, self._number(node.chunks))
        else:
            self._tile(node)

    # Loops and addresses

    def _enter(self, loops: Sequence[Loop], variables: Sequence[SSAValue | None]) -> None:
        """Notes the loops that are written."""
        self.entered += map(_Entered, loops, map(index_of, variables))

    def _settle(self) -> None:
        """Computes where iterations start, of rows last."""
        for entered in sorted(self.entered, key=lambda entered: entered.loop.axis is Axis.ROWS):
            if entered.start is None:
                entered.start = entered.loop.parts.start(self.builder, entered.number)

    def _number(self, loop: Loop | None) -> Terms:
        """The number of the iteration of `loop`, which is written."""
        numbers = [entered.number for entered in self.entered if entered.loop is loop]
        return numbers[0] if numbers else {}

    def _in_place(self, operand: int, order: Sequence[Axis] = tuple(Axis)) -> Terms:
        """How far the loops written so far move an operand."""
        terms: dict[SSAValue, int] = {}
        for axis in order:
            for entered in self.entered:
                stride = entered.loop.dim.strides[operand]
                if entered.loop.axis is axis and entered.start and stride:
                    terms = plus(terms, scaled(entered.start, stride))
        return terms

    def _source(self, side: int) -> Source:
        """Where the tile reads one of the factors."""
        copy, operand, tile = self.copies.get(side), self.contraction.operands[side], self.tile
        if copy is not None:
            moves = [copy.move(entered.loop, entered.number, entered.start or {}) for entered in self.entered]
            base = self.builder.base(plus(*moves))
            return Source(self.flat[side], base, copy.step_strides, copy.apart, None)
        down = tile.rows.dim.strides[LHS]
        apart = [row * down for row in range(tile.shape.rows)] if side == LHS else self.kernel.starts
        base = self.builder.base(self._in_place(side), operand.offset)
        steps = [dim.strides[side] for dim in tile.reduction]
        return Source(self.flat[side], base, steps, apart, self.contraction.conversion(operand, tile.factor_type))

    def _out_base(self) -> Base:
        """Where the tile is in the output."""
        return self.builder.base(self._in_place(OUT), self.contraction.operands[OUT].offset)

    def _places(self, row_stride: int) -> Places:
        """Where the vectors of a tile lie in memory, and their types."""
        types = [vector_type(self.contraction.element_type, lanes) for lanes in self.kernel.lanes]
        row = list(zip(self.kernel.starts, types, strict=True))
        return [(number * row_stride + start, type) for number in range(self.tile.shape.rows) for start, type in row]

    # The sums of a tile

    def _hold(self, node: Hold, stack: ExitStack) -> None:
        places = self._places(self.tile.shape.columns)
        self.held = HeldSums(node, self.contraction.element_type, places, self.builder, self.arithmetic)
        if node.errors and self.tile.sums is Sums.OUTPUT:
            self._each_tile(self.held.clear)
            stack.callback(self._each_tile, self._add_errors)

    def _each_tile(self, do: Callable[[Base], None]) -> None:
        """`do(place of what is held)` for the tiles of a block."""
        assert self.held is not None
        outside, loops = self.entered, (self.tile.rows, self.tile.columns)
        self.entered = [entered for entered in outside if entered.loop not in loops]
        with self.builder.loop(loops[0].count) as tile, self.builder.loop(loops[1].count) as panel:
            self._enter(loops, (tile, panel))
            self._settle()
            do(self.held.place(index_of(tile), index_of(panel)))
        self.entered = outside

    def _add_errors(self, place: Base) -> None:
        """Adds what the sums of a tile in the output are off by."""
        assert self.held is not None
        places, base, out = self._places(self.tile.rows.dim.strides[OUT]), self._out_base(), self.flat[OUT]
        totals = [self.builder.load(out, base, *at) for at in places]
        for total, error, (offset, _) in zip(totals, self.held.load_errors(place), places, strict=True):
            self.builder.store(self.arithmetic.with_error(total, error), out, base, offset)

    def _tile(self, node: Tile) -> None:
        builder, held, arithmetic, out = self.builder, self.held, self.arithmetic, self.flat[OUT]
        number, panel = self._number(node.rows), self._number(node.columns)
        place = held.place(number, panel) if held is not None and node.sums is Sums.SCRATCH else None
        base, down = self._out_base(), node.rows.dim.strides[OUT]
        if held is None and is_shared(self.plan, self.fill) and self._call(node, base, down, panel):
            return
        places = self._places(down)
        if held is not None and place is not None:
            held.fetch(place)
        if node.sums is Sums.WHOLE and not node.filled:
            inits = [builder.load(out, base, *at) for at in places]
        else:
            inits = self.kernel.of_tile(self._initial if node.sums is Sums.WHOLE else arithmetic.zero)
        left, right = self._source(LHS), self._source(RHS)
        results = self.kernel.reduce(left, right, self._with_offsets(inits, right), panel)
        if held is None:
            self._finish(results, base)
        elif place is not None:
            self._end_chunk(held, results, place, base)
        else:
            before = [builder.load(out, base, *at) for at in places]
            self._finish(held.added(before, results, held.place(number, panel)), base)

    def _call(self, node: Tile, base: Base, down: int, panel: Terms) -> bool:
        """Lets a function that all programs share compute the tile at `base`, if it can."""
        left, right, fma = self._source(LHS), self._source(RHS), self.arithmetic.fma
        out, at = self.flat[OUT], base
        scratch = self.finisher.scratch
        if scratch is not None:
            out, at, down = scratch, self.builder.base({}), node.shape.columns
        op = shared_tile(node, left, right, out, at, down, fma, panel, self.builder)
        if op is None:
            return False
        self.builder.insert(op)
        if scratch is not None:
            self.finisher.finish_rows(self._store_at(base))
        return True

    def _with_offsets(self, inits: Sequence[SSAValue], right: Source) -> Sequence[SSAValue]:
        """`inits` with what the sums of words are off by."""
        words, copy = self.contraction.words, self.copies.get(RHS)
        if words is None or not words.offset:
            return inits
        assert isinstance(copy, WordPanels)
        shape, builder = self.tile.shape, self.builder
        factors = vector_type(self.tile.factor_type, shape.lanes * words.dot.group)
        sums = vector_type(self.contraction.element_type, shape.lanes)
        loaded = [builder.load(right.flat, right.start, copy.offsets_at + place, factors) for place in right.apart]
        offsets = [builder.add(new_op(vector.BitcastOp, [bits], [sums])) for bits in loaded]
        return list(map(self.arithmetic.add, inits, offsets * shape.rows))

    def _end_chunk(self, held: HeldSums, results: Sequence[SSAValue], place: Base, base: Base) -> None:
        """What becomes of the `results` of a chunk: the sums of a tile, in the end finished."""
        if held.sums is None or held.node.chunks is None:
            self._finish(self._started(results), base)
            return
        ((chunk, _),), last = self._number(held.node.chunks).items(), held.node.chunks.count - 1
        with self.builder.where(chunk, most=0):
            held.store(place, self._started(results))
            held.clear(place)
        if last > 1:
            with self.builder.where(chunk, least=1, most=last - 1):
                held.store(place, held.added(held.load(place), results, place))
        with self.builder.where(chunk, least=last):
            self._finish(held.added(held.load(place), results, place, last=True), base)

    def _started(self, sums: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """The sums of the first part of a reduction, which starts from the value of the fill."""
        return sums if self.fill is None else list(map(self.arithmetic.add, self.kernel.of_tile(self._initial), sums))

    def _initial(self, type: VectorType) -> SSAValue:
        """The value of the fill."""
        assert self.fill is not None
        if isinstance(self.fill.owner, arith.ConstantOp):
            constant = self.fill.owner.value
            assert isinstance(constant, FloatAttr | IntegerAttr)
            return self.arithmetic.splat(constant.value.data, type)
        return self.arithmetic.broadcast(self.fill, type)

    def _finish(self, sums: Sequence[SSAValue], base: Base) -> None:
        """Stores what becomes of the sums of the tile that is at `base` of the output."""
        self.finisher.finish(sums, self._store_at(base))

    def _store_at(self, base: Base) -> Store:
        """What stores results of the tile that is at `base` of the output."""
        out, down = self.flat[OUT], self.tile.rows.dim.strides[OUT]

        def store(value: SSAValue, step: Terms, row: int, index: int) -> None:
            at = self.builder.move(base, scaled(step, down)) if step else base
            self.builder.store(value, out, at, row * down + self.kernel.starts[index])

        return store
