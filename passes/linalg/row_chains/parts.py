"""What a kernel on buffers touches when only a block of its rows is computed.

Rows are numbered as those of a batch of matrices: `batch` times `rows`. A *part* says for each dimension of a buffer
what a block takes of it: one index that follows from the number of the matrix (`Batch`), the rows of the block (`ROW`),
or everything (`None`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import AnyFloat, IntegerType, MemRefType
from xdsl.dialects.linalg.ops import FillOp, GenericOp, IndexOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from ....dialects.editing import ops_of
from ....ir import structured

ROW: Literal["row"] = "row"


@dataclass(frozen=True)
class Batch:
    """The index `matrix // divisor % size`."""

    divisor: int
    size: int


Step = Batch | Literal["row"]
Part = tuple[Step | None, ...]


@dataclass(frozen=True)
class Space:
    """`batch` matrices of `rows` rows."""

    batch: int
    rows: int

    def is_dense(self, part: Part, shape: Sequence[int]) -> bool:
        """Whether what a block takes of a buffer of `shape` lies in one piece."""
        inner = False
        for step, size in zip(part, shape, strict=True):
            if size > 1:
                if inner and step is not None:
                    return False
                inner = inner or not isinstance(step, Batch)
        return True

    def holds_rows(self, part: Part, shape: Sequence[int]) -> bool:
        """Whether the buffer's elements are those of the rows one after the other."""
        outer = 1
        for step, size in zip(part, shape, strict=True):
            if size == 1:
                continue
            if not isinstance(step, Batch):
                return outer == self.batch and step is ROW
            outer *= size
            if step.divisor * outer != self.batch:
                return False
        return False

    def block_shape(self, part: Part, shape: Sequence[int], rows: int) -> tuple[int, ...]:
        """The shape of what a block of `rows` rows takes."""
        return tuple(
            size if step is None else rows if step == ROW else 1 for step, size in zip(part, shape, strict=True)
        )

    def start(self, part: Part, shape: Sequence[int], matrix: AffineExpr, row: AffineExpr) -> AffineExpr:
        """Where the part of a block begins, in elements, that begins at `row` of `matrix`."""
        total: AffineExpr = AffineExpr.constant(0)
        for position, step in enumerate(part):
            stride = prod(shape[position + 1 :])
            if step == ROW:
                total = total + row * stride
            elif isinstance(step, Batch):
                index = matrix if step.divisor == 1 else matrix // step.divisor
                if step.divisor * step.size != self.batch:
                    index = index % step.size
                total = total + index * stride
        return total


def space_of(op: GenericOp) -> Space | None:
    """The rows of the contraction `op`, if it has any: its batch, and the first dimension that only one operand has."""
    lhs, rhs, out = (op.indexing_maps.data[i].data for i in (0, 1, -1))
    batch = 1
    for expr, size in zip(out.results, structured.shape_of(op.operands[-1]), strict=True):
        if size == 1:
            continue
        used = expr.used_dims()
        if used <= lhs.used_dims() and used <= rhs.used_dims():
            batch *= size
        else:
            return Space(batch, size) if batch * size else None
    return None


def parts_of(function: func.FuncOp, space: Space) -> tuple[dict[SSAValue, Part], set[SSAValue]] | None:
    """The parts of the arguments and buffers of a kernel whose ops all work on the rows of `space`, and those of them
    that are written; `None` for others.

    Parts are dense, and those of what is written hold rows.
    """
    parts: dict[SSAValue, Part] = {}
    written: set[SSAValue] = set()
    buffers: list[SSAValue] = list(function.body.block.args)
    for op in ops_of(function.body.block):
        kind = type(op)
        if kind is GenericOp:
            if not _note(op, space, parts, written):
                return None
        elif kind is FillOp or kind is memref.AllocOp:
            buffers.append(op.operands[-1] if kind is FillOp else op.results[0])
        elif kind is not arith.ConstantOp and kind is not func.ReturnOp:
            return None
    return (parts, written) if all(value in parts for value in buffers) else None


def _note(op: Operation, space: Space, parts: dict[SSAValue, Part], written: set[SSAValue]) -> bool:
    """Adds the parts of the operands of `op`; whether they go together."""
    assert isinstance(op, GenericOp)
    operands, maps, count = op.operands, structured.indexing_maps(op), structured.number_of_inputs(op)
    loops = _row_loops(maps[count], structured.shape_of(operands[count]), space)
    if loops is None or any(reduction and d in loops for d, reduction in enumerate(structured.iterators(op))):
        return False
    for inner in ops_of(op.body.block):
        if inner.regions or any(isinstance(operand.type, MemRefType) for operand in inner.operands):
            return False
        if type(inner) is IndexOp and isinstance(loops.get(inner.dim.value.data), Batch):
            return False
    written.update(operands[count:])
    for index, (value, access) in enumerate(zip(operands, maps, strict=True)):
        if not isinstance(structured.element_type(value), AnyFloat | IntegerType):
            return False
        if not isinstance(value.type, MemRefType):
            continue
        shape = structured.shape_of(value)
        part = _part(access, shape, loops, space)
        if part is None or parts.setdefault(value, part) != part or not space.is_dense(part, shape):
            return False
        if index >= count and not space.holds_rows(part, shape):
            return False
    return True


def _row_loops(out: AffineMap, shape: Sequence[int], space: Space) -> dict[int, Step] | None:
    """The loops that are the leading dimensions of an output, as far as those number the rows."""
    loops: dict[int, Step] = {}
    outer = 1
    for expr, size in zip(out.results, shape, strict=True):
        if size == 1:
            continue
        if not isinstance(expr, AffineDimExpr):
            return None
        if outer < space.batch:
            outer *= size
            if not outer or space.batch % outer:
                return None
            loops[expr.position] = Batch(space.batch // outer, size)
        else:
            loops[expr.position] = ROW
            return loops if size == space.rows else None
    return None


def _part(access: AffineMap, shape: Sequence[int], loops: Mapping[int, Step], space: Space) -> Part | None:
    part: list[Step | None] = []
    for expr, size in zip(access.results, shape, strict=True):
        step = loops.get(expr.position) if isinstance(expr, AffineDimExpr) else None
        if step is not None and size != (space.rows if step == ROW else step.size):
            return None
        if step is None and not isinstance(expr, AffineDimExpr) and expr.used_dims() & loops.keys():
            return None
        part.append(step)
    return tuple(part)
