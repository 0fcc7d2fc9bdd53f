"""The associative scalar ops, by which reductions combine elements in any order.

Works on tensors and memrefs alike. Nothing here changes IR.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.irdl import IRDLOperation


def _float(value: float) -> Callable[[Attribute], Attribute]:
    return lambda type: FloatAttr(value, cast(AnyFloat, type))


def _integer(value: Callable[[int], int]) -> Callable[[Attribute], Attribute]:
    def attribute(type: Attribute) -> Attribute:
        integer = cast(IntegerType, type)
        return cast(Attribute, IntegerAttr(value(integer.width.data), integer, truncate_bits=True))

    return attribute


NEUTRAL_ELEMENTS: dict[type[Operation], Callable[[Attribute], Attribute]] = {
    arith.AddfOp: _float(-0.0),
    arith.MulfOp: _float(1.0),
    arith.MaximumfOp: _float(-inf),
    arith.MinimumfOp: _float(inf),
    arith.AddiOp: _integer(lambda _: 0),
    arith.MuliOp: _integer(lambda _: 1),
    arith.AndIOp: _integer(lambda _: -1),
    arith.OrIOp: _integer(lambda _: 0),
    arith.XOrIOp: _integer(lambda _: 0),
    arith.MaxSIOp: _integer(lambda width: -(1 << (width - 1))),
    arith.MinSIOp: _integer(lambda width: (1 << (width - 1)) - 1),
    arith.MaxUIOp: _integer(lambda _: 0),
    arith.MinUIOp: _integer(lambda _: -1),
}
"""The associative scalar ops, each with the constant that changes nothing."""


def combiner_of(block: Block, output: BlockArgument, yielded: SSAValue) -> Operation | None:
    """The op that combines accumulator and new value, if it may be reordered: known, associative (for float sums and
    products: by their `reassoc` flag), and the only use of the accumulator.
    """
    op = yielded.owner
    if not isinstance(op, IRDLOperation) or type(op) not in NEUTRAL_ELEMENTS:
        return None
    if op.parent is not block or [use.operation for use in output.uses] != [op]:
        return None
    return op if may_be_reordered(op) else None


def may_be_reordered(op: Operation) -> bool:
    """Whether an associative op is so in its type too: sums and products of floats, if they say it."""
    return not isinstance(op, arith.AddfOp | arith.MulfOp) or FastMathFlag.REASSOC in op.fastmath.data
