"""Parts of a block: ops in a row, what they read and what others read of them, and where to begin one."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ....decisions.layers import FUSED_COST, FUSED_READERS, STORED_COST
from ....dialects import stablehlo
from ....dialects.stablehlo.traits import Elementwise, MovesElements, ops_with
from ....ir.captures import values_read
from ....ir.equality import Structures
from .stretches import Stretch

_CONTRACTIONS = frozenset((stablehlo.ConvolutionOp, stablehlo.DotGeneralOp))
_LAYOUT = frozenset((*ops_with(MovesElements, stablehlo.OPS), stablehlo.BroadcastInDimOp, stablehlo.ConvertOp))
"""Ops that those beside them compute where they read."""
_ELEMENTWISE = frozenset(ops_with(Elementwise, stablehlo.OPS))


class Part(NamedTuple):
    """Ops of a block in a row, but for closed values between them."""

    ops: Sequence[Operation]
    outside: Sequence[SSAValue]
    """The values from outside that are not closed, in the order in which they are read first."""
    closed: Sequence[SSAValue]
    """The closed values, in that order."""
    results: Sequence[SSAValue]
    """The values that others read."""
    form: Hashable
    """Parts with the same one are equal, but for what they read from outside."""

    @property
    def is_apart(self) -> bool:
        """Whether all values between the part and the rest are stored anyway: no loop is shared with others."""
        return all(_is_stored(value) for value in (*self.outside, *self.results))


def part_of(
    ops: Sequence[Operation], numbers: Sequence[int], closed_numbers: Mapping[SSAValue, int], structures: Structures
) -> Part:
    """What `ops`, which have these `numbers`, are to the rest of their block."""
    own = set(ops)
    inside: dict[SSAValue, tuple[int, int]] = {}
    outside: dict[SSAValue, int] = {}
    closed: dict[SSAValue, None] = {}
    form: list[Hashable] = []
    results: list[SSAValue] = []
    block = ops[0].parent
    for number, op in enumerate(ops):
        for value in values_read(op):
            if (known := inside.get(value)) is not None:
                form.append(known)
            elif (closed_number := closed_numbers.get(value)) is not None:
                closed[value] = None
                form.append(closed_number)
            elif value in outside:
                form.append((outside[value],))
            else:
                outside[value] = len(outside)
                form.append((outside[value], structures.of_attribute(value.type)))
        for result in op.results:
            inside[result] = number, result.index
            if any(reader not in own for reader in _readers(result, block)):
                results.append(result)
    return Part(
        ops, list(outside), list(closed), results, (*numbers, None, *form, None, *[inside[value] for value in results])
    )


def _readers(value: SSAValue, block: Block | None) -> Iterable[Operation]:
    """The ops of `block` that read `value`, or have ops in them that do."""
    for use in value.uses:
        op = use.operation
        while op.parent is not block and (around := op.parent_op()) is not None:
            op = around
        yield op


def _is_stored(value: SSAValue) -> bool:
    """Whether `value` is in memory wherever the program is cut."""
    owner = value.owner
    if isinstance(owner, Block):
        return True
    if owner.__class__ in _LAYOUT:
        return False
    if owner.__class__ not in _ELEMENTWISE:
        return True
    readers = list(_readers(value, owner.parent))
    return len(readers) > FUSED_READERS or any(_contracts(reader) for reader in readers)


def _contracts(op: Operation) -> bool:
    """Whether `op` is a contraction, or moves the operand of one."""
    while op.__class__ in _LAYOUT and (readers := list(_readers(op.results[0], op.parent))):
        op = readers[0]
    return op.__class__ in _CONTRACTIONS


def best_border(ops: Sequence[Operation], stretch: Stretch) -> int | None:
    """How far from the beginning of `stretch` a layer should begin; None where each border would cut a loop.

    That is in front of a contraction and of what prepares its operands, where the fewest values pass, and those that
    are stored anyway.
    """
    start, end, period = stretch
    middle = start + (end - start - period) // period // 2 * period
    places = {op: place for place, op in enumerate(ops[middle:end], middle)}
    block = ops[start].parent
    changes = [0] * (period + 1)
    for place in range(middle, min(middle + period, end)):
        for result in ops[place].results:
            readers = [places.get(reader, end) for reader in _readers(result, block)]
            last = max((reader for reader in readers if reader < place + 2 * period), default=place)
            if last > place:
                _add(changes, place + 1 - middle, last + 1 - middle, STORED_COST if _is_stored(result) else FUSED_COST)
    costs = list(accumulate(changes[:period]))
    borders = [offset for offset in range(period) if _is_border(ops, middle + offset, end)]
    return min(borders, key=lambda offset: costs[offset], default=None)


def _add(changes: list[int], first: int, end: int, cost: int) -> None:
    """Adds a cost from `first` to `end` on a circle to `changes`, the differences of what is there to the place before.

    >>> changes = [0] * 5
    >>> _add(changes, 3, 6, 1)
    >>> changes
    [1, 0, -1, 1, -1]
    """
    period = len(changes) - 1
    while first < end:
        start = first % period
        length = min(end - first, period - start)
        changes[start] += cost
        changes[start + length] -= cost
        first += length


def _is_border(ops: Sequence[Operation], place: int, end: int) -> bool:
    """Whether a contraction follows there, and in front of it what moves its operands only."""
    if place and ops[place - 1].__class__ in _LAYOUT and ops[place].__class__ in _CONTRACTIONS:
        return False
    while place < end and ops[place].__class__ in _LAYOUT:
        place += 1
    return place < end and ops[place].__class__ in _CONTRACTIONS
