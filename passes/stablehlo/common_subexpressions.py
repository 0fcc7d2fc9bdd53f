"""Common subexpressions and dead ops of StableHLO, in one walk each.

Two ops are the same computation if type, operands, result types, properties and regions are equal,
regions up to the names of their values. An op in a region may use an equal op in front of its
parent. Left alone: ops with effects, `optimization_barrier` (it exists to keep copies apart) and
attributes outside the properties, which say nothing about values here.

xDSL's `cse` compares the same way but hashes attributes twice per op and clones its table per
region. Here an attribute is hashed once, however many ops share it (`ir/equality.py`).
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.editing import erase, ops_of, replace_all_uses
from ...ir.equality import Key, Structures
from ...ir.purity import is_as_pure_as_its_regions, is_dead, is_pure

KEPT_APART = frozenset({stablehlo.OptimizationBarrierOp})
"""Pure ops that must not be merged with their like."""


def eliminate_common_subexpressions(block: Block) -> None:
    """Let each value that `block` or a region in it computes be computed once."""
    merging = _Merging()
    merging.merge(block)
    replace_all_uses(merging.merged)
    for op in merging.duplicates:
        erase(op)


class _Merging:
    """Finds equal ops and takes them out of their blocks. Their users are left to the end, when each is changed once:
    the end of a block may use all that is in it.
    """

    def __init__(self) -> None:
        self.merged: dict[SSAValue, SSAValue] = {}
        """By result of a duplicate the value to use instead."""
        self.duplicates: list[Operation] = []
        self._known: dict[Key, Operation] = {}
        self._contents: dict[Operation, Key] = {}
        self._structures = Structures()

    def merge(self, block: Block) -> bool:
        """Merges equal ops of `block` and of its regions, in whose place are those that are known; whether all of it is
        pure.
        """
        known = self._known
        new: list[Key] = []
        """What has to be forgotten in the end."""
        pure = True
        for op in tuple(ops_of(block)):
            if op.regions:
                inside = [self.merge(region.block) for region in op.regions if region.first_block is not None]
                is_pure_op = is_as_pure_as_its_regions(op) and all(inside)
            else:
                is_pure_op = is_pure(op)
            if not is_pure_op:
                pure = False
                continue
            if not op.results or type(op) in KEPT_APART:
                continue
            operands = [id(self.merged.get(operand, operand)) for operand in op._operands]
            key = *self._structures.of(op), *operands
            existing = known.get(key)
            if existing is not None and op.regions:
                # What regions hold is looked at only where all else is equal: else it were once for each region around.
                full = key, self._content(existing)
                if full not in known:
                    known[full] = existing
                    new.append(full)
                key = key, self._content(op)
                existing = known.get(key)
            if existing is None:
                known[key] = op
                new.append(key)
                continue
            self.merged.update(zip(op.results, existing.results, strict=True))
            self.duplicates.append(op)
            block.detach_op(op)
        for key in new:
            del known[key]
        return pure

    def _content(self, op: Operation) -> Key:
        """What the regions of `op` hold."""
        if op not in self._contents:
            self._contents[op] = self._structures.inside(op, {}, lambda value: -id(self.merged.get(value, value)))
        return self._contents[op]


def eliminate_dead_ops(block: Block) -> None:
    """Delete the ops without effects whose results nothing uses, bottom-up."""
    for op in reversed(tuple(ops_of(block))):
        if is_dead(op):
            erase(op)
            continue
        for region in op.regions:
            for nested in region.blocks:
                eliminate_dead_ops(nested)
