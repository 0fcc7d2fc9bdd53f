"""CHLO's ops with implicit broadcasting, before they are decomposed."""

from __future__ import annotations

from ...dialects import chlo
from ...dialects.chlo import broadcasting
from ...dialects.registration import ops_of
from ...dialects.stablehlo.shapes import shape_of
from .builder import Dim, RuleBuilder
from .registry import sharding_rule
from .rule import ShardingRule


@sharding_rule(*[op for op in ops_of(broadcasting) if issubclass(op, broadcasting.BroadcastBinaryOp)])
def broadcast_binary(op: broadcasting.BroadcastBinaryOp) -> ShardingRule:
    """`broadcast_dimensions` places the operand of lower rank, by default at the last dimensions."""
    result = shape_of(op.results[0])
    given = op.broadcast_dimensions
    places: list[dict[int, int]] = []
    for operand in op.operands:
        rank = len(shape_of(operand))
        last = range(len(result) - rank, len(result))
        dims = given.get_values() if given is not None and rank < len(result) else last
        places.append({dim: source for source, dim in enumerate(dims)})
    builder = RuleBuilder(op)
    for dim, size in enumerate(result):
        sources: list[Dim] = []
        for operand, sources_of in zip(op.operands, places, strict=True):
            source = sources_of.get(dim)
            sources.append(source if source is None or shape_of(operand)[source] == size else None)
        builder.add(size, sources, [dim])
    return builder.rule()


@sharding_rule(chlo.BroadcastSelectOp)
def broadcast_select(op: chlo.BroadcastSelectOp) -> ShardingRule:
    """All three operands broadcast to the last dimensions."""
    result = shape_of(op.results[0])
    builder = RuleBuilder(op)
    for dim, size in enumerate(result):
        sources: list[Dim] = []
        for operand in map(shape_of, op.operands):
            source = dim - len(result) + len(operand)
            sources.append(source if source >= 0 and operand[source] == size else None)
        builder.add(size, sources, [dim])
    return builder.rule()
