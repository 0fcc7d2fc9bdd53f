"""Copies the right operand into panels: for every step of the reduction, the columns of a tile side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from math import prod

from xdsl.dialects import memref, vector
from xdsl.ir import SSAValue

from ....dialects.editing import new_op
from ....dialects.shared_attributes import i32_array, i64_array, i64_attribute, memref_type, vector_type
from .affine_builder import AffineBuilder, Terms, plus, scaled
from .analysis import LoopDim
from .plan import Plan

ALIGNMENT = i64_attribute(64)

BLOCK = 4
"""Side of the blocks that are transposed in registers: eight shuffles of four lanes."""

CHUNK_STEPS = 16
"""Steps of the reduction after which a transposing copy turns to the next column: a cache line of 32-bit elements is
read to its end while what is written stays in the L1 cache."""


class PanelPacker:
    """Writes the packing loops of one plan.

    A panel is a block of `panel_size` elements; `strides` are the distances of the steps of the reduction
    dimensions in it.
    """

    def __init__(self, plan: Plan, builder: AffineBuilder) -> None:
        self.plan = plan
        self.builder = builder
        self.operand = plan.contraction.rhs
        self.element_type = plan.contraction.element_type
        self.reduction = (*plan.outer_reduction, *plan.reduction)
        steps = [dim.size for dim in self.reduction]
        self.panel_size = prod(steps) * plan.tile.columns
        self.strides = [prod(steps[index + 1 :]) * plan.tile.columns for index in range(len(steps))]
        self.outer: tuple[LoopDim, ...] = (*plan.contraction.batch, *plan.outer_columns)

    def outer_strides(self) -> list[int]:
        """Distances of the steps of the dimensions around the panels in the whole packed operand."""
        sizes = [dim.size for dim in self.outer]
        panels = self.plan.columns.pieces * self.panel_size
        return [prod(sizes[index + 1 :]) * panels for index in range(len(sizes))]

    def pack_everything(self) -> SSAValue:
        """Packs the whole operand in a parallel loop over its panels."""
        pieces = self.plan.columns.pieces
        sizes = [dim.size for dim in self.outer]
        panels = self._allocate(prod(sizes) * pieces)
        with self.builder.parallel([*sizes, pieces]) as variables:
            source: Terms = {}
            target: Terms = {}
            for dim, stride, variable in zip(self.outer, self.outer_strides(), variables, strict=False):
                source = plus(source, index_of(variable, dim.rhs))
                target = plus(target, index_of(variable, stride))
            panel = index_of(variables[-1])
            self._pack_panel(panels, source, panel, plus(target, scaled(panel, self.panel_size)))
        return panels

    def pack_block(self, variables: Sequence[SSAValue | None]) -> SSAValue:
        """Packs one column block, given the variables of the loops around it, the block's own last."""
        per_block = self.plan.columns.per_block
        panels = self._allocate(per_block)
        source: Terms = {}
        for dim, variable in zip(self.outer, variables, strict=False):
            source = plus(source, index_of(variable, dim.rhs))
        with self.builder.loop(per_block) as variable:
            panel = index_of(variable)
            index = plus(index_of(variables[-1], per_block), panel)
            self._pack_panel(panels, source, index, scaled(panel, self.panel_size))
        return panels

    def _allocate(self, panels: int) -> SSAValue:
        return self.builder.add(
            new_op(
                memref.AllocOp,
                result_types=[memref_type(self.element_type, panels * self.panel_size)],
                properties={
                    "alignment": ALIGNMENT,
                    "operandSegmentSizes": i32_array(0, 0),
                },
            )
        )

    def _pack_panel(self, panels: SSAValue, source: Terms, panel: Terms, target: Terms) -> None:
        """Copies the panel number `panel`; `source` and `target` lack its columns and the reduction."""
        column, tile = self.plan.columns.dim, self.plan.tile
        source = plus(source, scaled(self.builder.piece_start(self.plan.columns, panel), column.rhs))
        plain = self.operand.extension is None
        if plain and column.rhs == 1:
            self._copy(panels, source, target, (), self._copy_vectors)
        elif plain and tile.columns % BLOCK == 0 and self._chunk() >= BLOCK:
            self._copy(panels, source, target, (BLOCK, BLOCK), self._transpose_block)
        else:
            self._copy(panels, source, target, (1, 1), self._copy_element)

    def _contiguous_step(self) -> int | None:
        """The reduction dimension along which the operand is contiguous."""
        return next((i for i, dim in enumerate(self.reduction) if dim.rhs == 1), None)

    def _chunk(self) -> int:
        """How many steps of the contiguous reduction to copy at a time (a power of two; 1: there is none)."""
        index = self._contiguous_step()
        size = 1 if index is None else self.reduction[index].size
        chunk = CHUNK_STEPS
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
            for index, (dim, write) in enumerate(zip(self.reduction, self.strides, strict=True)):
                if index == contiguous and chunk > 1:
                    cut = dim.cut(chunk)
                    step = builder.piece_start(cut, index_of(loops.enter_context(builder.loop(cut.pieces))))
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
        for offset in range(0, tile.columns, tile.lanes):
            value = self.builder.load(flat, read, offset, vector_type(self.element_type, tile.lanes))
            self.builder.store(value, panels, write, offset)

    def _copy_element(self, flat: SSAValue, panels: SSAValue, source: Terms, target: Terms, _: int) -> None:
        read, write = self.builder.base(source, self.operand.offset), self.builder.base(target)
        value = self.builder.load(flat, read, 0)
        if self.operand.extension is not None:
            value = self.builder.add(new_op(self.operand.extension, operands=[value], result_types=[self.element_type]))
        self.builder.store(value, panels, write, 0)

    def _transpose_block(self, flat: SSAValue, panels: SSAValue, source: Terms, target: Terms, stride: int) -> None:
        """Four columns times four contiguous steps, transposed by interleaving twice."""
        builder = self.builder
        type = vector_type(self.element_type, BLOCK)
        read, write = builder.base(source, self.operand.offset), builder.base(target)
        column = self.plan.columns.dim.rhs
        rows = [builder.load(flat, read, index * column, type) for index in range(BLOCK)]

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


def index_of(variable: SSAValue | None, factor: int = 1) -> Terms:
    """`variable * factor`, or nothing for a loop without a variable."""
    return {} if variable is None else {variable: factor}
