"""Patterns of `stablehlo-simplify` for elementwise ops on repeated elements: each is computed once, and then repeated.

    %1 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<8x9xf32>) -> tensor<4x8x9xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x8x9xf32>) -> tensor<32x9xf32>
    %3 = stablehlo.tanh %2 : tensor<32x9xf32>

is the `tanh` of 72 elements, repeated. So are tiles (`jnp.tile`, `jnp.repeat`) of what else is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.shared_attributes import tensor_type
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...dialects.stablehlo.traits import Elementwise, ops_with
from ...ir.patterns import Pattern, Replacement
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import PatternBuilder
from ...ir.tensors import Tensor, ints

_ELEMENTWISE = tuple(op for op in ops_with(Elementwise, stablehlo.OPS) if op is not stablehlo.MapOp)
"""`map` has a region."""


class _Repetition(NamedTuple):
    """A broadcast of a tensor of some `shape` along `dims` to the shape `repeated`."""

    shape: Sequence[int]
    dims: Sequence[int]
    repeated: Sequence[int]

    @classmethod
    def of(cls, op: stablehlo.BroadcastInDimOp) -> _Repetition:
        return cls(shape_of(op.operands[0]), ints(op, "broadcast_dimensions"), shape_of(op.results[0]))


def _broadcast_of(value: SSAValue) -> stablehlo.BroadcastInDimOp | None:
    """What repeats elements, perhaps in front of a reshape."""
    source = value.owner
    if isinstance(source, stablehlo.ReshapeOp):
        source = source.operands[0].owner
    return source if isinstance(source, stablehlo.BroadcastInDimOp) else None


def _once(op: Operation, rewriter: Rewriter) -> Replacement:
    """An op on elements that are repeated, all of its operands in the same way: once, and the result is repeated."""
    first = next((found for operand in op.operands if (found := _broadcast_of(operand)) is not None), None)
    if first is None or prod((repetition := _Repetition.of(first)).shape) >= prod(repetition.repeated):
        return None
    if not all(_is_repeated(operand, repetition) for operand in op.operands):
        return None
    (result,), builder = op.results, PatternBuilder(rewriter)
    operands = [_source_of(operand, repetition, builder) for operand in op.operands]
    type_once = tensor_type(element_type_of(result), *repetition.shape)
    once = Tensor(builder, rewriter.emit(type(op), operands, type_once, op.properties))
    return once.broadcast(repetition.repeated, repetition.dims).reshape(shape_of(result)).value


def _is_repeated(value: SSAValue, repetition: _Repetition) -> bool:
    if splat_of(value) is not None:
        return True
    broadcast = _broadcast_of(value)
    return broadcast is not None and _Repetition.of(broadcast) == repetition


def _source_of(value: SSAValue, repetition: _Repetition, builder: PatternBuilder) -> SSAValue:
    """What is repeated in `value`."""
    splat, broadcast = splat_of(value), _broadcast_of(value)
    if splat is not None:
        return builder.splat(element_type_of(value), repetition.shape, splat).value
    assert broadcast is not None
    return broadcast.operands[0]


elementwise_of_repeated = Pattern(_once, _ELEMENTWISE, "elementwise-of-repeated")
