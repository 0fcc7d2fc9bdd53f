"""Whether affine loops stay inside of their buffers: each access at the ends of the loops around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import cast

from xdsl.dialects import affine, arith, builtin
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

Values = dict[SSAValue, int]
"""Indices that are known; what is computed from data is not."""


def accesses_outside(module: builtin.ModuleOp) -> list[str]:
    """The accesses of `module` that some points of the loops around them take outside of the buffer, and where to."""
    found: dict[Operation, str] = {}
    for function in module.walk():
        if isinstance(function, FuncOp) and function.body.blocks:
            for op, place in _outside(function.body.block, {}, 0):
                found.setdefault(op, f"@{function.sym_name.data}: {op} goes to {place}")
    return list(found.values())


def _outside(block: Block, values: Values, depth: int) -> Iterator[tuple[Operation, list[int]]]:
    for op in block.ops:
        match op:
            case affine.ForOp():
                for value in _samples(op, values, depth):
                    values[op.body.block.args[0]] = value
                    yield from _outside(op.body.block, values, depth + 1)
            case affine.LoadOp() | affine.StoreOp():
                place = _mapped(op.map.data if op.map else None, op.indices, values)
                if place and not all(0 <= i < n for i, n in zip(place, _shape(op.memref), strict=True)):
                    yield op, place
            case affine.VectorLoadOp() | affine.VectorStoreOp():
                yield from _vectors_outside(op, values)
            case affine.ApplyOp():
                if place := _mapped(op.map.data, op.mapOperands, values):
                    values[op.result] = place[0]
            case arith.ConstantOp() if isinstance(op.value, builtin.IntegerAttr):
                values[op.result] = op.value.value.data
            case _:
                for region in op.regions:
                    for inner in region.blocks:
                        yield from _outside(inner, values, depth)


def _vectors_outside(
    op: affine.VectorLoadOp | affine.VectorStoreOp, values: Values
) -> Iterator[tuple[Operation, list[int]]]:
    """A vector may go on in the next row of a buffer, though not past its end."""
    place = _mapped(op.map.data if op.map else None, op.indices, values)
    shape, vector = _shape(op.memref), (op.result if isinstance(op, affine.VectorLoadOp) else op.value).type
    assert isinstance(vector, builtin.VectorType)
    if place is None or not _is_dense(op.memref):
        return
    first = sum(index * prod(shape[at + 1 :]) for at, index in enumerate(place))
    if first < 0 or first + prod(vector.get_shape()) > prod(shape):
        yield op, place


def _samples(loop: affine.ForOp, values: Values, depth: int) -> Sequence[int]:
    """Values of a loop's counter: the ends, and others in outer loops; none where its bounds come from data."""
    lows = _mapped(loop.lowerBoundMap.data, loop.lowerBoundOperands, values)
    ends = _mapped(loop.upperBoundMap.data, loop.upperBoundOperands, values)
    if lows is None or ends is None:
        return ()
    counters = range(max(lows), min(ends), loop.step.value.data)
    places = {0, -1, len(counters) // 2, -2} if depth < 2 else {0, -1}
    return sorted({counters[at] for at in places if -len(counters) <= at < len(counters)})


def _mapped(map: AffineMap | None, operands: Sequence[SSAValue], values: Values) -> list[int] | None:
    if any(operand not in values for operand in operands):
        return None
    known = [values[operand] for operand in operands]
    return known if map is None else list(map.eval(known[: map.num_dims], known[map.num_dims :]))


def _shape(buffer: SSAValue) -> tuple[int, ...]:
    return cast(builtin.MemRefType, buffer.type).get_shape()


def _is_dense(buffer: SSAValue) -> bool:
    return isinstance(cast(builtin.MemRefType, buffer.type).layout, builtin.NoneAttr)
