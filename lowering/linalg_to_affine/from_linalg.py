"""linalg ops on memrefs to `Nest`s."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from ...decisions.model import CostModel
from ...dialects.element_sizes import element_bytes
from ...errors import UnsupportedError
from ...ir.affine import AffineSum, dimension, from_expr
from ...ir.views import buffer_of
from .nest import Access, Nest, dense_access
from .scalar_body import analyze


def access_of(value: SSAValue, indices: tuple[AffineSum, ...]) -> Access:
    """The access of the memref `value` at `indices`, composed through `memref.subview` ops to the dense memref they
    start from. Reshapes of dense memrefs are dense memrefs themselves.
    """
    op = value.owner
    if isinstance(op, memref.SubviewOp):
        return access_of(op.source, _through_subview(op, indices))
    return dense_access(value, buffer_of(value), indices)


def _through_subview(op: memref.SubviewOp, indices: tuple[AffineSum, ...]) -> tuple[AffineSum, ...]:
    """The indices into the source of a subview; unit dimensions may be missing in the view."""
    offsets = op.static_offsets.get_values()
    sizes = op.static_sizes.get_values()
    strides = op.static_strides.get_values()
    if DYNAMIC_INDEX in sizes or DYNAMIC_INDEX in strides:
        raise UnsupportedError(f"memref.subview with dynamic sizes or strides: {op.result.type}")
    shape = op.result.type.get_shape()
    dynamic = iter(op.offsets)
    position = 0
    missing = len(sizes) - len(shape)
    source: list[AffineSum] = []
    for offset, size, stride in zip(offsets, sizes, strides, strict=True):
        start = AffineSum({next(dynamic): 1}) if offset == DYNAMIC_INDEX else AffineSum({}, offset)
        if missing and size == 1 and (position == len(shape) or shape[position] != 1):
            missing -= 1
        else:
            start = start + indices[position] * stride
            position += 1
        source.append(start)
    return tuple(source)


def loop_extents(op: LinalgStructuredOperation) -> tuple[int, ...]:
    """The trip count of every loop: the size of an operand dimension that the loop indexes on its own."""
    maps = op.get_indexing_maps().data
    extents: dict[int, int] = {}
    num_dims = maps[0].data.num_dims
    for operand, map in zip(reversed(op.operands), reversed(maps), strict=True):
        in_memory = isinstance(operand.type, MemRefType)
        if not in_memory:
            continue
        shape = cast("MemRefType[Attribute]", operand.type).get_shape()
        for expr, size in zip(map.data.results, shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                extents.setdefault(expr.position, size)
        if len(extents) == num_dims:
            break
    if len(extents) < num_dims:
        raise UnsupportedError(f"{op.name}: a loop without an operand dimension that gives its trip count")
    return tuple(extents[d] for d in range(num_dims))


def gathers_short_rows(op: Operation, model: CostModel) -> bool:
    """Whether `op` moves rows from computed places of a length for which loops are better than calls of memcpy."""
    if not isinstance(op, LinalgStructuredOperation) or not any(
        isinstance(o, memref.LoadOp) for o in op.body.block.ops
    ):
        return False
    type = cast("MemRefType[Attribute]", op.outputs[0].type)
    shape = type.get_shape()
    return bool(shape) and model.copies.worth_inline_copies(shape[-1], element_bytes(type.element_type))


def nest_of(op: LinalgStructuredOperation, model: CostModel) -> Nest:
    """The nest of a linalg op: one dimension per iterator, in their order."""
    if op.results:
        raise UnsupportedError(f"{op.name} on tensors")
    extents = loop_extents(op)
    dims = tuple(map(dimension, range(len(extents))))
    # Loops of one step are left out of accesses, so that equal places look equal.
    steps = tuple(AffineSum({}) if extent == 1 else dim for dim, extent in zip(dims, extents, strict=True))
    accesses: list[Access | SSAValue] = []
    for operand, map_attr in zip(op.operands, op.get_indexing_maps(), strict=True):
        if isinstance(operand.type, MemRefType):
            indices = tuple(from_expr(e, steps, extents) for e in map_attr.data.results)
            accesses.append(access_of(operand, indices))
        else:
            accesses.append(operand)
    first_output = len(op.inputs)
    return Nest(
        extents=extents,
        reduction=tuple(t.data is IteratorType.REDUCTION for t in op.get_iterator_types()),
        inputs=tuple(accesses[:first_output]),
        outputs=cast("tuple[Access, ...]", tuple(accesses[first_output:])),
        inits=(None,) * len(op.outputs),
        body=analyze(op.body.block, model),
        index=dims,
    )
