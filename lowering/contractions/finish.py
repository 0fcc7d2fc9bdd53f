"""The epilogue of a contraction: an elementwise op on tiles of sums, in registers or from the L1 cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import SSAValue

from ...decisions.register_tiles import EpilogueForm
from ...dialects.editing import new_op
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, index_of, plus, scaled
from ...ir.structured import element_type
from ...ir.vector_arithmetic import VectorArithmetic
from ...ir.vectors import on_vectors
from .analysis import OTHERS, Epilogue
from .nest import Axis
from .plan import Plan

_ORDER = (Axis.STEPS, Axis.ROWS, Axis.COLUMNS)


Store = Callable[[SSAValue, Terms, int, int], None]
"""Stores a value at a step, a row and a group of vectors of a tile."""


class Finisher:
    """Writes the epilogue of a plan; without one, what stores the sums. `in_place` says how far loops move operands."""

    def __init__(
        self, plan: Plan, builder: AffineBuilder, arithmetic: VectorArithmetic, in_place: Callable[..., Terms]
    ) -> None:
        self.plan, self.builder, self.arithmetic, self.in_place = plan, builder, arithmetic, in_place
        self.flat: Mapping[int, SSAValue] = {}
        self.scratch: SSAValue | None = None

    def prepare(self, flat: Mapping[int, SSAValue]) -> None:
        """What the macro loops share; `flat` has the memory of the operands."""
        self.flat, tile = flat, self.plan.tile
        if tile.epilogue_form is EpilogueForm.ROWS:
            size = tile.shape.rows * tile.shape.columns
            self.scratch = self.builder.allocate(self.plan.contraction.element_type, size)

    def finish(self, sums: Sequence[SSAValue], store: Store) -> None:
        """Stores what the epilogue makes of the `sums` of a tile.

        `store(value, step, row, group)` stores a group of vectors at the tile's row `row`, and in a loop over rows
        `step` more.
        """
        shape, builder, epilogue = self.plan.tile.shape, self.builder, self.plan.contraction.epilogue
        starts = [shape.vector_starts[first] for first, _ in shape.groups]
        placed = zip(sums, ((row, group) for row in range(shape.rows) for group in range(len(starts))), strict=True)
        if epilogue is None:
            for value, at in placed:
                store(value, {}, *at)
        elif self.scratch is None:
            body = _Body(self, epilogue, {})
            for value, at in placed:
                store(body.apply(value, *at), {}, *at)
        else:
            here = builder.base({})
            for value, (row, group) in placed:
                builder.store(value, self.scratch, here, row * shape.columns + starts[group])
            self.finish_rows(store)

    def finish_rows(self, store: Store) -> None:
        """Stores what the epilogue makes of the sums of a tile, which are in `scratch`, row by row."""
        shape, builder, epilogue = self.plan.tile.shape, self.builder, self.plan.contraction.epilogue
        assert self.scratch is not None and epilogue is not None
        with builder.loop(shape.rows) as variable:
            step = index_of(variable)
            body = _Body(self, epilogue, step)
            here = builder.base(scaled(step, shape.columns))
            for group, (first, count) in enumerate(shape.groups):
                type = vector_type(self.plan.contraction.element_type, count * shape.lanes)
                value = builder.load(self.scratch, here, shape.vector_starts[first], type)
                store(body.apply(value, 0, group), step, 0, group)


class _Body:
    """The body of an epilogue on the vectors of a tile, from the row `step` on."""

    def __init__(self, finisher: Finisher, epilogue: Epilogue, step: Terms) -> None:
        self.op, self.arithmetic, self.builder = epilogue.op, finisher.arithmetic, finisher.builder
        contraction, tile = finisher.plan.contraction, finisher.plan.tile
        self.shape = tile.shape
        self.sources: list[tuple[SSAValue, Base, int, int] | None] = []
        """Of each further operand its memory, where the tile is in it, and how far rows and columns move it."""
        for number in range(OTHERS, len(contraction.operands)):
            down, along = tile.rows.dim.strides[number], tile.columns.dim.strides[number]
            terms = plus(finisher.in_place(number, _ORDER), scaled(step, down))
            base = self.builder.base(terms, contraction.operands[number].offset)
            self.sources.append((finisher.flat[number], base, down, along))
        self.sources.insert(epilogue.place, None)
        self.loaded: dict[tuple[int, int, int], SSAValue] = {}
        self.constants: dict[tuple[SSAValue, int], SSAValue] = {}

    def apply(self, sums: SSAValue, row: int, group: int) -> SSAValue:
        """What becomes of the vectors `group` of row `row`."""
        block = self.op.body.block
        values: dict[SSAValue, SSAValue] = {}
        lanes = self.shape.groups[group][1] * self.shape.lanes
        for argument, source in zip(block.args, self.sources, strict=False):
            if source is None:
                values[argument] = sums
            elif argument.first_use is not None:
                values[argument] = self._operand(argument.index, *source, row, group)
        for op in block.ops:
            operands = [values.get(operand) or self._constant(operand, lanes) for operand in op.operands]
            if isinstance(op, YieldOp):
                return operands[0]
            if not isinstance(op, arith.ConstantOp):
                types = [vector_type(result.type, lanes) for result in op.results]
                values[op.results[0]] = self.builder.add(new_op(on_vectors(type(op)), operands, types, op.properties))
        raise AssertionError("a body without a yield")

    def _constant(self, value: SSAValue, lanes: int) -> SSAValue:
        """The constant `value` in `lanes` lanes."""
        if (value, lanes) not in self.constants:
            constant = value.owner
            assert isinstance(constant, arith.ConstantOp) and isinstance(constant.value, FloatAttr)
            type = vector_type(constant.value.type, lanes)
            self.constants[value, lanes] = self.arithmetic.splat(constant.value.value.data, type)
        return self.constants[value, lanes]

    def _operand(
        self, position: int, flat: SSAValue, base: Base, down: int, along: int, row: int, group: int
    ) -> SSAValue:
        """The elements of an input that meet `group` of row `row`; each is read once."""
        first, count = self.shape.groups[group]
        key = position, row if down else 0, group if along else -count
        if key not in self.loaded:
            offset = key[1] * down + (self.shape.vector_starts[first] if along else 0)
            type = vector_type(element_type(flat), count * self.shape.lanes)
            value = self.builder.load(flat, base, offset, type if along else None)
            self.loaded[key] = value if along else self.arithmetic.broadcast(value, type)
        return self.loaded[key]
