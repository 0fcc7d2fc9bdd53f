"""Random bits: the state is the same on all devices, each takes its part of the bits."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(stablehlo.RngBitGeneratorOp)
def rng_bit_generator(op: stablehlo.RngBitGeneratorOp) -> ShardingRule:
    builder = RuleBuilder(op)
    for dim, size in enumerate(shape_of(op.initial_state)):
        builder.add(size, [dim], [dim, None], FactorKind.NEED_REPLICATION, is_blocked=True)
    for dim, size in enumerate(shape_of(op.output)):
        builder.add(size, [None], [None, dim])
    return builder.rule()
