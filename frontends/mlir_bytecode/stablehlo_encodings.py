"""The types of StableHLO's own dialect in MLIR bytecode. They occur where a portable artifact has regions of Shardy's
dialect: VHLO stands for StableHLO in functions and its own ops, not in those of other dialects.

Source: openxla/stablehlo, stablehlo/dialect/StablehloBytecode.cpp, whose lists give each encoding its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute

from ...dialects.stablehlo import FutureType, TokenType
from .builtin_encodings import Encoding, decode, types
from .container import UndecodedAttr

if TYPE_CHECKING:
    from .container import Container
    from .stream import Stream

TYPES: dict[int, Encoding] = {
    0: lambda container, stream: TokenType(),
    1: lambda container, stream: FutureType(ArrayAttr(types(container, stream))),
}

decode_type = decode(TYPES, "StableHLO's types")


def decode_attribute(container: Container, stream: Stream) -> Attribute:
    """None is needed."""
    return UndecodedAttr(StringAttr("stablehlo"))
