"""Tensor types to buffer types, and the two views of a dense buffer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import (
    MemRefType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.editing import new_op
from ...dialects.shared_attributes import i32_array, i64_array, memref_type


@cache
def buffer_type(type: Attribute) -> Attribute:
    """The dense memref type of a tensor type; other types stay."""
    if isinstance(type, TensorType):
        tensor_type = cast(TensorType[Attribute], type)
        return memref_type(tensor_type.element_type, *tensor_type.get_shape())
    return type


def alloc(type: Attribute) -> memref.AllocOp:
    """An allocation of the buffer for a tensor or memref `type`."""
    return new_op(
        memref.AllocOp,
        result_types=[buffer_type(type)],
        properties={"operandSegmentSizes": i32_array(0, 0)},
    )


def collapse(source: SSAValue, reassociation: Attribute, type: Attribute) -> Operation:
    """`memref.collapse_shape` of `source` to the buffer of `type`."""
    return new_op(
        memref.CollapseShapeOp,
        operands=[source],
        result_types=[buffer_type(type)],
        properties={"reassociation": reassociation},
    )


def expand(source: SSAValue, reassociation: Attribute, type: Attribute) -> Operation:
    """`memref.expand_shape` of `source` to the buffer of `type`."""
    result = cast(MemRefType[Attribute], buffer_type(type))
    return new_op(
        memref.ExpandShapeOp,
        operands=[source],
        result_types=[result],
        properties={
            "reassociation": reassociation,
            "static_output_shape": i64_array(*result.get_shape()),
        },
    )


def view_like(op: Operation, source: SSAValue) -> Operation:
    """The buffer view that corresponds to the tensor reshape `op`."""
    if isinstance(op, tensor.CollapseShapeOp):
        return collapse(source, op.reassociation, op.result.type)
    assert isinstance(op, tensor.ExpandShapeOp)
    return expand(source, op.reassociation, op.result.type)


def view_back(op: Operation, result: SSAValue) -> Operation:
    """The view of the buffer `result` of a tensor reshape `op` that has the shape of its source."""
    if isinstance(op, tensor.CollapseShapeOp):
        return expand(result, op.reassociation, op.src.type)
    assert isinstance(op, tensor.ExpandShapeOp)
    return collapse(result, op.reassociation, op.src.type)


def shapes(values: Sequence[SSAValue]) -> list[Attribute]:
    """The buffer types of `values`."""
    return [buffer_type(v.type) for v in values]
