"""How far the indices of loads and stores move in one iteration of a loop, and which elements they reach."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod
from typing import NamedTuple, cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, IndexType, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from ....dialects.shared_attributes import cached_by_identity
from ....ir.affine import AffineSum, NotLinear, linearize, sums_of
from ....ir.structured import constant_index
from ....ir.views import buffer_of
from ..accesses import indices_of, memory_of


class Access(NamedTuple):
    """Which elements a load or store reaches in the iterations of a loop."""

    op: Operation
    buffer: SSAValue
    place: tuple[object, ...]
    """Equal for accesses to the same element, or the same pair of elements, in each iteration."""
    map: AffineMapAttr | None
    """What gives this place from the indices; None where they are it."""
    stride: int = 0
    """By how much it moves from one iteration to the next: 1 or -1, and 2 or -2 for a pair; 0: it does not."""
    part: int = 0
    """Which one of the pair is accessed."""


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


def are_apart(first: Operation, second: Operation, moving: Container[SSAValue]) -> bool:
    """Whether two accesses never reach the same element: some index of both stays in the loop, in which the values
    `moving` do not, and is not the same one.
    """
    if memory_of(first) is not memory_of(second):
        return False
    maps = [cast("AffineMapAttr | None", access.properties.get("map")) for access in (first, second)]
    if None not in maps:
        return indices_of(first) == indices_of(second) and _lie_in_two_rows(maps, indices_of(first), moving)
    if any(maps):
        return False
    for one, other in zip(indices_of(first), indices_of(second), strict=True):
        a, b = constant_index(one), constant_index(other)
        if a is not None and b is not None and a != b:
            return True
    return False


def _lie_in_two_rows(
    maps: Sequence[Attribute | None], indices: Sequence[SSAValue], moving: Container[SSAValue]
) -> bool:
    """Whether, of the same indices, the two maps make an index that stays and differs by a constant."""
    first, second = (_sums(cast(Attribute, map)) for map in maps)
    moves = {dim for dim, index in enumerate(indices) if index in moving}
    return any(
        one.const != other.const and one.terms == other.terms and moves.isdisjoint(one.dims())
        for one, other in zip(first, second, strict=True)
    )


class Slopes:
    """By how much the indices of a loop increase from one iteration to the next; `NotLinear` where they do otherwise.

    `varying` are the values of the loop that differ between iterations in no such way: an index must not depend on one.
    """

    def __init__(self, counter: SSAValue, varying: dict[SSAValue, int]) -> None:
        self.counter = counter
        self.varying = varying
        self.slopes: dict[SSAValue, int] = {counter: 1}
        """Those that are not 0."""

    def visit(self, op: Operation) -> None:
        """Takes in an op with a result of type `index`."""
        slopes = self._known(op.operands)
        if not any(slopes):
            return
        if isinstance(op, affine.ApplyOp):
            (index,) = _sums(op.map)
            slope = index.slope(slopes)
        elif isinstance(op, arith.AddiOp):
            slope = slopes[0] + slopes[1]
        elif isinstance(op, arith.SubiOp):
            slope = slopes[0] - slopes[1]
        elif isinstance(op, arith.MuliOp):
            lhs, rhs = (constant_index(operand) for operand in op.operands)
            if lhs is None and rhs is None:
                raise NotLinear
            slope = slopes[0] * rhs if rhs is not None else slopes[1] * cast(int, lhs)
        else:
            raise NotLinear
        if slope:
            self.slopes[op.results[0]] = slope

    def _known(self, indices: Sequence[SSAValue]) -> list[int]:
        if not self.varying.keys().isdisjoint(indices):
            raise NotLinear
        return [self.slopes.get(index, 0) for index in indices]

    def access(self, op: Operation) -> Access:
        """What the load or store `op` reaches."""
        memory, indices = memory_of(op), tuple(indices_of(op))
        map = cast("AffineMapAttr | None", op.properties.get("map"))
        sums = None if map is None else _sums(map)
        slopes = self._known(indices)
        if sums is not None:
            slopes = [index.slope(slopes) for index in sums]
        found = Access(op, buffer_of(memory), (memory, sums, *indices), map)
        if not any(slopes):
            return found
        type = cast("MemRefType[Attribute]", memory.type)
        dim, shape = next(dim for dim, slope in enumerate(slopes) if slope), type.get_shape()
        stride = slopes[dim] * prod(shape[dim + 1 :])
        if any(slopes[dim + 1 :]) or not isinstance(type.layout, NoneAttr):
            raise NotLinear
        if stride == 1:
            return found._replace(stride=1)
        # From here on the place itself is computed from the map.
        if sums is None or any(index in self.slopes for index in indices if index is not self.counter):
            raise NotLinear
        if stride == -1:
            return found._replace(stride=-1)
        if abs(stride) != 2:
            raise NotLinear
        # Pairs lie along a dimension of 2 behind the one that moves, or are neighbours along this one.
        paired = dim if abs(slopes[dim]) == 2 else shape.index(2, dim + 1)
        return _of_pair(found._replace(stride=stride), sums, paired, shape[paired])

    def row_alignment(self, access: Operation) -> int:
        """A number that divides the place in the buffer, in elements, where iterations of the loop begin: 0 if that is
        its beginning. Indices that are values are taken for the beginning.
        """
        if "map" not in access.properties:
            return 0
        steps = [0 if operand in self.slopes else 1 for operand in indices_of(access)]
        shape = cast("MemRefType[Attribute]", memory_of(access).type).get_shape()
        return linearize(_sums(cast(AffineMapAttr, access.properties["map"])), shape).divisor(steps)


@cached_by_identity
def _sums(map: Attribute) -> tuple[AffineSum, ...]:
    """The results of a map. Raises `NotLinear`."""
    return sums_of(cast(AffineMapAttr, map).data)


def _of_pair(access: Access, sums: tuple[AffineSum, ...], dim: int, size: int) -> Access:
    """`access` as one to a part of a pair along `dim`, from an even place on."""
    assert access.map is not None
    map, index = access.map.data, sums[dim]
    if size % 2 or AffineSum(index.terms).divisor([1] * (map.num_dims + map.num_symbols)) % 2:
        raise NotLinear
    part = index.const % 2
    if not part:
        return access
    results, places = [*map.results], [*sums]
    results[dim], places[dim] = results[dim] - 1, index + -1
    memory, _, *indices = access.place
    return access._replace(
        place=(memory, tuple(places), *indices),
        map=AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, tuple(results))),
        part=part,
    )


def is_index(value: SSAValue) -> bool:
    return value.type.__class__ is IndexType
