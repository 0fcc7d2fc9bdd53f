"""Random ops whose shapes are operands, constant ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo as hlo
from ...dialects.stablehlo.shapes import shape_of
from . import contractions, indexing, movement
from .elements import I32, I64
from .generator import Array, Emit, Generator
from .known import INTEGER

STATIC = (
    hlo.BroadcastInDimOp, hlo.ReshapeOp, hlo.IotaOp, hlo.PadOp, hlo.SliceOp, hlo.GatherOp, hlo.ConvolutionOp,
)  # fmt: skip
EMITTERS: list[Emit] = [
    movement.broadcast, movement.reshape, movement.iota, movement.pad, movement.slice_, indexing.gather,
    contractions.convolution,
]  # fmt: skip


def shape_operands(g: Generator) -> None:
    """An op with static shapes, then the same one with operands for them."""
    g.random.choice(EMITTERS)(g)
    value = g.values[-1]
    op = value.ssa.owner
    if not isinstance(op, STATIC):
        return
    g.keep(_with_operands(g, op), value.element, value.shape, value.known)


def _sizes(g: Generator, values: Sequence[int] | Array) -> SSAValue:
    element = g.random.choice([I32, I64])
    return g.add(g.constant(element, np.asarray(values, element.dtype)), INTEGER)


def _with_operands(g: Generator, op: Operation) -> Operation:
    result = op.results[0].type
    shape = shape_of(op.results[0])
    if isinstance(op, hlo.BroadcastInDimOp):
        dims = op.broadcast_dimensions.get_values()
        return hlo.DynamicBroadcastInDimOp(op.operand, _sizes(g, shape), dims, result)
    if isinstance(op, hlo.ReshapeOp):
        return hlo.DynamicReshapeOp(op.operand, _sizes(g, shape), result)
    if isinstance(op, hlo.IotaOp):
        return hlo.DynamicIotaOp(_sizes(g, shape), op.iota_dimension.value.data, result)
    if isinstance(op, hlo.PadOp):
        element = g.random.choice([I32, I64])
        parts = (op.edge_padding_low, op.edge_padding_high, op.interior_padding)
        low, high, interior = (
            g.add(g.constant(element, np.asarray(p.get_values(), element.dtype)), INTEGER) for p in parts
        )
        return hlo.DynamicPadOp(op.operand, op.padding_value, low, high, interior, result)
    if isinstance(op, hlo.SliceOp):
        element = g.random.choice([I32, I64])
        parts = (op.start_indices, op.limit_indices, op.strides)
        starts, limits, strides = (
            g.add(g.constant(element, np.asarray(p.get_values(), element.dtype)), INTEGER) for p in parts
        )
        return hlo.RealDynamicSliceOp(op.operand, starts, limits, strides, result)
    if isinstance(op, hlo.GatherOp):
        sizes = _sizes(g, op.slice_sizes.get_values())
        return hlo.DynamicGatherOp(op.operand, op.start_indices, sizes, op.dimension_numbers, result)
    assert isinstance(op, hlo.ConvolutionOp)
    padding = np.asarray(op.padding.get_values() if op.padding else [], np.int64).reshape(-1, 2)
    properties = {name: value for name, value in op.properties.items() if name != "padding"}
    return hlo.DynamicConvOp.create(
        operands=(op.lhs, op.rhs, _sizes(g, padding)), result_types=(result,), properties=properties
    )
