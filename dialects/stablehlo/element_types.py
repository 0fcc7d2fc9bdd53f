"""Which element types an operand or result may have, as cheap IRDL constraints."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Self, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    TupleType,
    i32,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..quant import UniformQuantizedType
from ..shared_attributes import cached_by_identity
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
    QUANTIZED = auto()
    PER_AXIS = auto()
    OTHER = auto()
    INTEGER = SIGNED | UNSIGNED
    ANY = BOOLEAN | SIGNED | UNSIGNED | FLOAT | COMPLEX | QUANTIZED | OTHER


@cached_by_identity
def element_kind(element_type: Attribute) -> ElementKind:
    """The kind of an element type: quantised with one scale or with one per index of an axis; `OTHER` is a type of
    another dialect."""
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
    if isinstance(element_type, UniformQuantizedType):
        return ElementKind.QUANTIZED if element_type.axis is None else ElementKind.PER_AXIS
    return ElementKind.OTHER


def is_byte_float(element_type: Attribute) -> bool:
    """Whether it is one of the floats of 8 bits."""
    return isinstance(element_type, AnyFloat) and element_type.bitwidth == 8


def is_promotable(element: Attribute, target: Attribute) -> bool:
    """Whether a reduction may accumulate elements of one type in another: of the same kind and no narrower.

    Floats may be narrower and booleans accumulate in integers, which the specification (`is_promotable`) excludes and
    upstream allows.
    """
    if element == target:
        return True
    source, kind = element_kind(element), element_kind(target)
    if source in QUANTIZED_KINDS and kind in QUANTIZED_KINDS:
        source_type, type = cast(UniformQuantizedType, element), cast(UniformQuantizedType, target)
        widths = source_type.storage_type.width.data, type.storage_type.width.data
        return source_type.expressed_type == type.expressed_type and widths[0] <= widths[1]
    integers = ElementKind.INTEGER | ElementKind.BOOLEAN
    if source in integers and kind in integers:
        return cast(IntegerType, element).width.data <= cast(IntegerType, target).width.data
    if source is ElementKind.COMPLEX and kind is ElementKind.COMPLEX:
        parts = cast(ComplexType[AnyFloat], element).element_type, cast(ComplexType[AnyFloat], target).element_type
        return parts[0].bitwidth <= parts[1].bitwidth
    return source is ElementKind.FLOAT and kind is ElementKind.FLOAT


STORAGE_WIDTHS = (2, 4, 8, 16, 32)
"""How many bits quantised elements are stored in: integer types of the specification, up to what MLIR allows."""


def verify_quantized_tensor(type: TensorType[Attribute], element: UniformQuantizedType) -> None:
    """Quantised tensor types (C12, C13): parameters per axis are as many as the size of a dimension there is."""
    if element.storage_type.width.data not in STORAGE_WIDTHS:
        raise VerifyException(f"{type} (storage_type): {element.storage_type} is none of {STORAGE_WIDTHS} bits wide")
    if element.axis is None:
        return
    shape, axis, count = type.get_shape(), element.axis, len(element.scales)
    if axis >= len(shape):
        raise VerifyException(f"{type} (C12): quantised along dimension {axis}, the rank is {len(shape)}")
    if not compatible_dims(shape[axis], count):
        raise VerifyException(f"{type} (C13): {count} scales for a dimension of size {shape[axis]}")


class TypeConstraint(AttrConstraint[Attribute], ABC):
    """A constraint without type variables."""

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> Self:
        return self


@dataclass(frozen=True)
class Exactly(TypeConstraint):
    """One type."""

    type: Attribute

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if attr != self.type:
            raise VerifyException(f"expected {self.type}, got {attr}")


QUANTIZED_KINDS = ElementKind.QUANTIZED | ElementKind.PER_AXIS


@dataclass(frozen=True)
class TensorOf(TypeConstraint):
    """A ranked tensor whose element type is of one of `kinds`; of rank `rank` unless that is negative."""

    kinds: ElementKind
    description: str
    rank: int = -1
    _holds: Callable[[Attribute], bool] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_holds", cached_by_identity(self._find))

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not self._holds(attr):
            raise VerifyException(f"expected {self.description}, got {attr}")

    def _find(self, attr: Attribute) -> bool:
        if not is_tensor(attr) or (self.rank >= 0 and len(attr.shape.data) != self.rank):
            return False
        kind = element_kind(attr.element_type)
        if not kind & self.kinds:
            return False
        if kind in QUANTIZED_KINDS:
            verify_quantized_tensor(attr, cast(UniformQuantizedType, attr.element_type))
        return True


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


@dataclass(frozen=True)
class ExactType(TypeConstraint):
    """One type."""

    type: Attribute
    description: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if attr != self.type:
            raise VerifyException(f"expected {self.description}, got {attr}")


ANY_VALUE = ValueType((TensorType, TokenType, TupleType, FutureType), "a tensor, token, tuple or future")


K = ElementKind

Tensor = TensorOf(K.ANY | K.INDEX, "a ranked tensor, not quantised per axis")
PerAxisTensor = TensorOf(K.ANY | K.INDEX | K.PER_AXIS, "a ranked tensor")
QuantizedTensor = TensorOf(K.QUANTIZED | K.PER_AXIS, "a tensor of quantised type")
FloatOrQuantizedTensor = TensorOf(K.FLOAT | K.QUANTIZED | K.PER_AXIS, "a tensor of floating-point or quantised type")
PlainTensor = TensorOf(K.ANY & ~K.QUANTIZED, "a ranked tensor, not quantised")
PlainFloatOrComplexTensor = TensorOf(K.FLOAT | K.COMPLEX, "a tensor of floating-point or complex type")
PlainFloatTensor = TensorOf(K.FLOAT, "a tensor of floating-point type")
BooleanTensor = TensorOf(K.BOOLEAN, "a tensor of i1")
FloatTensor = TensorOf(K.FLOAT | K.QUANTIZED, "a tensor of floating-point or quantised type")
FloatOrComplexTensor = TensorOf(
    K.FLOAT | K.COMPLEX | K.QUANTIZED, "a tensor of floating-point, complex or quantised type"
)
IntegerTensor = TensorOf(K.INTEGER, "a tensor of integer type")
BooleanOrIntegerTensor = TensorOf(K.INTEGER | K.BOOLEAN, "a tensor of i1 or integer type")
NumberTensor = TensorOf(
    K.INTEGER | K.FLOAT | K.COMPLEX | K.QUANTIZED, "a tensor of integer, floating-point, complex or quantised type"
)
SignedFloatOrComplexTensor = TensorOf(
    K.SIGNED | K.FLOAT | K.COMPLEX | K.QUANTIZED,
    "a tensor of signed integer, floating-point, complex or quantised type",
)
ComplexTensor = TensorOf(K.COMPLEX, "a tensor of complex type")
DimensionTensor = TensorOf(K.INTEGER | K.INDEX, "a tensor of rank 1 of integer or index type", rank=1)
ScalarIntegerTensor = TensorOf(K.INTEGER, "a tensor of rank 0 of integer type", rank=0)
ScalarI32Tensor = ExactType(TensorType(i32, ()), "tensor<i32>")
ScalarBooleanTensor = TensorOf(K.BOOLEAN, "a tensor of rank 0 of i1", rank=0)
ScalarRandomTensor = TensorOf(
    K.BOOLEAN | K.INTEGER | K.FLOAT, "a tensor of rank 0 of i1, integer or floating-point type", rank=0
)
RandomTensor = TensorOf(K.BOOLEAN | K.INTEGER | K.FLOAT, "a tensor of i1, integer or floating-point type")
RandomBitsTensor = TensorOf(K.INTEGER | K.FLOAT, "a tensor of integer or floating-point type")
StateTensor = TensorOf(K.INTEGER | K.FLOAT, "a tensor of rank 1 of integer or floating-point type", rank=1)
ScalarTensor = TensorOf(K.ANY, "a tensor of rank 0", rank=0)

Token = ValueType((TokenType,), "a token")
TensorOrToken = ValueType((TensorType, TokenType), "a ranked tensor or a token")
TensorTokenOrTuple = ValueType((TensorType, TokenType, TupleType), "a ranked tensor, a token or a tuple")
Argument = ValueType(
    (TensorType, TokenType, TupleType, FutureType, MemRefType),
    "a ranked tensor, a token, a tuple, a future or a buffer",
)
"""What a `custom_call` takes and gives."""
Tuple = ValueType((TupleType,), "a tuple")
Future = ValueType((FutureType,), "a future")
