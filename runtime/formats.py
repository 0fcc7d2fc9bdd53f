"""The forms a program may come in, and what reads each of them.

`FORMATS` is the list; a form is told by the first bytes of the program, or by the extension of its file. Text of MLIR
is everything else. Readers live in `frontends/` and are imported when a program needs one.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..nesting import with_deep_stack

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

BYTECODE_MAGIC = b"ML\xefR"


class Format(NamedTuple):
    """A form of programs besides MLIR's text."""

    name: str
    extensions: tuple[str, ...]
    recognizes: Callable[[bytes], bool]
    reader: str
    """`package.module:function`, within this package, of `(data, filename) -> ModuleOp`."""
    takes_context: bool = False
    """Whether the reader has a third parameter: the context of the program's dialects, or None."""
    fills_elided: bool = False
    """Whether the reader has an option `fill_elided`."""

    def read_filled(self, data: bytes, filename: str) -> ModuleOp:
        """The module, where constants that are left out get values."""
        if not self.fills_elided:
            return self.read(data, filename)
        reader = self._reader()
        return with_deep_stack(lambda: reader(data, filename, fill_elided=True))

    def _reader(self) -> Callable[..., ModuleOp]:
        module, function = self.reader.split(":")
        return getattr(importlib.import_module(f"xdsl_xla.{module}"), function)

    def read(self, data: bytes, filename: str, context: Context | None = None) -> ModuleOp:
        reader = self._reader()
        arguments = (data, filename, context) if self.takes_context else (data, filename)
        return with_deep_stack(lambda: reader(*arguments))


def _is_bytecode(data: bytes) -> bool:
    return data.startswith(BYTECODE_MAGIC)


def _is_flatbuffer_with_bytecode(data: bytes) -> bool:
    return BYTECODE_MAGIC in data and b"\0" in data[:8]


_BLANKS = rb"(?:\s+|//[^\n]*|/\*.*?\*/)*+"
_HLO_INSTRUCTION = rb"(?:ROOT\s+)?%?[\w.-]+\s*+=\s*+\(?\w++\["
_HLO_COMPUTATION = rb"%?[\w.-]++\s*+(?:\([^{]*+)?\{" + _BLANKS + _HLO_INSTRUCTION
_HLO_START = re.compile(
    _BLANKS + rb"(?:HloModule\b|ENTRY\b|" + _HLO_INSTRUCTION + rb"|" + _HLO_COMPUTATION + rb")", re.DOTALL
)
"""A header, or what may stand first without one: a computation, or a single instruction."""


def _is_hlo_text(data: bytes) -> bool:
    return _HLO_START.match(data) is not None


FORMATS: tuple[Format, ...] = (
    Format("HLO text", (".hlo",), _is_hlo_text, "frontends.hlo_text:parse_hlo", fills_elided=True),
    Format(
        "MLIR bytecode",
        (".mlirbc",),
        _is_bytecode,
        "frontends.mlir_bytecode:read_bytecode",
        takes_context=True,
    ),
    Format(
        "what jax.export serializes",
        (),
        _is_flatbuffer_with_bytecode,
        "frontends.jax_export:read_exported_module",
    ),
)


EXTENSIONS = (".mlir", *(extension for form in FORMATS for extension in form.extensions))
"""How the names of files end that hold programs."""


def format_of(data: bytes, filename: str) -> Format | None:
    """The form of a program; None for MLIR's text."""
    extension = Path(filename).suffix
    for form in FORMATS:
        if form.recognizes(data) or extension in form.extensions:
            return form
    return None


def read_program(
    data: bytes,
    filename: str,
    context: Context | None = None,
    *,
    line_offset: int = 0,
    implicit_module: bool = True,
    allow_empty: bool = False,
    fill_elided: bool = False,
) -> ModuleOp:
    """The module of a program in any form, not verified, located in its file. Raises `InvalidProgramError` and
    `UnsupportedError`.

    `line_offset` is for text, the other options for that of MLIR, as `parse_module` takes them. `fill_elided` makes up
    constants that a text leaves out.
    """
    form = format_of(data, filename)
    if form is not None:
        padded = b"\n" * line_offset + data
        module = form.read_filled(padded, filename) if fill_elided else form.read(padded, filename, context)
        return _located(module, filename)
    from .mlir_text import parse_module

    module = parse_module(
        data,
        filename,
        context,
        line_offset=line_offset,
        implicit_module=implicit_module,
        allow_empty=allow_empty,
        fill_elided=fill_elided,
    )
    return _located(module, filename)


def _located(module: ModuleOp, filename: str) -> ModuleOp:
    """`module`, from the file `filename` as a whole if nothing says where in it: errors name one or the other."""
    from xdsl.dialects.builtin import NameLoc, NoneAttr, StringAttr, UnknownLoc

    if isinstance(module.location, UnknownLoc):
        module.location = NameLoc(StringAttr(filename), NoneAttr())  # pyright: ignore[reportArgumentType]
    return module
