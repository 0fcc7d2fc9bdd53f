"""chlo ops that are StableHLO ops with operands in a looser form, or a few of them: broadcasting, constants, top_k."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    TensorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.dense import integer_type, is_unsigned, pack_element, splat_attribute
from ...dialects.editing import new_op
from ...dialects.shared_attributes import i64_array, i64_attribute
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from .expression import Emitter
from .ragged_dot import ragged_dot
from .scan import scan

Results = list[SSAValue]

BROADCAST_BINARY: dict[type[Operation], type[Operation]] = {
    chlo.BroadcastAddOp: stablehlo.AddOp,
    chlo.BroadcastAndOp: stablehlo.AndOp,
    chlo.BroadcastAtan2Op: stablehlo.Atan2Op,
    chlo.BroadcastComplexOp: stablehlo.ComplexOp,
    chlo.BroadcastDivOp: stablehlo.DivOp,
    chlo.BroadcastMaxOp: stablehlo.MaxOp,
    chlo.BroadcastMinOp: stablehlo.MinOp,
    chlo.BroadcastMulOp: stablehlo.MulOp,
    chlo.BroadcastOrOp: stablehlo.OrOp,
    chlo.BroadcastPowOp: stablehlo.PowOp,
    chlo.BroadcastRemOp: stablehlo.RemOp,
    chlo.BroadcastShiftLeftOp: stablehlo.ShiftLeftOp,
    chlo.BroadcastShiftRightArithmeticOp: stablehlo.ShiftRightArithmeticOp,
    chlo.BroadcastShiftRightLogicalOp: stablehlo.ShiftRightLogicalOp,
    chlo.BroadcastSubOp: stablehlo.SubtractOp,
    chlo.BroadcastXorOp: stablehlo.XorOp,
}
"""Binary ops and the op on operands of one shape."""


def _broadcast(emitter: Emitter, value: SSAValue, dims: list[int], shape: tuple[int, ...]) -> Any:
    """`value`, whose dimensions are placed at `dims`, with the shape `shape`."""
    if shape_of(value) == shape:
        return value
    return emitter.emit(
        stablehlo.BroadcastInDimOp,
        (value,),
        TensorType(element_type_of(value), shape),
        {"broadcast_dimensions": i64_array(*dims)},
    )


def aligned(op: Operation, emitter: Emitter) -> Results:
    """The operands of `op` in the shape of its result.

    The dimensions of an operand of lower rank are the last ones unless `broadcast_dimensions` says
    otherwise.
    """
    shape = shape_of(op.results[0])
    places = op.properties.get("broadcast_dimensions")
    values: Results = []
    for operand in op.operands:
        rank = len(shape_of(operand))
        dims = list(range(len(shape) - rank, len(shape)))
        if places is not None and rank < len(shape):
            dims = list(cast(DenseArrayBase[Any], places).get_values())
        values.append(_broadcast(emitter, operand, dims, shape))
    return values


def broadcast_binary(op: Operation, emitter: Emitter) -> Results:
    operands = aligned(op, emitter)
    return [emitter.emit(BROADCAST_BINARY[type(op)], operands, op.results[0].type)]


def broadcast_compare(op: Operation, emitter: Emitter) -> Results:
    assert isinstance(op, chlo.BroadcastCompareOp)
    properties: dict[str, Attribute] = {"comparison_direction": ComparisonDirectionAttr(op.comparison_direction.data)}
    if op.compare_type is not None:
        properties["compare_type"] = ComparisonTypeAttr(op.compare_type.data)
    operands = aligned(op, emitter)
    return [emitter.emit(stablehlo.CompareOp, operands, op.results[0].type, properties)]


def broadcast_select(op: Operation, emitter: Emitter) -> Results:
    predicate, *values = op.operands
    shape = shape_of(op.results[0])
    if shape_of(predicate):
        operands = aligned(op, emitter)
    else:
        ranks = [len(shape_of(value)) for value in values]
        operands = [
            predicate,
            *(
                _broadcast(emitter, value, list(range(len(shape) - rank, len(shape))), shape)
                for value, rank in zip(values, ranks, strict=True)
            ),
        ]
    return [emitter.emit(stablehlo.SelectOp, operands, op.results[0].type)]


def constant(op: Operation, emitter: Emitter) -> Results:
    return [emitter.emit(stablehlo.ConstantOp, (), op.results[0].type, op.properties)]


def constant_like(op: Operation, emitter: Emitter) -> Results:
    assert isinstance(op, chlo.ConstantLikeOp)
    type = cast(TensorType[Attribute], op.results[0].type)
    number = cast(Any, op.value).value.data
    value = splat_attribute(type, pack_element(type.element_type, number))
    return [emitter.emit(stablehlo.ConstantOp, (), type, {"value": value})]


def conj(op: Operation, emitter: Emitter) -> Results:
    """Real part and negated imaginary part; a real number is its own conjugate."""
    (x,) = op.operands
    part = getattr(element_type_of(x), "element_type", None)
    if part is None:
        return [x]
    type = TensorType(part, shape_of(x))
    real = emitter.emit(stablehlo.RealOp, (x,), type)
    imaginary = emitter.emit(stablehlo.ImagOp, (x,), type)
    negated = emitter.emit(stablehlo.NegOp, (imaginary,), type)
    return [emitter.emit(stablehlo.ComplexOp, (real, negated), x.type)]


def top_k(op: Operation, emitter: Emitter) -> Results:
    """A stable descending sort of the values with their indices, and the first `k` of both.

    Floats are in total order, as in XLA: NaN comes first, and 0.0 before -0.0.
    """
    (operand,) = op.operands
    shape, element_type = shape_of(operand), element_type_of(operand)
    last = len(shape) - 1
    index_type = TensorType(i32, shape)
    indices = emitter.emit(stablehlo.IotaOp, (), index_type, {"iota_dimension": i64_attribute(last)})
    sort = new_op(
        stablehlo.SortOp,
        operands=(operand, indices),
        result_types=(operand.type, index_type),
        properties={"dimension": i64_attribute(last), "is_stable": IntegerAttr(1, i1)},
        regions=(Region(_is_greater(element_type)),),
    )
    emitter.insert(sort)
    results: Results = []
    for value, result in zip(sort.results, op.results, strict=True):
        limits = shape_of(result)
        properties = {
            "start_indices": i64_array(*([0] * len(shape))),
            "limit_indices": i64_array(*limits),
            "strides": i64_array(*([1] * len(shape))),
        }
        results.append(emitter.emit(stablehlo.SliceOp, (value,), result.type, properties))
    return results


def _is_greater(element_type: Attribute) -> Block:
    """The comparator of pairs of value and index: the first value is greater than the second."""
    scalar, index = TensorType(element_type, ()), TensorType(i32, ())
    block = Block(arg_types=(scalar, scalar, index, index))
    compare = new_op(
        stablehlo.CompareOp,
        operands=block.args[:2],
        result_types=(TensorType(i1, ()),),
        properties={
            "comparison_direction": ComparisonDirectionAttr(ComparisonDirection.GT),
            "compare_type": ComparisonTypeAttr(_order(element_type)),
        },
    )
    block.add_ops((compare, new_op(stablehlo.ReturnOp, operands=compare.results)))
    return block


def _order(element_type: Attribute) -> ComparisonType:
    if (integers := integer_type(element_type)) is None:
        return ComparisonType.TOTALORDER
    unsigned = is_unsigned(integers) or element_type == i1
    return ComparisonType.UNSIGNED if unsigned else ComparisonType.SIGNED


DECOMPOSITIONS: dict[type[Operation], Callable[[Operation, Emitter], Results]] = {
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
