"""Writes the loops of a planned contraction: macro loops, packing, micro-kernel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.ir import Attribute, Block, SSAValue

from ....dialects.editing import new_op
from .affine_builder import AffineBuilder, Base, Terms, plus, scaled
from .analysis import LoopDim, Operand
from .packing import PanelPacker, index_of
from .plan import Plan

STRICT: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
WRAPPING: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}


class Emitter:
    """Emits one plan into a block. `fill` is what tiles start from unless the plan accumulates.

    The `_terms` say how the variables of the loops entered so far move an operand; `panel` and `row_tile` are the
    numbers of the first panel and tile of the current blocks, as linear forms too.
    """

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
        self.packer = PanelPacker(plan, self.builder)

    def emit(self) -> None:
        """Packing if it stands outside, then the macro loops."""
        plan, contraction, builder = self.plan, self.contraction, self.builder
        counts = plan.macro_counts
        panels = self.packer.pack_everything() if plan.packed and not plan.pack_inside else None
        with ExitStack() as loops:
            variables = loops.enter_context(builder.parallel(counts[: plan.parallel]))
            lhs = builder.flatten(contraction.lhs.memref)
            out = builder.flatten(contraction.out.memref)
            inner = max(plan.parallel, plan.pack_depth)
            variables += [loops.enter_context(builder.loop(count)) for count in counts[plan.parallel : inner]]
            if plan.pack_inside:
                panels = self.packer.pack_block(variables)
            variables += [loops.enter_context(builder.loop(count)) for count in counts[inner:]]
            self._place(variables, outside=plan.packed and not plan.pack_inside)
            rhs = builder.flatten(contraction.rhs.memref) if panels is None else panels
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
            if dim is not None:
                self._move(dim, variable)
                if outside and index < len(outer):
                    self.packed_terms[variable] = packed_strides[index]
            elif index == len(outer):
                self.panel[variable] = plan.columns.per_block
                if outside:
                    self.packed_terms[variable] = plan.columns.per_block * self.packer.panel_size
            else:
                self.row_tile[variable] = plan.rows.per_block

    def _move(self, dim: LoopDim, variable: SSAValue) -> None:
        self.lhs_terms[variable] = dim.lhs
        self.rhs_terms[variable] = dim.rhs
        self.out_terms[variable] = dim.out

    # The tiles

    def _tiles(self, lhs: SSAValue, rhs: SSAValue, out: SSAValue) -> None:
        plan, builder = self.plan, self.builder
        with ExitStack() as loops:
            outer_steps: dict[SSAValue, int] = {}
            for dim, write in zip(plan.outer_reduction, self.packer.strides, strict=False):
                variable = loops.enter_context(builder.loop(dim.size))
                if variable is not None:
                    self._move(dim, variable)
                    outer_steps[variable] = write
            panel = index_of(loops.enter_context(builder.loop(plan.columns.per_block)))
            tile = index_of(loops.enter_context(builder.loop(plan.rows.per_block)))
            column = builder.piece_start(plan.columns, plus(self.panel, panel))
            row = builder.piece_start(plan.rows, plus(self.row_tile, tile))
            lhs_base = plus(self.lhs_terms, scaled(row, plan.rows.dim.lhs))
            if plan.packed:
                rhs_base = plus(self.packed_terms, outer_steps, scaled(panel, self.packer.panel_size))
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
        return self.builder.add(new_op(vector.BroadcastOp, operands=[value], result_types=[vector_type]))

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
        strides = self.packer.strides[len(plan.outer_reduction) :]
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
            return self.builder.add(new_op(vector.FMAOp, operands=[left, right, addend], result_types=types))
        is_float = self.contraction.is_float
        multiply, add = (arith.MulfOp, arith.AddfOp) if is_float else (arith.MuliOp, arith.AddiOp)
        flags = STRICT if is_float else WRAPPING
        product = self.builder.add(new_op(multiply, operands=[left, right], result_types=types, properties=flags))
        return self.builder.add(new_op(add, operands=[addend, product], result_types=types, properties=flags))

    def _extended(self, value: SSAValue, operand: Operand) -> SSAValue:
        """The element `value` of `operand` as the accumulator's type."""
        if operand.extension is None:
            return value
        types = [self.contraction.element_type]
        return self.builder.add(new_op(operand.extension, operands=[value], result_types=types))
