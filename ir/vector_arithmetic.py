"""Arithmetic on vectors: of floats as it stands, of integers modulo a power of two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import copysign
from typing import Any, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerType, VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.editing import new_op
from ..dialects.shared_attributes import i64_array, i64_attribute, vector_type
from . import compensated_sums
from .affine_builder import AffineBuilder
from .vectors import lanes, on_vectors

_ORDERED_AND_NOT_EQUAL: dict[str, Attribute] = {
    "predicate": i64_attribute(arith.CMPF_COMPARISON_OPERATIONS.index("one")),
    "fastmath": arith.FastMathFlagsAttr("none"),
}


@lru_cache(1 << 12)
def _splat(type: VectorType, value: float, sign: float) -> Attribute:
    """The attribute of a vector of equal elements; `sign` tells 0 from -0, which are equal."""
    return DenseIntOrFPElementsAttr.from_list(cast("VectorType[Any]", type), [value])


class VectorArithmetic:
    """Arithmetic on vectors, appended where `builder` stands. With `fma` the CPU rounds a product of floats and its
    addition once.
    """

    def __init__(self, builder: AffineBuilder, fma: bool) -> None:
        self.builder = builder
        self.fma = fma

    def splat(self, value: float, type: VectorType) -> SSAValue:
        """A constant of equal elements."""
        return self.builder.constant(_splat(type, value, copysign(1, value)), type)

    def zero(self, type: VectorType) -> SSAValue:
        """A vector of zeros."""
        return self.splat(0 if isinstance(type.element_type, IntegerType) else 0.0, type)

    def broadcast(self, scalar: SSAValue, type: VectorType) -> SSAValue:
        """A vector of equal elements."""
        return self.builder.add(new_op(vector.BroadcastOp, [scalar], [type]))

    def shuffle(self, a: SSAValue, b: SSAValue, places: Sequence[int]) -> SSAValue:
        """The elements of two vectors, numbered one after the other, at `places`, as many as each has."""
        return self.builder.add(new_op(vector.ShuffleOp, [a, b], [a.type], {"mask": i64_array(*places)}))

    def _binary(self, a: SSAValue, b: SSAValue, of_floats: type[Operation], of_integers: type[Operation]) -> SSAValue:
        op = of_integers if _is_integer(a) else of_floats
        return self.builder.add(new_op(op, [a, b], [a.type]))

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a + b`."""
        return self._binary(a, b, arith.AddfOp, arith.AddiOp)

    def subtract(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a - b`."""
        return self._binary(a, b, arith.SubfOp, arith.SubiOp)

    def multiply(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a * b`."""
        return self._binary(a, b, arith.MulfOp, arith.MuliOp)

    def exclusive_or(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """The bits of integers in which `a` and `b` differ."""
        return self.builder.add(new_op(on_vectors(arith.XOrIOp), [a, b], [a.type]))

    def negate(self, a: SSAValue) -> SSAValue:
        """`-a` of floats."""
        return self.builder.add(new_op(arith.NegfOp, [a], [a.type]))

    def multiply_add(self, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
        """`a * b + c`, rounded once where the CPU can."""
        if not self.fma or _is_integer(a):
            return self.add(c, self.multiply(a, b))
        return self.builder.add(new_op(vector.FMAOp, [a, b, c], [a.type]))

    def two_sum(self, total: SSAValue, term: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The sum of two vectors of floats, and what it differs by from the exact sum."""
        return compensated_sums.two_sum(total, term, self.add, self.subtract)

    def with_error(self, total: SSAValue, error: SSAValue) -> SSAValue:
        """A vector of sums of floats with their errors."""
        type = cast("VectorType[Any]", total.type)

        def is_nonzero(value: SSAValue) -> SSAValue:
            mask = vector_type(i1, type.element_count())
            return self._lanewise(arith.CmpfOp, [value, self.splat(0.0, type)], mask, _ORDERED_AND_NOT_EQUAL)

        def select(condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
            return self._lanewise(arith.SelectOp, [condition, yes, no], type, {})

        return compensated_sums.with_error(total, error, self.add, is_nonzero, select)

    def _lanewise(
        self, op: type[Operation], operands: list[SSAValue], type: Attribute, options: dict[str, Attribute]
    ) -> SSAValue:
        return self.builder.add(new_op(on_vectors(op), operands, [type], options))


def _is_integer(value: SSAValue) -> bool:
    return isinstance(cast("VectorType[Attribute]", value.type).element_type, IntegerType)


def deinterleave(arithmetic: VectorArithmetic, a: SSAValue, b: SSAValue) -> list[SSAValue]:
    """The even and the odd elements of two vectors."""
    even = range(0, 2 * lanes(a), 2)
    return [arithmetic.shuffle(a, b, even), arithmetic.shuffle(a, b, [place + 1 for place in even])]


def interleave(arithmetic: VectorArithmetic, a: SSAValue, b: SSAValue) -> list[SSAValue]:
    """Elements of two vectors by turns."""
    count = lanes(a)
    places = [place for lane in range(count) for place in (lane, count + lane)]
    return [arithmetic.shuffle(a, b, places[:count]), arithmetic.shuffle(a, b, places[count:])]


def transposed(arithmetic: VectorArithmetic, *rows: SSAValue) -> list[SSAValue]:
    """The columns of a square: its blocks off the diagonal change places, on all scales."""
    result, count = list(rows), len(rows)
    distance = 1
    while distance < count:
        inside = [lane & distance != 0 for lane in range(count)]
        upper = [count + lane - distance if inside[lane] else lane for lane in range(count)]
        lower = [count + lane if inside[lane] else lane + distance for lane in range(count)]
        for row in range(count):
            if not inside[row]:
                a, b = result[row], result[row + distance]
                result[row], result[row + distance] = arithmetic.shuffle(a, b, upper), arithmetic.shuffle(a, b, lower)
        distance *= 2
    return result
