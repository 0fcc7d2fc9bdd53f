"""Comparators that compare integer keys of their operands: `key(a) < key(b)`, `key(a) > key(b)`, either way round.

That is what most comparators do, those of JAX with one key among them: there the key of a float is an integer in total
order, in which all zeros are equal and all NaNs are. It is read off the lowered form: a last `arith.cmpi` whose
operands are the same function of the two elements.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from .arithmetic import Number
from .attributes import element_of, is_integer, signless
from .builder import Lowering, Scalars
from .regions import inline

_PREDICATES = {name: i for i, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}
_STRICT = {_PREDICATES[name]: name for name in ("slt", "sgt", "ult", "ugt")}


class SortKey(NamedTuple):
    """An integer of `bits` bits by whose order, signed or not, ascending or descending, `op` sorts."""

    op: stablehlo.SortOp
    bits: int
    is_signed: bool
    is_descending: bool

    def emit(self, ctx: Lowering, elements: Scalars) -> Number:
        """The key of one element of each operand, as an i64 in ascending order of its low bits without a sign."""
        last = ctx.block.last_op
        (less,) = inline(ctx, self.op.comparator, [element for element in elements for _ in range(2)])
        comparison = less.value.owner
        assert isinstance(comparison, arith.CmpiOp)
        _erase_unused(ctx.block, last, comparison.operands[0])
        key = Number(ctx, comparison.operands[0])
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


def sort_key(ctx: Lowering, op: stablehlo.SortOp) -> SortKey | None:
    """The key that the comparator of `op` compares, if it does."""
    probe = Block(arg_types=[signless(element_of(value)) for value in op.inputs for _ in range(2)])
    with ctx.into(probe):
        (less,) = inline(ctx, op.comparator, [Number(ctx, arg) for arg in probe.args])
    comparison = less.value.owner
    key: SortKey | None = None
    if isinstance(comparison, arith.CmpiOp) and comparison.parent is probe:
        name = _STRICT.get(comparison.predicate.value.data)
        lhs, rhs = comparison.operands
        if name is not None and is_integer(lhs.type):
            in_order = _is_mirrored(lhs, rhs, probe)
            if in_order or _is_mirrored(rhs, lhs, probe):
                key = SortKey(op, element_bits(lhs.type), name.startswith("s"), name.endswith("gt") == in_order)
    probe.drop_all_references()
    for inner in list(probe.ops):
        inner.drop_all_references()
    return key


def _is_mirrored(lhs: SSAValue, rhs: SSAValue, probe: Block) -> bool:
    """Whether `rhs` is the same function of the second elements as `lhs` is of the first ones."""
    left, right = lhs.owner, rhs.owner
    if left is probe or right is probe:
        if left is not right:
            return False
        first = probe.args.index(lhs)
        return first % 2 == 0 and probe.args[first + 1] is rhs
    if isinstance(left, Block) or left.parent is not probe:
        return lhs is rhs
    return (
        isinstance(right, Operation)
        and type(left) is type(right)
        and not left.regions
        and left.properties == right.properties
        and left.results.index(lhs) == right.results.index(rhs)
        and len(left.operands) == len(right.operands)
        and all(_is_mirrored(a, b, probe) for a, b in zip(left.operands, right.operands, strict=True))
    )


def _erase_unused(block: Block, last: Operation | None, kept: SSAValue) -> None:
    """Erase what has been appended to `block` after `last` and neither is nor leads to `kept`."""
    op = block.last_op
    while op is not None and op is not last:
        previous = op.prev_op
        if kept not in op.results and all(result.first_use is None for result in op.results):
            block.erase_op(op)
        op = previous
