"""Common subexpressions and dead ops of StableHLO, in one walk each.

Two ops are the same computation if type, operands, result types, properties and regions are equal,
regions up to the names of their values. An op in a region may use an equal op in front of its
parent. Left alone: ops with effects, `optimization_barrier` (it exists to keep copies apart) and
attributes outside the properties, which say nothing about values here.

xDSL's `cse` compares the same way but hashes attributes twice per op and clones its table per
region; this walk costs about half.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, MutableMapping

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from ...dialects import stablehlo
from ...dialects.contract import CONTRACT
from ...dialects.editing import replace_uses
from .rewriting import is_dead, is_pure

Key = tuple[Hashable, ...]

KEPT_APART = frozenset({stablehlo.OptimizationBarrierOp})
"""Pure ops that must not be merged with their like."""


def eliminate_common_subexpressions(block: Block) -> None:
    """Let each value that `block` or a region in it computes be computed once."""
    _merge(block, {})


def _merge(block: Block, known: MutableMapping[Key, Operation]) -> None:
    for op in tuple(block.ops):
        for region in op.regions:
            if region.first_block is not None:
                _merge(region.block, ChainMap({}, *_maps(known)))
        if not op.results or type(op) in KEPT_APART or not is_pure(op):
            continue
        key = _key(op, {})
        existing = known.setdefault(key, op)
        if existing is op:
            continue
        for result, value in zip(op.results, existing.results, strict=True):
            replace_uses(result, value)
        block.erase_op(op)


def _maps(known: MutableMapping[Key, Operation]) -> list[MutableMapping[Key, Operation]]:
    return known.maps if isinstance(known, ChainMap) else [known]


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
