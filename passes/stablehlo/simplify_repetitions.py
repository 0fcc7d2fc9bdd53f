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
from ...dialects.stablehlo.elementwise_binary import BinaryOp
from ...dialects.stablehlo.elementwise_unary import UnaryOp
from ...dialects.stablehlo.fold_rules import splat_of
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.patterns import Pattern, Replacement
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import PatternBuilder
from ...ir.tensors import Tensor, ints

_ELEMENTWISE = (
    *(op for op in stablehlo.OPS if issubclass(op, UnaryOp | BinaryOp)),
    stablehlo.CompareOp,
)


class _Repetition(NamedTuple):
    """A broadcast of a tensor of some `shape` along `dims` to the shape `repeated`."""

    shape: Sequence[int]
    dims: Sequence[int]
    repeated: Sequence[int]


def _broadcast_of(value: SSAValue) -> stablehlo.BroadcastInDimOp | None:
    """What repeats elements, perhaps in front of a reshape."""
    source = value.owner
    if isinstance(source, stablehlo.ReshapeOp):
        source = source.operands[0].owner
    return source if isinstance(source, stablehlo.BroadcastInDimOp) else None


def _once(op: Operation, rewriter: Rewriter) -> Replacement:
    """An op on elements that are repeated, all of its operands in the same way: once, and the result is repeated."""
    first = next((found for operand in op.operands if (found := _broadcast_of(operand)) is not None), None)
    result = op.results[0]
    if first is None:
        return None
    source = _Repetition(shape_of(first.operands[0]), ints(first, "broadcast_dimensions"), shape_of(first.results[0]))
    if prod(source.shape) >= prod(source.repeated):
        return None
    builder = PatternBuilder(rewriter)
    operands = [_repeated(operand, source, builder) for operand in op.operands]
    if None in operands:
        return None
    once = rewriter.emit(
        type(op),
        [operand for operand in operands if operand is not None],
        tensor_type(element_type_of(result), *source.shape),
        op.properties,
    )
    return Tensor(builder, once).broadcast(source.repeated, source.dims).reshape(shape_of(result)).value


def _repeated(value: SSAValue, as_in: _Repetition, builder: PatternBuilder) -> SSAValue | None:
    """What `value` repeats in the given way; None if it does not."""
    splat = splat_of(value)
    if splat is not None:
        return builder.splat(element_type_of(value), as_in.shape, splat).value
    broadcast = _broadcast_of(value)
    if broadcast is None:
        return None
    (source,) = broadcast.operands
    dims = ints(broadcast, "broadcast_dimensions")
    found = _Repetition(shape_of(source), dims, shape_of(broadcast.results[0]))
    return source if found == as_in else None


elementwise_of_repeated = Pattern(_once, _ELEMENTWISE, "elementwise-of-repeated")
