"""Writes loops and accesses whose distances are symbols: index arithmetic in place of affine maps."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith, memref, vector
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.editing import append, insert_before, new_op
from ...dialects.shared_attributes import INDEX, i64_attribute, index_attribute
from ...dialects.xrt import PrefetchOp
from ...ir.affine_builder import AffineBuilder, Base, Terms


class SymbolicBuilder(AffineBuilder):
    """An `AffineBuilder` for the body of a function, where loops may have symbols for bounds and distances.

    Affine maps have no products of variables and symbols, so addresses are `arith` ops, and accesses those of `memref`
    and `vector`; constants stand at the top of the function.
    """

    def __init__(self, entry: Block) -> None:
        super().__init__(entry)
        self.entry = entry
        self.constants: dict[int, SSAValue] = {}

    def number(self, value: int) -> SSAValue:
        """An index constant."""
        found = self.constants.get(value)
        if found is None:
            op = new_op(arith.ConstantOp, result_types=[INDEX], properties={"value": index_attribute(value)})
            first = self.entry.first_op
            if first is None:
                append(self.entry, op)
            else:
                insert_before(op, first)
            found = self.constants[value] = op.result
        return found

    def _index(self, op: type[Operation], left: SSAValue, right: SSAValue) -> SSAValue:
        return self.add(new_op(op, operands=[left, right], result_types=[INDEX]))

    def base(self, terms: Terms, offset: int = 0) -> Base:
        total: SSAValue | None = None
        for value, factor in terms.items():
            if factor:
                term = value if factor == 1 else self._index(arith.MuliOp, value, self.number(factor))
                total = term if total is None else self._index(arith.AddiOp, total, term)
        return Base(total, offset)

    def product(self, value: SSAValue | None, factor: int | SSAValue) -> Terms:
        if value is None or isinstance(factor, int):
            return super().product(value, factor)
        return {self._index(arith.MuliOp, value, factor): 1}

    def _place(self, base: Base, offset: int) -> SSAValue:
        offset += base.offset
        if base.value is None:
            return self.number(offset)
        return self._index(arith.AddiOp, base.value, self.number(offset)) if offset else base.value

    def load(self, flat: SSAValue, base: Base, offset: int, vector: VectorType | None = None) -> SSAValue:
        place = self._place(base, offset)
        if vector is not None:
            return self.add(new_op(_VectorLoad, operands=[flat, place], result_types=[vector]))
        element_type = cast(MemRefType[Attribute], flat.type).element_type
        return self.add(new_op(memref.LoadOp, operands=[flat, place], result_types=[element_type]))

    def store(self, value: SSAValue, flat: SSAValue, base: Base, offset: int) -> None:
        place = self._place(base, offset)
        op_type = vector.StoreOp if isinstance(value.type, VectorType) else memref.StoreOp
        append(self.block, new_op(op_type, operands=[value, flat, place]))

    def prefetch(self, flat: SSAValue, base: Base, offset: int, lines: int = 1) -> None:
        properties = {"lines": i64_attribute(lines)} if lines > 1 else {}
        append(self.block, new_op(PrefetchOp, operands=[flat, self._place(base, offset)], properties=properties))


_VectorLoad = vector.LoadOp
