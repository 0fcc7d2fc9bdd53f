"""`memref` to `llvm`: a memref is the pointer to its first element, all else about it is static.

An access computes the linear index from constant strides and addresses by `getelementptr inbounds`,
which LLVM's vectoriser understands. Views of the same elements are the same pointer.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects import llvm, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i1
from xdsl.ir import Operation, SSAValue

from .arith import Handler
from .builder import FunctionLowering, access_properties
from .types import Storage

STACK_ALIGNMENT, SMALL_STACK_ALIGNMENT = 64, 16
"""Of buffers on the stack: of those that fill a cache line, and of smaller ones."""


def become_load(f: FunctionLowering, op: Operation, pointer: SSAValue, at: Storage) -> None:
    """`op` gives what is stored at `pointer`."""
    if at.narrow:
        f.become(op, llvm.TruncOp, {}, (f.load(pointer, at.type, at.alignment),))
    else:
        f.become(op, llvm.LoadOp, access_properties(at.alignment), (pointer,))


def become_store(f: FunctionLowering, op: Operation, value: SSAValue, pointer: SSAValue, at: Storage) -> None:
    """`op` stores `value` at `pointer`."""
    if at.narrow:
        value = f.emit(llvm.ZExtOp, (value,), at.type, {})
    f.become(op, llvm.StoreOp, access_properties(at.alignment), (value, pointer))


def _load(op: memref.LoadOp, f: FunctionLowering) -> None:
    source, *indices = op._operands
    layout = f.layout(source)
    become_load(f, op, f.pointer_to(source, indices, layout), layout.storage)


def _store(op: memref.StoreOp, f: FunctionLowering) -> None:
    value, target, *indices = op._operands
    layout = f.layout(target)
    become_store(f, op, value, f.pointer_to(target, indices, layout), layout.storage)


def _alloca(op: memref.AllocaOp, f: FunctionLowering) -> None:
    layout = f.layout(op.memref)
    count = max(1, layout.elements)
    alignment = STACK_ALIGNMENT if layout.size >= STACK_ALIGNMENT else SMALL_STACK_ALIGNMENT
    f.replace(op, f.alloca(layout.storage.type, count, alignment))


def _same_elements(op: Operation, f: FunctionLowering) -> None:
    """A view whose elements lie where the operand's do."""
    f.layout(op.results[0])
    f.replace(op, op._operands[0])


def _view(op: memref.ViewOp, f: FunctionLowering) -> None:
    source, byte_shift = op._operands[0], op._operands[1]
    f.replace(op, f.pointer_to(source, [byte_shift], f.layout(source)))


def _subview(op: memref.SubviewOp, f: FunctionLowering) -> None:
    dynamic = iter(op.offsets)
    offsets = [next(dynamic) if offset == DYNAMIC_INDEX else offset for offset in op.static_offsets.get_values()]
    f.layout(op.result)
    f.replace(op, f.pointer_to(op.source, offsets, f.layout(op.source)))


def _reinterpret_cast(op: memref.ReinterpretCastOp, f: FunctionLowering) -> None:
    (offset,) = op.static_offsets.get_values()
    if offset == DYNAMIC_INDEX:
        raise f.unsupported(op, "the offset is not static")
    base = f.pointer(op.source)
    if offset:
        base = f.element_pointer(base, f.integer(offset), f.layout(op.source).storage.type)
    f.layout(op.result)
    f.replace(op, base)


def _copy(op: memref.CopyOp, f: FunctionLowering) -> None:
    source, target = op._operands
    if not (f.layout(source).dense and f.layout(target).dense):
        raise f.unsupported(op, "only dense memrefs are copied")
    f.intrinsic("llvm.memcpy.p0.p0.i64", (target, source, f.integer(f.layout(source).size), f.integer(0, i1)))


def _dim(op: memref.DimOp, f: FunctionLowering) -> None:
    shape = cast("MemRefType[Any]", f.types[op.source]).get_shape()
    index = f.integers.get(op.index)
    if index is None or not 0 <= index < len(shape):
        raise f.unsupported(op, "the dimension is not a constant of the memref's rank")
    f.replace(op, f.integer(shape[index]))


def _unplanned_allocation(op: Operation, f: FunctionLowering) -> None:
    raise f.unsupported(op, "memref-assign-arena turns allocations into views of the arena")


HANDLERS: dict[type[Operation], Handler] = {
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.AllocaOp: _alloca,
    memref.AllocOp: _unplanned_allocation,
    memref.DeallocOp: _unplanned_allocation,
    memref.ViewOp: _view,
    memref.SubviewOp: _subview,
    memref.ReinterpretCastOp: _reinterpret_cast,
    memref.CollapseShapeOp: _same_elements,
    memref.ExpandShapeOp: _same_elements,
    memref.CastOp: _same_elements,
    memref.MemorySpaceCastOp: _same_elements,
    memref.GetGlobalOp: lambda op, f: f.replace(op, f.address_of_global(op.name_.string_value())),
    memref.CopyOp: _copy,
    memref.DimOp: _dim,
}
