"""Executables as bytes, for caches of clients: the program, its options, and machine code that can be kept."""

from __future__ import annotations

import ctypes
from typing import Any

from ...errors import UnsupportedError, XlaError
from ...runtime.saved_executables import executable_bytes, from_bytes
from ...runtime.sharding.executable import ShardedExecutable
from .calls import Code, PjrtError, implements
from .compile_options import read
from .executables import Handle, Program, compiled, describe_loaded
from .layouts import NO_DELETER
from .objects import Kept, live

_MAGIC = b"xdsl-xla PJRT executable 1\n"
_LENGTH = 8


def serialized(program: Program) -> bytes:
    """The program as bytes; one that cannot be saved is compiled again when it is read."""
    executable = program.executable
    local = executable.local if isinstance(executable, ShardedExecutable) else executable
    try:
        code = executable_bytes(local.program, local.seed)
    except UnsupportedError:
        code = b""
    parts = (program.option_bytes, program.source, code)
    return _MAGIC + b"".join(len(part).to_bytes(_LENGTH, "little") + part for part in parts)


def deserialized(data: bytes) -> Program:
    """Raises `PjrtError` for bytes that are no program, and what compiling raises."""
    if not data.startswith(_MAGIC):
        raise PjrtError(Code.INVALID_ARGUMENT, "no executable that xdsl-xla has serialized")
    parts, position = list[bytes](), len(_MAGIC)
    for _ in range(3):
        start = position + _LENGTH
        position = start + int.from_bytes(data[position:start], "little")
        parts.append(data[start:position])
    if position != len(data):
        raise PjrtError(Code.INVALID_ARGUMENT, "an executable that xdsl-xla has serialized is damaged")
    option_bytes, source, code = parts
    if code:
        try:
            return Program(from_bytes(code, "<serialized>"), read(option_bytes), source, option_bytes)
        except XlaError:
            pass  # of another version or another CPU
    return compiled(source, option_bytes)


@implements("Executable_Serialize")
def serialize(arguments: Any) -> None:
    """Give the bytes, which live until the client calls the deleter; they stay with the executable."""
    handle = live[arguments.executable]
    kept: Kept = handle.program.kept
    arguments.serialized_bytes, arguments.serialized_bytes_size = kept.text(serialized(handle.program))
    arguments.serialized_executable = handle.address
    arguments.serialized_executable_deleter = NO_DELETER.address


@implements("Executable_DeserializeAndLoad")
def deserialize_and_load(arguments: Any) -> None:
    """A program from bytes, on its devices."""
    data = ctypes.string_at(arguments.serialized_executable, arguments.serialized_executable_size)
    program = deserialized(data)
    arguments.loaded_executable = Handle(program, describe_loaded(program)).address
