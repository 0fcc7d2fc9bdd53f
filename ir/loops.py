"""Loops around an op, the counters of loops and the values they take, where these are constants."""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.dialects import affine, arith, scf
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineMap

from .structured import constant_index

LOOPS: frozenset[type[Operation]] = frozenset({affine.ForOp, affine.ParallelOp, scf.ForOp, scf.ParallelOp, scf.WhileOp})

OpT = TypeVar("OpT", bound=Operation)


def outermost_around(op: Operation, op_type: type[OpT]) -> OpT | None:
    """The outermost op of a class that `op` is inside of."""
    found: OpT | None = None
    parent = op.parent_op()
    while parent is not None:
        found = parent if isinstance(parent, op_type) else found
        parent = parent.parent_op()
    return found


def ranges_of(loop: Operation) -> list[range | None]:
    """The values of each counter of `loop`, None of one whose bounds are no constants; nothing for any other op."""
    cls = loop.__class__
    if cls is scf.ForOp or cls is scf.ParallelOp:
        count = 1 if cls is scf.ForOp else len(cast(scf.ParallelOp, loop).lowerBound)
        bounds = [constant_index(operand) for operand in loop.operands[: 3 * count]]
        lower, upper, steps = bounds[:count], bounds[count : 2 * count], bounds[2 * count :]
    elif isinstance(loop, affine.ForOp):
        steps = [loop.step.value.data]
        lower, upper = _constants(loop.lowerBoundMap.data, 1), _constants(loop.upperBoundMap.data, 1)
    elif isinstance(loop, affine.ParallelOp):
        steps = [step.value.data for step in loop.steps]
        lower, upper = (_constants(map.data, len(steps)) for map in (loop.lowerBoundsMap, loop.upperBoundsMap))
    else:
        return []
    return [_range(*bounds) for bounds in zip(lower, upper, steps, strict=True)]


def _constants(bounds: AffineMap, count: int) -> list[int | None]:
    """What the bounds of `count` counters are, if there is one for each."""
    if len(bounds.results) != count:
        return [None] * count
    return [bound.value if isinstance(bound, AffineConstantExpr) else None for bound in bounds.results]


def _range(lower: int | None, upper: int | None, step: int | None) -> range | None:
    return None if lower is None or upper is None or step is None or step < 1 else range(lower, upper, step)


def range_of(loop: Operation) -> range | None:
    """The values of the counter of a loop with one; None of others, and where they are no constants."""
    ranges = ranges_of(loop)
    return ranges[0] if len(ranges) == 1 else None


def trip_counts(loop: Operation) -> list[int | None]:
    """How many values each counter of `loop` takes. They may be more than `len` of a range can say."""
    return [None if r is None else max(0, -((r.start - r.stop) // r.step)) for r in ranges_of(loop)]


def most_trips(loop: scf.ForOp) -> int | None:
    """How many values the counter takes at most, where the end is the start and a number, or the least of that and
    others: a window, or a block of which the last one may be smaller. None elsewhere.
    """
    start, step = _with_constant(loop.lb), constant_index(loop.step)
    if step is None or step < 1:
        return None
    counts: list[int] = []
    ends = [loop.ub]
    while ends:
        end = ends.pop()
        if isinstance(end.owner, arith.MinSIOp | arith.MinUIOp):
            ends += end.owner.operands
            continue
        base, constant = _with_constant(end)
        if base == start[0]:
            counts.append(max(0, -((start[1] - constant) // step)))
    return min(counts, default=None)


def _with_constant(value: SSAValue) -> tuple[SSAValue | None, int]:
    """`value` as a value, None for 0, and a number added to it."""
    if (number := constant_index(value)) is not None:
        return None, number
    if isinstance(op := value.owner, arith.AddiOp) and (number := constant_index(op.rhs)) is not None:
        return op.lhs, number
    return value, 0
