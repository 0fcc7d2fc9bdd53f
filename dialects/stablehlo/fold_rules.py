"""What the rules of `folding` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, SSAValue

from ..dense import Number, pack_element, splat_attribute, splat_bytes
from .constant import ConstantOp
from .shapes import tensor_type

Folded = SSAValue | DenseIntOrFPElementsAttr | None
Rule = Callable[[Any], Folded]


def constant_of(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    """The attribute of the `stablehlo.constant` that defines `value`, if one does."""
    owner = value.owner
    return owner.value if type(owner) is ConstantOp else None


def splat_of(value: SSAValue) -> bytes | None:
    """The bytes of the one element of a splat constant; None for other values."""
    constant = constant_of(value)
    return None if constant is None else splat_bytes(constant)


def is_splat(value: SSAValue, number: Number) -> bool:
    """Whether `value` is a constant all of whose elements are `number` (-0.0 is not 0.0)."""
    element = splat_of(value)
    return element is not None and element == pack_element(tensor_type(value).element_type, number)


def splat(type: TensorType[Attribute], element: bytes | Number | None) -> DenseIntOrFPElementsAttr | None:
    """The constant of a static type all of whose elements are `element`; None of None."""
    if element is None or not type.has_static_shape():
        return None
    if not isinstance(element, bytes):
        element = pack_element(type.element_type, element)
    return splat_attribute(type, element)
