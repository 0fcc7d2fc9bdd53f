"""Counters of loops, and indices as sums of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects import affine, arith, scf
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from ..ir.affine import ZERO, AffineSum, NotLinear, dimension, from_expr
from ..ir.loops import LOOPS, most_trips, ranges_of
from ..ir.structured import constant_index


class Counter(NamedTuple):
    """The values `lower + step * n` of a loop counter, with `n` from 0 to `trips`."""

    lower: AffineSum
    upper: AffineSum | None
    step: int
    trips: int | None
    """None if unknown."""
    exact: bool
    """Whether there are not less than `trips`."""


def index_sum(value: SSAValue) -> AffineSum:
    """An index as a sum of counters and of values that are none."""
    if (number := constant_index(value)) is not None:
        return AffineSum({}, number)
    op = value.owner
    try:
        if isinstance(op, affine.ApplyOp):
            return sums_of_map(op.map.data, op.mapOperands)[0]
        if isinstance(op, arith.AddiOp):
            return index_sum(op.lhs) + index_sum(op.rhs)
        if isinstance(op, arith.SubiOp):
            return index_sum(op.lhs) + index_sum(op.rhs) * -1
        if isinstance(op, arith.MuliOp):
            lhs, rhs = index_sum(op.lhs), index_sum(op.rhs)
            if not (lhs.terms and rhs.terms):
                return rhs * lhs.const if not lhs.terms else lhs * rhs.const
        if isinstance(op, arith.IndexCastOp) and isinstance(op.input.owner, arith.IndexCastOp):
            return index_sum(op.input.owner.input)
    except NotLinear:
        pass
    return dimension(value)


def sums_of_map(map: AffineMap, operands: Sequence[SSAValue]) -> list[AffineSum]:
    """The results of a map applied to index values. Raises `NotLinear`."""
    sums = [index_sum(operand) for operand in operands]
    dims, symbols = sums[: map.num_dims], sums[map.num_dims :]
    return [from_expr(result, dims, (), symbols) for result in map.results]


def counters_of(loop: Operation) -> list[Counter]:
    """The counters of a loop, in the order of its block arguments."""
    if isinstance(loop, affine.ForOp):
        return [_affine_counter(loop)]
    if isinstance(loop, scf.ForOp):
        trips = _length(ranges_of(loop)[0])
        exact, trips = trips is not None, most_trips(loop) if trips is None else trips
        step = constant_index(loop.step) or 0
        return [Counter(index_sum(loop.lb), index_sum(loop.ub), step, trips if step > 0 else None, exact)]
    counters: list[Counter] = []
    for values in ranges_of(loop):
        if values is None:
            counters.append(Counter(ZERO, None, 1, None, False))
        else:
            lower, upper = AffineSum({}, values.start), AffineSum({}, values.stop)
            counters.append(Counter(lower, upper, values.step, _length(values), True))
    return counters


def _length(values: range | None) -> int | None:
    return None if values is None else max(0, -((values.start - values.stop) // values.step))


def _affine_counter(loop: affine.ForOp) -> Counter:
    step = loop.step.value.data
    try:
        lowers = sums_of_map(loop.lowerBoundMap.data, loop.lowerBoundOperands)
        uppers = sums_of_map(loop.upperBoundMap.data, loop.upperBoundOperands)
    except NotLinear:
        return Counter(ZERO, None, step, None, False)
    if len(lowers) != 1:
        return Counter(ZERO, None, step, None, False)
    lengths = [upper + lowers[0] * -1 for upper in uppers]
    trips = [max(0, -(-length.const // step)) for length in lengths if not length.terms]
    upper = uppers[0] if len(uppers) == 1 else None
    return Counter(lowers[0], upper, step, min(trips, default=None), len(uppers) == 1)


def counter_of(value: SSAValue) -> Counter | None:
    """What `value` counts, if it is the counter of a loop."""
    if not isinstance(value, BlockArgument) or value.block.parent_op().__class__ not in LOOPS:
        return None
    loop = value.block.parent_op()
    counters = counters_of(loop) if loop is not None else []
    return counters[value.index] if value.index < len(counters) else None


def trips_of(loop: Operation) -> int | None:
    """How often the body of a loop runs, at most; None if unknown."""
    trips = [counter.trips for counter in counters_of(loop)]
    known = [number for number in trips if number is not None]
    return prod(known) if trips and len(known) == len(trips) else None
