"""What an op is, where others ask for the kind and not for the op: stated in its definition, listed nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.irdl import IRDLOperation
from xdsl.traits import OpTrait


class Elementwise(OpTrait):
    """Each element of the results is computed from the elements at the same place of the operands.

    An operand of rank 0 beside others is for all places. The results have the shape of the others.
    """


class MovesElements(OpTrait):
    """Each element of the result is an element of the first operand."""


class Idempotent(OpTrait):
    """The op of its own result is that result; one of two operands gives the value that both are."""


class Involution(OpTrait):
    """The op of its own result is its operand."""


class AcrossProcesses(OpTrait):
    """The results depend on the process that runs the op: constant operands do not make these constants."""


def ops_with(trait: type[OpTrait], ops: Iterable[type[IRDLOperation]]) -> list[type[IRDLOperation]]:
    """Those of `ops` that have the trait."""
    return [op for op in ops if op.has_trait(trait)]
