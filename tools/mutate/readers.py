"""The four readers, as a campaign sees them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Reader(NamedTuple):
    """A form of programs."""

    name: str
    extension: str
    """Of its files: it decides which reader a damaged file goes to."""
    is_text: bool
    share: float
    """Of the mutants of a campaign over all readers."""


MLIR = Reader("mlir", ".mlir", True, 0.4)
HLO = Reader("hlo", ".hlo", True, 0.3)
BYTECODE = Reader("bytecode", ".mlirbc", False, 0.18)
JAX_EXPORT = Reader("jax", ".jaxexport", False, 0.12)

READERS = {reader.name: reader for reader in (MLIR, HLO, BYTECODE, JAX_EXPORT)}


def reader_of_file(path: Path) -> Reader | None:
    """The reader of a file by its extension, None for other files."""
    return next((reader for reader in READERS.values() if reader.extension == path.suffix), None)
