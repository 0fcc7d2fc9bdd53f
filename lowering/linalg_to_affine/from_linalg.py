"""linalg ops on memrefs to `Nest`s."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import ops_of
from ...dialects.element_sizes import element_bytes
from ...dialects.records import changed
from ...errors import UnsupportedError
from ...ir.affine import ZERO, AffineSum, dimension, from_expr
from ...ir.structured import element_type, extents_from_accesses, shape_of
from ...ir.views import buffer_of
from .nest import Access, Nest, dense_access
from .scalar_body import analyze


def access_of(value: SSAValue, indices: tuple[AffineSum, ...]) -> Access:
    """The access of the memref `value` at `indices`, composed through `memref.subview` ops to the dense memref they
    start from. Reshapes of dense memrefs are dense memrefs themselves.
    """
    op = value.owner
    while type(op) is memref.SubviewOp:
        value, indices = op.source, _through_subview(op, indices)
        op = value.owner
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


def gathers_short_rows(op: Operation, model: CostModel) -> bool:
    """Whether `op` moves rows from computed places of a length for which loops are better than calls of memcpy."""
    if type(op) is not GenericOp or not any(type(inner) is memref.LoadOp for inner in ops_of(op.body.block)):
        return False
    output = op.outputs[0]
    shape = shape_of(output)
    return bool(shape) and model.copies.worth_inline_copies(shape[-1], element_bytes(element_type(output)))


def nest_of(op: LinalgStructuredOperation, model: CostModel, name: str = "") -> Nest:
    """The nest of a linalg op, `name` in schedules: one dimension per iterator, in their order."""
    if op.results:
        raise UnsupportedError(f"{op.name} on tensors")
    maps = [attr.data for attr in op.get_indexing_maps()]
    shaped = [(indices, shape_of(operand)) for indices, operand in zip(maps, op.operands, strict=True)]
    try:
        extents = extents_from_accesses(maps[0].num_dims, shaped)
    except ValueError as error:
        raise UnsupportedError(f"{op.name}: a loop without an operand dimension that gives its trip count") from error
    dims = tuple(map(dimension, range(len(extents))))
    # Loops of one step are left out of accesses, so that equal places look equal.
    steps = tuple(ZERO if extent == 1 else dim for dim, extent in zip(dims, extents, strict=True))
    accesses = [
        access_of(operand, tuple(from_expr(e, steps, extents) for e in indices.results))
        if isinstance(operand.type, MemRefType)
        else operand
        for operand, indices in zip(op.operands, maps, strict=True)
    ]
    first_output = len(op.inputs)
    nest = Nest(
        extents=extents,
        reduction=tuple(t.data is IteratorType.REDUCTION for t in op.get_iterator_types()),
        inputs=tuple(accesses[:first_output]),
        outputs=cast("tuple[Access, ...]", tuple(accesses[first_output:])),
        inits=(None,) * len(op.outputs),
        body=analyze(op.body.block, model),
        index=dims,
        ops=(name,),
    )
    return changed(nest, forms=(nest,))
