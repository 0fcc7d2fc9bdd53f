"""Appending ops to a block, and constants to the top of the function."""

from __future__ import annotations

import builtins
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from ...dialects.editing import append, new_op
from ...dialects.stablehlo.shapes import is_complex
from .attributes import scalar_attribute, signless


class Emitter:
    """The block that receives new ops, and the constants of its function so far."""

    def __init__(self, entry: Block):
        self.block = entry
        self.location: Any = None
        self._constants: dict[Any, OpResult] = {}

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = {},
        regions: Sequence[Region] = (),
    ) -> Sequence[OpResult]:
        """Append an op to the current block; its results."""
        op = new_op(op_type, operands, result_types, properties, regions=regions, location=self.location)
        append(self.block, op)
        return op.results

    def result(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] = {},
    ) -> OpResult:
        """Append an op of one result of type `type`; the result."""
        op = new_op(op_type, operands, (type,), properties, location=self.location)
        append(self.block, op)
        return op.results[0]

    @contextmanager
    def into(self, block: Block) -> Generator[Block]:
        """Emit into `block` for a while."""
        outer, self.block = self.block, block
        yield block
        self.block = outer

    def constant(self, type: Attribute, value: builtins.complex) -> SSAValue:
        """The scalar `value` of the (signless) type `type`."""
        key = (type, value, str(value) if isinstance(value, builtins.complex | float) else "")
        return self._constants.get(key) or self._hoisted(key, scalar_attribute(type, value), type)

    def dense_constant(self, dense: DenseIntOrFPElementsAttr) -> SSAValue:
        """A constant tensor, signless."""
        type = signless(dense.type)
        if type is not dense.type:
            dense = DenseIntOrFPElementsAttr(type, dense.data)  # pyright: ignore
        return self._constants.get(id(dense)) or self._hoisted(id(dense), dense, type)

    def _hoisted(self, key: Any, value: Attribute, type: Attribute) -> SSAValue:
        op_type = complex.ConstantOp if is_complex(type) else arith.ConstantOp
        self._constants[key] = new_op(op_type, (), (type,), {"value": value}).results[0]
        return self._constants[key]

    def finish(self, entry: Block) -> None:
        """Put the constants in front of everything else."""
        constants = [result.op for result in self._constants.values()]
        first = entry.first_op
        if first is None:
            entry.add_ops(constants)
        else:
            entry.insert_ops_before(constants, first)
