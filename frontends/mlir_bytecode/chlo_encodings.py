"""The attributes of CHLO in MLIR bytecode.

Source: openxla/stablehlo, stablehlo/dialect/ChloBytecode.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ...dialects.chlo.attributes import ComparisonDirectionAttr, ComparisonTypeAttr
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from .builtin_encodings import decode
from .vhlo_encodings import enumeration

if TYPE_CHECKING:
    from .container import Container
    from .stream import Stream

_DIRECTIONS = (
    ComparisonDirection.EQ,
    ComparisonDirection.NE,
    ComparisonDirection.GE,
    ComparisonDirection.GT,
    ComparisonDirection.LE,
    ComparisonDirection.LT,
)
_TYPES = (
    ComparisonType.NOTYPE,
    ComparisonType.FLOAT,
    ComparisonType.TOTALORDER,
    ComparisonType.SIGNED,
    ComparisonType.UNSIGNED,
)

decode_attribute = decode(
    (enumeration(ComparisonDirectionAttr, *_DIRECTIONS), enumeration(ComparisonTypeAttr, *_TYPES)),
    "CHLO's attributes",
)


def decode_type(container: Container, stream: Stream) -> Attribute:
    """There is none."""
    raise stream.error("a type of CHLO, which has none")
