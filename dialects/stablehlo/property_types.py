"""Which values a property may have, as cheap IRDL constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    I1,
    I32,
    I64,
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    IntegerType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IntConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..dense import dense_values
from .attributes import PrecisionAttr


@dataclass(frozen=True)
class PropertyConstraint(AttrConstraint[Attribute]):
    """An attribute of class `base` whose field `field`, if one is named, is `value`."""

    base: type[Attribute]
    description: str
    field: str = ""
    value: Any = None

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if isinstance(attr, self.base) and (not self.field or self.holds(attr)):
            return
        raise VerifyException(f"expected {self.description}, got {attr}")

    def holds(self, attr: Attribute) -> bool:
        actual = getattr(attr, self.field)
        return actual is self.value or actual == self.value

    def mapping_type_vars(self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]) -> Self:
        return self


class ElementsConstraint(PropertyConstraint):
    """A dense constant of element type `value`."""

    def holds(self, attr: Attribute) -> bool:
        return cast(DenseIntOrFPElementsAttr, attr).type.element_type == self.value


class ArrayConstraint(PropertyConstraint):
    """An array of attributes of class `value`."""

    def holds(self, attr: Attribute) -> bool:
        return all(isinstance(item, self.value) for item in cast(ArrayAttr[Attribute], attr).data)


I64Property = cast(AttrConstraint[IntegerAttr[I64]], PropertyConstraint(IntegerAttr, "an i64 value", "type", i64))
I32Property = cast(AttrConstraint[IntegerAttr[I32]], PropertyConstraint(IntegerAttr, "an i32 value", "type", i32))
BoolProperty = cast(AttrConstraint[BoolAttr], PropertyConstraint(IntegerAttr, "true or false", "type", i1))
I64ArrayProperty = cast(
    AttrConstraint[DenseArrayBase[I64]],
    PropertyConstraint(DenseArrayBase, "an array of i64", "elt_type", i64),
)
BoolArrayProperty = cast(
    AttrConstraint[DenseArrayBase[I1]],
    PropertyConstraint(DenseArrayBase, "an array of i1", "elt_type", i1),
)


def array_of(constraint: AttrConstraint, value: DenseIntOrFPElementsAttr) -> Attribute:
    """The elements of `value` as an array, where it is a vector of the numbers that `constraint` wants an array of;
    otherwise `value`.
    """
    if not isinstance(constraint, PropertyConstraint) or constraint.base is not DenseArrayBase:
        return value
    shape, element_type = value.type.get_shape(), value.type.element_type
    if len(shape) != 1 or element_type != constraint.value or not isinstance(element_type, IntegerType):
        return value
    return DenseArrayBase.from_list(element_type, [int(element) for element in dense_values(value)])


I64ElementsProperty = cast(
    AttrConstraint[DenseIntOrFPElementsAttr[I64]],
    ElementsConstraint(DenseIntOrFPElementsAttr, "a dense constant of i64", "type", i64),
)
PrecisionConfigProperty = cast(
    AttrConstraint[ArrayAttr[PrecisionAttr]],
    ArrayConstraint(ArrayAttr, "an array of precisions", "data", PrecisionAttr),
)
ArrayProperty = cast(AttrConstraint[ArrayAttr[Attribute]], PropertyConstraint(ArrayAttr, "an array of attributes"))
