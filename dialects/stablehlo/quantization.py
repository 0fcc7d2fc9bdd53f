"""Conversions to and from quantised element types, and what verifiers ask of these (StableHLO specification,
constraints of quantised tensors)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ..quant import UniformQuantizedType
from .element_types import FloatOrQuantizedTensor, PlainFloatTensor, QuantizedTensor
from .shapes import Shape, compatible_shapes, element_type_of, shape_of, show, violation, with_element_type
from .syntax import SameTypes
from .traits import Elementwise

Value = SSAValue | Operation


def quantized_element_type(value: SSAValue) -> UniformQuantizedType | None:
    """The element type of a tensor, if it is a quantised one."""
    element = element_type_of(value)
    return element if type(element) is UniformQuantizedType else None


def expressed_type(value: SSAValue) -> Attribute:
    """The type of the real numbers that elements stand for; that of elements themselves if they are not quantised."""
    quantized = quantized_element_type(value)
    return element_type_of(value) if quantized is None else quantized.expressed_type


def _verify(op: Operation, constraint: str, condition: bool, what: str, *values: SSAValue) -> None:
    if not condition:
        violation(op, constraint, f"{what}: {show(value.type for value in values)}")


def verify_moved_elements(op: Operation, constraint: str, operand: SSAValue, result: SSAValue) -> None:
    """The elements of the result are those of the operand; the dimension they are quantised along may be another."""
    source, target = quantized_element_type(operand), quantized_element_type(result)
    same = element_type_of(operand) == element_type_of(result)
    if source is not None and target is not None and source.axis is not None and target.axis is not None:
        same = source.with_axis(target.axis) == target
    _verify(op, constraint, same, "expected one element type", operand, result)


def verify_broadcast_elements(op: Operation, constraint: str, operand: SSAValue, result: SSAValue) -> None:
    """As of elements that are moved, but parameters per axis may be others."""
    source, target = quantized_element_type(operand), quantized_element_type(result)
    if source is None or target is None or source.axis is None or target.axis is None:
        same = element_type_of(operand) == element_type_of(result)
    else:
        same = source.with_axis(target.axis).baseline == target.baseline
    _verify(op, constraint, same, "expected one element type", operand, result)


def verify_broadcast_parameters(
    op: Operation, constraint: str, operand: SSAValue, result: SSAValue, dims: Sequence[int]
) -> None:
    """Parameters per axis stay with their dimension; those of a dimension of size 1 are repeated with its elements."""
    source, target = quantized_element_type(operand), quantized_element_type(result)
    if source is None or target is None or source.axis is None or target.axis is None:
        return
    _verify(op, constraint, target.axis == dims[source.axis], "quantised along another dimension", operand, result)
    if shape_of(operand)[source.axis] == 1:
        pairs = {*zip(source.scales, source.zero_points, strict=True)}
        repeated = pairs == {*zip(target.scales, target.zero_points, strict=True)}
        _verify(op, constraint, repeated, "scales and zero points are not those of the operand", operand, result)


def verify_reshaped_axis(op: Operation, constraint: str, operand: SSAValue, result: SSAValue) -> None:
    """The dimension parameters belong to keeps its size and its place in the order of elements."""
    source, target = quantized_element_type(operand), quantized_element_type(result)
    if source is None or target is None or source.axis is None or target.axis is None:
        return
    before, after = shape_of(operand), shape_of(result)
    for parts in zip(_around(before, source.axis), _around(after, target.axis), strict=True):
        kept = any(DYNAMIC_INDEX in part for part in parts) or prod(parts[0]) == prod(parts[1])
        _verify(op, constraint, kept, "the quantised dimension is not kept", operand, result)


def _around(shape: Shape, axis: int) -> tuple[Shape, Shape, Shape]:
    return shape[:axis], shape[axis : axis + 1], shape[axis + 1 :]


def verify_quantized_sum(op: Operation, lhs: SSAValue, rhs: SSAValue, result: SSAValue) -> bool:
    """Constraints C2 to C7 of `add`. Whether there is a quantised type at all."""
    values = (lhs, rhs, result)
    left, right, output = map(quantized_element_type, values)
    if left is None and right is None and output is None:
        return False
    if left is None or right is None or output is None:
        violation(op, "C2", f"all of {show(value.type for value in values)} must be quantised")
    same_storage = left.storage_type == right.storage_type == output.storage_type
    same_expressed = left.expressed_type == right.expressed_type == output.expressed_type
    _verify(op, "C3", same_storage, "storage types differ", *values)
    _verify(op, "C4", same_expressed, "expressed types differ", *values)
    per_axis = left.axis is not None or right.axis is not None
    _verify(op, "C5", per_axis == (output.axis is not None), "parameters per axis of operands or result alone", *values)
    _verify(op, "C6", left.axis in (None, output.axis), "lhs is quantised along another dimension", *values)
    _verify(op, "C7", right.axis in (None, output.axis), "rhs is quantised along another dimension", *values)
    return True


class ContractionConstraints(NamedTuple):
    """The names of the constraints on a contraction of quantised tensors."""

    quantized: str
    storage: str
    expressed: str
    per_tensor: str
    hybrid: str


def verify_quantized_contraction(
    op: Operation, lhs: SSAValue, rhs: SSAValue, result: SSAValue, constraints: ContractionConstraints
) -> UniformQuantizedType | None:
    """Checks a contraction in which a type is quantised: all are, or only rhs. Returns the type of rhs if so."""
    left, right, output = (quantized_element_type(value) for value in (lhs, rhs, result))
    if left is None and right is None and output is None:
        return None
    types = show((lhs.type, rhs.type, result.type))
    if right is None or (left is None) != (output is None):
        violation(op, constraints.quantized, f"either rhs alone or all of {types} must be quantised")
    if left is None or output is None:
        if not element_type_of(lhs) == right.expressed_type == element_type_of(result):
            violation(op, constraints.hybrid, f"lhs, expressed type of rhs, and result differ: {types}")
        return right
    if left.storage_type != right.storage_type:
        violation(op, constraints.storage, f"storage types of lhs and rhs differ: {types}")
    if not left.expressed_type == right.expressed_type == output.expressed_type:
        violation(op, constraints.expressed, f"expressed types differ: {types}")
    if right.axis is None and output.axis is not None:
        violation(op, constraints.per_tensor, f"the result has parameters per axis, but rhs has not: {types}")
    return right


@irdl_op_definition
class UniformQuantizeOp(SameTypes):
    """Real numbers as quantised ones, rounded to nearest even and saturated; quantised ones in another type.

    `operand`: any shape; float or quantised elements. `result`: its shape; quantised elements of the same expressed
    type. Specification: `uniform_quantize`.
    """

    name = "stablehlo.uniform_quantize"

    operand = operand_def(FloatOrQuantizedTensor)
    result = result_def(QuantizedTensor)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, operand: Value, result_type: Attribute):
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        if not compatible_shapes(shape_of(self.operand), shape_of(self.result)):
            violation(self, "C1", f"{self.operand.type} -> {self.result.type}")
        if expressed_type(self.operand) != expressed_type(self.result):
            violation(self, "C2", f"{self.operand.type} -> {self.result.type}")


@irdl_op_definition
class UniformDequantizeOp(SameTypes):
    """The real numbers that quantised elements stand for, `(i - zero_point) * scale`.

    `operand`: any shape; quantised elements. `result`: its shape; elements of their expressed type. Specification:
    `uniform_dequantize`.
    """

    name = "stablehlo.uniform_dequantize"

    operand = operand_def(QuantizedTensor)
    result = result_def(PlainFloatTensor)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, operand: Value, result_type: Attribute | None = None):
        if result_type is None:
            value = SSAValue.get(operand)
            result_type = with_element_type(value.type, expressed_type(value))
        super().__init__(operands=[operand], result_types=[result_type])

    def verify_(self) -> None:
        if not compatible_shapes(shape_of(self.operand), shape_of(self.result)):
            violation(self, "C1", f"{self.operand.type} -> {self.result.type}")
        if expressed_type(self.operand) != element_type_of(self.result):
            violation(self, "C2", f"{self.operand.type} -> {self.result.type}")
