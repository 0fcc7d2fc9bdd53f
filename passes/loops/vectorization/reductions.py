"""Values that a loop carries as a combination of one operation, which may be formed in any order.

Each lane of a vector forms one of its own, starting from what changes nothing; at the end the lanes are combined.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.utils import FastMathFlag
from xdsl.dialects.vector import CombiningKindFlag as Combining
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue


class _Kind(NamedTuple):
    """How `vector.reduction` calls a combination, and what changes nothing; without it a value combined with itself
    is itself."""

    kind: Combining
    neutral: float | int | None = None


_KINDS: dict[type[Operation], _Kind] = {
    arith.AddfOp: _Kind(Combining.ADD, -0.0),
    arith.MulfOp: _Kind(Combining.MUL, 1.0),
    arith.MaximumfOp: _Kind(Combining.MAXIMUMF),
    arith.MinimumfOp: _Kind(Combining.MINIMUMF),
    arith.MaxnumfOp: _Kind(Combining.MAXNUMF),
    arith.MinnumfOp: _Kind(Combining.MINNUMF),
    arith.AddiOp: _Kind(Combining.ADD, 0),
    arith.MuliOp: _Kind(Combining.MUL, 1),
    arith.XOrIOp: _Kind(Combining.XOR, 0),
    arith.AndIOp: _Kind(Combining.AND),
    arith.OrIOp: _Kind(Combining.OR),
    arith.MaxSIOp: _Kind(Combining.MAXSI),
    arith.MinSIOp: _Kind(Combining.MINSI),
    arith.MaxUIOp: _Kind(Combining.MAXUI),
    arith.MinUIOp: _Kind(Combining.MINUI),
}
_ROUNDING = (arith.AddfOp, arith.MulfOp)


class Reduction(NamedTuple):
    """A carried value: `combiner` is the first op of its chain, `argument` stands for it in the loop."""

    argument: BlockArgument
    combiner: Operation

    @property
    def kind(self) -> vector.CombiningKindAttr:
        """The combination, as `vector.reduction` names it."""
        return vector.CombiningKindAttr(_KINDS[type(self.combiner)].kind)

    def starts_from(self, init: SSAValue) -> Attribute | None:
        """The constant that all lanes start from, after which `init` has to be combined with the result; None where
        they can start from `init` itself and nothing is left to do.
        """
        neutral = _KINDS[type(self.combiner)].neutral
        if neutral is None:
            return None
        if isinstance(owner := init.owner, arith.ConstantOp) and cast(Any, owner.value).value.data == neutral:
            return None
        if isinstance(neutral, float):
            return FloatAttr(neutral, cast(Any, self.argument.type))
        return IntegerAttr(neutral, cast("IntegerType", self.argument.type))


def reduction_of(argument: BlockArgument, position: int) -> Reduction | None:
    """What a loop does with `argument`, for which it yields operand `position`, if it only combines it with others."""
    first: Operation | None = None
    value: SSAValue = argument
    while True:
        uses = list(value.uses)
        if len(uses) != 1:
            return None
        ((user, index),) = ((use.operation, use.index) for use in uses)
        if user is (cast(Any, argument.owner)).last_op:
            return None if first is None or index != position else Reduction(argument, first)
        if user.__class__ not in _KINDS or (first is not None and user.__class__ is not first.__class__):
            return None
        if isinstance(user, _ROUNDING) and not _may_be_reordered(user):
            return None
        first = user if first is None else first
        value = user.results[0]


def _may_be_reordered(op: arith.AddfOp | arith.MulfOp) -> bool:
    return FastMathFlag.REASSOC in op.fastmath.data
