"""Copies operands of a contraction, converting their elements.

The right operand goes into panels: for every step of the reduction, the columns of a tile side by side. Blocks of the
left operand keep their order and become dense; all of it may go into panels of the rows of a tile by a plan with the
operands exchanged (`Plan.of_left_panels`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import prod

from xdsl.dialects import arith, memref, vector
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.editing import new_op
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import i32_array, i64_array, i64_attribute, memref_type, vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, plus, scaled
from .analysis import LoopDim, element_type_of
from .plan import Plan

ALIGNMENT = i64_attribute(64)

BLOCK = 4
"""Side of the blocks that are transposed in registers: eight shuffles of four lanes."""


class PanelPacker:
    """Writes the packing loops of one plan.

    A panel is a block of `panel_size` elements; `strides` are the distances of the steps of the reduction
    dimensions in it, `vector_starts` where in a step the vectors of a tile start; `walk` is the reduction that one call
    of `_pack_panel` copies.
    """

    def __init__(self, plan: Plan, builder: AffineBuilder) -> None:
        self.plan = plan
        self.model = plan.model.contractions
        self.builder = builder
        self.operand = plan.contraction.rhs
        self.element_type = plan.factor_type
        self.conversion = plan.conversion(self.operand)
        # Where the sums are held, chunks are packed when their turn comes.
        one_chunk = plan.sums_held and plan.pack_inside
        self.reduction = plan.reduction if one_chunk else (*plan.outer_reduction, *plan.reduction)
        steps = [dim.size for dim in self.reduction]
        self.walk = self.reduction
        tile = plan.tile
        self.vector_starts = tile.vector_starts
        step_size = tile.columns
        if self._copies_vectors():
            self.vector_starts = [index * tile.lanes for index in range(tile.vectors)]
            step_size = tile.vectors * tile.lanes
        self.panel_size = prod(steps) * step_size
        self.strides = [prod(steps[index + 1 :]) * step_size for index in range(len(steps))]
        self.outer: tuple[LoopDim, ...] = (*plan.contraction.batch, *plan.outer_columns)

    def outer_strides(self) -> list[int]:
        """Distances of the steps of the dimensions around the panels in the whole packed operand."""
        sizes = [dim.size for dim in self.outer]
        panels = self.plan.columns.pieces * self.panel_size
        return [prod(sizes[index + 1 :]) * panels for index in range(len(sizes))]

    def type_of_panels(self) -> MemRefType:
        """The type of the whole packed operand."""
        panels = prod(dim.size for dim in self.outer) * self.plan.columns.pieces
        return memref_type(self.element_type, panels * self.panel_size)

    def pack_everything(self, panels: SSAValue | None = None) -> SSAValue:
        """Packs the whole operand, in a parallel loop over its panels if the macro loops have one.

        The copy goes to `panels`, or to scratch memory, and is returned.
        """
        cut = self.plan.columns
        if panels is None:
            panels = self.builder.add(new_allocation(self.type_of_panels()))
        splits = self.plan.packing_splits
        outermost = self.reduction[0]
        part = outermost.size // splits
        self.walk = (replace(outermost, size=part), *self.reduction[1:])
        counts = [*(dim.size for dim in self.outer), cut.blocks, cut.per_block, splits]
        with ExitStack() as loops:
            if self.plan.parallel:
                variables = loops.enter_context(self.builder.parallel(counts))
            else:
                variables = [loops.enter_context(self.builder.loop(count)) for count in counts]
            source: Terms = {}
            target: Terms = {}
            for dim, stride, variable in zip(self.outer, self.outer_strides(), variables, strict=False):
                source = plus(source, index_of(variable, dim.rhs))
                target = plus(target, index_of(variable, stride))
            block, panel, split = (index_of(variable) for variable in variables[-3:])
            source = plus(source, scaled(split, outermost.rhs * part))
            target = plus(target, scaled(split, self.strides[0] * part))
            source = self._column(source, block, panel)
            number = plus(scaled(block, cut.per_block), panel)
            self._pack_panel(panels, source, plus(target, scaled(number, self.panel_size)))
        return panels

    def pack_block(self, variables: Sequence[SSAValue | None], start: Terms | None = None) -> SSAValue:
        """Packs one column block, given the variables of the loops around it, the block's own last.

        `start`: how far the operand is moved besides.
        """
        per_block = self.plan.columns.per_block
        panels = self._allocate(per_block)
        source: Terms = start or {}
        for dim, variable in zip(self.outer, variables, strict=False):
            source = plus(source, index_of(variable, dim.rhs))
        with self.builder.loop(per_block) as variable:
            panel = index_of(variable)
            source = self._column(source, index_of(variables[-1]), panel)
            self._pack_panel(panels, source, scaled(panel, self.panel_size))
        return panels

    def _column(self, source: Terms, block: Terms, panel: Terms) -> Terms:
        """`source` moved to the first column of panel number `panel` of column block number `block`."""
        cut = self.plan.columns
        column = plus(cut.block_start(self.builder, block), cut.piece_start(self.builder, panel))
        return plus(source, scaled(column, cut.dim.rhs))

    def _allocate(self, panels: int) -> SSAValue:
        return allocate(self.builder, self.element_type, panels * self.panel_size)

    def _pack_panel(self, panels: SSAValue, source: Terms, target: Terms) -> None:
        """Copies the panel at `target` from `source`; both lack the reduction."""
        tile = self.plan.tile
        vectors = converts_vectors(self.conversion)
        if self._copies_vectors():
            self._copy(panels, source, target, (), self._copy_vectors)
        elif vectors and tile.columns % BLOCK == 0 and self._chunk() >= BLOCK:
            self._copy(panels, source, target, (BLOCK, BLOCK), self._transpose_block)
        else:
            self._copy(panels, source, target, (1, 1), self._copy_element)

    def _copies_vectors(self) -> bool:
        """Whether the columns of a step are neighbours, and can be copied as vectors."""
        return converts_vectors(self.conversion) and self.plan.columns.dim.rhs == 1

    def _contiguous_step(self) -> int | None:
        """The reduction dimension along which the operand is contiguous."""
        return next((i for i, dim in enumerate(self.walk) if dim.rhs == 1), None)

    def _chunk(self) -> int:
        """How many steps of the contiguous reduction to copy at a time (a power of two; 1: there is none)."""
        index = self._contiguous_step()
        size = 1 if index is None else self.walk[index].size
        chunk = self.model.transposed_steps
        while chunk > size:
            chunk //= 2
        return chunk

    def _copy(
        self,
        panels: SSAValue,
        source: Terms,
        target: Terms,
        block: tuple[int, int] | tuple[()],
        copy: Callable[[SSAValue, SSAValue, Terms, Terms, int], None],
    ) -> None:
        """The loops around `copy`, which handles all columns of a step or `block` columns x contiguous steps."""
        builder = self.builder
        flat = builder.flatten(self.operand.memref)
        contiguous = self._contiguous_step() if block else None
        chunk = self._chunk()
        with ExitStack() as loops:
            inner: list[tuple[int, int, int, int]] = []
            if block:
                inner.append((self.plan.tile.columns, block[0], self.plan.columns.dim.rhs, 1))
            for index, (dim, write) in enumerate(zip(self.walk, self.strides, strict=True)):
                if index == contiguous and chunk > 1:
                    cut = dim.cut(chunk)
                    step = cut.piece_start(builder, index_of(loops.enter_context(builder.loop(cut.pieces))))
                    inner.append((chunk, block[1] if block else 1, 1, write))
                else:
                    step = index_of(loops.enter_context(builder.loop(dim.size)))
                source, target = plus(source, scaled(step, dim.rhs)), plus(target, scaled(step, write))
            for size, width, read, write in inner:
                step = index_of(loops.enter_context(builder.loop(size // width)), width)
                source, target = plus(source, scaled(step, read)), plus(target, scaled(step, write))
            stride = self.strides[contiguous] if contiguous is not None else 0
            copy(flat, panels, source, target, stride)

    def _copy_vectors(self, flat: SSAValue, panels: SSAValue, source: Terms, target: Terms, _: int) -> None:
        tile = self.plan.tile
        read, write = self.builder.base(source, self.operand.offset), self.builder.base(target)
        for first, count in tile.groups:
            start, lanes = tile.vector_starts[first], count * tile.lanes
            value = load_vector(self.builder, flat, read, start, lanes, self.element_type, self.conversion)
            self.builder.store(value, panels, write, self.vector_starts[first])
        ahead = self.walk[-1].rhs
        if self.plan.prefetched and abs(ahead) > tile.columns:
            bytes = tile.columns * element_bytes(element_type_of(flat))
            steps, lines = self.model.prefetched_steps, -(-bytes // CACHE_LINE_BYTES)
            self.builder.prefetch(flat, read, steps * ahead, lines)

    def _copy_element(self, flat: SSAValue, panels: SSAValue, source: Terms, target: Terms, _: int) -> None:
        read, write = self.builder.base(source, self.operand.offset), self.builder.base(target)
        self.builder.store(load_element(self.builder, flat, read, self.element_type, self.conversion), panels, write, 0)

    def _transpose_block(self, flat: SSAValue, panels: SSAValue, source: Terms, target: Terms, stride: int) -> None:
        """Four columns times four contiguous steps, transposed by interleaving twice."""
        builder = self.builder
        type = vector_type(self.element_type, BLOCK)
        read, write = builder.base(source, self.operand.offset), builder.base(target)
        column = self.plan.columns.dim.rhs
        rows = [
            load_vector(builder, flat, read, index * column, BLOCK, self.element_type, self.conversion)
            for index in range(BLOCK)
        ]

        def shuffle(left: SSAValue, right: SSAValue, *mask: int) -> SSAValue:
            return builder.add(
                new_op(
                    vector.ShuffleOp,
                    operands=[left, right],
                    result_types=[type],
                    properties={"mask": i64_array(*mask)},
                )
            )

        low = [shuffle(rows[i], rows[i + 1], 0, 4, 1, 5) for i in (0, 2)]
        high = [shuffle(rows[i], rows[i + 1], 2, 6, 3, 7) for i in (0, 2)]
        steps = [shuffle(half[0], half[1], *mask) for half in (low, high) for mask in ((0, 1, 4, 5), (2, 3, 6, 7))]
        for index, value in enumerate(steps):
            builder.store(value, panels, write, index * stride)


class LeftPacker:
    """Copies what a row block and the reduction inside the tiles use of the left operand.

    The copy keeps the order of the operand's strides. `row_stride` and `strides` are the distances of rows and of the
    steps of the reduction in it.
    """

    def __init__(self, plan: Plan, builder: AffineBuilder) -> None:
        self.builder = builder
        self.operand = plan.contraction.lhs
        self.element_type = plan.factor_type
        self.conversion = plan.conversion(self.operand)
        self.lanes = plan.tile.lanes
        self.prefetched = plan.prefetched
        self.model = plan.model.contractions
        rows = plan.rows
        sizes = [rows.block_size, *(dim.size for dim in plan.reduction)]
        reads = [rows.dim.lhs, *(dim.lhs for dim in plan.reduction)]
        order = sorted(range(len(sizes)), key=lambda index: -abs(reads[index]))
        bytes = plan.contraction.element_bits // 8
        writes = [0] * len(sizes)
        distance = 1
        for index in reversed(order):
            writes[index] = distance
            distance *= sizes[index]
            if distance * bytes % self.model.colliding_bytes == 0:
                distance += plan.tile.lanes
        self.size = distance
        self.row_stride, *self.strides = writes
        self.loops = [(sizes[index], reads[index], writes[index]) for index in order if sizes[index] > 1]

    def pack(self, source: Terms) -> SSAValue:
        """The copy of the block that starts at `source`."""
        builder = self.builder
        block = allocate(builder, self.element_type, self.size)
        flat = builder.flatten(self.operand.memref)
        target: Terms = {}
        *outer, (size, read, write) = self.loops
        lanes = self.lanes if read == 1 and write == 1 and converts_vectors(self.conversion) else 1
        while lanes > size:
            lanes //= 2
        innermost = LoopDim(size, 0, 0, 0).cut(lanes)
        with ExitStack() as loops:
            for outer_size, outer_read, outer_write in outer:
                step = index_of(loops.enter_context(builder.loop(outer_size)))
                source = plus(source, scaled(step, outer_read))
                target = plus(target, scaled(step, outer_write))
            short = lanes > 1 and size * element_bytes(self.element_type) <= self.model.colliding_bytes
            ahead = outer[-1][1] * self.model.prefetched_steps if outer and short and self.prefetched else 0
            step = innermost.piece_start(builder, index_of(loops.enter_context(builder.loop(innermost.pieces))))
            start = builder.base(plus(source, scaled(step, read)), self.operand.offset)
            if lanes > 1:
                value = load_vector(builder, flat, start, 0, lanes, self.element_type, self.conversion)
            else:
                value = load_element(builder, flat, start, self.element_type, self.conversion)
            builder.store(value, block, builder.base(plus(target, scaled(step, write))), 0)
            if ahead:
                builder.prefetch(flat, start, ahead)
        return block


def allocate(builder: AffineBuilder, element_type: Attribute, size: int) -> SSAValue:
    """Scratch memory of `size` elements."""
    return builder.add(new_allocation(memref_type(element_type, size)))


def new_allocation(type: MemRefType) -> memref.AllocOp:
    """An allocation of scratch memory."""
    properties = {"alignment": ALIGNMENT, "operandSegmentSizes": i32_array(0, 0)}
    return new_op(memref.AllocOp, result_types=[type], properties=properties)


def converts_vectors(conversion: type[Operation] | None) -> bool:
    """Whether `conversion` takes vectors. Those of integers take scalars only, in loops that LLVM vectorises."""
    return conversion is None or conversion is arith.ExtFOp


def load_element(
    builder: AffineBuilder, flat: SSAValue, base: Base, type: Attribute, conversion: type[Operation] | None
) -> SSAValue:
    """The element at `base`, as a `type`."""
    value = builder.load(flat, base, 0)
    return value if conversion is None else builder.add(new_op(conversion, operands=[value], result_types=[type]))


def load_vector(
    builder: AffineBuilder,
    flat: SSAValue,
    base: Base,
    offset: int,
    lanes: int,
    type: Attribute,
    conversion: type[Operation] | None,
) -> SSAValue:
    """The `lanes` elements from `base + offset` on, as a vector of `type`."""
    result_type = vector_type(type, lanes)
    if conversion is None:
        return builder.load(flat, base, offset, result_type)
    value = builder.load(flat, base, offset, vector_type(element_type_of(flat), lanes))
    return builder.add(new_op(conversion, operands=[value], result_types=[result_type]))


def index_of(variable: SSAValue | None, factor: int = 1) -> Terms:
    """`variable * factor`, or nothing for a loop without a variable."""
    return {} if variable is None else {variable: factor}
