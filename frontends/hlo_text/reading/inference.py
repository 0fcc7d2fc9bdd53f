"""The shape of an instruction whose text leaves it out, from its operands and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ComplexType, Float32Type, Float64Type, TensorType, i1, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects import chlo, stablehlo
from ....dialects.chlo.special_functions import UnaryOp as ChloUnaryOp
from ....dialects.stablehlo.attributes import FftType, FftTypeAttr
from ....dialects.stablehlo.elementwise_unary import UnaryOp
from ....dialects.stablehlo.shapes import element_type_of, shape_of
from ....errors import UnsupportedError
from ....passes.stablehlo.result_shapes import RULES, result_shapes
from ..shapes import ArrayShape, Shape, TokenShape, TupleShape, UnknownShape, from_type

_SCALARS: dict[type[Operation], str] = {
    stablehlo.GetDimensionSizeOp: "s32",
    stablehlo.PartitionIdOp: "u32",
    stablehlo.ReplicaIdOp: "u32",
}
"""Ops whose result is a scalar, and of which type."""

_WRITTEN = (
    stablehlo.BitcastConvertOp,
    stablehlo.ConvertOp,
    stablehlo.ReshapeOp,
    stablehlo.RngBitGeneratorOp,
    stablehlo.UniformDequantizeOp,
    stablehlo.UniformQuantizeOp,
)
"""Ops that are nothing without the type of their result."""

_OPERANDS_PER_RESULT: dict[type[Operation], int] = {
    stablehlo.AllGatherOp: 1,
    stablehlo.AllReduceOp: 1,
    stablehlo.ReduceOp: 2,
    stablehlo.ReduceWindowOp: 2,
    stablehlo.ScatterOp: 2,
    stablehlo.SortOp: 1,
}
"""Ops with a result for each input: how many operands belong to one."""


def infer_shape(
    op_type: type[Operation],
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute | None],
    regions: Sequence[Region],
) -> Shape:
    """The shape of what the op gives; an `UnknownShape` if that does not follow from what it takes."""
    if op_type is stablehlo.AfterAllOp:
        return TokenShape()
    if op_type in _SCALARS:
        return ArrayShape(_SCALARS[op_type], (), ())
    if not operands or op_type in _WRITTEN or op_type not in RULES or not all(map(_is_static, operands)):
        return UnknownShape()
    elements = _element_types(op_type, operands, properties, regions)
    shapes = _shapes(op_type, operands, properties, regions, elements)
    if shapes is None or len(shapes) != len(elements):
        return UnknownShape()
    try:
        arrays = [from_type(TensorType(e, s)) for e, s in zip(elements, shapes, strict=True)]
    except UnsupportedError:
        return UnknownShape()
    return arrays[0] if len(arrays) == 1 else TupleShape(tuple(arrays))


def _is_static(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and DYNAMIC_INDEX not in shape_of(value)


def _element_types(
    op_type: type[Operation],
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute | None],
    regions: Sequence[Region],
) -> list[Attribute]:
    """Those of the results."""
    first = operands[0]
    if op_type in (stablehlo.CompareOp, stablehlo.IsFiniteOp):
        return [i1]
    if op_type is stablehlo.ComplexOp:
        return [_element_of(stablehlo.ComplexOp.infer_result_type(first.type))]
    if op_type is stablehlo.FftOp:
        return [_of_transform(element_type_of(first), properties.get("fft_type"))]
    if issubclass(op_type, UnaryOp | ChloUnaryOp):
        return [_element_of(op_type.infer_result_type(first.type))]
    if op_type in (stablehlo.SelectOp, stablehlo.ClampOp):
        return [element_type_of(operands[min(1, len(operands) - 1)])]
    if op_type is stablehlo.MapOp:
        last = regions[0].block.last_op
        return [element_type_of(value) for value in (last.operands if last is not None else ())]
    if op_type in (stablehlo.BatchNormTrainingOp, stablehlo.BatchNormGradOp):
        return [element_type_of(first)] * 3
    if op_type is chlo.TopKOp:
        return [element_type_of(first), i32]
    count = len(operands) // _OPERANDS_PER_RESULT.get(op_type, len(operands))
    return [element_type_of(value) for value in operands[:count]]


def _of_transform(element: Attribute, kind: Attribute | None) -> Attribute:
    """Real numbers become complex ones or the other way round."""
    if kind == FftTypeAttr(FftType.RFFT):
        return ComplexType(element) if isinstance(element, Float32Type | Float64Type) else element
    if kind == FftTypeAttr(FftType.IRFFT) and isinstance(element, ComplexType):
        return cast(ComplexType[Float32Type | Float64Type], element).element_type
    return element


def _element_of(type: Attribute) -> Attribute:
    return cast(TensorType[Attribute], type).element_type


def _shapes(
    op_type: type[Operation],
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute | None],
    regions: Sequence[Region],
    elements: Sequence[Attribute],
) -> Sequence[Sequence[int]] | None:
    """Those of the results, found by the rules of the dialect on an op that is made for this only."""
    op = op_type.create(
        operands=operands,
        result_types=[TensorType(element, ()) for element in elements],
        properties={name: value for name, value in properties.items() if value is not None},
    )
    try:
        return result_shapes(op)
    except (IndexError, ValueError, VerifyException):
        return None
    finally:
        op.drop_all_references()
