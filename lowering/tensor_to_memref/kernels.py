"""Bufferization of a kernel: one op at a time, every destination written in place.

A kernel's destinations are its last arguments and nothing else overlaps them, and every op inside updates the newest
version of its destination, so a result simply is its destination's buffer. A result that is inserted into a tensor
right away is computed there.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from ...dialects import fourier
from ...dialects.editing import append, clone, clone_region, erase, insert_before, new_block, new_op, replace_uses, walk
from ...dialects.shared_attributes import function_type, i32_array
from ...errors import UnsupportedError
from ...ir import structured
from .types import alloc, buffer_type, view_like


class KernelBufferizer:
    """Rewrites the body of one kernel function."""

    def __init__(self) -> None:
        self.buffers: dict[SSAValue, SSAValue] = {}

    def run(self, function: func.FuncOp) -> None:
        """Bufferizes `function` in place; its results disappear."""
        old = function.body.block
        new = new_block([buffer_type(t) for t in old.arg_types])
        self.buffers = dict(zip(old.args, new.args, strict=True))
        for before, after in zip(old.args, new.args, strict=True):
            after.name_hint = before.name_hint
        terminator = old.last_op
        assert isinstance(terminator, func.ReturnOp)
        results = len(terminator.operands)
        ops: list[Operation] = []
        self._block(old, ops)
        destinations = new.args[len(new.args) - results :]
        for value, destination in zip(terminator.operands, destinations, strict=True):
            if self.buffers[value] is not destination:
                ops.append(memref.CopyOp(self.buffers[value], destination))
        ops.append(new_op(func.ReturnOp))
        for op in ops:
            append(new, op)
        function.regions[0].detach_block(old)
        function.regions[0].add_block(new)
        old.erase()
        function.properties["function_type"] = function_type(tuple(new.arg_types))

    def _block(self, block: Block, ops: list[Operation]) -> None:
        """Appends the bufferized ops of `block` except its terminator."""
        for op in block.ops:
            if op.next_op is None:
                break
            handler = _HANDLERS.get(type(op))
            if handler is not None:
                handler(self, op, ops)
            elif any(isinstance(r.type, TensorType) for r in op.results):
                raise UnsupportedError(f"convert-tensor-to-memref: no buffer form for {op.name} inside a kernel")
            else:
                ops.append(self._clone(op))

    def _clone(self, op: Operation) -> Operation:
        copy = clone(op, self.buffers)
        for inner in list(walk(copy)):
            if isinstance(inner, tensor.ExtractOp):
                self._replace_extract(inner)
        return copy

    @staticmethod
    def _replace_extract(op: tensor.ExtractOp) -> None:
        load = new_op(memref.LoadOp, operands=list(op.operands), result_types=[op.result.type])
        assert op.parent is not None
        insert_before(load, op)
        replace_uses(op.result, load.results[0])
        erase(op)

    def empty(self, op: Operation, ops: list[Operation]) -> None:
        new = alloc(op.results[0].type)
        ops.append(new)
        self.buffers[op.results[0]] = new.memref

    def view(self, op: Operation, ops: list[Operation]) -> None:
        new = view_like(op, self.buffers[op.operands[0]])
        ops.append(new)
        self.buffers[op.results[0]] = new.results[0]

    def structured(self, op: Operation, ops: list[Operation]) -> None:
        assert isinstance(op, GenericOp | FillOp)
        operands = [self.buffers.get(v, v) for v in op.operands]
        in_place = isinstance(operands[-1].owner, memref.SubviewOp)
        if not in_place and (place := self._place_of(op)) is not None:
            ops.append(place)
            operands[-1] = place.result
        body = clone_region(op.regions[0], self.buffers)
        for inner in list(walk(body)):
            if isinstance(inner, tensor.ExtractOp):
                self._replace_extract(inner)
        new = new_op(
            type(op),
            operands=operands,
            properties=op.properties,
            attributes=op.attributes,
            regions=[body],
            location=op.location,
        )
        ops.append(new)
        for result, output in zip(op.results, operands[structured.number_of_inputs(op) :], strict=True):
            self.buffers[result] = output

    def transform(self, op: Operation, ops: list[Operation]) -> None:
        assert isinstance(op, fourier.TransformOp)
        operands = [self.buffers.get(v, v) for v in op.operands]
        ops.append(
            fourier.TransformOp.create(
                operands=operands, properties=op.properties, attributes=op.attributes, location=op.location
            )
        )
        self.buffers[op.results[0]] = operands[2]

    def _place_of(self, op: Operation) -> memref.SubviewOp | None:
        """The part of a tensor that the result of `op` is inserted into next, where it can be computed right away."""
        uses = list(op.results[0].uses) if len(op.results) == 1 else []
        insertion = op.next_op
        if isinstance(op, FillOp) and isinstance(insertion, GenericOp) and len(uses) == 1:
            # A sum starts from it.
            is_start = uses[0].operation is insertion and uses[0].index >= structured.number_of_inputs(insertion)
            return self._place_of(insertion) if is_start else None
        if len(uses) != 1 or not isinstance(insertion, tensor.InsertSliceOp) or uses[0].operation is not insertion:
            return None
        if uses[0].index or len(structured.shape_of(insertion.source)) != len(structured.shape_of(insertion.dest)):
            return None
        return subview(insertion, self.buffers[insertion.dest], [self.buffers.get(v, v) for v in insertion.offsets])

    def extract(self, op: Operation, ops: list[Operation]) -> None:
        operands = [self.buffers.get(v, v) for v in op.operands]
        new = new_op(memref.LoadOp, operands=operands, result_types=op.result_types)
        ops.append(new)
        self.buffers[op.results[0]] = new.results[0]

    def insert(self, op: Operation, ops: list[Operation]) -> None:
        assert isinstance(op, tensor.InsertOp)
        destination = self.buffers[op.dest]
        scalar = self.buffers.get(op.scalar, op.scalar)
        indices = [self.buffers.get(v, v) for v in op.indices]
        ops.append(new_op(memref.StoreOp, operands=[scalar, destination, *indices]))
        self.buffers[op.result] = destination

    def insert_slice(self, op: Operation, ops: list[Operation]) -> None:
        assert isinstance(op, tensor.InsertSliceOp)
        destination, source = self.buffers[op.dest], self.buffers[op.source]
        self.buffers[op.result] = destination
        if isinstance(source.owner, memref.SubviewOp):
            return
        part = subview(op, destination, [self.buffers.get(v, v) for v in op.offsets])
        ops.append(part)
        ops.append(copying_generic(source, part.result))

    def loop(self, op: Operation, ops: list[Operation]) -> None:
        """`scf.for`: carried tensors are updated in place and leave the loop's signature. One iteration is no loop."""
        assert isinstance(op, scf.ForOp)
        if _runs_once(op):
            self._only_iteration(op, ops)
            return
        body = op.body.block
        kept = [i for i, v in enumerate(op.iter_args) if not isinstance(v.type, TensorType)]
        new_body = new_block([body.args[0].type, *(op.iter_args[i].type for i in kept)])
        self.buffers[body.args[0]] = new_body.args[0]
        for i, v in enumerate(op.iter_args):
            if isinstance(v.type, TensorType):
                self.buffers[body.args[i + 1]] = self.buffers[v]
                self.buffers[op.results[i]] = self.buffers[v]
        for position, i in enumerate(kept):
            self.buffers[body.args[i + 1]] = new_body.args[position + 1]
        inner: list[Operation] = []
        self._block(body, inner)
        assert isinstance(body.last_op, scf.YieldOp)
        for i, v in enumerate(body.last_op.operands):
            if isinstance(v.type, TensorType):
                self._into(self.buffers[v], self.buffers[op.iter_args[i]], inner)
        inner.append(scf.YieldOp(*(self._scalar(body.last_op.operands[i]) for i in kept)))
        new_body.add_ops(inner)
        loop = new_op(
            scf.ForOp,
            operands=[self._scalar(v) for v in (op.lb, op.ub, op.step, *(op.iter_args[i] for i in kept))],
            result_types=[op.results[i].type for i in kept],
            properties=op.properties,
            attributes=op.attributes,
            regions=[Region(new_body)],
            location=op.location,
        )
        ops.append(loop)
        for position, i in enumerate(kept):
            self.buffers[op.results[i]] = loop.results[position]

    def _only_iteration(self, op: scf.ForOp, ops: list[Operation]) -> None:
        body = op.body.block
        for argument, value in zip(body.args, (op.lb, *op.iter_args), strict=True):
            self.buffers[argument] = self._scalar(value)
        self._block(body, ops)
        assert isinstance(body.last_op, scf.YieldOp)
        for result, init, value in zip(op.results, op.iter_args, body.last_op.operands, strict=True):
            self.buffers[result] = self._scalar(value)
            if isinstance(value.type, TensorType):
                self._into(self.buffers[value], self.buffers[init], ops)
                self.buffers[result] = self.buffers[init]

    def branch(self, op: Operation, ops: list[Operation]) -> None:
        """`scf.if`: both branches yield versions of the same destination, which leaves the signature."""
        assert isinstance(op, scf.IfOp)
        kept = [i for i, r in enumerate(op.results) if not isinstance(r.type, TensorType)]
        blocks: list[Block] = []
        yielded: list[list[SSAValue]] = []
        for region in op.regions:
            block = Block()
            inner: list[Operation] = []
            if region.blocks:
                self._block(region.block, inner)
                terminator = region.block.last_op
                assert isinstance(terminator, scf.YieldOp)
                yielded.append([self.buffers.get(v, v) for v in terminator.operands])
                inner.append(scf.YieldOp(*(self._scalar(terminator.operands[i]) for i in kept)))
            block.add_ops(inner)
            blocks.append(block)
        for i, result in enumerate(op.results):
            if i in kept:
                continue
            buffer = yielded[0][i]
            if any(branch[i] is not buffer for branch in yielded):
                raise UnsupportedError("convert-tensor-to-memref: scf.if in a kernel yields different buffers")
            self.buffers[result] = buffer
        new = new_op(
            scf.IfOp,
            operands=[self._scalar(op.cond)],
            result_types=[op.results[i].type for i in kept],
            regions=[Region(b) if b.ops else Region() for b in blocks],
            location=op.location,
        )
        ops.append(new)
        for position, i in enumerate(kept):
            self.buffers[op.results[i]] = new.results[position]

    def _scalar(self, value: SSAValue) -> SSAValue:
        return self.buffers.get(value, value)

    @staticmethod
    def _into(source: SSAValue, destination: SSAValue, ops: list[Operation]) -> None:
        if source is not destination:
            ops.append(memref.CopyOp(source, destination))


