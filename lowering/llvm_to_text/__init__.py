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

from typing import Any, NamedTuple, cast

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr

from ...dialects.xrt_names import CONSTANT_INDEX
from ...errors import UnsupportedError
from ..to_llvm.module_tables import constant_bytes
from .functions import function_declaration, function_text
from .instructions import Declarations
from .support_functions import support_function
from .text_of_types import constant_text, string_text, symbol_text, type_text


def check_name(function: llvm.FuncOp) -> None:
    """LLVM gives up, with the process, on names that it does not take for functions of a program."""
    name = function.sym_name.data
    if name and "\0" not in name and not (name.startswith("llvm.") and function.body.blocks):
        return
    raise UnsupportedError(f"LLVM IR: a function cannot be called '{name}'", function)


class Globals(NamedTuple):
    """The globals of a module, as LLVM IR."""

    constants: dict[str, str]
    """The lines of those that functions of this module alone see, by symbol."""
    variables: list[str]
    """Those of others."""


def read_globals(module: ModuleOp, coming: bool = False) -> Globals:
    """The globals of a module of functions and globals. Raises UnsupportedError for what is neither. `coming`: whether
    functions are yet to be lowered.
    """
    found = Globals({}, [])
    for op in module.ops:
        if isinstance(op, llvm.GlobalOp):
            if CONSTANT_INDEX in op.attributes:
                continue
            if op.linkage.linkage.data in ("private", "internal"):
                found.constants[symbol_text(op.sym_name.data)] = _global_text(op)
            else:
                found.variables.append(_global_text(op))
        elif not (isinstance(op, llvm.FuncOp) or (coming and isinstance(op, func.FuncOp))):
            raise UnsupportedError(
                f"LLVM IR: no text for {op.name}: only ops of llvm have one; lower the module first", op
            )
    return found


def emit(module: ModuleOp, *, debug_info: bool = False) -> str:
    """The module as LLVM IR.

    `debug_info`: whether instructions say which lines they are from. Raises UnsupportedError for an op, type or
    attribute without text, and for a name that LLVM keeps to itself.
    """
    found = read_globals(module)
    declarations = Declarations(debug_info)
    support: list[str] = []
    lines: list[str] = []
    ends: list[str] = []
    for op in module.ops:
        if isinstance(op, llvm.FuncOp):
            check_name(op)
            if (shared := support_function(op.sym_name.data)) is not None:
                support.append(shared.definition)
            elif op.body.blocks:
                function = function_text(op, declarations)
                lines += function.located(function.linkage)
            else:
                ends.append(function_declaration(op))
    start = [*found.constants.values(), *found.variables, *support]
    return "\n".join([*start, *lines, *ends, *declarations.located, ""])


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
