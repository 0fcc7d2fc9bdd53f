"""The epilogue of a contraction: an elementwise op on tiles of sums, in registers or from the L1 cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, VectorType
from xdsl.dialects.linalg.ops import YieldOp
from xdsl.ir import SSAValue

from ...decisions.register_tiles import EpilogueForm
from ...dialects.editing import new_op
from ...dialects.shared_attributes import vector_type
from ...ir.affine_builder import AffineBuilder, Base, Terms, plus, scaled
from .analysis import Epilogue, element_type_of
from .packing import allocate, index_of
from .plan import Plan


class Finisher:
    """Writes the epilogue of a plan; without one, what stores the sums."""

    def __init__(self, plan: Plan, builder: AffineBuilder) -> None:
        self.plan = plan
        self.builder = builder
        self.epilogue = plan.contraction.epilogue
        self.terms: list[dict[SSAValue, int]] = []
        self.flat: list[SSAValue | None] = []
        self.scratch: SSAValue | None = None
        if self.epilogue is None:
            return
        self.terms = [{} for operand in self.epilogue.operands if operand is not None]
        self.in_registers = plan.epilogue_form is EpilogueForm.REGISTERS

    def prepare(self) -> None:
        """What the macro loops share."""
        if self.epilogue is None:
            return
        self.flat = [None if op is None else self.builder.flatten(op.memref) for op in self.epilogue.operands]
        if not self.in_registers:
            tile = self.plan.tile
            self.scratch = allocate(self.builder, self.plan.contraction.element_type, tile.rows * tile.columns)

    def move(self, strides: Sequence[int], variable: SSAValue) -> None:
        """Notes a loop around the tiles and how far its steps move the further operands."""
        for terms, stride in zip(self.terms, strides, strict=False):
            terms[variable] = stride

    def finish(
        self, sums: Sequence[SSAValue], row: Terms, column: Terms, store: Callable[[SSAValue, Terms, int, int], None]
    ) -> None:
        """Stores what the epilogue makes of the tile of `sums` at `row` and `column`.

        `store(value, step, row, group)` stores a group of vectors at the tile's row `row`, and in a loop over rows
        `step` more.
        """
        tile, builder = self.plan.tile, self.builder
        starts = [tile.vector_starts[first] for first, _ in tile.groups]
        places = [(in_tile, index) for in_tile in range(tile.rows) for index in range(len(starts))]
        if self.epilogue is None:
            for value, (in_tile, index) in zip(sums, places, strict=True):
                store(value, {}, in_tile, index)
        elif self.scratch is None:
            body = _Body(self, self.epilogue, row, column)
            for value, (in_tile, index) in zip(sums, places, strict=True):
                store(body.apply(value, in_tile, index), {}, in_tile, index)
        else:
            here = builder.base({})
            for value, (in_tile, index) in zip(sums, places, strict=True):
                builder.store(value, self.scratch, here, in_tile * tile.columns + starts[index])
            with builder.loop(tile.rows) as variable:
                step = index_of(variable)
                body = _Body(self, self.epilogue, plus(row, step), column)
                here = builder.base(scaled(step, tile.columns))
                for index, (start, (_, count)) in enumerate(zip(starts, tile.groups, strict=True)):
                    type = vector_type(self.plan.contraction.element_type, count * tile.lanes)
                    value = builder.load(self.scratch, here, start, type)
                    store(body.apply(value, 0, index), step, 0, index)


class _Body:
    """The body of an epilogue on the vectors of a tile whose first row and column are `row` and `column`."""

    def __init__(self, finisher: Finisher, epilogue: Epilogue, row: Terms, column: Terms) -> None:
        self.plan, self.builder = finisher.plan, finisher.builder
        self.op = epilogue.op
        self.groups = self.plan.tile.groups
        self.row_strides: list[int] = []
        self.column_strides: list[int] = []
        self.sources: list[tuple[SSAValue, Base] | None] = []
        rows, columns = self.plan.rows.dim.others, self.plan.columns.dim.others
        further = zip(rows or (0,) * len(columns), columns, finisher.terms, strict=True)
        for operand, flat in zip(epilogue.operands, finisher.flat, strict=True):
            down, along, source = 0, 0, None
            if operand is not None and flat is not None:
                down, along, terms = next(further)
                base = self.builder.base(plus(terms, scaled(row, down), scaled(column, along)), operand.offset)
                source = flat, base
            self.row_strides.append(down)
            self.column_strides.append(along)
            self.sources.append(source)
        self.loaded: dict[tuple[int, int, int], SSAValue] = {}
        self.constants: dict[tuple[SSAValue, int], SSAValue] = {}

    def apply(self, sums: SSAValue, row: int, index: int) -> SSAValue:
        """What becomes of group `index` of the vectors of row `row`."""
        block = self.op.body.block
        values: dict[SSAValue, SSAValue] = {}
        lanes = self.groups[index][1] * self.plan.tile.lanes
        for argument, source in zip(block.args, self.sources, strict=False):
            if source is None:
                values[argument] = sums
            elif argument.first_use is not None:
                values[argument] = self._operand(argument.index, *source, row, index)
        for op in block.ops:
            if not isinstance(op, YieldOp | arith.ConstantOp):
                operands = [values.get(operand) or self._constant(operand, lanes) for operand in op.operands]
                types = [vector_type(result.type, lanes) for result in op.results]
                new = new_op(type(op), operands=operands, result_types=types, properties=dict(op.properties))
                values[op.results[0]] = self.builder.add(new)
        assert isinstance(block.last_op, YieldOp)
        result = block.last_op.operands[0]
        return values.get(result) or self._constant(result, lanes)

    def _constant(self, value: SSAValue, lanes: int) -> SSAValue:
        """The constant `value` in `lanes` lanes."""
        if (value, lanes) not in self.constants:
            constant = value.owner
            assert isinstance(constant, arith.ConstantOp) and isinstance(constant.value, FloatAttr)
            type = vector_type(constant.value.type, lanes)
            splat = DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), [constant.value.value.data])
            self.constants[value, lanes] = self.builder.constant(splat, type)
        return self.constants[value, lanes]

    def _operand(self, position: int, flat: SSAValue, base: Base, row: int, index: int) -> SSAValue:
        """The elements of an input that meet group `index` of row `row`; each is read once."""
        down, along = self.row_strides[position], self.column_strides[position]
        first, count = self.groups[index]
        key = position, row if down else 0, index if along else -count
        if key not in self.loaded:
            offset = key[1] * down + (self.plan.tile.vector_starts[first] if along else 0)
            type = vector_type(element_type_of(flat), count * self.plan.tile.lanes)
            if along:
                self.loaded[key] = self.builder.load(flat, base, offset, type)
            else:
                element = self.builder.load(flat, base, offset)
                self.loaded[key] = self.builder.add(new_op(vector.BroadcastOp, operands=[element], result_types=[type]))
        return self.loaded[key]
