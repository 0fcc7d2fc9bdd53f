"""What a program may be given as to `compile`: a table, by what the object offers.

Nothing is imported to look at an object: JAX, jaxlib and the bindings of MLIR are known by the attributes of their
classes, so that these need not be installed, and classes of other packages that offer the same are taken too.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol, TypeAlias, cast

from ..errors import ArgumentError, XlaError
from .formats import EXTENSIONS
from .input_files import read_file

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Contents: TypeAlias = "str | bytes | ModuleOp"
"""A program as a reader of this package takes it."""


class LoweredProgram(Protocol):
    """`jax.stages.Lowered`."""

    def as_text(self, dialect: str | None = None, *, debug_info: bool = False) -> str: ...
    def compiler_ir(self, dialect: str | None = None) -> Any: ...


class ExportedProgram(Protocol):
    """`jax.export.Exported`."""

    @property
    def mlir_module_serialized(self) -> bytes: ...


class ModuleOfMlir(Protocol):
    """`Module` of the Python bindings of MLIR, such as `jaxlib.mlir.ir.Module`."""

    @property
    def operation(self) -> Any: ...


class HloComputation(Protocol):
    """`XlaComputation` of jaxlib."""

    def as_hlo_text(self, print_large_constants: bool = False) -> str: ...


class BuiltComputation(Protocol):
    """`XlaComputation` of `frontends/xla_builder`."""

    @property
    def module(self) -> ModuleOp: ...


File: TypeAlias = "str | bytes | bytearray | memoryview | os.PathLike[str]"
Producer: TypeAlias = "LoweredProgram | ExportedProgram | ModuleOfMlir | HloComputation | BuiltComputation"
Source: TypeAlias = "File | ModuleOp | Producer"

EXPECTED = (
    "a path, text or bytes of a program, a module of xDSL or MLIR, a lowered or exported function of JAX, or an"
    " XlaComputation"
)


class Kind(NamedTuple):
    """One row of the table: an object that offers all `attributes` is what `called` names in errors."""

    attributes: tuple[str, ...]
    called: str
    contents: Callable[[Any], Contents]


def _exported(source: ExportedProgram) -> bytes:
    return bytes(source.mlir_module_serialized)


def _lowered(source: LoweredProgram) -> str:
    return source.as_text(debug_info=True)  # errors name lines of Python


def _text_of_mlir(source: Any) -> str:
    return getattr(source, "operation", source).get_asm(enable_debug_info=True)


def _hlo_text(source: HloComputation) -> str:
    return source.as_hlo_text(print_large_constants=True)


def _built(source: BuiltComputation) -> ModuleOp:
    return source.module


KINDS: tuple[Kind, ...] = (
    Kind(("mlir_module_serialized",), "<jax.export>", _exported),
    Kind(("as_text", "compiler_ir"), "<jax>", _lowered),
    Kind(("as_hlo_text",), "<hlo>", _hlo_text),
    Kind(("program_shape", "module"), "<module>", _built),
    Kind(("operation", "body", "dump"), "<mlir>", _text_of_mlir),
    Kind(("get_asm", "regions"), "<mlir>", _text_of_mlir),
)
"""The first row that fits holds."""

HINTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("jaxpr", "lower"), "pass what its lower() returns"),
    (("runtime_executable",), "XLA has compiled it; pass the lowered function, as jax.jit(f).lower(*args) returns it"),
    (("build", "parameter"), "pass what its build(root) returns"),
    (("serialize", "call"), "pass what its serialize() returns"),
    (("__call__",), "of a function take xdsl_xla.jit(f), or pass jax.jit(f).lower(*args)"),
)
"""What to do with an object that is no program yet, or no more."""


def contents_of(source: Any, filename: str | None) -> tuple[Contents, str]:
    """What `source` holds, and what errors call it: `filename` if it is given.

    Raises `ArgumentError` for what is no program, and `XlaError` for a file that cannot be read.
    """
    if isinstance(source, str) and is_text(source):
        return source, filename or "<text>"
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(cast("bytes", source)), filename or "<bytes>"
    if isinstance(source, str | os.PathLike):
        return _file(cast("str", source), filename)
    from xdsl.dialects.builtin import ModuleOp

    if isinstance(source, ModuleOp):
        return source, filename or "<module>"
    if not isinstance(source, type):
        for kind in KINDS:
            if all(hasattr(source, name) for name in kind.attributes):
                return kind.contents(source), filename or kind.called
    refuse_source(source)


def refuse_source(source: object) -> NoReturn:
    """Raises `ArgumentError`, which says what came, and what to pass instead if that is known."""
    kind = "the class" if isinstance(source, type) else f"{type(source).__module__}.{type(source).__qualname__}"
    message = f"argument source: expected {EXPECTED}, got {kind.removeprefix('builtins.')} {source!r:.80}"
    for attributes, hint in () if isinstance(source, type) else HINTS:
        if all(hasattr(source, name) for name in attributes):
            message += f"; {hint}"
            break
    raise ArgumentError(message)


def _file(source: str | os.PathLike[str], filename: str | None) -> tuple[bytes, str]:
    name: Any = os.fspath(source)
    if not isinstance(name, str) or not name or "\0" in name:
        refuse_source(source)
    try:
        return read_file(name), filename or name
    except OSError as error:
        raise XlaError(f"{name}: {error.strerror}") from error


def is_text(source: str) -> bool:
    """Whether `source` is a program, not the name of a file, which may hold braces too."""
    if "\n" in source:
        return True
    return "{" in source and Path(source).suffix not in EXTENSIONS and not os.path.exists(source)


def is_path(source: object) -> bool:
    """Whether `source` names a file."""
    return isinstance(source, os.PathLike) or (isinstance(source, str) and not is_text(source))
