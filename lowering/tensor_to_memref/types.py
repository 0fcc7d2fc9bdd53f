"""Tensor types to buffer types, and the buffer forms of ops that kernels and programs have alike."""

from __future__ import annotations

from typing import TypeAlias, cast

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.editing import new_op
from ...dialects.shared_attributes import cached_by_identity, i32_array, i64_array, memref_type

Reshape: TypeAlias = tensor.ExpandShapeOp | tensor.CollapseShapeOp


@cached_by_identity
def buffer_type(type: Attribute) -> Attribute:
    """The dense memref type of a tensor type; other types stay."""
    if not isinstance(type, TensorType):
        return type
    tensor_type = cast(TensorType[Attribute], type)
    return memref_type(tensor_type.element_type, *tensor_type.get_shape())


def alloc(type: Attribute) -> memref.AllocOp:
    """An allocation of the buffer for a tensor or memref `type`."""
    return new_op(memref.AllocOp, (), (buffer_type(type),), {"operandSegmentSizes": i32_array(0, 0)})


def load(op: tensor.ExtractOp, *operands: SSAValue) -> memref.LoadOp:
    """`op` of a buffer and indices."""
    return new_op(memref.LoadOp, operands, op.result_types)


def view(op: Reshape, buffer: SSAValue, *, back: bool = False) -> Operation:
    """The buffer of the result of `op` as a view of that of its operand; with `back`, the other way round."""
    type = cast("MemRefType[Attribute]", buffer_type((op.operands[0] if back else op.results[0]).type))
    properties = {"reassociation": op.properties["reassociation"]}
    if isinstance(op, tensor.CollapseShapeOp) is not back:
        return new_op(memref.CollapseShapeOp, (buffer,), (type,), properties)
    properties["static_output_shape"] = i64_array(*type.get_shape())
    return new_op(memref.ExpandShapeOp, (buffer,), (type,), properties)
