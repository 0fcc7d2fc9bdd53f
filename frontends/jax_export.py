"""What `jax.export.export(f)(*args).serialize()` writes, read without JAX.

The bytes are a FlatBuffer (https://flatbuffers.dev/internals) around a portable artifact. Its table has the fields of
JAX's schema (jax/_src/export/serialization.fbs), of which those that say how to run the program are read here.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp

from ..errors import InvalidProgramError
from .mlir_bytecode import is_bytecode, read_bytecode

SERIALIZATION_VERSIONS = range(1, 12)


@dataclass(frozen=True)
class JaxExport:
    """An exported function.

    `module` takes the flattened arguments of the function whose numbers are in `kept_arguments`; if `platforms` names
    more than one, a number comes before them (int32): the index of the platform the program runs on.
    """

    function_name: str
    module: ModuleOp
    platforms: tuple[str, ...]
    kept_arguments: tuple[int, ...]
    calling_convention_version: int


class _Table:
    """A FlatBuffer's root table: fields by their number in the schema, each read within the bounds of the data."""

    INTEGER: ClassVar[dict[int, str]] = {1: "<B", 2: "<H", 4: "<I"}

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self.start = self._number(0, 4)
        vtable = self.start - struct.unpack("<i", self._slice(self.start, 4))[0]
        size = self._number(vtable, 2)
        self.offsets = [self._number(vtable + position, 2) for position in range(4, size, 2)]

    def _slice(self, start: int, size: int) -> bytes:
        if start < 0 or start + size > len(self.data):
            raise InvalidProgramError(f"{self.name}: neither a program nor something jax.export serialized")
        return self.data[start : start + size]

    def _number(self, start: int, size: int) -> int:
        return struct.unpack(self.INTEGER[size], self._slice(start, size))[0]

    def _target(self, field: int) -> int | None:
        """Where the vector or string of a field begins: its length."""
        if field >= len(self.offsets) or not self.offsets[field]:
            return None
        position = self.start + self.offsets[field]
        return position + self._number(position, 4)

    def number(self, field: int, size: int) -> int:
        if field >= len(self.offsets) or not self.offsets[field]:
            return 0
        return self._number(self.start + self.offsets[field], size)

    def bytes(self, field: int) -> bytes:
        target = self._target(field)
        return b"" if target is None else self._slice(target + 4, self._number(target, 4))

    def text(self, field: int) -> str:
        return self.bytes(field).decode("utf-8", "replace")

    def numbers(self, field: int, size: int) -> tuple[int, ...]:
        target = self._target(field)
        if target is None:
            return ()
        count = self._number(target, 4)
        data = self._slice(target + 4, count * size)
        return struct.unpack(f"<{count}{self.INTEGER[size][1]}", data)

    def texts(self, field: int) -> tuple[str, ...]:
        target = self._target(field)
        if target is None:
            return ()
        count = self._number(target, 4)
        self._slice(target + 4, 4 * count)
        found: list[str] = []
        left = len(self.data)
        for position in range(target + 4, target + 4 + 4 * count, 4):
            text = position + self._number(position, 4)
            size = self._number(text, 4)
            left -= size
            if left < 0:  # texts that overlap
                raise InvalidProgramError(f"{self.name}: neither a program nor something jax.export serialized")
            found.append(self._slice(text + 4, size).decode("utf-8", "replace"))
        return tuple(found)


def is_jax_export(data: bytes) -> bool:
    """Whether the bytes are a FlatBuffer that holds MLIR bytecode where `jax.export` puts it."""
    try:
        return is_bytecode(_Table(data, "").bytes(_MODULE))
    except InvalidProgramError:
        return False


_VERSION, _FUNCTION_NAME, _PLATFORMS, _MODULE, _CALLING_CONVENTION, _KEPT_ARGUMENTS = 0, 1, 9, 13, 14, 15


def read_jax_export(data: bytes, filename: str = "<jax.export>") -> JaxExport:
    """The function in the bytes that `serialize()` returned; its derivatives, if there are any, are left alone.

    Raises `InvalidProgramError` for bytes that are something else, and what `read_bytecode` raises.
    """
    table = _Table(data, filename)
    version = table.number(_VERSION, 2)
    module = table.bytes(_MODULE)
    if version not in SERIALIZATION_VERSIONS or not is_bytecode(module):
        raise InvalidProgramError(f"{filename}: neither a program nor something jax.export serialized")
    return JaxExport(
        table.text(_FUNCTION_NAME),
        read_bytecode(module, filename),
        table.texts(_PLATFORMS),
        table.numbers(_KEPT_ARGUMENTS, 2),
        table.number(_CALLING_CONVENTION, 2),
    )


def read_exported_module(data: bytes, filename: str = "<jax.export>") -> ModuleOp:
    """The module of `read_jax_export`."""
    return read_jax_export(data, filename).module
