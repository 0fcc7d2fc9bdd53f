"""What the patterns of the passes on StableHLO share: constants, reshapes, and integers of properties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.dense import Number, dense_values, pack_element, splat_attribute
from ...dialects.shared_attributes import i64_array, tensor_type
from ...ir.rewriter import Rewriter


def splat(rewriter: Rewriter, type: TensorType[Attribute], value: Number | bytes) -> SSAValue:
    """A new constant all of whose elements are `value`."""
    element = value if isinstance(value, bytes) else pack_element(type.element_type, value)
    return rewriter.emit(stablehlo.ConstantOp, (), type, {"value": splat_attribute(type, element)})


def reshape(rewriter: Rewriter, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """`value` with another shape; itself if it has this shape already."""
    type = cast(TensorType[Attribute], value.type)
    if type.get_shape() == tuple(shape):
        return value
    return rewriter.emit(stablehlo.ReshapeOp, (value,), tensor_type(type.element_type, *shape))


def ints(op: Operation, name: str) -> tuple[int, ...]:
    """The values of an array or dense property of integers, each of a splat too."""
    value = op.properties[name]
    if isinstance(value, DenseIntOrFPElementsAttr):
        return tuple(dense_values(cast("DenseIntOrFPElementsAttr[Any]", value)))
    return cast(DenseArrayBase[Any], value).get_values()


def int_array(values: Sequence[int]) -> DenseArrayBase[Any]:
    """An integer array property."""
    return i64_array(*values)


def spelled_out(dims: Sequence[int]) -> list[tuple[int, int]]:
    """The dimensions that are not of size 1, as pairs of index and size."""
    return [(index, size) for index, size in enumerate(dims) if size != 1]
