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
from ...dialects.contract import CONTRACT
from ...dialects.editing import replace_uses
from .rewriting import is_as_pure_as_its_regions, is_dead, is_pure

Key = tuple[Hashable, ...]

KEPT_APART = frozenset({stablehlo.OptimizationBarrierOp})
"""Pure ops that must not be merged with their like."""


def eliminate_common_subexpressions(block: Block) -> None:
    """Let each value that `block` or a region in it computes be computed once."""
    _merge(block, {})


@dataclass
class _Similar:
    """Ops of one shape (`_shape`): one alone, or several by what makes each the computation it is."""

    first: Operation
    by_key: dict[Key, Operation] | None = None

    def find(self, op: Operation) -> Operation | None:
        """The op that computes what `op` does; None if there was none: now `op` is it."""
        if self.by_key is None:
            self.by_key = {_key(self.first, {}): self.first}
        existing = self.by_key.setdefault(_key(op, {}), op)
        return None if existing is op else existing

    def drop(self, op: Operation) -> None:
        """Forgets `op`, which is not the first."""
        assert self.by_key is not None
        del self.by_key[_key(op, {})]


def _merge(block: Block, known: dict[Key, _Similar]) -> bool:
    """Merges equal ops of `block` and of its regions, in whose place are those `known`; whether all of it is pure.

    What regions hold is compared only where all else is equal: else it would be looked at again for each region around.
    """
    new: list[tuple[Key, Operation]] = []
    """What has to be forgotten in the end."""
    pure = True
    for op in tuple(block.ops):
        is_pure_inside = all([_merge(region.block, known) for region in op.regions if region.first_block is not None])
        if not (is_pure_inside if op.regions and is_as_pure_as_its_regions(op) else is_pure(op)):
            pure = False
            continue
        if not op.results or type(op) in KEPT_APART:
            continue
        key = _shape(op)
        similar = known.get(key)
        if similar is None:
            known[key] = _Similar(op)
            new.append((key, op))
            continue
        existing = similar.first if not op.regions else similar.find(op)
        if existing is None:
            new.append((key, op))
            continue
        for result, value in zip(op.results, existing.results, strict=True):
            replace_uses(result, value)
        block.erase_op(op)
    for key, op in reversed(new):
        if known[key].first is op:
            del known[key]
        else:
            known[key].drop(op)
    return pure


def _shape(op: Operation) -> Key:
    """All that makes `op` the computation it is but the ops in its regions."""
    result_types = tuple([result.type for result in op.results])
    properties = frozenset(op.properties.items())
    return (type(op), tuple(op.operands), result_types, properties, _sizes(op), CONTRACT in op.attributes)


def _sizes(op: Operation) -> Hashable:
    return tuple([tuple([inner.name for inner in region.block.ops]) for region in op.regions if region.first_block])


def _key(op: Operation, names: dict[SSAValue, int]) -> Key:
    """What makes `op` the computation it is; `names` numbers the values defined in regions."""
    operands = tuple(names.get(operand, operand) for operand in op.operands)
    result_types = tuple(result.type for result in op.results)
    properties = frozenset(op.properties.items())
    regions = tuple(_region_key(region, names) for region in op.regions)
    return (type(op), operands, result_types, properties, regions, CONTRACT in op.attributes)


def _region_key(region: Region, names: dict[SSAValue, int]) -> Key:
    key: list[Hashable] = []
    for block in region.blocks:
        for argument in block.args:
            names[argument] = len(names)
            key.append(argument.type)
        for op in block.ops:
            key.append(_key(op, names))
            for result in op.results:
                names[result] = len(names)
    return tuple(key)


def eliminate_dead_ops(block: Block) -> None:
    """Delete the ops without effects whose results nothing uses, bottom-up."""
    for op in reversed(tuple(block.ops)):
        if op.has_trait(IsTerminator):
            continue
        if is_dead(op):
            block.erase_op(op)
            continue
        for region in op.regions:
            for nested in region.blocks:
                eliminate_dead_ops(nested)
