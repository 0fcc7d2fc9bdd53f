"""Control flow (StableHLO specification, `while`, `if`, `case`, `optimization_barrier`)."""

from __future__ import annotations

from .arrays import Array
from .registry import Call, reference


@reference("stablehlo.while")
def while_(call: Call, *operands: Array) -> tuple[Array, ...]:
    values = tuple(operands)
    while bool(call.run(0, *values)[0]):
        values = call.run(1, *values)
    return values


@reference("stablehlo.if")
def if_(call: Call, pred: Array) -> tuple[Array, ...]:
    return call.run(0 if bool(pred) else 1)


@reference("stablehlo.case")
def case(call: Call, index: Array) -> tuple[Array, ...]:
    """An index out of range runs the last branch."""
    branch = int(index)
    last = len(call.op.regions) - 1
    return call.run(branch if 0 <= branch <= last else last)


@reference("stablehlo.optimization_barrier")
def optimization_barrier(call: Call, *operands: Array) -> tuple[Array, ...]:
    return operands
