"""Products that are added to a sum of products, which is formed in any order: one instruction does both.

A reduction of products says `reassoc` on both ops. Their copies in loops say `contract` too: `math-expand-elementary`
makes one op of the additions that have an order, LLVM one instruction of the others.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation, SSAValue

from ...ir.combiners import may_be_reordered
from .nest import Nest

FUSED = arith.FastMathFlagsAttr([FastMathFlag.REASSOC, FastMathFlag.ALLOW_CONTRACT])
"""The flags of a product and of the addition that may be reordered too."""

FUSED_IN_ORDER = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])
"""Those of an addition of a product that stands where it is."""


def fused_in(nest: Nest) -> set[Operation]:
    """The ops of the body of `nest` that are a product, or add it to a sum."""
    fused: set[Operation] = set()
    for combiner in nest.body.combiners:
        if not isinstance(combiner, arith.AddfOp) or not may_be_reordered(combiner):
            continue
        for term in combiner.operands:
            product = nest.body.same.get(term, term).owner
            if isinstance(product, arith.MulfOp) and may_be_reordered(product) and product.result.has_one_use():
                fused |= {combiner, product}
    return fused


def is_fused_product(value: SSAValue) -> bool:
    """Whether `value` is the copy of such a product."""
    return isinstance(value.owner, arith.MulfOp) and value.owner.fastmath == FUSED
