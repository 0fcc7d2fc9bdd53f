"""Bufferization of a kernel: one op at a time, where it stands, every destination written in place.

A kernel's destinations are its last arguments and nothing else overlaps them, and every op inside updates the newest
version of its destination, so a result simply is its destination's buffer. A result that is inserted into a tensor
right away is computed there.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import func, memref, scf, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    ArrayAttr,
    MemRefType,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, YieldOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.ir.core import SSAValues

from ...dialects import fourier, linalg_ext, locating
from ...dialects.editing import append, drain, erase, insert_before, new_block, new_op, ops_of, replace_all_uses, walk
from ...dialects.shared_attributes import function_type, i32_array
from ...errors import UnsupportedError
from ...ir import structured
from .types import alloc, buffer_type, load, view


def bufferize_kernel(function: func.FuncOp) -> None:
    """Bufferizes `function` in place; its results disappear."""
    block = function.body.block
    for argument in block.args:
        argument._type = buffer_type(argument._type)
    _block(block)
    last = cast(func.ReturnOp, block.last_op)
    for value, destination in zip(last.arguments, block.args[len(block.args) - len(last.arguments) :], strict=True):
        _copy(value, destination, last)
    last.operands = ()
    function.properties["function_type"] = function_type(tuple(block.arg_types))


def _block(block: Block) -> None:
    """Bufferizes the ops of `block` except its terminator."""
    for op in ops_of(block):
        if op is block.last_op:
            return
        if locating.is_on:
            locating.at(op)
        handler = _HANDLERS.get(type(op))
        if handler is not None:
            handler(op)
        elif any(map(_is_tensor, op.results)):
            raise UnsupportedError(f"convert-tensor-to-memref: no buffer form for {op.name} inside a kernel")
        elif op.regions:
            _load_elements(op)


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)


def _replace(op: Operation, *values: SSAValue) -> None:
    """What used the results of `op` uses `values`, and it is gone."""
    replace_all_uses(dict(zip(op.results, values, strict=True)))
    erase(op)


def _copy(source: SSAValue, destination: SSAValue, anchor: Operation) -> None:
    """Copies in front of `anchor` what is not where it belongs."""
    if source is not destination:
        insert_before(memref.CopyOp(source, destination), anchor)


def _load_elements(op: Operation) -> None:
    """What is in the regions of `op` loads elements of buffers."""
    for region in op.regions:
        for inner in walk(region):
            if type(inner) is tensor.ExtractOp:
                _LOAD(inner)


def _replacing(make: Callable[..., Operation]) -> Callable[[Operation], None]:
    """The handler of ops that are replaced by what `make` makes of them and their operands."""

    def handler(op: Operation) -> None:
        new = make(op, *op.operands)
        insert_before(new, op)
        _replace(op, *new.results)

    return handler


def _empty(op: tensor.EmptyOp) -> Operation:
    return alloc(op.tensor.type)


def _structured(op: Operation) -> None:
    """Its results are its last operands, the buffers that it writes."""
    if not isinstance(op.operands[-1].owner, memref.SubviewOp) and (place := _place_of(op)) is not None:
        insert_before(place, op)
        op.operands[len(op.operands) - 1] = place.result
    _load_elements(op)
    replace_all_uses(dict(zip(op.results, op.operands[len(op.operands) - len(op.results) :], strict=True)))
    op.results = SSAValues()


def _place_of(op: Operation) -> memref.SubviewOp | None:
    """The part of a tensor that the result of `op` is inserted into next, where it can be computed right away."""
    use = op.results[0].get_unique_use() if len(op.results) == 1 else None
    if use is None or (reader := use.operation) is not op.next_op:
        return None
    if isinstance(op, FillOp) and isinstance(reader, GenericOp):
        # A sum starts from it.
        return _place_of(reader) if use.index >= structured.number_of_inputs(reader) else None
    if not isinstance(op, FillOp | GenericOp) or not isinstance(reader, tensor.InsertSliceOp) or use.index:
        return None
    return _part(reader) if len(structured.shape_of(reader.source)) == len(structured.shape_of(reader.dest)) else None


def _insert(op: tensor.InsertOp) -> None:
    insert_before(new_op(memref.StoreOp, op.operands), op)
    _replace(op, op.dest)


def _insert_slice(op: tensor.InsertSliceOp) -> None:
    if not isinstance(op.source.owner, memref.SubviewOp):
        part = _part(op)
        insert_before(part, op)
        insert_before(copying_generic(op.source, part.result), op)
    _replace(op, op.dest)


def _loop(op: scf.ForOp) -> None:
    """Carried tensors are updated in place and leave the loop's signature. One iteration is no loop."""
    body, inits = op.body.block, op.iter_args
    in_place = [number for number, result in enumerate(op.results) if _is_tensor(result)]
    for number in in_place:
        replace_all_uses(dict.fromkeys((body.args[1 + number], op.results[number]), inits[number]))
    _block(body)
    last = cast(Operation, body.last_op)
    for number in in_place:
        _copy(last.operands[number], inits[number], last)
    if _runs_once(op):
        replace_all_uses(dict(zip(body.args, (op.lb, *inits), strict=True)))
        results = tuple(last.operands)
        erase(last)
        for inner in drain(body):
            insert_before(inner, op)
        _replace(op, *results)
        return
    for number in reversed(in_place):
        body.erase_arg(body.args[1 + number])
    _keep_scalars(op, inits, in_place)


