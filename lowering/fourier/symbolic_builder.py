"""Writes loops and accesses whose distances are symbols: index arithmetic in place of affine maps."""

from __future__ import annotations

from xdsl.dialects import arith, memref, vector
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.editing import append, insert_before, new_op
from ...dialects.shared_attributes import INDEX, index_attribute
from ...ir.affine_builder import AffineBuilder, Base, Terms


class SymbolicBuilder(AffineBuilder):
    """An `AffineBuilder` for the body of a function, where loops may have symbols for bounds and distances.

    Affine maps have no products of variables and symbols, so addresses are `arith` ops, and accesses those of `memref`
    and `vector`; constants stand at the top of the function.
    """

    loads, stores = (memref.LoadOp, vector.LoadOp), (memref.StoreOp, vector.StoreOp)

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

    def _access(self, base: Base, offset: int) -> tuple[list[SSAValue], dict[str, Attribute]]:
        offset += base.offset
        if base.value is None:
            return [self.number(offset)], {}
        return [self._index(arith.AddiOp, base.value, self.number(offset)) if offset else base.value], {}
