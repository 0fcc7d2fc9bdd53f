"""How far the indices of loads and stores move in one iteration of a loop, and whether two are the same."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType, NoneAttr
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
from ..accesses import indices_of, memory_of


class NotLinear(Exception):
    """An index is no linear function of the counter of the loop."""


def same_place(first: Operation, second: Operation) -> bool:
    """Whether both access the same element in every iteration, for certain."""
    if memory_of(first) is not memory_of(second) or tuple(indices_of(first)) != tuple(indices_of(second)):
        return False
    return first.properties.get("map") == second.properties.get("map")


def reads_ahead(load: Operation, store: Operation) -> bool:
    """Whether `load` reads what a later iteration than its own overwrites by `store`, before the own one does: the
    element some places behind, along the last dimension. Both stand in one block.
    """
    if memory_of(load) is not memory_of(store) or any("map" in access.properties for access in (load, store)):
        return False
    (*outer, place), (*written, target) = indices_of(load), indices_of(store)
    if outer != written or not isinstance(place.owner, arith.AddiOp) or target not in place.owner.operands:
        return False
    distances = [constant_index(operand) or 0 for operand in place.owner.operands if operand is not target]
    return len(distances) == 1 and distances[0] > 0 and load.is_before_in_block(store)


class Slopes:
    """By how much the indices of a loop increase from one iteration to the next; `NotLinear` where they do otherwise.

    `varying` are the values of the loop that differ between iterations in no such way: an index must not depend on one.
    """

    def __init__(self, counter: SSAValue, varying: set[SSAValue]) -> None:
        self.slopes: dict[SSAValue, int] = {counter: 1}
        self.varying = varying

    def of(self, value: SSAValue) -> int:
        """The increase of an index value of the loop, 0 for one from outside."""
        return self.slopes.get(value, 0)

    def note(self, value: SSAValue, slope: int) -> None:
        if slope:
            self.slopes[value] = slope

    def visit(self, op: Operation) -> None:
        """Takes in an op with a result of type `index`."""
        if isinstance(op, affine.ApplyOp):
            (slope,) = self.of_map(op.map.data, op.operands)
            self.note(op.results[0], slope)
            return
        slopes = self._known(op.operands)
        if not any(slopes):
            return
        if isinstance(op, arith.MuliOp):
            self._visit_product(op, slopes)
        elif isinstance(op, arith.AddiOp | arith.SubiOp):
            sign = -1 if isinstance(op, arith.SubiOp) else 1
            self.note(op.results[0], slopes[0] + sign * slopes[1])
        else:
            raise NotLinear

    def _visit_product(self, op: arith.MuliOp, slopes: Sequence[int]) -> None:
        factors = [constant_index(operand) for operand in op.operands]
        if factors[1] is not None:
            self.note(op.results[0], slopes[0] * factors[1])
        elif factors[0] is not None:
            self.note(op.results[0], slopes[1] * factors[0])
        else:
            raise NotLinear

    def _known(self, indices: Sequence[SSAValue]) -> list[int]:
        if any(index in self.varying for index in indices):
            raise NotLinear
        return [self.of(index) for index in indices]

    def of_map(self, map: AffineMap, operands: Sequence[SSAValue]) -> list[int]:
        """The slope of each result of `map`."""
        slopes = self._known(operands)
        return [_slope(expr, slopes[: map.num_dims], slopes[map.num_dims :]) for expr in map.results]

    def is_contiguous(self, access: Operation) -> bool:
        """Whether iterations access neighbours; otherwise they all access one element."""
        indices = indices_of(access)
        if "map" in access.properties:
            slopes = self.of_map(cast(AffineMapAttr, access.properties["map"]).data, indices)
        else:
            slopes = self._known(indices)
        if not any(slopes):
            return False
        type = cast("MemRefType[Attribute]", memory_of(access).type)
        shape = type.get_shape()
        # Behind the dimension in which they differ there may be ones of size 1.
        last = len(shape) - 1
        while last and shape[last] == 1 and not slopes[last]:
            last -= 1
        if slopes[last] != 1 or any(slopes[:last]) or not isinstance(type.layout, NoneAttr):
            raise NotLinear
        return True

    def row_alignment(self, access: Operation) -> int:
        """A number that divides the place in the buffer, in elements, where iterations of the loop begin: 0 if that is
        its beginning. Indices that are values are taken for the beginning.
        """
        if "map" not in access.properties:
            return 0
        map, operands = cast(AffineMapAttr, access.properties["map"]).data, indices_of(access)
        steps = [0 if self.of(operand) else 1 for operand in operands]
        divisor, stride = 0, 1
        shape = cast("MemRefType[Attribute]", memory_of(access).type).get_shape()
        for expr, size in zip(reversed(map.results), reversed(shape), strict=True):
            divisor = gcd(divisor, _divisor(expr, steps[: map.num_dims], steps[map.num_dims :]) * stride)
            stride *= size
        return divisor


def is_index(value: SSAValue) -> bool:
    return value.type.__class__ is IndexType


def _divisor(expr: AffineExpr, dims: Sequence[int], symbols: Sequence[int]) -> int:
    """A number that divides the value of `expr`, for those that divide its operands."""
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if isinstance(expr, AffineConstantExpr):
        return expr.value
    if not isinstance(expr, AffineBinaryOpExpr):
        return 1
    lhs, rhs = (_divisor(part, dims, symbols) for part in (expr.lhs, expr.rhs))
    if expr.kind is AffineBinaryOpKind.Add:
        return gcd(lhs, rhs)
    return lhs * rhs if expr.kind is AffineBinaryOpKind.Mul else 1


def _slope(expr: AffineExpr, dims: Sequence[int], symbols: Sequence[int]) -> int:
    if isinstance(expr, AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, AffineSymExpr):
        return symbols[expr.position]
    if not isinstance(expr, AffineBinaryOpExpr):
        return 0
    lhs, rhs = (_slope(part, dims, symbols) for part in (expr.lhs, expr.rhs))
    if expr.kind is AffineBinaryOpKind.Add:
        return lhs + rhs
    if not lhs and not rhs:
        return 0
    if expr.kind is AffineBinaryOpKind.Mul and isinstance(expr.rhs, AffineConstantExpr):
        return lhs * expr.rhs.value
    raise NotLinear
