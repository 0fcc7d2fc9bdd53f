"""Upstream's parser and printer, from jaxlib, and this package's, as functions on text."""

from __future__ import annotations

import io

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl_xla.runtime.mlir_text import parse_module

pytest.importorskip("jaxlib")
from jax._src.interpreters import mlir
from jaxlib import _jax
from jaxlib.mlir import ir


def _context() -> ir.Context:
    """A context with all dialects of StableHLO programs: jaxlib loads `quant` where it reads a portable artifact."""
    context = mlir.make_ir_context()
    with context, ir.Location.unknown():
        artifact = _jax.mlir.serialize_portable_artifact(ir.Module.parse("module {}"), "1.0.0", True)
        _jax.mlir.deserialize_portable_artifact(artifact)
    return context


_CONTEXT = _context()


def upstream(text: str, *, generic: bool = False, locations: bool = False) -> str:
    """`text` parsed and verified by upstream, printed by upstream."""
    with _CONTEXT, ir.Location.unknown():
        operation = ir.Module.parse(text).operation
        assert operation.verify()
        return operation.get_asm(print_generic_op_form=generic, enable_debug_info=locations)


def ours(text: str, *, generic: bool = False, locations: bool = False) -> str:
    """`text` parsed and verified here, printed here."""
    module = parse_module(text)
    module.verify()
    return printed(module, generic=generic, locations=locations)


def printed(module: ModuleOp, *, generic: bool = False, locations: bool = False) -> str:
    stream = io.StringIO()
    Printer(stream, print_generic_format=generic, print_debuginfo=locations).print_op(module)
    return stream.getvalue()
