"""LLVM IR text from the `llvm` dialect, for llvmlite to parse.

A table with a row for each op (`instructions.py`), types and exact constants (`text_of_types.py`),
block arguments as phis and signatures (`functions.py`). Linkage, parameter attributes, fast-math,
overflow and exactness flags and alignments are kept. Constants are written where they are used.
Intrinsics are declared under the names their calls give. What has no row is an UnsupportedError.

What `@xrt.fork` is called for is in `parallel_regions.py`, a text of its own that is added to programs that call it.

Globals with the attribute `xrt.constant_index` are left out: see
`lowering/to_llvm/context_layout.py`.

The reference for the text is LLVM's language manual, https://llvm.org/docs/LangRef.html.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp, StringAttr

from ...decisions.model import CostModel, cost_model_of
from ...errors import UnsupportedError
from ..to_llvm.module_tables import constant_bytes, is_large_constant
from .functions import function_text
from .instructions import Declarations
from .parallel_regions import FORK, PARALLEL_REGIONS
from .text_of_types import constant_text, string_text, symbol_text, type_text


def _check_name(function: llvm.FuncOp) -> None:
    """LLVM gives up, with the process, on names that it does not take for functions of a program."""
    name = function.sym_name.data
    if name and "\0" not in name and not (name.startswith("llvm.") and function.body.blocks):
        return
    raise UnsupportedError(f"LLVM IR: a function cannot be called '{name}'", function)


def emit(module: ModuleOp, function_attributes: Mapping[str, str] | None = None, model: CostModel | None = None) -> str:
    """The module as LLVM IR.

    `function_attributes` are given to every function that the module defines, such as
    `{"prefer-vector-width": "512"}`. Raises UnsupportedError for an op, type or attribute without
    text, and for a name that LLVM keeps to itself.
    """
    model = model or cost_model_of(None)
    declarations = Declarations()
    lines: list[str] = []
    for op in module.body.block.ops:
        if isinstance(op, llvm.FuncOp):
            if op.sym_name.data == FORK:
                lines.append(PARALLEL_REGIONS)
                continue
            _check_name(op)
            lines += function_text(op, declarations, function_attributes or {}, model)
        elif isinstance(op, llvm.GlobalOp):
            if not is_large_constant(op):
                lines.append(_global_text(op))
        else:
            raise UnsupportedError(
                f"LLVM IR: no text for {op.name}: only ops of llvm have one; lower the module first", op
            )
    lines += declarations.lines.values()
    lines.append("")
    return "\n".join(lines)


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