_HANDLERS: dict[type[Operation], Callable[[KernelBufferizer, Operation, list[Operation]], None]] = {
    tensor.EmptyOp: KernelBufferizer.empty,
    tensor.ExpandShapeOp: KernelBufferizer.view,
    tensor.CollapseShapeOp: KernelBufferizer.view,
    tensor.ExtractOp: KernelBufferizer.extract,
    tensor.InsertOp: KernelBufferizer.insert,
    tensor.InsertSliceOp: KernelBufferizer.insert_slice,
    GenericOp: KernelBufferizer.structured,
    FillOp: KernelBufferizer.structured,
    fourier.TransformOp: KernelBufferizer.transform,
    scf.ForOp: KernelBufferizer.loop,
    scf.IfOp: KernelBufferizer.branch,
}


def _runs_once(op: scf.ForOp) -> bool:
    lower, upper, step = (structured.constant_index(bound) for bound in (op.lb, op.ub, op.step))
    return lower is not None and upper is not None and step is not None and lower < upper <= lower + step


def subview(op: tensor.InsertSliceOp, destination: SSAValue, offsets: list[SSAValue]) -> memref.SubviewOp:
    """The part of `destination` that `op` overwrites."""
    sizes, steps = op.static_sizes.get_values(), op.static_strides.get_values()
    dense: list[int] = []
    stride = 1
    for extent in reversed(structured.shape_of(destination)):
        dense.insert(0, stride)
        stride *= extent
    offset: int | NoneAttr = 0
    for static, step in zip(op.static_offsets.get_values(), dense, strict=True):
        if static == DYNAMIC_INDEX or isinstance(offset, NoneAttr):
            offset = NoneAttr()
        else:
            offset += static * step
    layout = StridedLayoutAttr(
        [step * own for step, own in zip(steps, dense, strict=True)],
        None if isinstance(offset, NoneAttr) else offset,
    )
    return new_op(
        memref.SubviewOp,
        operands=[destination, *offsets],
        result_types=[MemRefType(structured.element_type(destination), sizes, layout)],
        properties={
            "static_offsets": op.static_offsets,
            "static_sizes": op.static_sizes,
            "static_strides": op.static_strides,
            "operandSegmentSizes": i32_array(1, len(offsets), 0, 0),
        },
    )


def copying_generic(source: SSAValue, destination: SSAValue) -> GenericOp:
    """A `linalg.generic` that copies `source` into `destination`; leading dimensions of size 1 may be missing."""
    rank = len(structured.shape_of(source))
    element = structured.element_type(source)
    identity = AffineMapAttr(AffineMap.identity(rank))
    block = new_block([element, element])
    append(block, YieldOp(block.args[0]))
    return GenericOp(
        [source],
        [destination],
        Region(block),
        [identity, identity],
        ArrayAttr([IteratorTypeAttr.parallel()] * rank),
    )
