"""Start indices: scalars of any integer type as indices, clamped to where a slice fits; the parts of index vectors."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from .attributes import INDEX, is_unsigned, shape_of
from .builder import Index, Lowered, Lowering


class Component(NamedTuple):
    """One component of all index vectors: where it is in dimension `index_vector_dim` of a tensor."""

    tensor: Lowered
    position: int


def index_components(ctx: Lowering, vectors: SSAValue, index_vector_dim: int) -> list[Component]:
    """The components of index vectors, those of a concatenation in its operands."""
    shape = shape_of(vectors)
    if index_vector_dim == len(shape):
        return [Component(ctx.lowered(vectors), 0)]
    parts = [vectors]
    if isinstance(vectors.owner, stablehlo.ConcatenateOp) and vectors.owner.dimension.value.data == index_vector_dim:
        parts = vectors.owner.operands
    return [Component(ctx.lowered(part), k) for part in parts for k in range(shape_of(part)[index_vector_dim])]


def joins_index_vectors(op: stablehlo.ConcatenateOp) -> bool:
    """Whether the result is read by `index_components` only, which finds the operands."""
    for use in op.results[0].uses:
        reader = use.operation
        if isinstance(reader, stablehlo.GatherOp) and use.index == 1:
            numbers = reader.dimension_numbers
        elif isinstance(reader, stablehlo.ScatterOp) and use.index == len(reader.inputs):
            numbers = reader.scatter_dimension_numbers
        else:
            return False
        if numbers.index_vector_dim != op.dimension.value.data:
            return False
    return True


def to_index(ctx: Lowering, value: SSAValue, element: Attribute) -> SSAValue:
    """A scalar of StableHLO type `element` as an index; what is too large for that becomes the greatest index."""
    if is_unsigned(element) and element_bits(element) == 64:
        value = ctx.scalar(arith.MinUIOp, (value, ctx.constant(i64, (1 << 63) - 1)), i64)
    return _cast(ctx, value, element)


def _cast(ctx: Lowering, value: SSAValue, element: Attribute) -> SSAValue:
    if is_unsigned(element) and element_bits(element) < 64:
        value = ctx.scalar(arith.ExtUIOp, (value,), i64)
    return ctx.scalar(arith.IndexCastOp, (value,), INDEX)


def clamped(ctx: Lowering, value: SSAValue, element: Attribute, limit: int) -> Index:
    """A start index kept within `0..limit`."""
    if limit == 0:
        return 0
    if is_unsigned(element):
        if limit < 1 << element_bits(element):
            bound = ctx.constant(value.type, limit)
            value = ctx.scalar(arith.MinUIOp, (value, bound), value.type)
        return _cast(ctx, value, element)
    # In the type of the index: of that, a vector has most elements.
    limit = min(limit, (1 << (element_bits(element) - 1)) - 1)
    for bound_op, bound in ((arith.MaxSIOp, 0), (arith.MinSIOp, limit)):
        value = ctx.scalar(bound_op, (value, ctx.constant(value.type, bound)), value.type)
    return _cast(ctx, value, element)
