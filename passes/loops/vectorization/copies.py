"""Loops that copy a row from one buffer to another, as one op: LLVM makes a call of the C library's `memcpy` of it."""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap

from ....dialects import xrt
from ....dialects.editing import erase, insert_before, new_op, ops_of
from ....dialects.element_sizes import element_bytes
from ....dialects.shared_attributes import INDEX, index_attribute, memref_type
from ....dialects.xrt_names import INLINE_COPIES, STREAMED
from ..accesses import LOADS, STORES, indices_of, memory_of
from ..emission import Emission
from .analysis import Plan
from .slopes import Access


def copied_row(plan: Plan) -> tuple[Access, Access] | None:
    """What a loop reads and writes that does nothing but to copy a row which is not to be copied by vectors."""
    if len(plan.ops) != 3 or len(plan.accesses) != 2 or plan.counted is None or plan.lanes:
        return None
    source, target = plan.accesses.values()
    if source.op.__class__ not in LOADS or target.op.operands[0] is not source.op.results[0]:
        return None
    if source.buffer is target.buffer or not source.stride == target.stride == 1:
        return None
    type = cast("MemRefType[Attribute]", memory_of(source.op).type)
    by_vectors = plan.model.copies.worth_copying_by_vectors(len(plan.counted), element_bytes(type.element_type))
    return None if by_vectors else (source, target)


def may_copy_row(loop: Operation) -> bool:
    """Whether a loop consists of a load and a store."""
    load, *others = list(ops_of(loop.regions[0].block))[:4]
    return len(others) == 2 and load.__class__ in LOADS and others[0].__class__ in STORES


def keeps_loops(function: Operation) -> bool:
    """Whether copies in a function stay loops: those of many short rows, and those that are stored past the caches."""
    return INLINE_COPIES in function.attributes or STREAMED in function.attributes


def copy_row(plan: Plan, row: tuple[Access, Access], emission: Emission) -> None:
    """The loop becomes one op that copies the row."""
    assert plan.counted is not None
    parts = [_part(access, plan, emission) for access in row]
    insert_before(new_op(memref.CopyOp, parts), plan.loop)
    erase(plan.loop)


def _part(access: Access, plan: Plan, emission: Emission) -> SSAValue:
    """What the loop reads or writes of a buffer."""
    assert plan.counted is not None
    memory, indices = memory_of(access.op), indices_of(access.op)
    type, counter = cast("MemRefType[Attribute]", memory.type), plan.loop.body.block.args[0]
    operands = [index for index in indices if index is not counter]
    values = iter(map(AffineExpr.dimension, range(len(operands))))
    start = AffineExpr.constant(plan.counted.start)
    exprs = [start if index is counter else next(values) for index in indices]
    if access.map is not None:
        map_ = access.map.data
        dims, symbols = exprs[: map_.num_dims], exprs[map_.num_dims :]
        exprs = list(map_.replace_dims_and_symbols(dims, symbols, len(operands), 0).results)
    shape = type.get_shape()
    place = AffineExpr.constant(0)
    for dim, expr in enumerate(exprs):
        place = place + expr * prod(shape[dim + 1 :])
    if operands:
        map_ = AffineMapAttr(AffineMap(len(operands), 0, (place,)))
        op = new_op(affine.ApplyOp, operands, [INDEX], {"map": map_}, location=access.op.location)
        insert_before(op, plan.loop)
        offset = op.results[0]
    else:
        offset = emission.constant(index_attribute(AffineMap(0, 0, (place,)).eval([], [])[0]), INDEX)
    part = new_op(xrt.PartOp, [memory, offset], [memref_type(type.element_type, len(plan.counted))])
    insert_before(part, plan.loop)
    return part.results[0]
