"""Types and constants of the `llvm` dialect as LLVM IR text."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute

from ...decisions.search import CACHED_TEXTS
from ...dialects.dense import splat_bytes
from ...dialects.shared_attributes import cached_by_identity
from ...errors import UnsupportedError
from ..to_llvm.types import is_integer, is_vector

_LEAVES: dict[type[Attribute], str] = {
    LLVMVoidType: "void",
    # Its bits: `convert-to-llvm` computes with them as integers, and LLVM 22 aborts on some vectors of bfloat.
    BFloat16Type: "i16",
    Float16Type: "half",
    Float32Type: "float",
    Float64Type: "double",
}

_PLAIN_NAME = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*")
_BYTES = [chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:02X}" for byte in range(256)]


@cached_by_identity
def type_text(type: Attribute) -> str:
    """`vector<4xf32>` -> `<4 x float>`."""
    cls = type.__class__
    if cls is LLVMPointerType:
        space = cast(LLVMPointerType, type).addr_space
        return f"ptr addrspace({space.data})" if isinstance(space, IntAttr) else "ptr"
    if (leaf := _LEAVES.get(cls)) is not None:
        return leaf
    if cls is IntegerType:
        return f"i{cast(IntegerType, type).width.data}"
    if is_vector(type):
        if len(type.shape.data) == 1:
            return f"<{type.shape.data[0].data} x {type_text(type.element_type)}>"
    if isinstance(type, LLVMStructType) and not type.struct_name.data:
        return "{ " + ", ".join([type_text(field) for field in type.types]) + " }"
    if isinstance(type, LLVMArrayType):
        return f"[{type.size.data} x {type_text(type.type)}]"
    raise UnsupportedError(f"LLVM IR: no text for type {type}")


@lru_cache(CACHED_TEXTS)
def symbol_text(name: str) -> str:
    """`@name`, quoted where LLVM asks for it."""
    if _PLAIN_NAME.fullmatch(name):
        return "@" + name
    return f'@"{string_text(name.encode())}"'


def string_text(data: bytes) -> str:
    """The inside of a string literal."""
    return "".join([_BYTES[byte] for byte in data])


def _single_text(raw: bytes) -> str:
    """An `f32` is written as the bits of the `f64` of the same value; by hand for the sake of signalling NaNs."""
    (bits,) = struct.unpack("<I", raw)
    exponent, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF:
        wide = (bits >> 31) << 63 | 0x7FF << 52 | fraction << 29
        return f"0x{wide:016X}"
    (value,) = struct.unpack("<f", raw)
    return f"0x{struct.pack('>d', value).hex().upper()}"


_FLOATS: dict[type[Attribute], tuple[int, Callable[[bytes], str]]] = {
    BFloat16Type: (2, lambda raw: str(int.from_bytes(raw, "little"))),
    Float16Type: (2, lambda raw: f"0xH{raw[::-1].hex().upper()}"),
    Float32Type: (4, _single_text),
    Float64Type: (8, lambda raw: f"0x{raw[::-1].hex().upper()}"),
}
"""Bytes of an element, and how LLVM writes them."""


def _integer_text(value: int, width: int) -> str:
    if width == 1:
        return "true" if value & 1 else "false"
    return str(value)


def constant_text(value: Attribute, type: Attribute) -> str:
    """The constant `value` of type `type`, exactly."""
    if value.__class__ is IntegerAttr:
        number = cast("IntegerAttr[Any]", value).value.data
        if is_integer(type):
            return _integer_text(number, type.width.data)
    elif value.__class__ is FloatAttr:
        scalar = cast("FloatAttr[Any]", value)
        if (known := _FLOATS.get(scalar.type.__class__)) is not None:
            return known[1](scalar.type.pack((scalar.value.data,)))
    elif isinstance(value, DenseIntOrFPElementsAttr) and is_vector(type):
        element = type.element_type
        prefix = type_text(element)
        if (splat := splat_bytes(cast(Attribute, value))) is not None:
            return f"splat ({prefix} {_element_texts(splat, element)[0]})"
        elements = _element_texts(cast("DenseIntOrFPElementsAttr[Any]", value).data.data, element)
        return "<" + ", ".join([f"{prefix} {element}" for element in elements]) + ">"
    raise UnsupportedError(f"LLVM IR: no text for constant {value} of type {type}")


def _element_texts(data: bytes, element: Attribute) -> Sequence[str]:
    if (known := _FLOATS.get(element.__class__)) is not None:
        size, text = known
        return [text(data[start : start + size]) for start in range(0, len(data), size)]
    if is_integer(element):
        width = element.width.data
        numbers = element.unpack(data, len(data) // element.compile_time_size)
        return [_integer_text(number, width) for number in numbers]
    raise UnsupportedError(f"LLVM IR: no text for constant elements of type {element}")
