"""Dense constants as bytes: splats and plain Python numbers, without a list of all elements.

A splat may hold one element instead of all: `DenseIntOrFPElementsAttr` with the bytes of a single
element prints, compares and verifies like the spelled-out form, and a constant of four million
equal elements costs four bytes. Readers of `attr.data` must allow for both forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    TensorType,
    VectorType,
)
from xdsl.ir import Attribute

Number = float | int | complex | tuple[float, float]


def integer_type(element_type: Attribute) -> IntegerType | None:
    """`element_type` if it is an integer type."""
    return element_type if type(element_type) is IntegerType else None


def is_unsigned(type: IntegerType) -> bool:
    return type.signedness.data == Signedness.UNSIGNED


def pack_element(element_type: Attribute, value: Number) -> bytes:
    """The bytes of one element; integers wrap around, complex numbers may be Python's."""
    type = cast(Any, element_type)
    if (integers := integer_type(element_type)) is not None:
        integer = int(cast(int, value))
        return type.pack((integers.normalized_value(integer, truncate_bits=True),))
    if isinstance(value, complex):
        value = (value.real, value.imag)
    return type.pack((value,))


def attribute_of_bytes(type: TensorType[Attribute] | VectorType[Attribute], data: bytes) -> DenseIntOrFPElementsAttr:
    """The constant of type `type` whose elements are `data`, of all or of one that stands for all.

    Integers of less than a byte, of which writers leave the bits above in any state, get those that xDSL gives them:
    copies of the sign, or zeros for unsigned ones. Booleans stay as they are: `true` is 0x01 or 0xFF.
    """
    integers = integer_type(type.get_element_type())
    if integers is not None and 1 < integers.width.data < 8:
        data = data.translate(_extended(integers))
    return DenseIntOrFPElementsAttr(cast(Any, type), BytesAttr(data))


@cache
def _extended(type: IntegerType) -> bytes:
    """For each byte the one in which xDSL stores the integer in its low bits."""
    return b"".join(type.pack((cast(int, type.normalized_value(byte, truncate_bits=True)),)) for byte in range(256))


SPELLED_OUT_BYTES = 1 << 16
"""Up to here constants of one value that are read have all of their elements, as xDSL has them; larger ones, which may
be larger than the memory, have one that stands for all."""


def repeated(element: bytes, count: int) -> bytes:
    """The bytes of a constant of `count` elements that are all `element`; of a large one it stands for all."""
    return element * count if count * len(element) <= SPELLED_OUT_BYTES else element


def splat_attribute(type: TensorType[Attribute] | VectorType[Attribute], element: bytes) -> DenseIntOrFPElementsAttr:
    """The constant of type `type` all of whose elements are `element`, in the one-element form."""
    return dense_attribute(type, b"" if 0 in type.get_shape() else element)


def dense_attribute(type: TensorType[Attribute] | VectorType[Attribute], data: bytes) -> DenseIntOrFPElementsAttr:
    """The constant of type `type` whose elements are known to be `data`, of all or of one.

    xDSL does not check it, which takes twenty times as long as to make it.
    """
    attribute = object.__new__(DenseIntOrFPElementsAttr)
    object.__setattr__(attribute, "type", type)
    object.__setattr__(attribute, "data", BytesAttr(data))
    return attribute


def splat_bytes(attribute: Attribute) -> bytes | None:
    """The bytes of the element that all elements of a dense attribute equal bit for bit, or None.

    None also for an attribute without elements.
    """
    if not isinstance(attribute, DenseIntOrFPElementsAttr):
        return None
    data = attribute.data.data
    size = cast(Any, attribute).type.element_type.compile_time_size
    if len(data) == size:
        return data
    first = data[:size]
    if data and data == first * (len(data) // size):
        return first
    return None


def dense_values(attribute: DenseIntOrFPElementsAttr) -> Sequence[Any]:
    """All elements in row-major order, as Python numbers."""
    count = 1
    for size in attribute.type.get_shape():
        count *= size
    values = attribute.get_values()
    return values * count if len(values) == 1 != count else values


def splat_element(attribute: Attribute) -> FloatAttr[AnyFloat] | IntegerAttr[IntegerType] | None:
    """The scalar attribute of the element that all elements of a dense attribute equal, or None.

    None also for complex elements, which have no scalar attribute.
    """
    data = splat_bytes(attribute)
    if data is None:
        return None
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    element_type = cast(Any, attribute).type.element_type
    if isinstance(element_type, ComplexType):
        return None
    value = next(iter(element_type.iter_unpack(data)))
    if (integers := integer_type(element_type)) is not None:
        return IntegerAttr(value, integers)
    return FloatAttr(value, element_type)