def _branch(op: scf.IfOp) -> None:
    """Both branches yield versions of the same destination, which leaves the signature."""
    yields: list[Operation] = []
    for region in op.regions:
        for block in region.blocks:
            _block(block)
            yields.append(cast(Operation, block.last_op))
    in_place = [number for number, result in enumerate(op.results) if _is_tensor(result)]
    for number in in_place:
        buffer, *others = (last.operands[number] for last in yields)
        if any(other is not buffer for other in others):
            raise UnsupportedError("convert-tensor-to-memref: scf.if in a kernel yields different buffers")
        replace_all_uses({op.results[number]: buffer})
    _keep_scalars(op, (), in_place)


def _keep_scalars(op: Operation, inits: Sequence[SSAValue], in_place: list[int]) -> None:
    """The results of `op` that are `in_place` go, with what its regions yield for them and their `inits`, the last
    operands.
    """
    kept = [number for number in range(len(op.results)) if number not in in_place]
    for region in op.regions:
        for block in region.blocks:
            last = cast(Operation, block.last_op)
            last.operands = [last.operands[number] for number in kept]
    if inits:
        op.operands = [*op.operands[: -len(inits)], *(inits[number] for number in kept)]
    op.results = SSAValues([op.results[number] for number in kept])
    for number, result in enumerate(op.results):
        result.index = number


_LOAD = _replacing(load)

_HANDLERS: dict[type[Operation], Callable[[Any], None]] = {
    tensor.EmptyOp: _replacing(_empty),
    tensor.ExpandShapeOp: _replacing(view),
    tensor.CollapseShapeOp: _replacing(view),
    tensor.ExtractOp: _LOAD,
    tensor.InsertOp: _insert,
    tensor.InsertSliceOp: _insert_slice,
    GenericOp: _structured,
    FillOp: _structured,
    fourier.TransformOp: _structured,
    linalg_ext.ScanOp: _structured,
    linalg_ext.SortOp: _structured,
    scf.ForOp: _loop,
    scf.IfOp: _branch,
}


def _runs_once(op: scf.ForOp) -> bool:
    lower, upper, step = (structured.constant_index(bound) for bound in (op.lb, op.ub, op.step))
    return lower is not None and upper is not None and step is not None and lower < upper <= lower + step


def _part(op: tensor.InsertSliceOp) -> memref.SubviewOp:
    """The part of its destination, a buffer, that `op` overwrites."""
    destination, offsets = op.dest, op.offsets
    sizes, starts = op.static_sizes.get_values(), op.static_offsets.get_values()
    dense = cast("list[int]", cast("MemRefType[Attribute]", destination.type).get_strides())
    strides = [step * own for step, own in zip(op.static_strides.get_values(), dense, strict=True)]
    first = None if DYNAMIC_INDEX in starts else sum(start * step for start, step in zip(starts, dense, strict=True))
    layout = StridedLayoutAttr(strides, first)
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
