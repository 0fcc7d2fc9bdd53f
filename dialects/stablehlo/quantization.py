"""Quantised element types: what verifiers ask of them (StableHLO specification, constraints of quantised tensors)."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Attribute, Operation, SSAValue

from ..quant import UniformQuantizedType
from .shapes import element_type_of, show, violation


def quantized_element_type(value: SSAValue) -> UniformQuantizedType | None:
    """The element type of a tensor, if it is a quantised one."""
    element = element_type_of(value)
    return element if isinstance(element, UniformQuantizedType) else None


def expressed_type(value: SSAValue) -> Attribute:
    """The type of the real numbers that elements stand for; that of elements themselves if they are not quantised."""
    quantized = quantized_element_type(value)
    return element_type_of(value) if quantized is None else quantized.expressed_type


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
