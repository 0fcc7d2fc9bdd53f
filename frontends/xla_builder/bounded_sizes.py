"""Dimensions of bounded size in several operands of an operation.

Where operands have to agree in a dimension and one has a bounded size there, the others have that size too: of an
array of static size the first elements are taken. XLA's shape inference makes the result bounded, its dynamic padder
takes the size.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import stablehlo
from .core import XlaOp, require


def first_elements(op: XlaOp, dimension: int, size: XlaOp) -> XlaOp:
    """The first `size` elements of an array along a dimension."""
    return op.builder.emit(stablehlo.SetDimensionSizeOp(op.value, size.value, dimension))


def dimension_size(op: XlaOp, dimension: int) -> XlaOp:
    """The size of a dimension when the program runs."""
    return op.builder.emit(stablehlo.GetDimensionSizeOp(op.value, dimension))


def sized_as(op: XlaOp, dimension: int, other: XlaOp, other_dimension: int) -> XlaOp:
    """`op` with as many elements along a dimension as `other` has, if that is bounded and its own is not."""
    if op.shape.dynamic[dimension] or not other.shape.dynamic[other_dimension]:
        return op
    return first_elements(op, dimension, dimension_size(other, other_dimension))


def of_one_size(ops: Sequence[XlaOp], except_for: int = -1) -> list[XlaOp]:
    """Arrays that agree in all dimensions but `except_for`, the bounded sizes of any of them in all."""
    sized = list(ops)
    for dimension in range(ops[0].shape.rank):
        source = next((op for op in ops if op.shape.dynamic[dimension]), None)
        if source is not None and dimension != except_for:
            sized = [sized_as(op, dimension, source, dimension) for op in sized]
    return sized


def require_static(argument: str, op: XlaOp, dimensions: Sequence[int], purpose: str) -> None:
    """Require dimensions of static size: of one that only has a bound, the operation would see the padding."""
    for dimension in dimensions:
        require(
            not op.shape.dynamic[dimension],
            argument,
            f"dimension {dimension} of {op.shape}, of bounded size, cannot be {purpose}",
        )
