"""Scalar arithmetic in the notation of formulas.

    last = (code >> dropped) & 1

emits `arith.shrui`, `arith.andi` and their constants at the current block. Complex numbers are computed on their parts.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import ComplexType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import i64_attribute
from .attributes import default_properties, is_float, part_type
from .builder import Lowering

CMPI = {name: {"predicate": i64_attribute(number)} for number, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}
CMPF = {
    name: {"predicate": i64_attribute(number), **default_properties(arith.CmpfOp)}
    for number, name in enumerate(arith.CMPF_COMPARISON_OPERATIONS)
}


def width(value: SSAValue) -> int:
    """The number of bits of a scalar integer or float."""
    return element_bits(value.type)


def compare_int(ctx: Lowering, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`arith.cmpi`."""
    return ctx.scalar(arith.CmpiOp, (lhs, rhs), i1, CMPI[predicate])


def compare_float(ctx: Lowering, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """`arith.cmpf`."""
    return ctx.scalar(arith.CmpfOp, (lhs, rhs), i1, CMPF[predicate])


def select(ctx: Lowering, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    """`arith.select`."""
    return ctx.scalar(arith.SelectOp, (condition, yes, no), yes.type)


class Number:
    """A scalar integer or float, whose operators emit ops of its type. On their right a Python number is a constant."""

    __slots__ = ("ctx", "value")

    def __init__(self, ctx: Lowering, value: SSAValue):
        self.ctx = ctx
        self.value = value

    @property
    def type(self) -> Any:
        return self.value.type

    def constant(self, value: float) -> Number:
        """The constant `value` of the same type."""
        return Number(self.ctx, self.ctx.constant(self.type, value))

    def apply(self, op_type: type[Operation], *others: Number | float, to: Attribute | None = None) -> Number:
        """The op on this number and `others`, whose result has this type or `to`."""
        operands = [self.value, *(self._operand(other) for other in others)]
        return Number(self.ctx, self.ctx.scalar(op_type, operands, self.type if to is None else to))

    def _operand(self, other: Number | float) -> SSAValue:
        return other.value if isinstance(other, Number) else self.ctx.constant(self.type, other)

    def __add__(self, other: Number | float) -> Number:
        return self.apply(arith.AddfOp if is_float(self.type) else arith.AddiOp, other)

    def __sub__(self, other: Number | float) -> Number:
        return self.apply(arith.SubfOp if is_float(self.type) else arith.SubiOp, other)

    def __mul__(self, other: Number | float) -> Number:
        return self.apply(arith.MulfOp if is_float(self.type) else arith.MuliOp, other)

    def __truediv__(self, other: Number | float) -> Number:
        return self.apply(arith.DivfOp, other)

    def __neg__(self) -> Number:
        return self.apply(arith.NegfOp)

    def __and__(self, other: Number | int) -> Number:
        return self.apply(arith.AndIOp, other)

    def __or__(self, other: Number | int) -> Number:
        return self.apply(arith.OrIOp, other)

    def __xor__(self, other: Number | int) -> Number:
        return self.apply(arith.XOrIOp, other)

    def __lshift__(self, other: Number | int) -> Number:
        return self.apply(arith.ShLIOp, other)

    def __rshift__(self, other: Number | int) -> Number:
        """Zeros come in from the left."""
        return self.apply(arith.ShRUIOp, other)

    def compare(self, predicate: str, other: Number | float) -> Number:
        """`arith.cmpf` or `arith.cmpi`."""
        compare = compare_float if is_float(self.type) else compare_int
        return Number(self.ctx, compare(self.ctx, predicate, self.value, self._operand(other)))

    def select(self, yes: Number | float, no: Number) -> Number:
        """`yes` where this boolean holds, `no` where not."""
        return Number(self.ctx, select(self.ctx, self.value, no._operand(yes), no.value))

    def bitcast(self, type: Attribute) -> Number:
        """The bits of the number as a `type` of its width."""
        return self if self.type == type else self.apply(arith.BitcastOp, to=type)

    def resized(self, type: Attribute) -> Number:
        """A float as one of `type`, which has more or fewer bits if it is another one."""
        if self.type == type:
            return self
        longer = element_bits(self.type) < element_bits(type)
        return self.apply(arith.ExtFOp if longer else arith.TruncFOp, to=type)


def parts_of(ctx: Lowering, value: SSAValue) -> tuple[Number, Number]:
    """The real and the imaginary part of a complex scalar."""
    part = part_type(value.type)
    real, imaginary = (Number(ctx, ctx.scalar(op, (value,), part)) for op in (complex.ReOp, complex.ImOp))
    return real, imaginary


def complex_of(real: Number, imaginary: Number) -> SSAValue:
    """The complex scalar of two parts."""
    return real.ctx.scalar(complex.CreateOp, (real.value, imaginary.value), ComplexType(real.type))
