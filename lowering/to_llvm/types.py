"""What a type becomes in LLVM: as a value and in memory.

Values: `index` is `i64`, a memref is the bare pointer to its first element, other scalars and 1-D
vectors stay. Memory: `i1` and other integers of less than a byte take a byte each, since LLVM does
not vectorise accesses to types that are not whole bytes.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from typing_extensions import TypeIs
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    Signedness,
    StridedLayoutAttr,
    VectorType,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute

from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import cached_by_identity
from ...errors import UnsupportedError

BUFFER_ALIGNMENT = 16
"""Alignment in bytes that the caller of an entry function guarantees for every buffer; NumPy's."""

POINTER = LLVMPointerType()
VOID = LLVMVoidType()

FLOAT_BYTES: dict[type[Attribute], int] = {BFloat16Type: 2, Float16Type: 2, Float32Type: 4, Float64Type: 8}
_INTEGERS: dict[int, IntegerType] = {1: i1, 8: i8, 16: i16, 32: i32, 64: i64}


def is_integer(type: Attribute) -> TypeIs[IntegerType]:
    """`isinstance` (the class is final), with the type parameters that xDSL's classes have by default."""
    return type.__class__ is IntegerType


def is_vector(type: Attribute) -> TypeIs[VectorType[Attribute]]:
    """`isinstance` (the class is final), with a type parameter."""
    return type.__class__ is VectorType


class Storage(NamedTuple):
    """How a value of some type lies in memory.

    `type` is the LLVM type that is loaded and stored; it differs from the value's type where
    `narrow`. `alignment` and `size` are in bytes; a vector is aligned as its elements are.
    """

    type: Attribute
    alignment: int
    size: int
    narrow: bool


class Layout(NamedTuple):
    """Where the elements of a memref type lie: strides in elements from the memref's pointer.

    `dense` layouts are row-major without gaps.
    """

    strides: tuple[int, ...]
    storage: Storage
    elements: int
    dense: bool

    @property
    def size(self) -> int:
        """Bytes from the first element to the end of the last one, if the memref is dense."""
        return self.elements * self.storage.size


@cached_by_identity
def value_type(type: Attribute) -> Attribute:
    """The LLVM type of values of `type`; raises UnsupportedError where there is none."""
    cls = type.__class__
    if cls in FLOAT_BYTES:
        return type
    if cls is IndexType:
        return i64
    if cls is MemRefType:
        return POINTER
    if is_integer(type) and type.signedness.data == Signedness.SIGNLESS:
        return _INTEGERS.get(type.width.data, type)
    if is_vector(type):
        if type.get_num_dims() == 1 and not type.get_num_scalable_dims():
            element = value_type(type.element_type)
            return type if element is type.element_type else VectorType(element, type.shape)
    if isinstance(type, LLVMPointerType | LLVMStructType):
        return type
    raise UnsupportedError(f"convert-to-llvm: no LLVM type for values of type {type}")


@cached_by_identity
def storage(type: Attribute) -> Storage:
    """How values of `type`, a scalar or a 1-D vector, lie in memory."""
    type = value_type(type)
    if is_vector(type):
        element = storage(type.element_type)
        length = type.shape.data[0].data
        stored: Attribute = VectorType(element.type, type.shape) if element.narrow else type
        return Storage(stored, element.alignment, element.size * length, element.narrow)
    if is_integer(type):
        width = type.width.data
        if width < 8:
            return Storage(i8, 1, 1, True)
        size = element_bytes(type)
        if width % 8 or size & (size - 1):
            raise UnsupportedError(f"convert-to-llvm: no layout in memory for type {type}")
        return Storage(type, size, size, False)
    if (size := 8 if isinstance(type, LLVMPointerType) else FLOAT_BYTES.get(type.__class__)) is not None:
        return Storage(type, size, size, False)
    raise UnsupportedError(f"convert-to-llvm: no layout in memory for type {type}")


@cached_by_identity
def layout(type: Attribute) -> Layout:
    """The layout of a memref type of static shape, dense or with static strides."""
    type = cast("MemRefType[Attribute]", type)
    shape = type.get_shape()
    if DYNAMIC_INDEX in shape:
        raise UnsupportedError(f"convert-to-llvm: {type} has no static shape")
    row_major: list[int] = []
    step = 1
    for extent in reversed(shape):
        row_major.append(step)
        step *= extent
    row_major.reverse()
    match type.layout:
        case NoneAttr():
            strides = row_major
        case StridedLayoutAttr(strides=declared) if all(isinstance(s, IntAttr) for s in declared):
            strides = [cast(IntAttr, stride).data for stride in declared]
        case _:
            raise UnsupportedError(f"convert-to-llvm: {type} has no static strides")
    return Layout(tuple(strides), storage(type.element_type), step, strides == row_major)


def with_element_type(type: Attribute, element_type: Attribute) -> Attribute:
    """`element_type`, or the vector of it with the length of `type` where that is a vector."""
    if is_vector(type):
        return VectorType(element_type, type.shape)
    return element_type


def element_type(type: Attribute) -> Attribute:
    """The type of a vector's elements; a scalar type itself."""
    if is_vector(type):
        return type.element_type
    return type


@cached_by_identity
def mangled(type: Attribute) -> str:
    """The suffix that stands for `type` in the name of an overloaded intrinsic (`f32`, `v16i1`)."""
    if is_vector(type):
        return f"v{type.shape.data[0].data}{mangled(type.element_type)}"
    if isinstance(type, LLVMPointerType):
        return "p0"
    if is_integer(type):
        return f"i{type.width.data}"
    return type.name
