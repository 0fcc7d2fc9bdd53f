"""Element types and shapes as XLA's client API names them: `PrimitiveType`, `Shape`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod
from typing import Annotated, Any, Never, cast

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float6E2M3FNType,
    Float6E3M2FNType,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute

from ...dialects.stablehlo.attributes import TokenType, TypeExtensionsAttr
from ...errors import ArgumentError
from ...interruptions import is_interruption
from ...runtime.mlir_types import numpy_dtype
from ..hlo_text.shapes import ELEMENT_TYPES
from .checks import check_that, described
from .door import checked, checked_fields
from .location import position

MOST_DIMENSIONS = 64
"""The dimensions of an array, as many as NumPy has."""
MOST_ELEMENTS = 2**60
"""No array has so many elements; the bytes of fewer can be counted."""


class PrimitiveType(Enum):
    """An element type of XLA (`xla_data.proto`), or what a shape is instead of an array."""

    PRED = "pred"
    S2 = "s2"
    S4 = "s4"
    S8 = "s8"
    S16 = "s16"
    S32 = "s32"
    S64 = "s64"
    U2 = "u2"
    U4 = "u4"
    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    U64 = "u64"
    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"
    C64 = "c64"
    C128 = "c128"
    F8E5M2 = "f8e5m2"
    F8E4M3 = "f8e4m3"
    F8E4M3FN = "f8e4m3fn"
    F8E4M3B11FNUZ = "f8e4m3b11fnuz"
    F8E3M4 = "f8e3m4"
    F8E5M2FNUZ = "f8e5m2fnuz"
    F8E4M3FNUZ = "f8e4m3fnuz"
    F8E8M0FNU = "f8e8m0fnu"
    F6E2M3FN = "f6e2m3fn"
    F6E3M2FN = "f6e3m2fn"
    F4E2M1FN = "f4e2m1fn"
    TUPLE = "tuple"
    TOKEN = "token"

    @classmethod
    def _missing_(cls, value: object) -> Never:
        names = ", ".join(str(member.value) for member in cls)
        raise ArgumentError(
            f"PrimitiveType: value: expected one of {names}, got {described(value)}", location=position()
        )

    @property
    def element_type(self) -> Attribute:
        """The type of an element in MLIR."""
        if self not in _MLIR:
            raise ArgumentError(f"{self.name} is not the type of elements")
        return _MLIR[self]

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's data type of arrays of it."""
        return numpy_dtype(self.element_type)

    @property
    def is_floating_point(self) -> bool:
        return self.value.startswith(("f", "bf"))

    @property
    def is_complex(self) -> bool:
        return self in (PrimitiveType.C64, PrimitiveType.C128)

    @property
    def is_signed_integer(self) -> bool:
        return self.value[0] == "s"

    @property
    def is_unsigned_integer(self) -> bool:
        return self.value[0] == "u"


_MLIR: dict[PrimitiveType, Attribute] = {
    **{PrimitiveType(name): element_type for name, element_type in ELEMENT_TYPES.items()},
    PrimitiveType.F6E2M3FN: Float6E2M3FNType(),
    PrimitiveType.F6E3M2FN: Float6E3M2FNType(),
}
_PRIMITIVE = {element: primitive for primitive, element in _MLIR.items()}


ElementType = Annotated[
    PrimitiveType,
    check_that("the type of elements", lambda t: t not in (PrimitiveType.TUPLE, PrimitiveType.TOKEN)),
]
"""A `PrimitiveType` of arrays."""


