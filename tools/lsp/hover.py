"""What an editor shows about the thing under the cursor, in Markdown."""

from __future__ import annotations

import inspect
from functools import cache
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType, VectorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation, OpDef

from ...dialects.element_sizes import element_bytes
from ..op_signatures import describe, ranges, signature
from .analysis import Chunk, symbol_name
from .queries import Range, name_at, occurrences_at, op_around, op_at, symbol_at

SPECIFICATION = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"


def hover(chunk: Chunk, offset: int) -> tuple[str, Range] | None:
    """The text about what is at `offset`, and what it is about."""
    if (name := name_at(chunk, offset)) is not None:
        meaning = chunk.meaning(name)
        text = chunk.text[name.start : name.end]
        is_value = isinstance(meaning, SSAValue)
        shown = _of_value(text, cast(SSAValue, meaning)) if is_value else _of_block(text, meaning)
        return shown, (name.start, name.end)
    if (found := op_at(chunk, offset)) is not None:
        types = [f"- here: `{_function_type(found.op)}`"]
        return _of_op(type(found.op), types), (found.name_start, found.name_end)
    if (symbol := symbol_at(chunk, offset)) is not None:
        defined = {match.span(): text for text, match in chunk.symbol_definitions()}
        for place in occurrences_at(chunk, offset).definitions:
            if place in defined:
                return _of_symbol(defined[place].op), symbol.span()
        return None
    return _of_attribute(chunk, offset)


def _of_value(text: str, value: SSAValue) -> str:
    lines = [f"```mlir\n{text} : {value.type}\n```", ""]
    match value:
        case OpResult(op=op, index=index):
            lines.append(f"result {index} of `{op.name}`")
        case BlockArgument(block=block, index=index):
            parent = block.parent_op()
            of = "" if parent is None else f" of `{parent.name}`"
            name = None if parent is None else symbol_name(parent)
            lines.append(f"argument {index}{of}{'' if name is None else f' `@{name}`'}")
        case _:
            lines.append("defined further down")
    if (size := _size(value.type)) is not None:
        lines += ["", size]
    uses = value.uses.get_length()
    lines += ["", f"used {uses} times" if uses != 1 else "used once"]
    return "\n".join(lines)


def _size(type: Attribute) -> str | None:
    """How much a tensor, vector or buffer holds."""
    if not isinstance(type, TensorType | VectorType | MemRefType):
        return None
    shape, element = type.get_shape(), cast(Attribute, cast(Any, type).element_type)
    rank = f"rank {len(shape)}"
    if DYNAMIC_INDEX in shape:
        return f"{rank}, dynamic"
    count = prod(shape)
    try:
        size = f", {count * element_bytes(element):,} bytes"
    except Exception:  # elements that have no size in memory, such as quantized ones
        size = ""
    return f"{rank}, {count:,} element{'s' if count != 1 else ''}{size}"


def _of_block(text: str, block: object) -> str:
    arguments = ", ".join(str(arg.type) for arg in block.args) if isinstance(block, Block) else ""
    return f"```mlir\n{text}({arguments})\n```"


def _function_type(op: Operation) -> str:
    operands, results = (", ".join(map(str, types)) for types in (op.operand_types, op.result_types))
    return f"({operands}) -> ({results})"


def _of_symbol(op: Operation) -> str:
    name, type = symbol_name(op), op.properties.get("function_type")
    return f"```mlir\n{op.name} @{name}{'' if type is None else f' : {type}'}\n```"


@cache
def documentation(op_type: type[Operation]) -> str:
    """What an op does, takes and gives."""
    lines = [f"**{op_type.name}**", ""]
    if text := vars(op_type).get("__doc__"):
        lines += [inspect.cleandoc(text), ""]
    if issubclass(op_type, IRDLOperation):
        lines += list(signature(op_type.get_irdl_definition()))
    dialect, _, name = op_type.name.partition(".")
    if dialect in ("stablehlo", "chlo"):
        from ..constraint_citations import cited_numbers

        if cited := cited_numbers(op_type):
            lines.append(f"- constraints: {', '.join(ranges(cited))}")
    if dialect == "stablehlo":
        lines.append(f"- [specification]({SPECIFICATION}#{name})")
    return "\n".join(lines)


def _of_op(op_type: type[Operation], more: list[str]) -> str:
    return "\n".join([documentation(op_type), *more])


def attributes_of(op_type: type[Operation]) -> dict[str, str]:
    """The attributes of an op by name, in words."""
    if not issubclass(op_type, IRDLOperation):
        return {}
    definition: OpDef = op_type.get_irdl_definition()
    return {
        name: describe(attribute.constr)
        for name, attribute in (*definition.properties.items(), *definition.attributes.items())
        if not name.endswith("SegmentSizes")
    }


def _of_attribute(chunk: Chunk, offset: int) -> tuple[str, Range] | None:
    """The attribute of the op around `offset` that is named there."""
    found = op_around(chunk, offset)
    if found is None:
        return None
    start, end = word_around(chunk.text, offset)
    word = chunk.text[start:end]
    described = attributes_of(type(found.op)).get(word)
    if described is None:
        return None
    return f"`{word}` of `{found.op.name}`: {described}", (start, end)


def word_around(text: str, offset: int) -> Range:
    """The identifier at `offset`."""
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return start, end
