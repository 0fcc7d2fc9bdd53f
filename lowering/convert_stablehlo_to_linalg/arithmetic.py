"""Scalar arithmetic in the notation of formulas.

    last = (code >> dropped) & 1

emits `arith.shrui`, `arith.andi` and their constants at the current block. A number has the element type of StableHLO:
the sign is in it, although the values are signless, and so is which op an operator stands for. Numbers of type `index`
are places in tensors: sums and products of these fold with the integers that Python knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from xdsl.dialects import arith, complex
from xdsl.dialects.builtin import ComplexType, i1
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.element_sizes import element_bits
from ...dialects.shared_attributes import INDEX, i64_attribute
from ...dialects.stablehlo.shapes import real_type
from .attributes import Kind, kind_of, signless

if TYPE_CHECKING:
    from .builder import Lowering

CMPI = {name: {"predicate": i64_attribute(number)} for number, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}
CMPF = {name: {"predicate": i64_attribute(number)} for number, name in enumerate(arith.CMPF_COMPARISON_OPERATIONS)}

REASSOCIATE = {"fastmath": arith.FastMathFlagsAttr([FastMathFlag.REASSOC])}
"""The flag of the additions and multiplications of reductions."""

CONTRACTIBLE = {"fastmath": arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])}
"""The flag of the steps of polynomials that stand for a function of chlo."""

_NO_PROPERTIES: Mapping[str, Attribute] = {}


class Number:
    """A scalar, whose operators emit ops of its type. Where they take another one, a Python number is a constant."""

    __slots__ = ("ctx", "type", "value")

    def __init__(self, ctx: Lowering, value: SSAValue, type: Attribute | None = None):
        self.ctx = ctx
        self.value = value
        self.type = value.type if type is None else type

    @property
    def bits(self) -> int:
        """How many bits an integer or a float has."""
        return element_bits(self.type)

    def constant(self, value: float) -> Number:
        """The constant `value` of the same type."""
        return Number(self.ctx, self.ctx.constant(self.value.type, value), self.type)

    def read_as(self, type: Attribute) -> Number:
        """The same value as one of `type`, which differs in the sign."""
        return Number(self.ctx, self.value, type)

    def apply(
        self,
        op_type: type[Operation],
        *others: Number | float,
        to: Attribute | None = None,
        properties: Mapping[str, Attribute] = _NO_PROPERTIES,
    ) -> Number:
        """The op on this number and `others`, whose result has this type or `to`."""
        operands = [self.value]
        for other in others:
            is_number = isinstance(other, Number)
            operands.append(other.value if is_number else self.ctx.constant(self.value.type, other))
        result = self.value.type if to is None else signless(to)
        return Number(self.ctx, self.ctx.result(op_type, operands, result, properties), to or self.type)

    def combine(self, row: Row, other: Number | float, properties: Mapping[str, Attribute] = _NO_PROPERTIES) -> Number:
        """`row` of this number and `other`; `properties` of numbers that are no integers."""
        kind = kind_of(self.type)
        rule = row[kind]
        assert rule is not None
        if isinstance(rule, type):
            is_integer = kind not in (Kind.FLOAT, Kind.COMPLEX)
            return self.apply(rule, other, properties=_NO_PROPERTIES if is_integer else properties)
        return rule(self, other)

    def __add__(self, other: Number | float) -> Number:
        return self if other == 0 and self.type is INDEX else self.combine(ADD, other)

    def __radd__(self, other: float) -> Number:
        return self if other == 0 and self.type is INDEX else self.constant(other).combine(ADD, self)

    def __sub__(self, other: Number | float) -> Number:
        return self if other == 0 and self.type is INDEX else self.combine(SUBTRACT, other)

    def __rsub__(self, other: float) -> Number:
        return self.constant(other).combine(SUBTRACT, self)

    def __mul__(self, other: Number | float) -> Number:
        return self if other == 1 and self.type is INDEX else self.combine(MULTIPLY, other)

    def __truediv__(self, other: Number | float) -> Number:
        """The quotient of floats or complex numbers."""
        return self.apply(complex.DivOp if kind_of(self.type) is Kind.COMPLEX else arith.DivfOp, other)

    def __neg__(self) -> Number:
        return self.apply(arith.NegfOp) if kind_of(self.type) is Kind.FLOAT else 0 - self

    def __invert__(self) -> Number:
        return self ^ -1

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
        if kind_of(self.type) is Kind.FLOAT:
            return self.apply(arith.CmpfOp, other, to=i1, properties=CMPF[predicate])
        return self.apply(arith.CmpiOp, other, to=i1, properties=CMPI[predicate])

    def select(self, yes: Number | float, no: Number | float) -> Number:
        """`yes`, or a constant, where this boolean holds, else `no`."""
        like = no if isinstance(no, Number) else yes
        assert isinstance(like, Number)
        yes, no = (each if isinstance(each, Number) else like.constant(each) for each in (yes, no))
        return Number(
            self.ctx,
            self.ctx.result(arith.SelectOp, (self.value, yes.value, no.value), yes.value.type),
            yes.type,
        )

    def choose(self, yes: Sequence[Number], no: Sequence[Number]) -> list[Number]:
        """`select` of each pair."""
        return [self.select(a, b) for a, b in zip(yes, no, strict=True)]

    def bitcast(self, type: Attribute) -> Number:
        """The bits of the number as a `type` of its width."""
        return self.read_as(type) if self.value.type == signless(type) else self.apply(arith.BitcastOp, to=type)

    def resized(self, type: Attribute) -> Number:
        """A float as one of `type`, which has more or fewer bits if it is another one."""
        if self.type == type:
            return self
        return self.apply(arith.ExtFOp if self.bits < element_bits(type) else arith.TruncFOp, to=type)

    def as_index(self) -> Number:
        """An integer, with its sign, as an index."""
        return self.apply(arith.IndexCastOp, to=INDEX)

    def parts(self) -> tuple[Number, Number]:
        """The real and the imaginary part of a complex number."""
        part = real_type(self.type)
        return self.apply(complex.ReOp, to=part), self.apply(complex.ImOp, to=part)


Index: TypeAlias = "Number | int"
"""A place along a dimension, known now or when the program runs."""
Rule: TypeAlias = Callable[..., Number]
"""Emits the scalar form of an op on numbers."""


class Row(NamedTuple):
    """What an op is on scalars of each kind: an op of operands and a result of one type, a rule, or not defined."""

    float: type[Operation] | Rule | None = None
    signed: type[Operation] | Rule | None = None
    unsigned: type[Operation] | Rule | None = None
    boolean: type[Operation] | Rule | None = None
    complex: type[Operation] | Rule | None = None
    other: None = None


def complex_of(real: Number, imaginary: Number | float) -> Number:
    """The complex number of two parts."""
    return real.apply(complex.CreateOp, imaginary, to=ComplexType(signless(real.type)))  # pyright: ignore


def _not_less(lhs: Number, rhs: Number) -> Number:
    """Of complex numbers, by real part, then imaginary part: the specification's lexicographic order."""
    (a, b), (c, d) = lhs.parts(), rhs.parts()
    return a.compare("ogt", c) | (a.compare("oeq", c) & b.compare("oge", d))


