"""How far the indices of loads and stores move in one iteration of a loop, and whether two are the same."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import NamedTuple, cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
)

from ....ir.affine import NotLinear, sums_of
from ....ir.structured import constant_index
from ..accesses import indices_of, memory_of


def same_place(first: Operation, second: Operation) -> bool:
    """Whether both access the same element in every iteration, for certain."""
    if memory_of(first) is not memory_of(second) or tuple(indices_of(first)) != tuple(indices_of(second)):
        return False
    return first.properties.get("map") == second.properties.get("map")


class Neighbours(NamedTuple):
    """How the elements that the iterations of a loop access lie beside each other."""

    base: AffineMap | None = None
    """What gives the place of the first of a pair, instead of the map of the access; None if there are no pairs."""
    part: int = 0
    """Which one of a pair is accessed."""
    is_reversed: bool = False
    """Whether later iterations access earlier elements or pairs."""

    @property
    def are_plain(self) -> bool:
        """Whether the element of each iteration is behind that of the one before it."""
        return self.base is None and not self.is_reversed


def same_pair(first: Operation, second: Operation, base: AffineMap | None, other: AffineMap | None) -> bool:
    """Whether accesses to parts of pairs, at places given by these maps, are to the same pair."""
    if base is None or memory_of(first) is not memory_of(second):
        return False
    return base == other and tuple(indices_of(first)) == tuple(indices_of(second))


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
        self.counter = counter
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
        return [index.slope(slopes) for index in sums_of(map)]

    def neighbours(self, access: Operation) -> Neighbours | None:
        """How the elements lie that iterations access; None if all access one element."""
        indices = indices_of(access)
        map = cast(AffineMapAttr, access.properties["map"]).data if "map" in access.properties else None
        slopes = self._known(indices) if map is None else self.of_map(map, indices)
        if not any(slopes):
            return None
        type = cast("MemRefType[Attribute]", memory_of(access).type)
        dim = next(dim for dim, slope in enumerate(slopes) if slope)
        if any(slopes[dim + 1 :]) or not isinstance(type.layout, NoneAttr):
            raise NotLinear
        shape, slope = type.get_shape(), slopes[dim]
        behind = prod(shape[dim + 1 :])
        if slope == behind == 1:
            return Neighbours()
        # From here on the place itself is computed from the map.
        if map is None or any(self.of(index) for index in indices if index is not self.counter):
            raise NotLinear
        if slope == -1 and behind == 1:
            return Neighbours(is_reversed=True)
        pair = _pair_of_elements(map, dim, shape) if slope == 2 and behind == 1 else _pair(map, dim, shape)
        if abs(slope) * behind != 2 or pair is None:
            raise NotLinear
        return Neighbours(*pair, is_reversed=slope < 0)

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
        for index, size in zip(reversed(sums_of(map)), reversed(shape), strict=True):
            divisor = gcd(divisor, index.divisor(steps) * stride)
            stride *= size
        return divisor


def is_index(value: SSAValue) -> bool:
    return value.type.__class__ is IndexType


def _pair(map: AffineMap, dim: int, shape: Sequence[int]) -> tuple[AffineMap, int] | None:
    """Of an access to a constant place along a dimension of size 2 behind `dim`: the place of both, and which one it
    is.
    """
    for behind in range(dim + 1, len(shape)):
        part = map.results[behind]
        if shape[behind] == 2 and isinstance(part, AffineConstantExpr):
            return _with_result(map, behind, AffineConstantExpr(0)), part.value
    return None


def _pair_of_elements(map: AffineMap, dim: int, shape: Sequence[int]) -> tuple[AffineMap, int] | None:
    """The same of an access to every other element along `dim`."""
    place, offset = map.results[dim], 0
    if isinstance(place, AffineBinaryOpExpr) and isinstance(place.rhs, AffineConstantExpr):
        if place.kind is AffineBinaryOpKind.Add:
            place, offset = place.lhs, place.rhs.value
    (index,) = sums_of(AffineMap(map.num_dims, map.num_symbols, (place,)))
    if shape[dim] % 2 or index.divisor([1] * (map.num_dims + map.num_symbols)) % 2:
        return None
    part = offset % 2
    return _with_result(map, dim, place + (offset - part) if offset != part else place), part


def _with_result(map: AffineMap, position: int, result: AffineExpr) -> AffineMap:
    results = (*map.results[:position], result, *map.results[position + 1 :])
    return AffineMap(map.num_dims, map.num_symbols, results)
