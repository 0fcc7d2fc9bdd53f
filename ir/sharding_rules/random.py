"""Random bits: the state is the same on all devices, each takes its part of the bits."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule
from .rule import FactorKind


@sharding_rule(stablehlo.RngBitGeneratorOp)
def rng_bit_generator(op: stablehlo.RngBitGeneratorOp, rule: RuleBuilder) -> None:
    for dim, size in enumerate(shape_of(op.initial_state)):
        rule.add(size, [dim], [dim, None], FactorKind.NEED_REPLICATION, is_blocked=True)
    for dim, size in enumerate(shape_of(op.output)):
        rule.add(size, [None], [None, dim])
