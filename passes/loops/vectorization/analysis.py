"""Which loops can count by vectors, and what is a vector in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects import affine, arith, math, memref, scf
from xdsl.dialects.builtin import (
    AffineMapAttr,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    NoneAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from ....dialects.structured import constant_index
from ....target import Target
from ..views import viewed_buffer

ELEMENTWISE_MATH = (
    math.AbsFOp,
    math.CeilOp,
    math.CopySignOp,
    math.FloorOp,
    math.FmaOp,
    math.RoundEvenOp,
    math.SqrtOp,
    math.TruncOp,
)

LOADS = (affine.LoadOp, memref.LoadOp)
STORES = (affine.StoreOp, memref.StoreOp)

_DIVISIONS = (
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
    arith.DivSIOp,
    arith.DivUIOp,
    arith.FloorDivSIOp,
    arith.RemSIOp,
    arith.RemUIOp,
)
"""CPUs divide one integer at a time."""
_INTEGERS = frozenset(IntegerType(bits) for bits in (1, 8, 16, 32, 64))
_LINEAR = (arith.AddiOp, arith.SubiOp, arith.MuliOp)


class Plan(NamedTuple):
    """A loop that can count by vectors of `lanes` elements."""

    loop: affine.ForOp | scf.ForOp
    lanes: int
    varying: set[SSAValue]
    """The values that differ between iterations."""
    slopes: dict[SSAValue, int]
    """The increase per iteration of index values."""
    computes: bool
    """Whether it does more than copying."""
    is_variable: bool
    """Whether its bounds are no constants."""


class _NoPlan(Exception):
    """The loop stays."""


def plan_loop(loop: Operation, target: Target) -> Plan | None:
    """How to vectorise the innermost loop `loop`; None if it has to stay."""
    if not isinstance(loop, affine.ForOp | scf.ForOp) or loop.results:
        return None
    try:
        return _Analysis(loop).plan(target)
    except _NoPlan:
        return None


class _Analysis:
    def __init__(self, loop: affine.ForOp | scf.ForOp) -> None:
        self.loop = loop
        self.block = loop.body.block
        self.slopes: dict[SSAValue, int] = {self.block.args[0]: 1}
        self.varying: set[SSAValue] = set()
        self.bits = 0
        self.computes = False
        self.reads: list[Operation] = []
        self.writes: list[Operation] = []

    def plan(self, target: Target) -> Plan:
        for op in self.block.ops:
            self._visit(op)
        if not self.bits or not self.writes:
            raise _NoPlan
        for write in self.writes:
            for access in (*self.reads, *self.writes):
                if _buffer(access) is _buffer(write) and not _same_place(access, write):
                    raise _NoPlan
        lanes = target.lanes(self.bits)
        if lanes < 2 or not all(bound % lanes == 0 for bound in _divisors(self.loop)):
            raise _NoPlan
        is_variable = isinstance(self.loop, scf.ForOp) and None in map(constant_index, (self.loop.lb, self.loop.ub))
        return Plan(self.loop, lanes, self.varying, self.slopes, self.computes, is_variable)

    def _visit(self, op: Operation) -> None:
        if isinstance(op, affine.YieldOp | scf.YieldOp | arith.ConstantOp):
            return
        if op.regions or op.successors:
            raise _NoPlan
        if isinstance(op, LOADS):
            self.reads.append(op)
            if self._is_contiguous(op):
                self._vary(op.results[0])
        elif isinstance(op, STORES):
            self.writes.append(op)
            if not self._is_contiguous(op):
                raise _NoPlan
            self._count(op.operands[0].type)
        elif isinstance(op, affine.ApplyOp):
            (slope,) = self._map_slopes(op.map.data, op.operands)
            self._slope(op.results[0], slope)
        elif isinstance(op, arith.IndexCastOp):
            self._visit_index_cast(op)
        elif len(op.results) == 1 and isinstance(op.results[0].type, IndexType):
            self._visit_index(op)
        elif not any(operand in self.varying for operand in op.operands):
            if any(self.slopes.get(operand) for operand in op.operands):
                raise _NoPlan
        else:
            is_elementwise = isinstance(op, ELEMENTWISE_MATH) or op.name.startswith("arith.")
            if not is_elementwise or isinstance(op, _DIVISIONS) or len(op.results) != 1:
                raise _NoPlan
            self.computes = True
            for operand in op.operands:
                if isinstance(operand.type, IndexType):
                    raise _NoPlan
            self._vary(op.results[0])

    def _vary(self, value: SSAValue) -> None:
        self._count(value.type)
        self.varying.add(value)

    def _count(self, type: Attribute) -> None:
        """Takes an element type into account; its vectors have to be those of a CPU."""
        if isinstance(type, Float32Type | Float64Type):
            bits = type.bitwidth
        elif type in _INTEGERS:
            bits = cast("IntegerType[Any]", type).bitwidth
        else:
            raise _NoPlan
        self.bits = max(self.bits, bits if bits > 1 else 0)

    def _slope(self, value: SSAValue, slope: int) -> None:
        if slope:
            self.slopes[value] = slope

    def _visit_index_cast(self, op: arith.IndexCastOp) -> None:
        if op.operands[0] in self.varying:
            raise _NoPlan
        if op.operands[0] in self.slopes:
            if op.results[0].type not in (i32, i64):
                raise _NoPlan
            self._vary(op.results[0])

    def _visit_index(self, op: Operation) -> None:
        slopes = [self.slopes.get(operand, 0) for operand in op.operands]
        if any(operand in self.varying for operand in op.operands):
            raise _NoPlan
        if not any(slopes):
            return
        if not isinstance(op, _LINEAR):
            raise _NoPlan
        if isinstance(op, arith.MuliOp):
            factors = [constant_index(operand) for operand in op.operands]
            if factors[1] is not None:
                self._slope(op.results[0], slopes[0] * factors[1])
            elif factors[0] is not None:
                self._slope(op.results[0], slopes[1] * factors[0])
            else:
                raise _NoPlan
        else:
            sign = -1 if isinstance(op, arith.SubiOp) else 1
            self._slope(op.results[0], slopes[0] + sign * slopes[1])

    def _map_slopes(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[int]:
        if any(operand in self.varying for operand in operands):
            raise _NoPlan
        slopes = [self.slopes.get(operand, 0) for operand in operands]
        return [self._slope_of(expr, slopes[: map.num_dims], slopes[map.num_dims :]) for expr in map.results]

    def _slope_of(self, expr: AffineExpr, dims: Sequence[int], symbols: Sequence[int]) -> int:
        if isinstance(expr, AffineDimExpr):
            return dims[expr.position]
        if isinstance(expr, AffineSymExpr):
            return symbols[expr.position]
        if not isinstance(expr, AffineBinaryOpExpr):
            return 0
        lhs, rhs = (self._slope_of(part, dims, symbols) for part in (expr.lhs, expr.rhs))
        if expr.kind is AffineBinaryOpKind.Add:
            return lhs + rhs
        if not lhs and not rhs:
            return 0
        if expr.kind is AffineBinaryOpKind.Mul and isinstance(expr.rhs, AffineConstantExpr):
            return lhs * expr.rhs.value
        raise _NoPlan

    def _is_contiguous(self, access: Operation) -> bool:
        """Whether iterations access neighbours; otherwise they all access one element."""
        slopes = self._index_slopes(access)
        if not any(slopes):
            return False
        type = cast(MemRefType[Attribute], _memory(access).type)
        if slopes[-1] != 1 or any(slopes[:-1]) or not isinstance(type.layout, NoneAttr):
            raise _NoPlan
        return True

    def _index_slopes(self, access: Operation) -> list[int]:
        indices = _indices(access)
        if isinstance(access, affine.LoadOp | affine.StoreOp):
            return self._map_slopes(cast(AffineMapAttr, access.properties["map"]).data, indices)
        if any(index in self.varying for index in indices):
            raise _NoPlan
        return [self.slopes.get(index, 0) for index in indices]


def _memory(access: Operation) -> SSAValue:
    return access.operands[0 if isinstance(access, LOADS) else 1]


def _indices(access: Operation) -> Sequence[SSAValue]:
    return access.operands[1 if isinstance(access, LOADS) else 2 :]


def _buffer(access: Operation) -> SSAValue:
    """The memory that `access` reads or writes, without views of all of it or parts."""
    return viewed_buffer(_memory(access))


def _same_place(first: Operation, second: Operation) -> bool:
    """Whether both access the same element in every iteration, for certain."""
    if _memory(first) is not _memory(second) or tuple(_indices(first)) != tuple(_indices(second)):
        return False
    return first.properties.get("map") == second.properties.get("map")


def _divisors(loop: affine.ForOp | scf.ForOp) -> list[int]:
    """Numbers that divide where the loop starts and how far it goes; a 1 where nothing is known."""
    if isinstance(loop, scf.ForOp):
        step = constant_index(loop.step)
        return [_divisor(loop.lb), _divisor(loop.ub)] if step == 1 else [1]
    bounds = (loop.lowerBoundMap.data, loop.upperBoundMap.data)
    if loop.step.value.data != 1 or any(len(bound.results) != 1 for bound in bounds):
        return [1]
    lower, upper = (bound.results[0] for bound in bounds)
    if isinstance(lower, AffineConstantExpr) and isinstance(upper, AffineConstantExpr):
        return [upper.value - lower.value] if upper.value > lower.value else [1]
    return [1]


_ANY_DIVISOR = 1 << 30


def _divisor(value: SSAValue) -> int:
    """A power of two, or a constant, that divides `value`."""
    constant = constant_index(value)
    if constant is not None:
        return constant or _ANY_DIVISOR
    if isinstance(op := value.owner, arith.AndIOp):
        masks = [mask for operand in op.operands if (mask := constant_index(operand)) is not None]
        return max((mask & -mask for mask in masks), default=1)
    return 1
