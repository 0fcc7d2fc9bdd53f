"""Start indices: scalars of any integer type as indices, clamped to where a slice fits; the parts of index vectors."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .arithmetic import Index, Number
from .attributes import element_of, is_integer, is_unsigned
from .builder import Lowered, Lowering


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


def counts_along(value: SSAValue, dim: int) -> bool:
    """Whether every element of `value` is its index in dimension `dim`, an integer that has room."""
    type = element_of(value)
    return is_integer(type) and shape_of(value)[dim] < 1 << (type.bitwidth - 1) and _is_iota(value, dim)


def _is_iota(value: SSAValue, dim: int) -> bool:
    owner = value.owner
    if not isinstance(owner, stablehlo.BroadcastInDimOp):
        return isinstance(owner, stablehlo.IotaOp) and owner.iota_dimension.value.data == dim
    source, dims = owner.operands[0], owner.broadcast_dimensions.get_values()
    if dim not in dims:
        return False
    place = dims.index(dim)
    return shape_of(source)[place] == shape_of(value)[dim] and _is_iota(source, place)


def to_index(number: Number) -> Number:
    """An integer as an index; what is too large for that becomes the greatest index."""
    if is_unsigned(number.type):
        number = number.apply(arith.ExtUIOp, to=i64) if number.bits < 64 else number.apply(arith.MinUIOp, (1 << 63) - 1)
    return number.as_index()


def clamped(number: Number, limit: int) -> Index:
    """A start index kept within `0..limit`."""
    if limit == 0:
        return 0
    if is_unsigned(number.type):
        if limit < 1 << number.bits:
            number = number.apply(arith.MinUIOp, limit)
        return (number.apply(arith.ExtUIOp, to=i64) if number.bits < 64 else number).as_index()
    # In the type of the index: of that, a vector has most elements.
    limit = min(limit, (1 << (number.bits - 1)) - 1)
    return number.apply(arith.MaxSIOp, 0).apply(arith.MinSIOp, limit).as_index()
