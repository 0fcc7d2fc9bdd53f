"""Whether each value is defined in front of its uses: in its block, or in one that every way to the use goes through.

xDSL 0.74 does not verify that. Values of a region are used in it and in regions inside. Blocks that nothing reaches may
use anything, as in MLIR. Dominators are found as in Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Block, Operation, Region, SSAValue


class EarlyUse(NamedTuple):
    """An operand that is not defined where it is used."""

    user: Operation
    position: int
    """Of the operand."""

    @property
    def value(self) -> SSAValue:
        """The operand."""
        return self.user.operands[self.position]


def early_uses(op: Operation) -> Iterator[EarlyUse]:
    """The uses in the regions of `op` of values that are not defined there. Recurs once for each level of nesting."""
    for region in op.regions:
        yield from _in_region(region, set())


def _in_region(region: Region, known: set[Operation | Block]) -> Iterator[EarlyUse]:
    """`known` has the ops and blocks whose values may be used; it is left as it was."""
    entry = region._first_block
    if entry is None:
        return
    if entry is region._last_block:
        yield from _in_block(entry, known)
        _forget(entry, known)
        return
    dominated = children_in_dominator_tree(entry)
    waiting = [(entry, False)]
    while waiting:
        block, is_over = waiting.pop()
        if is_over:
            _forget(block, known)
            continue
        yield from _in_block(block, known)
        waiting.append((block, True))
        waiting += [(child, False) for child in reversed(dominated[block])]


def _in_block(block: Block, known: set[Operation | Block]) -> Iterator[EarlyUse]:
    known.add(block)
    op = block._first_op
    while op is not None:
        for position, operand in enumerate(op._operands):
            if operand.owner not in known:
                yield EarlyUse(op, position)
        for region in op.regions:
            yield from _in_region(region, known)
        known.add(op)
        op = op._next_op


def _forget(block: Block, known: set[Operation | Block]) -> None:
    known.discard(block)
    known.difference_update(block.ops)


def children_in_dominator_tree(entry: Block) -> dict[Block, list[Block]]:
    """For each block that `entry` reaches those whose immediate dominator it is."""
    order = _reverse_postorder(entry)
    number = {block: index for index, block in enumerate(order)}
    predecessors: list[list[int]] = [[] for _ in order]
    for block in order:
        for successor in _successors(block):
            predecessors[number[successor]].append(number[block])
    dominators = [0] + [-1] * (len(order) - 1)
    changed = True
    while changed:
        changed = False
        for index in range(1, len(order)):
            known = [before for before in predecessors[index] if dominators[before] >= 0]
            dominator = known[0]
            for before in known[1:]:
                dominator = _common(dominator, before, dominators)
            changed |= dominators[index] != dominator
            dominators[index] = dominator
    children: dict[Block, list[Block]] = {block: [] for block in order}
    for index in range(1, len(order)):
        children[order[dominators[index]]].append(order[index])
    return children


def _common(first: int, second: int, dominators: list[int]) -> int:
    """The nearest block that dominates two."""
    while first != second:
        if first > second:
            first = dominators[first]
        else:
            second = dominators[second]
    return first


def _successors(block: Block) -> list[Block]:
    return [] if block.last_op is None else list(block.last_op.successors)


def _reverse_postorder(entry: Block) -> list[Block]:
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, successors = stack[-1]
        following = next((each for each in successors if each not in seen), None)
        if following is None:
            order.append(block)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(_successors(following))))
    return order[::-1]
