"""`memref` to `llvm`: a memref is the pointer to its first element, all else about it is static.

An access computes the linear index from constant strides and addresses by `getelementptr inbounds`,
which LLVM's vectoriser understands. Views of the same elements are the same pointer.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from .arith import Handler
from .builder import FunctionLowering
from .types import Storage, value_type

STACK_ALIGNMENT, SMALL_STACK_ALIGNMENT = 64, 16
"""Of buffers on the stack: of those that fill a cache line, and of smaller ones."""


def load_element(f: FunctionLowering, pointer: SSAValue, type: Attribute, at: Storage) -> SSAValue:
    """The value of LLVM type `type` stored at `pointer`."""
    value = f.load(pointer, at.type, at.alignment)
    return f.emit(llvm.TruncOp, (value,), type, {}) if at.narrow else value


def store_element(f: FunctionLowering, value: SSAValue, pointer: SSAValue, at: Storage) -> None:
    """Stores `value` at `pointer`."""
    if at.narrow:
        value = f.emit(llvm.ZExtOp, (value,), at.type, {})
    f.store(value, pointer, at.alignment)


def load(op: memref.LoadOp, f: FunctionLowering) -> None:
    source, *indices = op._operands
    result = op.results[0]
    layout = f.layout(source.type)
    pointer = f.pointer_to(source, indices, layout)
    f.values[result] = load_element(f, pointer, value_type(result.type), layout.storage)


def store(op: memref.StoreOp, f: FunctionLowering) -> None:
    value, target, *indices = op._operands
    layout = f.layout(target.type)
    pointer = f.pointer_to(target, indices, layout)
    store_element(f, f.values[value], pointer, layout.storage)


def alloca(op: memref.AllocaOp, f: FunctionLowering) -> None:
    layout = f.layout(op.memref.type)
    count = max(1, layout.elements)
    alignment = STACK_ALIGNMENT if layout.size >= STACK_ALIGNMENT else SMALL_STACK_ALIGNMENT
    f.values[op.memref] = f.alloca(layout.storage.type, count, alignment)


def same_elements(op: Operation, f: FunctionLowering) -> None:
    """A view whose elements lie where the operand's do."""
    f.layout(op.results[0].type)
    f.values[op.results[0]] = f.values[op._operands[0]]


def view(op: memref.ViewOp, f: FunctionLowering) -> None:
    source, byte_shift = op._operands[0], op._operands[1]
    f.values[op.results[0]] = f.pointer_to(source, [byte_shift], f.layout(source.type))


def subview(op: memref.SubviewOp, f: FunctionLowering) -> None:
    layout = f.layout(op.source.type)
    dynamic = iter(op.offsets)
    offsets = [next(dynamic) if offset == DYNAMIC_INDEX else offset for offset in op.static_offsets.get_values()]
    f.layout(op.result.type)
    f.values[op.result] = f.pointer_to(op.source, offsets, layout)


def reinterpret_cast(op: memref.ReinterpretCastOp, f: FunctionLowering) -> None:
    (offset,) = op.static_offsets.get_values()
    if offset == DYNAMIC_INDEX:
        raise f.unsupported(op, "the offset is not static")
    base = f.values[op.source]
    if offset:
        element = f.layout(op.source.type).storage.type
        base = f.element_pointer(base, f.integer(offset), element)
    f.layout(op.result.type)
    f.values[op.result] = base


def get_global(op: memref.GetGlobalOp, f: FunctionLowering) -> None:
    f.values[op.memref] = f.address_of_global(op.name_.string_value())


def copy(op: memref.CopyOp, f: FunctionLowering) -> None:
    source, target = f.layout(op.source.type), f.layout(op.destination.type)
    if not (source.dense and target.dense):
        raise f.unsupported(op, "only dense memrefs are copied")
    operands = (
        f.values[op.destination],
        f.values[op.source],
        f.integer(source.size),
        f.integer(0, IntegerType(1)),
    )
    f.intrinsic("llvm.memcpy.p0.p0.i64", operands, None)


def dim(op: memref.DimOp, f: FunctionLowering) -> None:
    shape = cast("MemRefType[Any]", op.source.type).get_shape()
    index = f.integers.get(op.index)
    if index is None or not 0 <= index < len(shape):
        raise f.unsupported(op, "the dimension is not a constant of the memref's rank")
    f.integers[op.result] = shape[index]
    f.values[op.result] = f.integer(shape[index])


def unplanned_allocation(op: Operation, f: FunctionLowering) -> None:
    raise f.unsupported(op, "memref-assign-arena turns allocations into views of the arena")


HANDLERS: dict[type[Operation], Handler] = {
    memref.LoadOp: load,
    memref.StoreOp: store,
    memref.AllocaOp: alloca,
    memref.AllocOp: unplanned_allocation,
    memref.DeallocOp: unplanned_allocation,
    memref.ViewOp: view,
    memref.SubviewOp: subview,
    memref.ReinterpretCastOp: reinterpret_cast,
    memref.CollapseShapeOp: same_elements,
    memref.ExpandShapeOp: same_elements,
    memref.CastOp: same_elements,
    memref.MemorySpaceCastOp: same_elements,
    memref.GetGlobalOp: get_global,
    memref.CopyOp: copy,
    memref.DimOp: dim,
}
