"""Start indices: scalars of any integer type as indices, clamped to where a slice fits."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from .attributes import INDEX, bits_of, is_unsigned
from .builder import Index, Lowering


def to_index(ctx: Lowering, value: SSAValue, element: Attribute) -> SSAValue:
    """A scalar of StableHLO type `element` as an index; what is too large for that becomes the greatest index."""
    if is_unsigned(element) and bits_of(element) == 64:
        value = ctx.scalar(arith.MinUIOp, (value, ctx.constant(i64, (1 << 63) - 1)), i64)
    return _cast(ctx, value, element)


def _cast(ctx: Lowering, value: SSAValue, element: Attribute) -> SSAValue:
    if is_unsigned(element) and bits_of(element) < 64:
        value = ctx.scalar(arith.ExtUIOp, (value,), i64)
    return ctx.scalar(arith.IndexCastOp, (value,), INDEX)


def clamped(ctx: Lowering, value: SSAValue, element: Attribute, limit: int) -> Index:
    """A start index kept within `0..limit`."""
    if limit == 0:
        return 0
    if is_unsigned(element):
        if limit < 1 << bits_of(element):
            bound = ctx.constant(value.type, limit)
            value = ctx.scalar(arith.MinUIOp, (value, bound), value.type)
        return _cast(ctx, value, element)
    return ctx.minimum(ctx.maximum(_cast(ctx, value, element), 0), limit)
