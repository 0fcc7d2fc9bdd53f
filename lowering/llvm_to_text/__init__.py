"""LLVM IR text from the `llvm` dialect, for llvmlite to parse.

A table with a row for each op (`instructions.py`), types and exact constants (`text_of_types.py`),
block arguments as phis and signatures (`functions.py`). Linkage, parameter attributes, fast-math,
overflow and exactness flags and alignments are kept. Constants are written where they are used.
Intrinsics are declared under the names their calls give. What has no row is an UnsupportedError.

`emit` writes a module as one text, `parts.py` as several, by what its functions need of LLVM.

Functions of the runtime, such as `@xrt.fork`, are in `support_functions.py`: texts that are added to programs that call
them.

Globals with the attribute `xrt.constant_index` are left out: see
`lowering/to_llvm/context_layout.py`.

The reference for the text is LLVM's language manual, https://llvm.org/docs/LangRef.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr

from ...errors import UnsupportedError
from ..to_llvm.module_tables import constant_bytes, is_large_constant
from .functions import FunctionText, function_declaration, function_text
from .instructions import Declarations
from .support_functions import SUPPORT_FUNCTIONS
from .text_of_types import constant_text, string_text, symbol_text, type_text


def _check_name(function: llvm.FuncOp) -> None:
    """LLVM gives up, with the process, on names that it does not take for functions of a program."""
    name = function.sym_name.data
    if name and "\0" not in name and not (name.startswith("llvm.") and function.body.blocks):
        return
    raise UnsupportedError(f"LLVM IR: a function cannot be called '{name}'", function)


class ModuleText(NamedTuple):
    """What a module is made of, as LLVM IR."""

    functions: list[FunctionText]
    constants: dict[str, str]
    """The lines of globals that functions of this module alone see, by symbol."""
    variables: list[str]
    """Those of other globals."""
    declarations: list[str]
    """Of functions that the module does not define, and the metadata of loops."""
    support: list[str]
    """The symbols of the `SUPPORT_FUNCTIONS` that it calls."""


def read(module: ModuleOp, function_attributes: Mapping[str, str] | None = None) -> ModuleText:
    """The pieces of the module, each as text; see `emit`."""
    declarations = Declarations()
    text = ModuleText([], {}, [], [], [])
    for op in module.ops:
        if isinstance(op, llvm.FuncOp):
            _check_name(op)
            if op.sym_name.data in SUPPORT_FUNCTIONS:
                text.support.append(op.sym_name.data)
            elif op.body.blocks:
                text.functions.append(function_text(op, declarations, function_attributes or {}))
            else:
                text.declarations.append(function_declaration(op))
        elif isinstance(op, llvm.GlobalOp):
            if is_large_constant(op):
                continue
            if op.linkage.linkage.data in ("private", "internal"):
                text.constants[symbol_text(op.sym_name.data)] = _global_text(op)
            else:
                text.variables.append(_global_text(op))
        else:
            raise UnsupportedError(
                f"LLVM IR: no text for {op.name}: only ops of llvm have one; lower the module first", op
            )
    text.declarations.extend(declarations.lines.values())
    return text


def emit(module: ModuleOp, function_attributes: Mapping[str, str] | None = None) -> str:
    """The module as LLVM IR.

    `function_attributes` are given to every function that the module defines, such as
    `{"prefer-vector-width": "512"}`. Raises UnsupportedError for an op, type or attribute without
    text, and for a name that LLVM keeps to itself.
    """
    text = read(module, function_attributes)
    lines = [*text.constants.values(), *text.variables]
    lines += [SUPPORT_FUNCTIONS[name].definition for name in text.support]
    for function in text.functions:
        lines += function.text(function.linkage)
    return "\n".join([*lines, *text.declarations, ""])


def _global_text(op: llvm.GlobalOp) -> str:
    if op.body.blocks:
        raise UnsupportedError(f"LLVM IR: no text for the initializer region of @{op.sym_name.data}")
    kind = "constant" if op.constant is not None else "global"
    alignment = "" if op.alignment is None else f", align {op.alignment.value.data}"
    linkage = op.linkage.linkage.data
    value = op.value
    if value is None:
        text = f"{kind} {type_text(op.global_type)}"
    elif isinstance(value, StringAttr | DenseIntOrFPElementsAttr):
        data = (
            value.data.encode()
            if isinstance(value, StringAttr)
            else constant_bytes(cast("DenseIntOrFPElementsAttr[Any]", value))
        )
        text = f'{kind} [{len(data)} x i8] c"{string_text(data)}"'
        linkage = "" if linkage == "external" else linkage
    else:
        text = f"{kind} {type_text(op.global_type)} {constant_text(value, op.global_type)}"
        linkage = "" if linkage == "external" else linkage
    return f"{symbol_text(op.sym_name.data)} = {linkage} {text}{alignment}"
