"""Comparators that compare integer keys of their operands: `key(a) < key(b)`, `key(a) > key(b)`, either way round.

That is what most comparators do, those of JAX with one key among them: there the key of a float is an integer in total
order, in which all zeros are equal and all NaNs are. It is read off the region of a sort: a last `arith.cmpi` whose
operands are the same function of the two elements.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.element_sizes import element_bits
from ..convert_stablehlo_to_linalg.arithmetic import Number
from ..convert_stablehlo_to_linalg.attributes import is_integer
from ..convert_stablehlo_to_linalg.builder import Lowering, Scalars
from .loops import inline_block

_PREDICATES = {name: i for i, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}
_STRICT = {_PREDICATES[name]: name for name in ("slt", "sgt", "ult", "ugt")}


class SortKey(NamedTuple):
    """An integer of `bits` bits by whose order, signed or not, ascending or descending, `comparator` sorts."""

    comparator: Block
    bits: int
    is_signed: bool
    is_descending: bool

    @property
    def predicate(self) -> str:
        """How the keys of two elements compare where the first one comes first."""
        return ("s" if self.is_signed else "u") + ("gt" if self.is_descending else "lt")

    def integer(self, ctx: Lowering, elements: Scalars) -> Number:
        """The key of one element of each operand, as it is compared."""
        last = ctx.block.last_op
        (less,) = inline_block(ctx, self.comparator, [element for element in elements for _ in range(2)])
        comparison = less.value.owner
        assert isinstance(comparison, arith.CmpiOp)
        _erase_unused(ctx.block, last, comparison.operands[0])
        return Number(ctx, comparison.operands[0])

    def emit(self, ctx: Lowering, elements: Scalars) -> Number:
        """The key of one element of each operand, as an i64 in ascending order of its low bits without a sign."""
        key = self.integer(ctx, elements)
        is_flipped = self.is_signed and self.is_descending
        if is_flipped:  # all bits but that of the sign: what is negative comes last
            key = key ^ ((1 << (self.bits - 1)) - 1)
        if self.bits < 64:
            signed = self.is_signed and not is_flipped
            key = key.apply(arith.ExtSIOp if signed else arith.ExtUIOp, to=i64)
        if self.is_signed and not is_flipped:
            # Not a flipped sign bit: of bf16, LLVM 22 makes that a negation it cannot generate code for.
            key = key + (1 << (self.bits - 1))
        elif self.is_descending and not is_flipped:
            key = key ^ ((1 << self.bits) - 1)
        return key


def sort_key(comparator: Block) -> SortKey | None:
    """The key that the region of a sort compares, if it does."""
    last = comparator.last_op
    comparison = None if last is None or not last.operands else last.operands[0].owner
    if not isinstance(comparison, arith.CmpiOp) or comparison.parent is not comparator:
        return None
    name = _STRICT.get(comparison.predicate.value.data)
    lhs, rhs = comparison.operands
    if name is None or not is_integer(lhs.type):
        return None
    in_order = _is_mirrored(lhs, rhs, comparator)
    if not in_order and not _is_mirrored(rhs, lhs, comparator):
        return None
    return SortKey(comparator, element_bits(lhs.type), name.startswith("s"), name.endswith("gt") == in_order)


def _is_mirrored(lhs: SSAValue, rhs: SSAValue, block: Block) -> bool:
    """Whether `rhs` is the same function of the second elements as `lhs` is of the first ones."""
    left, right = lhs.owner, rhs.owner
    if left is block or right is block:
        if left is not right:
            return False
        first = block.args.index(lhs)
        return first % 2 == 0 and block.args[first + 1] is rhs
    if isinstance(left, Block) or left.parent is not block:
        return lhs is rhs
    return (
        isinstance(right, Operation)
        and type(left) is type(right)
        and not left.regions
        and left.properties == right.properties
        and left.results.index(lhs) == right.results.index(rhs)
        and len(left.operands) == len(right.operands)
        and all(_is_mirrored(a, b, block) for a, b in zip(left.operands, right.operands, strict=True))
    )


def _erase_unused(block: Block, last: Operation | None, kept: SSAValue) -> None:
    """Erase what has been appended to `block` after `last` and neither is nor leads to `kept`."""
    op = block.last_op
    while op is not None and op is not last:
        previous = op.prev_op
        if kept not in op.results and all(result.first_use is None for result in op.results):
            block.erase_op(op)
        op = previous