def _later(lhs: Number, rhs: Number) -> Number:
    return _not_less(lhs, rhs).select(lhs, rhs)


def _earlier(lhs: Number, rhs: Number) -> Number:
    return _not_less(lhs, rhs).select(rhs, lhs)


ADD = Row(arith.AddfOp, arith.AddiOp, arith.AddiOp, arith.OrIOp, complex.AddOp)
SUBTRACT = Row(arith.SubfOp, arith.SubiOp, arith.SubiOp, complex=complex.SubOp)
MULTIPLY = Row(arith.MulfOp, arith.MuliOp, arith.MuliOp, arith.AndIOp, complex.MulOp)
MAXIMUM = Row(arith.MaximumfOp, arith.MaxSIOp, arith.MaxUIOp, arith.OrIOp, _later)
MINIMUM = Row(arith.MinimumfOp, arith.MinSIOp, arith.MinUIOp, arith.AndIOp, _earlier)


def materialized(ctx: Lowering, index: Index) -> Number:
    """`index` in the IR."""
    return Number(ctx, ctx.constant(INDEX, index)) if isinstance(index, int) else index


def greatest(first: Index, second: Index) -> Index:
    """The greater of two indices."""
    return _extreme(MAXIMUM, max, first, second)


def least(first: Index, second: Index) -> Index:
    """The lesser of two indices."""
    return _extreme(MINIMUM, min, first, second)


def _extreme(row: Row, known: Callable[[int, int], int], first: Index, second: Index) -> Index:
    if isinstance(first, int) and isinstance(second, int):
        return known(first, second)
    if isinstance(first, int):
        assert isinstance(second, Number)
        first = second.constant(first)
    return first.combine(row, second)
