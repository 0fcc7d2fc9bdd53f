"""Which element types an operand or result may have, as cheap IRDL constraints."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Flag, auto
from typing import Self, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    Signedness,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..quant import UniformQuantizedType
from .attributes import FutureType, TokenType
from .shapes import compatible_dims, is_tensor


class ElementKind(Flag):
    """What an element type is, as the specification groups them."""

    NONE = 0
    BOOLEAN = auto()
    SIGNED = auto()
    UNSIGNED = auto()
    FLOAT = auto()
    COMPLEX = auto()
    INDEX = auto()
    OTHER = auto()
    INTEGER = SIGNED | UNSIGNED
    ANY = BOOLEAN | SIGNED | UNSIGNED | FLOAT | COMPLEX | OTHER


def element_kind(element_type: Attribute) -> ElementKind:
    """The kind of an element type; `OTHER` is a type of another dialect, such as a quantised one."""
    if isinstance(element_type, AnyFloat):
        return ElementKind.FLOAT
    if isinstance(element_type, IntegerType):
        integer = cast(IntegerType, element_type)
        signedness = integer.signedness.data
        if signedness == Signedness.UNSIGNED:
            return ElementKind.UNSIGNED
        if signedness == Signedness.SIGNED:
            return ElementKind.NONE
        return ElementKind.BOOLEAN if integer.width.data == 1 else ElementKind.SIGNED
    if isinstance(element_type, ComplexType):
        return ElementKind.COMPLEX
    if isinstance(element_type, IndexType):
        return ElementKind.INDEX
    return ElementKind.OTHER


def verify_quantization_dimension(type: TensorType[Attribute]) -> None:
    """Quantised tensor types (C12, C13): parameters per axis are as many as the size of a dimension there is."""
    element, shape = type.element_type, type.get_shape()
    if not isinstance(element, UniformQuantizedType) or element.axis is None:
        return
    axis, count = element.axis, len(element.scales)
    if axis >= len(shape):
        raise VerifyException(f"{type} (C12): quantised along dimension {axis}, the rank is {len(shape)}")
    if not compatible_dims(shape[axis], count):
        raise VerifyException(f"{type} (C13): {count} scales for a dimension of size {shape[axis]}")


class TypeConstraint(AttrConstraint[Attribute], ABC):
    """A constraint without type variables."""

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> Self:
        return self


@dataclass(frozen=True)
class TensorOf(TypeConstraint):
    """A ranked tensor whose element type is of one of `kinds`; of rank `rank` unless that is negative."""

    kinds: ElementKind
    description: str
    rank: int = -1

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if is_tensor(attr) and (self.rank < 0 or len(attr.shape.data) == self.rank):
            kind = element_kind(attr.element_type)
            if kind in self.kinds:
                if kind is ElementKind.OTHER:
                    verify_quantization_dimension(attr)
                return
        raise VerifyException(f"expected {self.description}, got {attr}")


@dataclass(frozen=True)
class ValueType(TypeConstraint):
    """A type of one of the `classes`; the elements of a tuple are such types too."""

    classes: tuple[type[Attribute], ...]
    description: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not isinstance(attr, self.classes):
            raise VerifyException(f"expected {self.description}, got {attr}")
        if isinstance(attr, TupleType):
            for element in attr.types.data:
                ANY_VALUE.verify(element, constraint_context)


ANY_VALUE = ValueType((TensorType, TokenType, TupleType, FutureType), "a tensor, token, tuple or future")


K = ElementKind

Tensor = TensorOf(K.ANY | K.INDEX, "a ranked tensor")
BooleanTensor = TensorOf(K.BOOLEAN, "a tensor of i1")
FloatTensor = TensorOf(K.FLOAT | K.OTHER, "a tensor of floating-point type")
FloatOrComplexTensor = TensorOf(K.FLOAT | K.COMPLEX | K.OTHER, "a tensor of floating-point or complex type")
IntegerTensor = TensorOf(K.INTEGER, "a tensor of integer type")
BooleanOrIntegerTensor = TensorOf(K.INTEGER | K.BOOLEAN, "a tensor of i1 or integer type")
NumberTensor = TensorOf(
    K.INTEGER | K.FLOAT | K.COMPLEX | K.OTHER, "a tensor of integer, floating-point or complex type"
)
SignedFloatOrComplexTensor = TensorOf(
    K.SIGNED | K.FLOAT | K.COMPLEX | K.OTHER,
    "a tensor of signed integer, floating-point or complex type",
)
ComplexTensor = TensorOf(K.COMPLEX, "a tensor of complex type")
DimensionTensor = TensorOf(K.INTEGER | K.INDEX, "a tensor of rank 1 of integer or index type", rank=1)
ScalarIntegerTensor = TensorOf(K.INTEGER, "a tensor of rank 0 of integer type", rank=0)
ScalarBooleanTensor = TensorOf(K.BOOLEAN, "a tensor of rank 0 of i1", rank=0)
ScalarTensor = TensorOf(K.ANY, "a tensor of rank 0", rank=0)
VectorTensor = TensorOf(K.ANY, "a tensor of rank 1", rank=1)

Token = ValueType((TokenType,), "a token")
TensorOrToken = ValueType((TensorType, TokenType), "a ranked tensor or a token")
TensorTokenOrTuple = ValueType((TensorType, TokenType, TupleType), "a ranked tensor, a token or a tuple")
Tuple = ValueType((TupleType,), "a tuple")
Future = ValueType((FutureType,), "a future")
