"""Common subexpressions and dead ops of StableHLO, in one walk each.

Two ops are the same computation if type, operands, result types, properties and regions are equal,
regions up to the names of their values. An op in a region may use an equal op in front of its
parent. Left alone: ops with effects, `optimization_barrier` (it exists to keep copies apart) and
attributes outside the properties, which say nothing about values here.

xDSL's `cse` compares the same way but hashes attributes twice per op and clones its table per
region; this walk costs about half.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from ...dialects import stablehlo
from ...dialects.editing import erase, ops_of, replace_all_uses
from ...dialects.xrt_names import CONTRACT
from ...ir.purity import is_as_pure_as_its_regions, is_dead, is_pure

Key = tuple[Hashable, ...]

KEPT_APART = frozenset({stablehlo.OptimizationBarrierOp})
"""Pure ops that must not be merged with their like."""


def eliminate_common_subexpressions(block: Block) -> None:
    """Let each value that `block` or a region in it computes be computed once."""
    merging = _Merging()
    merging.merge(block)
    replace_all_uses(merging.merged)
    for op in merging.duplicates:
        erase(op)


@dataclass
class _Similar:
    """Ops of one shape (`_Merging.shape`): one alone, or several by what makes each the computation it is."""

    first: Operation
    by_key: dict[Key, Operation] | None = None


class _Merging:
    """Finds equal ops and takes them out of their blocks. Their users are left to the end, when each is changed once:
    the end of a block may use all that is in it.
    """

    def __init__(self) -> None:
        self.merged: dict[SSAValue, SSAValue] = {}
        """By result of a duplicate the value to use instead."""
        self.duplicates: list[Operation] = []
        self._known: dict[Key, _Similar] = {}

    def merge(self, block: Block) -> bool:
        """Merges equal ops of `block` and of its regions, in whose place are those that are known; whether all of it is
        pure.

        What regions hold is compared only where all else is equal: else it would be looked at again for each region
        around.
        """
        known = self._known
        new: list[tuple[Key, Operation]] = []
        """What has to be forgotten in the end."""
        pure = True
        for op in tuple(ops_of(block)):
            is_pure_inside = all([self.merge(region.block) for region in op.regions if region.first_block is not None])
            if not (is_pure_inside if op.regions and is_as_pure_as_its_regions(op) else is_pure(op)):
                pure = False
                continue
            if not op.results or type(op) in KEPT_APART:
                continue
            key = self._shape(op)
            similar = known.get(key)
            if similar is None:
                known[key] = _Similar(op)
                new.append((key, op))
                continue
            existing = similar.first if not op.regions else self._find(similar, op)
            if existing is None:
                new.append((key, op))
                continue
            self.merged.update(zip(op.results, existing.results, strict=True))
            self.duplicates.append(op)
            block.detach_op(op)
        for key, op in reversed(new):
            if known[key].first is op:
                del known[key]
            else:
                self._forget(known[key], op)
        return pure

    def _find(self, similar: _Similar, op: Operation) -> Operation | None:
        """The op that computes what `op` does; None if there was none: now `op` is it."""
        if similar.by_key is None:
            similar.by_key = {self._key(similar.first, {}): similar.first}
        existing = similar.by_key.setdefault(self._key(op, {}), op)
        return None if existing is op else existing

    def _forget(self, similar: _Similar, op: Operation) -> None:
        """Forgets `op`, which is not the first."""
        assert similar.by_key is not None
        del similar.by_key[self._key(op, {})]

    def _shape(self, op: Operation) -> Key:
        """All that makes `op` the computation it is but the ops in its regions."""
        operands = tuple([self.merged.get(operand, operand) for operand in op.operands])
        result_types = tuple([result.type for result in op.results])
        properties = frozenset(op.properties.items())
        return (type(op), operands, result_types, properties, _sizes(op), CONTRACT in op.attributes)

    def _key(self, op: Operation, names: dict[SSAValue, int]) -> Key:
        """What makes `op` the computation it is; `names` numbers the values defined in regions."""
        values = [self.merged.get(operand, operand) for operand in op.operands]
        operands = tuple([names.get(value, value) for value in values])
        result_types = tuple(result.type for result in op.results)
        properties = frozenset(op.properties.items())
        regions = tuple(self._region_key(region, names) for region in op.regions)
        return (type(op), operands, result_types, properties, regions, CONTRACT in op.attributes)

    def _region_key(self, region: Region, names: dict[SSAValue, int]) -> Key:
        key: list[Hashable] = []
        for block in region.blocks:
            for argument in block.args:
                names[argument] = len(names)
                key.append(argument.type)
            for op in block.ops:
                key.append(self._key(op, names))
                for result in op.results:
                    names[result] = len(names)
        return tuple(key)


def _sizes(op: Operation) -> Hashable:
    return tuple([tuple([inner.name for inner in region.block.ops]) for region in op.regions if region.first_block])


def eliminate_dead_ops(block: Block) -> None:
    """Delete the ops without effects whose results nothing uses, bottom-up."""
    for op in reversed(tuple(ops_of(block))):
        if op.has_trait(IsTerminator):
            continue
        if is_dead(op):
            block.erase_op(op)
            continue
        for region in op.regions:
            for nested in region.blocks:
                eliminate_dead_ops(nested)
