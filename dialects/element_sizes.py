"""The size of an element: its bits, and the bytes it takes in memory."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ComplexType, FixedBitwidthType, IntegerType
from xdsl.ir import Attribute

from .quant import UniformQuantizedType
from .shared_attributes import cached_by_identity

WORD_BITS = 64
"""Of an element whose type says nothing about its size: an index or a pointer."""


@cached_by_identity
def element_bits(type: Attribute) -> int:
    """How many bits an element has: of a complex number both parts, of a quantised one what is stored."""
    if isinstance(type, ComplexType):
        return 2 * element_bits(cast("ComplexType[IntegerType]", type).element_type)
    if isinstance(type, UniformQuantizedType):
        return type.storage_type.width.data
    return type.bitwidth if isinstance(type, FixedBitwidthType) else WORD_BITS


@cached_by_identity
def element_bytes(type: Attribute) -> int:
    """How many bytes an element takes in memory: whole ones, and as many for each part of a complex number."""
    if isinstance(type, ComplexType):
        return 2 * element_bytes(cast("ComplexType[IntegerType]", type).element_type)
    return (element_bits(type) + 7) // 8
