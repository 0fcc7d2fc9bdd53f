"""xDSL's `cse`, also in regions of several blocks.

xDSL 0.74 leaves these as they are; MLIR goes down the tree of dominators, and what a block computes is known in the
blocks that it dominates. Blocks that nothing reaches stay.

    cf.cond_br %c, ^bb1, ^bb2                 cf.cond_br %c, ^bb1, ^bb2
  ^bb1:                                     ^bb1:
    %1 = arith.addi %a, %b : i32              %1 = arith.addi %a, %b : i32
    cf.br ^bb3(%1 : i32)              ->      cf.br ^bb3(%1 : i32)
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination, CSEDriver, KnownOps

from ...dialects.dominance import children_in_dominator_tree
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