@checked_fields
@dataclass(frozen=True)
class Shape:
    """The shape of a value: an array of some element type and sizes, a tuple of shapes, or a token.

    `dynamic` says of each dimension whether its size is only a bound of what it is when the program runs.
    """

    element_type: PrimitiveType
    dimensions: tuple[int, ...] = ()
    dynamic: tuple[bool, ...] = ()
    tuple_shapes: tuple[Shape, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "dynamic", self.dynamic or (False,) * len(self.dimensions))
        if any(size < 0 for size in self.dimensions):
            raise ArgumentError(f"dimensions: expected sizes, 0 or more, got {list(self.dimensions)}")
        if len(self.dynamic) != len(self.dimensions):
            raise ArgumentError(f"dynamic: {len(self.dynamic)} marks for {len(self.dimensions)} dimensions")
        if self.dimensions and not self.is_array:
            raise ArgumentError(
                f"dimensions: expected none of a {self.element_type.value}, got {list(self.dimensions)}"
            )
        if self.tuple_shapes and not self.is_tuple:
            raise ArgumentError(f"tuple_shapes: expected none of {self.element_type.value}, which is no tuple")
        if len(self.dimensions) > MOST_DIMENSIONS or prod(self.dimensions) >= MOST_ELEMENTS:
            wanted = f"at most {MOST_DIMENSIONS} sizes of fewer than 2**60 elements"
            raise ArgumentError(f"dimensions: expected {wanted}, got {described(self.dimensions)}")

    @staticmethod
    def _known(element_type: PrimitiveType, dimensions: tuple[int, ...], dynamic: tuple[bool, ...]) -> Shape:
        """The shape of an array that there is, unchecked."""
        shape = object.__new__(Shape)
        shape.__dict__.update(element_type=element_type, dimensions=dimensions, dynamic=dynamic, tuple_shapes=())
        return shape

    @staticmethod
    @checked
    def array(element_type: PrimitiveType, dimensions: Sequence[int], dynamic: Sequence[bool] = ()) -> Shape:
        """An array; `ShapeUtil::MakeShape`."""
        return Shape(element_type, cast(Any, dimensions), cast(Any, dynamic))

    @staticmethod
    @checked
    def tuple_of(shapes: Sequence[Shape]) -> Shape:
        """A tuple; `ShapeUtil::MakeTupleShape`."""
        return Shape(PrimitiveType.TUPLE, tuple_shapes=cast(Any, shapes))

    @staticmethod
    def token() -> Shape:
        """A token; `ShapeUtil::MakeTokenShape`."""
        return Shape(PrimitiveType.TOKEN)

    @staticmethod
    @checked
    def of(array: Any) -> Shape:
        """The shape of an array of NumPy, or what NumPy makes one of."""
        try:
            array = np.asarray(array)
        except Exception as error:
            if is_interruption(error):
                raise
            raise ArgumentError(f"array: expected an array, got {described(array)} ({error})") from None
        for primitive in _MLIR:
            if primitive.dtype == array.dtype:
                return Shape(primitive, array.shape)
        raise ArgumentError(f"array: expected elements of a PrimitiveType, got {array.dtype}")

    @property
    def is_tuple(self) -> bool:
        return self.element_type is PrimitiveType.TUPLE

    @property
    def is_token(self) -> bool:
        return self.element_type is PrimitiveType.TOKEN

    @property
    def is_array(self) -> bool:
        return not self.is_tuple and not self.is_token

    @property
    def rank(self) -> int:
        return len(self.dimensions)

    @property
    def is_static(self) -> bool:
        return not any(self.dynamic)

    def is_compatible(self, other: Shape) -> bool:
        """Whether they are equal but for which sizes are bounds only; `ShapeUtil::Compatible`."""
        return (
            self.element_type is other.element_type
            and self.dimensions == other.dimensions
            and len(self.tuple_shapes) == len(other.tuple_shapes)
            and all(a.is_compatible(b) for a, b in zip(self.tuple_shapes, other.tuple_shapes, strict=True))
        )

    def with_element_type(self, element_type: PrimitiveType) -> Shape:
        return Shape(element_type, self.dimensions, self.dynamic)

    @property
    def leaves(self) -> tuple[Shape, ...]:
        """The arrays and tokens in it, in order."""
        if not self.is_tuple:
            return (self,)
        return tuple(leaf for part in self.tuple_shapes for leaf in part.leaves)

    @property
    def type(self) -> Attribute:
        """The type of such a value in MLIR."""
        if self.is_token:
            return TokenType()
        if self.is_tuple:
            return TupleType(tuple(cast(Any, part.type) for part in self.tuple_shapes))
        if self.is_static:
            return TensorType(self.element_type.element_type, self.dimensions)
        sizes = [DYNAMIC_INDEX if open else size for size, open in zip(self.dimensions, self.dynamic, strict=True)]
        bounds = [size if open else DYNAMIC_INDEX for size, open in zip(self.dimensions, self.dynamic, strict=True)]
        return TensorType(self.element_type.element_type, sizes, TypeExtensionsAttr(tuple(bounds)))

    @staticmethod
    def from_type(type: Attribute) -> Shape:
        """The shape of values of a type of MLIR; dynamic dimensions must have bounds."""
        if isinstance(type, TokenType):
            return Shape.token()
        if isinstance(type, TupleType):
            return Shape.tuple_of([Shape.from_type(part) for part in cast(Any, type.types).data])
        if not isinstance(type, TensorType):
            raise ArgumentError(f"no shape for values of type {type}")
        tensor = cast(TensorType[Attribute], type)
        sizes = tensor.get_shape()
        bounds = tensor.encoding.bounds if isinstance(tensor.encoding, TypeExtensionsAttr) else sizes
        dynamic = tuple(size == DYNAMIC_INDEX for size in sizes)
        known = tuple(bound if open else size for size, bound, open in zip(sizes, bounds, dynamic, strict=True))
        return Shape._known(_PRIMITIVE[tensor.element_type], known, dynamic)

    def __str__(self) -> str:
        if self.is_tuple:
            return f"({', '.join(map(str, self.tuple_shapes))})"
        if self.is_token:
            return "token[]"
        sizes = (f"<={size}" if open else str(size) for size, open in zip(self.dimensions, self.dynamic, strict=True))
        return f"{self.element_type.value}[{','.join(sizes)}]"


ArrayShape = Annotated[Shape, check_that("the shape of an array", lambda shape: shape.is_array)]
"""A `Shape` of arrays."""
