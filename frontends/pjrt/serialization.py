"""Executables as bytes, for caches of clients: the program, its options, and machine code that can be kept."""

from __future__ import annotations

import ctypes
from typing import Any

from ...errors import UnsupportedError, XlaError
from ...runtime.saved_executables import executable_bytes, from_bytes
from .calls import Code, PjrtError, implements
from .compile_options import DUMP, read
from .executables import Handle, Program, compiled, describe_loaded
from .layouts import NO_DELETER
from .objects import Kept, live

_MAGIC = b"xdsl-xla PJRT executable 1\n"
_LENGTH = 8

CALLBACK = "xdsl_xla_python_"
"""How the names of targets begin that are functions of this process."""

COMPILED_ANEW = frozenset({DUMP, "passes"})
"""Options with which a program is compiled when it is read: it is to be dumped, or files say how, which may change."""


def serialized(program: Program) -> bytes:
    """The program as bytes; one that cannot be saved is compiled again when it is read.

    Raises `PjrtError` for one that calls functions of this process."""
    compiled = program.local.program
    if any(target.startswith(CALLBACK) for target in compiled.registered):
        name = program.executable.signature.entry
        raise PjrtError(Code.UNIMPLEMENTED, f"'@{name}' cannot be serialized: it calls functions of this process")
    try:
        code = executable_bytes(compiled, program.local.seed)
    except UnsupportedError:
        code = b""
    parts = (program.option_bytes, program.source, code)
    return _MAGIC + b"".join(len(part).to_bytes(_LENGTH, "little") + part for part in parts)


def deserialized(data: bytes, options: bytes = b"") -> Program:
    """A program from bytes, with other options than it was compiled with if there are any.

    Raises `PjrtError` for bytes that are no program, and what compiling raises."""
    if not data.startswith(_MAGIC):
        raise PjrtError(Code.INVALID_ARGUMENT, "no executable that xdsl-xla has serialized")
    parts, position = list[bytes](), len(_MAGIC)
    for _ in range(3):
        start = position + _LENGTH
        position = start + int.from_bytes(data[position:start], "little")
        parts.append(data[start:position])
    if position != len(data):
        raise PjrtError(Code.INVALID_ARGUMENT, "an executable that xdsl-xla has serialized is damaged")
    own_options, source, code = parts
    option_bytes = options or own_options
    read_options = read(option_bytes)
    if code and not COMPILED_ANEW.intersection(read_options.options):
        try:
            return Program(from_bytes(code, "<serialized>"), read_options, source, option_bytes)
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
    options, size = (
        arguments.overridden_serialized_compile_options,
        arguments.overridden_serialized_compile_options_size,
    )
    program = deserialized(data, ctypes.string_at(options, size) if options else b"")
    arguments.loaded_executable = Handle(program, describe_loaded(program)).address
