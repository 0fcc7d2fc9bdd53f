"""chlo ops that are StableHLO ops with operands in a looser form, or a few of them: broadcasting, constants, top_k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.ir import Attribute, Operation

from ...dialects import chlo, stablehlo
from ...dialects.dense import integer_type
from ...dialects.shared_attributes import i64_attribute, tensor_type
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from ...ir.expansion import Expansion
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor, ints
from .ragged_dot import ragged_dot
from .scan import scan

_PLAIN = {op.name.removeprefix("stablehlo."): op for op in stablehlo.OPS if op is not stablehlo.CompareOp}

BROADCAST_BINARY: dict[type[Operation], type[Operation]] = {
    op: _PLAIN[name]
    for op in chlo.OPS
    if issubclass(op, chlo.BroadcastBinaryOp) and (name := op.name.removeprefix("chlo.broadcast_")) in _PLAIN
}
"""Binary ops and the op of that name on operands of one shape."""


def aligned(op: Operation, operands: Sequence[Tensor]) -> list[Tensor]:
    """Operands of `op` in the shape of its result.

    The dimensions of an operand of lower rank are the last ones unless `broadcast_dimensions` says
    otherwise.
    """
    shape = shape_of(op.results[0])
    rank = len(shape)
    places = ints(op, "broadcast_dimensions") if "broadcast_dimensions" in op.properties else None
    last = [range(rank - x.rank, rank) for x in operands]
    return [
        x.broadcast(shape, dims if places is None or x.rank == rank else places)
        for x, dims in zip(operands, last, strict=True)
    ]


def broadcast_binary(op: Operation, builder: TensorBuilder) -> list[Tensor]:
    operands = aligned(op, builder.wrap(*op.operands))
    return builder.emit(BROADCAST_BINARY[type(op)], operands, op.result_types)


def broadcast_compare(op: chlo.BroadcastCompareOp, builder: TensorBuilder) -> list[Tensor]:
    properties: dict[str, Attribute] = {"comparison_direction": ComparisonDirectionAttr(op.comparison_direction.data)}
    if op.compare_type is not None:
        properties["compare_type"] = ComparisonTypeAttr(op.compare_type.data)
    operands = aligned(op, builder.wrap(*op.operands))
    return builder.emit(stablehlo.CompareOp, operands, op.result_types, properties)


def broadcast_select(op: chlo.BroadcastSelectOp, builder: TensorBuilder) -> list[Tensor]:
    """A predicate of rank 0 stays what it is."""
    predicate, *values = builder.wrap(*op.operands)
    predicates = aligned(op, [predicate]) if predicate.rank else [predicate]
    return builder.emit(stablehlo.SelectOp, (*predicates, *aligned(op, values)), op.result_types)


def constant(op: chlo.ConstantOp, builder: TensorBuilder) -> list[Tensor]:
    return builder.emit(stablehlo.ConstantOp, (), op.result_types, op.properties)


def constant_like(op: chlo.ConstantLikeOp, builder: TensorBuilder) -> Tensor:
    return builder.splat(element_type_of(op.result), shape_of(op.result), cast(Any, op.value).value.data)


def conj(op: chlo.ConjOp, builder: TensorBuilder) -> Tensor:
    return builder.wrap(op.operand)[0].conjugate()


def top_k(op: chlo.TopKOp, builder: TensorBuilder) -> list[Tensor]:
    """A stable descending sort of the values with their indices, and the first `k` of both.

    Floats are in total order, as in XLA: NaN comes first, and 0.0 before -0.0.
    """
    (x,) = builder.wrap(op.operand)
    last = x.rank - 1
    both = (x, builder.iota(i32, x.shape, last))
    kind = ComparisonType.TOTALORDER if integer_type(x.element_type) is None else None
    scalars = [tensor_type(element_type) for element_type in (x.element_type, x.element_type, i32, i32)]
    body = builder.region(scalars, lambda values: [values[0].compare(ComparisonDirection.GT, values[1], kind)])
    properties: dict[str, Attribute] = {"dimension": i64_attribute(last), "is_stable": IntegerAttr(1, i1)}
    results = builder.emit(stablehlo.SortOp, both, [tensor.type for tensor in both], properties, (body,))
    return [result.slice({last: (0, shape_of(op.results[0])[last])}) for result in results]


DECOMPOSITIONS: dict[type[Operation], Expansion] = {
    **dict.fromkeys(BROADCAST_BINARY, broadcast_binary),
    chlo.BroadcastCompareOp: broadcast_compare,
    chlo.BroadcastSelectOp: broadcast_select,
    chlo.ConjOp: conj,
    chlo.ConstantOp: constant,
    chlo.ConstantLikeOp: constant_like,
    chlo.RaggedDotOp: ragged_dot,
    chlo.ScanOp: scan,
    chlo.TopKOp: top_k,
}
"""Op to the function that emits what takes its place and returns the new results."""
