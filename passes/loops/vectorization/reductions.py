"""Values that a loop carries as a combination of one operation, which may be formed in any order.

Each lane of a vector forms one of its own, starting from what changes nothing; at the end the lanes are combined.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, vector
from xdsl.dialects.vector import CombiningKindFlag as Combining
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....ir.combiners import NEUTRAL_ELEMENTS, may_be_reordered

_COMBINERS: frozenset[type[Operation]] = frozenset({*NEUTRAL_ELEMENTS, arith.MaxnumfOp, arith.MinnumfOp})
_NEUTRAL: dict[type[Operation], float] = {
    arith.AddfOp: -0.0,
    arith.MulfOp: 1.0,
    arith.AddiOp: 0,
    arith.MuliOp: 1,
    arith.XOrIOp: 0,
}
"""What changes nothing. By the others a value combined with itself is itself."""


class Reduction(NamedTuple):
    """A carried value: `combiner` is the first op of its chain, `argument` stands for it in the loop."""

    argument: BlockArgument
    combiner: Operation

    @property
    def kind(self) -> vector.CombiningKindAttr:
        """The combination, as `vector.reduction` names it: of most ops the type is left out."""
        name = self.combiner.name.removeprefix("arith.")
        return vector.CombiningKindAttr(Combining(name if name in set(Combining) else name[:-1]))

    def starts_from(self, init: SSAValue) -> float | None:
        """The number that all lanes start from, after which `init` has to be combined with the result; None where they
        can start from `init` itself and nothing is left to do.
        """
        neutral = _NEUTRAL.get(type(self.combiner))
        is_neutral = isinstance(owner := init.owner, arith.ConstantOp) and cast(Any, owner.value).value.data == neutral
        return None if is_neutral else neutral


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
        if user.__class__ not in _COMBINERS or not may_be_reordered(user):
            return None
        if first is not None and user.__class__ is not first.__class__:
            return None
        first = user if first is None else first
        value = user.results[0]
