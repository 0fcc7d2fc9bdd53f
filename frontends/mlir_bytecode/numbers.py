"""Numbers in MLIR bytecode: integers of known width, floats as their bits, the elements of tensors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr, TensorType, VectorType, i1
from xdsl.ir import Attribute

from ...dialects.dense import attribute_of_bytes, integer_type, is_unsigned

if TYPE_CHECKING:
    from .stream import Stream


def read_integer(stream: Stream, width: int, signed: bool = True) -> int:
    """An integer of `width` bits: a byte, a signed number, or a list of words of 64 bits."""
    if width <= 8:
        bits = stream.byte()
    elif width <= 64:
        bits = stream.signed_varint()
    else:
        words = stream.list(stream.signed_varint)
        bits = sum((word & 0xFFFFFFFFFFFFFFFF) << 64 * index for index, word in enumerate(words))
    bits &= (1 << width) - 1
    if signed and bits >> (width - 1):
        bits -= 1 << width
    return bits


def integer_attribute(stream: Stream, type: Attribute) -> Attribute:
    """An integer of the type; one of type `i1` is 0 or 1."""
    if isinstance(type, IndexType):
        return IntegerAttr(read_integer(stream, 64), type)
    integers = integer_type(type)
    if integers is None:
        raise stream.error(f"an integer of type {type}")
    signed = integers != i1 and not is_unsigned(integers)
    return IntegerAttr(read_integer(stream, integers.width.data, signed), integers)


def read_double(stream: Stream) -> float:
    bits = read_integer(stream, 64, signed=False)
    return float(np.uint64(bits).view(np.float64))


def read_float(stream: Stream, type: Attribute) -> float:
    """A float of the type; NaNs lose what distinguishes them."""
    float_type = cast(Any, type)
    if not hasattr(float_type, "bitwidth") or not hasattr(float_type, "unpack"):
        raise stream.error(f"a floating-point number of type {type}")
    bits = read_integer(stream, float_type.bitwidth, signed=False)
    return float_type.unpack(bits.to_bytes(float_type.compile_time_size, "little"), 1)[0]


def dense_elements(stream: Stream, type: Attribute, data: bytes) -> DenseIntOrFPElementsAttr:
    """The constant of `type` with these bytes: all elements, or one that stands for all.

    Booleans come packed, eight to a byte, or one to a byte as older writers left them.
    """
    if not isinstance(type, TensorType | VectorType):
        raise stream.error(f"a constant of type {type}")
    type = cast(TensorType[Any], type)
    if not type.has_static_shape():
        raise stream.error(f"a constant of type {type}")
    count = math.prod(type.get_shape())
    if type.element_type == i1:
        data = _boolean_bytes(data, count)
    try:
        size: int = type.element_type.compile_time_size
    except (AttributeError, NotImplementedError):
        raise stream.error(f"a constant of type {type}") from None
    if len(data) == size:
        data *= min(count, 1)
    elif len(data) != size * count:
        raise stream.error(f"{len(data)} bytes for a constant of type {type}")
    return attribute_of_bytes(type, data)


def resource_elements(stream: Stream, type: Attribute, key: str, data: bytes) -> DenseIntOrFPElementsAttr:
    """The constant of `type` whose elements are the bytes of a resource, none left out."""
    if not isinstance(type, TensorType) or not cast(TensorType[Any], type).has_static_shape():
        raise stream.error(f"a dense resource has a tensor type of static shape, not {type}")
    type = cast(TensorType[Any], type)
    try:
        size: int = type.element_type.compile_time_size * math.prod(type.get_shape())
    except (AttributeError, NotImplementedError):
        raise stream.error(f"a dense resource of type {type}") from None
    if len(data) != size:
        raise stream.error(f"the resource '{key}' has {len(data)} bytes, {type} takes {size}")
    return attribute_of_bytes(type, data)


def _boolean_bytes(data: bytes, count: int) -> bytes:
    packed = -(-count // 8)
    if len(data) == 1 and count > 1 and data in (b"\0", b"\xff", b"\1") and (data != b"\1" or count > 8):
        return bytes([data != b"\0"])
    if len(data) == packed and packed != count:
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        return bits[:count].tobytes()
    return bytes(value != 0 for value in data)
