"""Which instruction does several steps of a reduction at once, and for which operands.

Products of bytes that are both signed are those of unsigned and signed bytes too: flipping the sign bit of a signed
byte adds 128 to it, and what that adds to a sum, 128 times the sum of a column of the other operand, is subtracted once
for a panel. So are products of unsigned bytes, from which it subtracts 128. All is modulo 2^32.
"""

from __future__ import annotations

from xdsl.dialects import arith

from ...decisions.denormals import PRESERVE
from ...decisions.dot_products import DOT_PRODUCTS, DotProduct
from ...decisions.model import CostModel
from ...dialects.xrt_attributes import denormals_of
from ...ir.structured import element_type
from .analysis import Contraction, Operand, Words


def words_of(contraction: Contraction, dot: DotProduct) -> Words | None:
    """The words in which `dot` computes the sums of `contraction`; `None` if it cannot."""
    kinds = [_kind(operand) for operand in (contraction.lhs, contraction.rhs)]
    inner = contraction.reduction[-1]
    if str(contraction.element_type) != dot.sums or None in kinds or contraction.words is not None:
        return None
    factors = list(dot.factors)
    for left, offset in ((kinds[0], False), (_FLIPPED.get(kinds[0]), True)):
        if [left, kinds[1]] in (factors, factors[::-1]):
            return Words(dot, inner.strides, inner.size, [left, kinds[1]] != factors, offset)
    return None


_FLIPPED: dict[str | None, str] = {"i8": "ui8", "ui8": "i8"}
"""What bytes are whose sign bit is flipped."""


def choose_words(contraction: Contraction, model: CostModel) -> Words | None:
    """The words for which the target has an instruction and which pay; `None` if there are none.

    Where a program preserves subnormal numbers, instructions that always flush them are none of its.
    """
    preserves = denormals_of(contraction.op.get_toplevel_object()) == PRESERVE
    for name in model.target.dot_products:
        dot = DOT_PRODUCTS[name]
        words = None if preserves and dot.flushes else words_of(contraction, dot)
        if words is not None and model.contractions.worth_words(words.steps, words.dot.group):
            return words
    return None


def _kind(operand: Operand) -> str | None:
    """The type of an operand's elements, with their sign; `None` if they are not extended."""
    if operand.extension is None:
        return None
    name = str(element_type(operand.memref))
    return f"u{name}" if operand.extension is arith.ExtUIOp else name
