"""Edges: what moves values between regions, so that all that it moves is split alike.

The sources of an edge give their value, whole, to its targets. `while` has one per carried value: from the operand and
from what the body returns to the result and to the arguments of both regions. The owner is the target of which the
program states the sharding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Operation, Region, SSAValue

from ...dialects import stablehlo

MANUAL_COMPUTATION = "sdy.manual_computation"
NAMED_COMPUTATION = "sdy.named_computation"


class Edge(NamedTuple):
    """Values that are split alike."""

    sources: tuple[SSAValue, ...]
    targets: tuple[SSAValue, ...]
    """The owner first."""

    @property
    def owner(self) -> SSAValue:
        return self.targets[0]


def edges_of(op: Operation) -> Iterator[Edge]:
    """The edges of an op, by its results or the arguments of its region; none for most."""
    if isinstance(op, stablehlo.WhileOp):
        yield from _of_while(op)
    elif isinstance(op, stablehlo.CaseOp | stablehlo.IfOp):
        yielded = [_yielded(region) for region in op.regions]
        for result in op.results:
            yield Edge(tuple(values[result.index] for values in yielded), (result,))
    elif isinstance(op, stablehlo.OptimizationBarrierOp):
        for source, result in zip(op.operands, op.results, strict=True):
            yield Edge((source,), (result,))
    elif isinstance(op, stablehlo.GetTupleElementOp):
        if isinstance(op.operand.owner, stablehlo.TupleOp):
            yield Edge((op.operand.owner.operands[op.index.value.data],), (op.result,))
    elif op.name in (MANUAL_COMPUTATION, NAMED_COMPUTATION):
        for source, argument in zip(op.operands, _arguments(op.regions[0]), strict=True):
            yield Edge((source,), (argument,))
        for source, result in zip(_yielded(op.regions[0]), op.results, strict=True):
            yield Edge((source,), (result,))


def _of_while(op: Any) -> Iterator[Edge]:
    condition, body = op.regions
    carried = zip(op.operands, _yielded(body), op.results, _arguments(condition), _arguments(body), strict=True)
    for operand, returned, result, tested, argument in carried:
        yield Edge((operand, returned), (result, tested, argument))


def _arguments(region: Region) -> Sequence[SSAValue]:
    return region.block.args


def _yielded(region: Region) -> Sequence[SSAValue]:
    """What the region gives: the operands of its terminator."""
    last = region.block.last_op
    return () if last is None else last.operands
