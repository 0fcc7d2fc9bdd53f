"""The quantised types of MLIR's dialect `quant` in MLIR bytecode.

Source: mlir/include/mlir/Dialect/Quant/IR/QuantDialectBytecode.td, whose list gives each encoding its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from .builtin_encodings import decode, unsupported
from .vhlo_encodings import quantized, quantized_per_axis

if TYPE_CHECKING:
    from .container import Container
    from .stream import Stream

TYPES = (
    unsupported("a type in an encoding that is no longer written"),
    unsupported("a quantised type without parameters"),
    unsupported("a quantised type without parameters"),
    unsupported("a calibrated type"),
    quantized,
    quantized_per_axis,
    unsupported("a type quantised in blocks"),
)

decode_type = decode(TYPES, "the quant dialect's types")


def decode_attribute(container: Container, stream: Stream) -> Attribute:
    """There is none."""
    raise stream.error("an attribute of the dialect quant, which has none")
