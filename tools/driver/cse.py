"""xDSL's `cse`, also in regions of several blocks.

xDSL 0.74 leaves these as they are; MLIR goes down the tree of dominators, and what a block computes is known in the
blocks that it dominates. Blocks that nothing reaches stay.

    cf.cond_br %c, ^bb1, ^bb2                 cf.cond_br %c, ^bb1, ^bb2
  ^bb1:                                     ^bb1:
    %1 = arith.addi %a, %b : i32              %1 = arith.addi %a, %b : i32
    cf.br ^bb3(%1 : i32)              ->      cf.br ^bb3(%1 : i32)

Dominators are found as in Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination, CSEDriver, KnownOps

from ...ir.statistics import count


@dataclass(frozen=True)
class CseOfAllBlocks(CommonSubexpressionElimination):
    """Equal ops without effects become one, and ops that nobody needs go, in regions of several blocks too."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        driver = _Driver()
        driver.simplify(op)
        count("num-cse'd", "Number of operations CSE'd", driver.merged)
        count("num-dce'd", "Number of operations DCE'd", driver.dead)


class _Driver(CSEDriver):
    """xDSL's, which also visits several blocks, and counts."""

    merged = 0
    dead = 0

    def _mark_erasure(self, op: Operation) -> None:
        super()._mark_erasure(op)
        self.dead += 1

    def _replace_and_delete(self, op: Operation, existing: Operation) -> None:
        dead = self.dead
        super()._replace_and_delete(op, existing)
        self.merged += self.dead - dead
        self.dead = dead

    def _simplify_region(self, region: Region) -> None:
        entry = region.blocks.first
        if entry is None or entry.next_block is None:
            super()._simplify_region(region)
            return
        outer = self._known_ops
        dominated = children_in_dominator_tree(entry)
        waiting = [(entry, KnownOps(outer))]
        while waiting:
            block, self._known_ops = waiting.pop()
            self._simplify_block(block)
            children, known = dominated[block], self._known_ops
            waiting += [(child, known if len(children) == 1 else KnownOps(known)) for child in reversed(children)]
        self._known_ops = outer


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
