"""Writes the loops of a planned contraction: macro loops, packing, micro-kernel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from math import prod
from typing import Any, cast

from xdsl.dialects import arith, memref, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, SSAValue

from .affine_builder import AffineBuilder, Base, Terms, linear_expr, plus, scaled
from .analysis import LoopDim, Operand
from .plan import Cut, Plan

ALIGNMENT = IntegerAttr(64, i64)
STRICT: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
WRAPPING: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}
TRANSPOSED_STEPS = 8
"""Steps of a contiguous reduction copied at a time when packing transposes: each read uses half a cache line, and what
is written stays in the L1 cache."""


class Emitter:
    """Emits one plan into a block. `fill` is what tiles start from unless the plan accumulates."""

    def __init__(self, plan: Plan, fma: bool, fill: SSAValue | None, block: Block) -> None:
        self.plan = plan
        self.contraction = plan.contraction
        self.fma = fma and plan.contraction.is_float
        self.fill = fill
        self.builder = AffineBuilder(block)
        self.vector_type = VectorType(plan.contraction.element_type, [plan.tile.lanes])
        self.lhs_terms: dict[SSAValue, int] = {}
        self.rhs_terms: dict[SSAValue, int] = {}
        self.out_terms: dict[SSAValue, int] = {}
        self.packed_terms: dict[SSAValue, int] = {}
        self.row_tile: dict[SSAValue, int] = {}
        self.panel: dict[SSAValue, int] = {}

        steps = [dim.size for dim in (*plan.outer_reduction, *plan.reduction)]
        self.panel_size = prod(steps) * plan.tile.columns
        self.packed_strides = [prod(steps[i + 1 :]) * plan.tile.columns for i in range(len(steps))]

    def emit(self) -> None:
        """Packing if it stands outside, then the macro loops."""
        plan, contraction, builder = self.plan, self.contraction, self.builder
        counts = plan.macro_counts
        panels = self._pack_everything() if plan.packed and not plan.pack_inside else None
        with ExitStack() as loops:
            variables = loops.enter_context(builder.parallel(counts[: plan.parallel]))
            lhs = builder.flatten(contraction.lhs.memref)
            out = builder.flatten(contraction.out.memref)
            inner = max(plan.parallel, plan.pack_depth)
            variables += [loops.enter_context(builder.loop(count)) for count in counts[plan.parallel : inner]]
            if plan.pack_inside:
                panels = self._pack_block(variables)
            variables += [loops.enter_context(builder.loop(count)) for count in counts[inner:]]
            self._place(variables, outside=plan.packed and not plan.pack_inside)
            rhs = builder.flatten(contraction.rhs.memref) if panels is None else panels
            self._tiles(lhs, rhs, out)

    def _place(self, variables: Sequence[SSAValue | None], outside: bool) -> None:
        """Notes where the macro loops with `variables` move the operands."""
        plan = self.plan
        outer = (*self.contraction.batch, *plan.outer_columns)
        dims = [*outer, None, *plan.outer_rows, None]
        stride = plan.columns.pieces * self.panel_size
        packed_strides: list[int] = []
        for dim in reversed(outer):
            packed_strides.insert(0, stride)
            stride *= dim.size
        for index, (dim, variable) in enumerate(zip(dims, variables, strict=False)):
            if variable is None:
                continue
            if dim is not None:
                self._move(dim, variable)
                if outside and index < len(outer):
                    self.packed_terms[variable] = packed_strides[index]
            elif index == len(outer):
                self.panel[variable] = plan.columns.per_block
                if outside:
                    self.packed_terms[variable] = plan.columns.per_block * self.panel_size
            else:
                self.row_tile[variable] = plan.rows.per_block

    def _move(self, dim: LoopDim, variable: SSAValue) -> None:
        self.lhs_terms[variable] = dim.lhs
        self.rhs_terms[variable] = dim.rhs
        self.out_terms[variable] = dim.out

    def _start(self, cut: Cut, piece: Terms) -> Terms:
        """Where the piece with the index `piece` starts."""
        if not piece or cut.overlap == 0:
            return scaled(piece, cut.span)
        index = linear_expr(list(piece.values()))
        last = index // (cut.pieces - 1)
        expr = index * cut.span - last * cut.overlap
        return {self.builder.evaluate(expr, list(piece)): 1}

    # Packing

    def _allocate(self, panels: int) -> SSAValue:
        size = panels * self.panel_size
        return self.builder.add(
            memref.AllocOp.create(
                result_types=[MemRefType(self.contraction.element_type, [size])],
                properties={
                    "alignment": ALIGNMENT,
                    "operandSegmentSizes": DenseArrayBase.from_list(i32, [0, 0]),
                },
            )
        )

    def _pack_everything(self) -> SSAValue:
        """Packs the whole right operand, by all threads."""
        plan, builder = self.plan, self.builder
        outer = (*self.contraction.batch, *plan.outer_columns)
        sizes = [*(dim.size for dim in outer), plan.columns.pieces]
        panels = self._allocate(prod(sizes))
        with builder.parallel(sizes) as variables:
            source: dict[SSAValue, int] = {}
            target: dict[SSAValue, int] = {}
            stride = self.panel_size
            for size, variable in zip(reversed(sizes), reversed(variables), strict=True):
                if variable is not None:
                    target[variable] = stride
                stride *= size
            for dim, variable in zip(outer, variables, strict=False):
                if variable is not None:
                    source[variable] = dim.rhs
            panel = variables[-1]
            self._pack_panel(panels, source, {} if panel is None else {panel: 1}, target)
        return panels

    def _pack_block(self, variables: Sequence[SSAValue | None]) -> SSAValue:
        """Packs the panels of one column block into scratch of the thread."""
        plan, builder = self.plan, self.builder
        panels = self._allocate(plan.columns.per_block)
        *outer, block = variables
        source = {
            variable: dim.rhs
            for dim, variable in zip((*self.contraction.batch, *plan.outer_columns), outer, strict=True)
            if variable is not None
        }
        with builder.loop(plan.columns.per_block) as panel:
            index: dict[SSAValue, int] = {}
            if block is not None:
                index[block] = plan.columns.per_block
            target: dict[SSAValue, int] = {}
            if panel is not None:
                index[panel] = 1
                target[panel] = self.panel_size
            self._pack_panel(panels, source, index, target)
        return panels

    def _pack_panel(self, panels: SSAValue, source: Terms, panel: Terms, target: Terms) -> None:
        """Copies one panel: for every step of the reduction, the columns of the tile side by side."""
        plan, builder, rhs = self.plan, self.builder, self.contraction.rhs
        column = plan.columns.dim
        flat = builder.flatten(rhs.memref)
        source = plus(source, scaled(self._start(plan.columns, panel), column.rhs))
        reduction = (*plan.outer_reduction, *plan.reduction)
        contiguous = column.rhs == 1
        by_vectors = contiguous and rhs.extension is None
        transposed = next(
            (dim for dim in reduction if not contiguous and dim.rhs == 1 and dim.size >= TRANSPOSED_STEPS),
            None,
        )
        inner: list[tuple[int, int, int]] = []
        if not by_vectors:
            inner.append((plan.tile.columns, column.rhs, 1))
        with ExitStack() as loops:
            for dim, write in zip(reduction, self.packed_strides, strict=True):
                if dim is transposed:
                    chunks = -(-dim.size // TRANSPOSED_STEPS)
                    cut = Cut(dim, TRANSPOSED_STEPS, chunks, 1)
                    chunk = loops.enter_context(builder.loop(chunks))
                    start = self._start(cut, _index(chunk))
                    source, target = plus(source, start), plus(target, scaled(start, write))
                    inner.append((TRANSPOSED_STEPS, 1, write))
                else:
                    step = _index(loops.enter_context(builder.loop(dim.size)))
                    source = plus(source, scaled(step, dim.rhs))
                    target = plus(target, scaled(step, write))
            for size, read, write in inner:
                step = _index(loops.enter_context(builder.loop(size)))
                source, target = plus(source, scaled(step, read)), plus(target, scaled(step, write))
            read_base, write_base = builder.base(source, rhs.offset), builder.base(target)
            if by_vectors:
                for index in range(plan.tile.vectors):
                    offset = index * plan.tile.lanes
                    value = builder.load(flat, read_base, offset, self.vector_type)
                    builder.store(value, panels, write_base, offset)
            else:
                value = self._extended(builder.load(flat, read_base, 0), rhs)
                builder.store(value, panels, write_base, 0)

    # The tiles

    def _tiles(self, lhs: SSAValue, rhs: SSAValue, out: SSAValue) -> None:
        plan, builder = self.plan, self.builder
        with ExitStack() as loops:
            outer_steps: dict[SSAValue, int] = {}
            for dim, write in zip(plan.outer_reduction, self.packed_strides, strict=False):
                variable = loops.enter_context(builder.loop(dim.size))
                if variable is not None:
                    self._move(dim, variable)
                    outer_steps[variable] = write
            panel = _index(loops.enter_context(builder.loop(plan.columns.per_block)))
            tile = _index(loops.enter_context(builder.loop(plan.rows.per_block)))
            column = self._start(plan.columns, plus(self.panel, panel))
            row = self._start(plan.rows, plus(self.row_tile, tile))
            lhs_base = plus(self.lhs_terms, scaled(row, plan.rows.dim.lhs))
            if plan.packed:
                rhs_base = plus(self.packed_terms, outer_steps, scaled(panel, self.panel_size))
            else:
                rhs_base = plus(self.rhs_terms, column)
            out_base = builder.base(
                plus(self.out_terms, column, scaled(row, plan.rows.dim.out)),
                self.contraction.out.offset,
            )
            inits = self._initial_values(out, out_base)
            results = self._reduce(lhs, lhs_base, rhs, rhs_base, inits)
            for value, offset in zip(results, self._out_offsets(), strict=True):
                builder.store(value, out, out_base, offset)

    def _out_offsets(self) -> list[int]:
        """Where the vectors of a tile lie in the output."""
        tile = self.plan.tile
        return [
            row * self.plan.rows.dim.out + index * tile.lanes
            for row in range(tile.rows)
            for index in range(tile.vectors)
        ]

    def _initial_values(self, out: SSAValue, out_base: Base) -> list[SSAValue]:
        offsets = self._out_offsets()
        if self.plan.accumulate:
            return [self.builder.load(out, out_base, o, self.vector_type) for o in offsets]
        assert self.fill is not None
        return [self._splat(self.fill)] * len(offsets)

    def _splat(self, value: SSAValue) -> SSAValue:
        if isinstance(value.owner, arith.ConstantOp):
            constant = value.owner.value
            assert isinstance(constant, FloatAttr | IntegerAttr)
            splat = DenseIntOrFPElementsAttr.from_list(cast(VectorType[Any], self.vector_type), [constant.value.data])
            return self.builder.constant(splat, self.vector_type)
        return self._broadcast(value, self.vector_type)

    def _broadcast(self, value: SSAValue, vector_type: VectorType) -> SSAValue:
        return self.builder.add(vector.BroadcastOp.create(operands=[value], result_types=[vector_type]))

    def _reduce(
        self,
        lhs: SSAValue,
        lhs_terms: Terms,
        rhs: SSAValue,
        rhs_terms: Terms,
        inits: Sequence[SSAValue],
    ) -> Sequence[SSAValue]:
        """The micro-kernel: a rank-1 update of the tile for every step of the reduction."""
        plan, builder = self.plan, self.builder
        tile, reduction = plan.tile, plan.reduction
        strides = self.packed_strides[len(plan.outer_reduction) :]
        left, right = self.contraction.lhs, self.contraction.rhs
        # What does not change inside is computed outside, as one value.
        lhs_start = builder.base(lhs_terms, left.offset)
        rhs_start = builder.base(rhs_terms, 0 if plan.packed else right.offset)

        def step(variables: Sequence[SSAValue], values: Sequence[SSAValue]) -> list[SSAValue]:
            moves = list(zip(variables, reduction, strides, strict=True))
            lhs_base = builder.move(lhs_start, {v: dim.lhs for v, dim, _ in moves})
            rhs_base = builder.move(rhs_start, {v: stride if plan.packed else dim.rhs for v, dim, stride in moves})
            offsets = [index * tile.lanes for index in range(tile.vectors)]
            vectors = [builder.load(rhs, rhs_base, o, self.vector_type) for o in offsets]
            results: list[SSAValue] = []
            for row in range(tile.rows):
                element = builder.load(lhs, lhs_base, row * plan.rows.dim.lhs)
                factor = self._broadcast(self._extended(element, left), self.vector_type)
                for index, columns in enumerate(vectors):
                    accumulator = values[row * tile.vectors + index]
                    results.append(self._multiply_add(factor, columns, accumulator))
            return results

        return builder.carrying_loops([dim.size for dim in reduction], inits, step)

    def _multiply_add(self, left: SSAValue, right: SSAValue, addend: SSAValue) -> SSAValue:
        types = [self.vector_type]
        if self.fma:
            return self.builder.add(vector.FMAOp.create(operands=[left, right, addend], result_types=types))
        is_float = self.contraction.is_float
        multiply, add = (arith.MulfOp, arith.AddfOp) if is_float else (arith.MuliOp, arith.AddiOp)
        flags = STRICT if is_float else WRAPPING
        product = self.builder.add(multiply.create(operands=[left, right], result_types=types, properties=flags))
        return self.builder.add(add.create(operands=[addend, product], result_types=types, properties=flags))

    def _extended(self, value: SSAValue, operand: Operand) -> SSAValue:
        """The element `value` of `operand` as the accumulator's type."""
        if operand.extension is None:
            return value
        types = [self.contraction.element_type]
        return self.builder.add(operand.extension.create(operands=[value], result_types=types))


def _index(variable: SSAValue | None) -> Terms:
    return {} if variable is None else {variable: 1}
