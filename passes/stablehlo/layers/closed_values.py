"""Values that follow from nothing but small constants, cheaply: masks, positions, numbers.

Whoever reads one can as well compute it again. A layer takes those that it reads along.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from ....dialects import stablehlo
from ....dialects.editing import clone
from ....dialects.stablehlo.shapes import shape_of
from ....ir.equality import Structures

_CHEAP = frozenset(
    (
        stablehlo.AddOp,
        stablehlo.AndOp,
        stablehlo.BroadcastInDimOp,
        stablehlo.CompareOp,
        stablehlo.ConvertOp,
        stablehlo.IotaOp,
        stablehlo.MaxOp,
        stablehlo.MinOp,
        stablehlo.MulOp,
        stablehlo.NegOp,
        stablehlo.NotOp,
        stablehlo.OrOp,
        stablehlo.ReshapeOp,
        stablehlo.SelectOp,
        stablehlo.SliceOp,
        stablehlo.SubtractOp,
        stablehlo.TransposeOp,
    )
)
"""What loops compute where they read it, in a cycle or two per element."""


class ClosedValues:
    """The values of a function that are closed."""

    def __init__(self, structures: Structures, copied_elements: int) -> None:
        self.numbers: dict[SSAValue, int] = {}
        """Equal ones have the same number."""
        self._structures = structures
        self._copied_elements = copied_elements

    def add(self, op: Operation) -> bool:
        """Whether the result of `op` is closed; the ops in front of it have been added."""
        if isinstance(op, stablehlo.ConstantOp):
            if not self._is_small(op):
                return False
        elif op.__class__ not in _CHEAP or any(operand not in self.numbers for operand in op._operands):
            return False
        operands = tuple([self.numbers[operand] for operand in op._operands])
        self.numbers[op.results[0]] = self._structures.number((self._structures.of_values(op), operands))
        return True

    def _is_small(self, op: stablehlo.ConstantOp) -> bool:
        value = cast("DenseIntOrFPElementsAttr[Any]", op.value)
        return prod(shape_of(op.results[0])) <= self._copied_elements or value.is_splat()

    def copies(self, value: SSAValue, mapping: dict[SSAValue, SSAValue]) -> list[Operation]:
        """Ops that compute the closed `value`. `mapping` has the copies that there are, and gets the new ones."""
        made: list[Operation] = []
        pending = [value]
        while pending:
            owner = cast(Operation, pending[-1].owner)
            if pending[-1] in mapping:
                pending.pop()
            elif missing := [operand for operand in owner._operands if operand not in mapping]:
                pending += reversed(missing)
            else:
                made.append(clone(owner, mapping))
        return made
