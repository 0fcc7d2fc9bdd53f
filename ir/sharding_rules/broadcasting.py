"""CHLO's ops with implicit broadcasting, before they are decomposed."""

from __future__ import annotations

from ...dialects import chlo
from ...dialects.chlo import broadcasting
from ...dialects.registration import ops_of
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule

BINARY = [op for op in ops_of(broadcasting) if issubclass(op, broadcasting.BroadcastBinaryOp)]


@sharding_rule(*BINARY, chlo.BroadcastSelectOp)
def broadcast(op: broadcasting.BroadcastBinaryOp | chlo.BroadcastSelectOp, rule: RuleBuilder) -> None:
    """`broadcast_dimensions` places the operand of lower rank, by default at the last dimensions."""
    result = shape_of(op.results[0])
    given = None if isinstance(op, chlo.BroadcastSelectOp) else op.broadcast_dimensions
    sources: list[dict[int, int]] = []
    for operand in map(shape_of, op.operands):
        last = range(len(result) - len(operand), len(result))
        dims = given.get_values() if given is not None and len(operand) < len(result) else last
        sources.append({dim: source for source, dim in enumerate(dims) if operand[source] == result[dim]})
    for dim, size in enumerate(result):
        rule.add(size, [source_of.get(dim) for source_of in sources], [dim])
