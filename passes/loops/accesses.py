"""Loads and stores of single elements, of `affine` and `memref` alike, and ops that may fail."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith, memref
from xdsl.ir import Operation, SSAValue

from ...ir import views

LOADS: frozenset[type[Operation]] = frozenset({affine.LoadOp, memref.LoadOp})
STORES: frozenset[type[Operation]] = frozenset({affine.StoreOp, memref.StoreOp})
DIVISIONS: frozenset[type[Operation]] = frozenset(
    {
        arith.CeilDivSIOp,
        arith.CeilDivUIOp,
        arith.DivSIOp,
        arith.DivUIOp,
        arith.FloorDivSIOp,
        arith.RemSIOp,
        arith.RemUIOp,
    }
)
"""Not to be done where a program does not: the divisor may be zero."""


def memory_of(access: Operation) -> SSAValue:
    """The memref that a load reads or a store writes."""
    return access._operands[0 if access.__class__ in LOADS else 1]


def indices_of(access: Operation) -> Sequence[SSAValue]:
    """Its indices, or the operands of the map that gives them."""
    return access._operands[1 if access.__class__ in LOADS else 2 :]


def buffer_of(access: Operation) -> SSAValue:
    """The memory that it reads or writes, without views of all of it or parts."""
    return views.buffer_of(memory_of(access))
