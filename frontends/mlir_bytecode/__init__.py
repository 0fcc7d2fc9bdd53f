"""MLIR bytecode: portable artifacts of StableHLO, as its serialization and `jax.export` write them, and any module as
`write_bytecode` writes it.

`read_bytecode` turns the bytes into the module that the program was serialized from. VHLO's versions from 0.9 on are
read, the oldest that upstream reads, and MLIR bytecode up to version 6.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...nesting import with_deep_stack
from ...runtime.formats import BYTECODE_MAGIC
from ...runtime.program_context import new_context
from . import (
    builtin_encodings,
    chlo_encodings,
    quant_encodings,
    sdy_encodings,
    stablehlo_encodings,
    vhlo_encodings,
)
from .container import Container, Decoders
from .ir import Reader
from .writer import write_bytecode

__all__ = ["is_bytecode", "read_bytecode", "write_bytecode"]

DECODERS = {
    "builtin": Decoders(builtin_encodings.decode_attribute, builtin_encodings.decode_type),
    "chlo": Decoders(chlo_encodings.decode_attribute, chlo_encodings.decode_type),
    "quant": Decoders(quant_encodings.decode_attribute, quant_encodings.decode_type),
    "sdy": Decoders(sdy_encodings.decode_attribute, sdy_encodings.decode_type),
    "stablehlo": Decoders(stablehlo_encodings.decode_attribute, stablehlo_encodings.decode_type),
    "vhlo": Decoders(vhlo_encodings.decode_attribute, vhlo_encodings.decode_type),
}


def is_bytecode(data: bytes) -> bool:
    """Whether the bytes begin like MLIR bytecode."""
    return data.startswith(BYTECODE_MAGIC)


def read_bytecode(data: bytes, filename: str = "<bytecode>", context: Context | None = None) -> ModuleOp:
    """The module in a portable artifact of StableHLO or in what `write_bytecode` wrote, not verified yet.

    Raises `InvalidProgramError` for bytes that are not one, `UnsupportedError` for what StableHLO has no form for
    (unranked tensors), for properties of ops that are not known, and for newer versions of the format.
    """
    known = context or new_context()
    return with_deep_stack(lambda: Reader(Container(data, filename, DECODERS, known), known).read())
