"""Index arithmetic in front of an op: folded, without repetition, with known intervals.

Values known at compile time are Python integers until an op needs them; then they are constants at
the top of the function. Equal terms are computed once for a block and the blocks nested in it. Every
value has an interval, by which divisions of what cannot be negative are unsigned, and those by more
than the largest value vanish. Sums, differences and products carry `nsw`: bounds and addresses of a
valid program fit. The signed expansions of `floordiv`, `ceildiv` and `mod` are those of MLIR's
AffineToStandard.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from ..dialects.editing import insert_before, new_op
from ..dialects.shared_attributes import INDEX, i64_attribute
from ..errors import UnsupportedError
from .index_ops import NO_WRAP, index_constant

Index: TypeAlias = "int | SSAValue"
"""An index known at compile time, or the value that holds it."""

Interval: TypeAlias = "tuple[int, int]"
"""Inclusive bounds."""

_ANY: Interval = (-(2**63), 2**63 - 1)
_NO_PROPERTIES: Mapping[str, Attribute] = {}
_PREDICATES: Mapping[str, Mapping[str, Attribute]] = {
    name: {"predicate": i64_attribute(number)} for name, number in {"eq": 0, "slt": 2, "sle": 3, "sge": 5}.items()
}


class IndexArithmetic:
    """Index arithmetic in one function. `anchor` is the op that new ops go in front of."""

    def __init__(self, entry: Block) -> None:
        self.entry = entry
        self.constants: dict[int, SSAValue] = {}
        self.intervals: dict[int, Interval] = {}
        """By `id` of the value, as it takes a call of Python's to find a value itself; these are never erased here."""
        self.terms: dict[tuple[object, ...], SSAValue] = {}
        """By class of op and `id` of operands and properties."""
        self.scope: list[tuple[object, ...]] = []
        self.anchor: Operation
        for op in entry.ops:
            if type(op) is not arith.ConstantOp:
                break
            if op.result.type == INDEX and isinstance(op.value, IntegerAttr):
                self.constants.setdefault(op.value.value.data, op.result)

    @contextmanager
    def nested(self) -> Generator[None]:
        """The block being visited: its terms are not available behind it."""
        mark = len(self.scope)
        yield
        for key in self.scope[mark:]:
            del self.terms[key]
        del self.scope[mark:]

    def value(self, index: Index) -> SSAValue:
        """The value of `index`; constants stand at the top of the function."""
        if not isinstance(index, int):
            return index
        found = self.constants.get(index)
        if found is None:
            first = self.entry.first_op
            assert first is not None
            found = self.constants[index] = index_constant(index, first)
        return found

    def interval(self, index: Index) -> Interval:
        if isinstance(index, int):
            return index, index
        return self.intervals.get(id(index), _ANY)

    def emit(
        self,
        op_class: type[Operation],
        operands: Sequence[Index],
        properties: Mapping[str, Attribute] = _NO_PROPERTIES,
        result_type: Attribute = INDEX,
        interval: Interval = _ANY,
    ) -> SSAValue:
        """One op in front of the anchor, or the value of an equal one that dominates it."""
        values = list(map(self.value, operands))
        key = (op_class, id(properties), *map(id, values))
        found = self.terms.get(key)
        if found is not None:
            return found
        op = new_op(op_class, values, (result_type,), properties)
        insert_before(op, self.anchor)
        result = self.terms[key] = op.results[0]
        self.scope.append(key)
        if interval is not _ANY:
            self.intervals[id(result)] = interval
        return result

    def add(self, left: Index, right: Index) -> Index:
        if isinstance(left, int):
            left, right = right, left
        if isinstance(right, int):
            if isinstance(left, int):
                return left + right
            if right == 0:
                return left
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        return self.emit(arith.AddiOp, (left, right), NO_WRAP, interval=(low + right_low, high + right_high))

    def subtract(self, left: Index, right: Index) -> Index:
        if isinstance(left, int) and isinstance(right, int):
            return left - right
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        return self.emit(arith.SubiOp, (left, right), NO_WRAP, interval=(low - right_high, high - right_low))

    def multiply(self, left: Index, right: Index) -> Index:
        if isinstance(left, int):
            left, right = right, left
        if isinstance(right, int):
            if right == 0:
                return 0
            if right == 1:
                return left
        bounds = [a * b for a in self.interval(left) for b in self.interval(right)]
        return self.emit(arith.MuliOp, (left, right), NO_WRAP, interval=(min(bounds), max(bounds)))

    def floor_divide(self, left: Index, right: Index) -> Index:
        if right == 1:
            return left
        low, high = self.interval(left)
        divisor_low, divisor_high = self.interval(right)
        if low >= 0 and high < divisor_low:
            return 0
        if low >= 0 and divisor_low > 0:
            interval = (low // divisor_high, high // divisor_low)
            return self.emit(arith.DivUIOp, (left, right), interval=interval)
        # left < 0 ? -1 - (-1 - left) / right : left / right
        negative = self.compare("slt", left, 0)
        magnitude = self.select(negative, self.subtract(-1, left), left)
        quotient = self.emit(arith.DivSIOp, (magnitude, right))
        return self.select(negative, self.subtract(-1, quotient), quotient)

    def ceil_divide(self, left: Index, right: Index) -> Index:
        if right == 1:
            return left
        if self.interval(left)[0] >= 0 and isinstance(right, int):
            return self.floor_divide(self.add(left, right - 1), right)
        # left <= 0 ? -(-left / right) : (left - 1) / right + 1
        negative = self.compare("sle", left, 0)
        magnitude = self.select(negative, self.subtract(0, left), self.add(left, -1))
        quotient = self.emit(arith.DivSIOp, (magnitude, right))
        return self.select(negative, self.subtract(0, quotient), self.add(quotient, 1))

    def modulo(self, left: Index, right: Index) -> Index:
        if right == 1:
            return 0
        low, high = self.interval(left)
        divisor_low, divisor_high = self.interval(right)
        if low >= 0 and high < divisor_low:
            return left
        if low >= 0 and divisor_low > 0:
            return self.emit(arith.RemUIOp, (left, right), interval=(0, min(high, divisor_high - 1)))
        remainder = self.emit(arith.RemSIOp, (left, right))
        negative = self.compare("slt", remainder, 0)
        wrapped = self.add(remainder, right)
        interval = (0, divisor_high - 1) if divisor_low > 0 else _ANY
        return self.select(negative, wrapped, remainder, interval)

    def compare(self, predicate: str, left: Index, right: Index) -> SSAValue:
        return self.emit(arith.CmpiOp, (left, right), _PREDICATES[predicate], i1)

    def select(self, condition: SSAValue, true: Index, false: Index, interval: Interval = _ANY) -> SSAValue:
        return self.emit(arith.SelectOp, (condition, true, false), interval=interval)

    def minimum(self, left: Index, right: Index) -> Index:
        return self._extremum(arith.MinSIOp, min, left, right)

    def maximum(self, left: Index, right: Index) -> Index:
        return self._extremum(arith.MaxSIOp, max, left, right)

    def _extremum(
        self, op_class: type[Operation], choose: Callable[[int, int], int], left: Index, right: Index
    ) -> Index:
        """The intervals may say which one it is."""
        (low, high), (right_low, right_high) = self.interval(left), self.interval(right)
        interval = choose(low, right_low), choose(high, right_high)
        if high <= right_low or right_high <= low:
            return left if interval == (low, high) else right
        return self.emit(op_class, (left, right), interval=interval)

    def evaluate(self, expr: AffineExpr, dims: Sequence[Index], symbols: Sequence[Index]) -> Index:
        if type(expr) is AffineDimExpr:
            return dims[expr.position]
        if type(expr) is AffineConstantExpr:
            return expr.value
        if type(expr) is AffineSymExpr:
            return symbols[expr.position]
        if type(expr) is not AffineBinaryOpExpr:
            raise UnsupportedError(f"affine expression {expr} of unknown kind", self.anchor)
        kind, lhs, rhs = expr.kind, expr.lhs, expr.rhs
        if kind is AffineBinaryOpKind.Add:
            if (negated := _negated(lhs)) is not None:
                left = self.evaluate(rhs, dims, symbols)
                return self.subtract(left, self.evaluate(negated, dims, symbols))
            return self.add(self.evaluate(lhs, dims, symbols), self.evaluate(rhs, dims, symbols))
        left, right = self.evaluate(lhs, dims, symbols), self.evaluate(rhs, dims, symbols)
        emit, fold = _BINARY[kind]
        return fold(left, right) if isinstance(left, int) and isinstance(right, int) else emit(self, left, right)

    def evaluate_map(self, affine_map: AffineMap, operands: Sequence[SSAValue]) -> list[Index]:
        known = list(map(self.known, operands))
        dims, symbols = known[: affine_map.num_dims], known[affine_map.num_dims :]
        return [self.evaluate(expr, dims, symbols) for expr in affine_map.results]

    def known(self, operand: SSAValue) -> Index:
        owner = operand.owner
        if type(owner) is arith.ConstantOp and type(value := owner.properties["value"]) is IntegerAttr:
            return cast("IntegerAttr[Any]", value).value.data
        return operand

    def set_induction_interval(self, induction: SSAValue, lower: Index, upper: Index) -> None:
        self.intervals[id(induction)] = (self.interval(lower)[0], self.interval(upper)[1] - 1)


def _negated(expr: AffineExpr) -> AffineExpr | None:
    """`x` of `x * -1`."""
    if type(expr) is AffineBinaryOpExpr and expr.kind is AffineBinaryOpKind.Mul:
        factor = expr.rhs
        if type(factor) is AffineConstantExpr and factor.value == -1:
            return expr.lhs
    return None


_BINARY: dict[
    AffineBinaryOpKind, tuple[Callable[[IndexArithmetic, Index, Index], Index], Callable[[int, int], int]]
] = {
    AffineBinaryOpKind.Mul: (IndexArithmetic.multiply, lambda left, right: left * right),
    AffineBinaryOpKind.FloorDiv: (IndexArithmetic.floor_divide, lambda left, right: left // right),
    AffineBinaryOpKind.CeilDiv: (IndexArithmetic.ceil_divide, lambda left, right: -(-left // right)),
    AffineBinaryOpKind.Mod: (IndexArithmetic.modulo, lambda left, right: left % right),
}
"""What computes and what folds each kind."""
