"""What may stand at the cursor: ops, values, symbols, attributes, types. The text need not be whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, cast

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation

from ...runtime.program_context import new_context
from .analysis import Chunk
from .hover import attributes_of

FIRST = ("stablehlo", "chlo", "func", "arith", "tensor", "linalg", "scf", "check")
"""The dialects whose ops are offered before one is named."""

ELEMENT_TYPES = ("f32", "f64", "f16", "bf16", "i1", "i8", "i16", "i32", "i64", "ui8", "ui32", "index", "complex<f32>")
TYPES = ("tensor<", "vector<", "memref<", "tuple<", *ELEMENT_TYPES)

_BEHIND_RESULTS = re.compile(r'(?:^|[{;])\s*(?:%[\w$.,:\s%-]*=\s*)?"?([A-Za-z_][\w.$-]*)?$')
_VALUE = re.compile(r"%[\w$.-]*$")
_SYMBOL = re.compile(r"@[\w$.-]*$")
_TYPE = re.compile(r"(?::|->|[:>(,])\s*([a-z]\w*)?$")
_ENTRY = re.compile(r"(?:^|[{,])\s*(\w*)$", re.MULTILINE)
_OP = re.compile(r'(?:^|=)\s*"?([a-z_]\w*\.[\w.-]+|\w+)"?', re.MULTILINE)


_DICTIONARY = re.compile(r"(?:<|\battributes\s*)$")
"""What is right in front of the brace of a dictionary, not of a region."""


class Suggestion(NamedTuple):
    """A text for the cursor; `start` is where what it replaces begins."""

    label: str
    kind: str
    """`op`, `dialect`, `value`, `symbol`, `attribute` or `type`."""
    detail: str
    start: int
    op: type[Operation] | None = None


@cache
def ops_of_dialect(name: str) -> tuple[type[Operation], ...]:
    """The ops of a dialect; none if there is no such dialect."""
    context = new_context()
    if name not in context.registered_dialect_names:
        return ()
    context.load_registered_dialect(name)
    ops = (op for dialect in context.loaded_dialects if dialect.name == name for op in dialect.operations)
    return tuple(sorted(ops, key=lambda op: op.name))


def op_named(name: str) -> type[Operation] | None:
    """The op of a full name, or of a short one in a function."""
    dialect = name.partition(".")[0] if "." in name else "func"
    whole = name if "." in name else f"func.{name}"
    return next((op for op in ops_of_dialect(dialect) if op.name == whole), None)


def suggestions(chunk: Chunk, offset: int) -> Iterator[Suggestion]:
    """What may stand at `offset`."""
    start = chunk.text.rfind("\n", 0, offset) + 1
    before = chunk.text[start:offset]
    if "//" in re.sub(r'"[^"]*"?', "", before):
        return
    if match := _VALUE.search(before):
        yield from _values(chunk, start + match.start())
    elif match := _SYMBOL.search(before):
        yield from _symbols(chunk, start + match.start())
    elif op := _op_of_entry(chunk.text, offset):
        word = _ENTRY.search(chunk.text, start, offset)
        for name, described in attributes_of(op).items():
            yield Suggestion(name, "attribute", described, offset - (len(word[1]) if word else 0))
    elif match := _BEHIND_RESULTS.search(before):
        yield from _ops(match[1] or "", offset - len(match[1] or ""))
    elif match := _TYPE.search(before):
        for name in TYPES:
            yield Suggestion(name, "type", "", offset - len(match[1] or ""))


def _ops(prefix: str, start: int) -> Iterator[Suggestion]:
    dialect, dot, _ = prefix.partition(".")
    for name in (dialect,) if dot else FIRST:
        for op in ops_of_dialect(name):
            yield Suggestion(op.name, "op", _first_line(op), start, op)
    if not dot:
        for name in sorted(new_context().registered_dialect_names):
            yield Suggestion(f"{name}.", "dialect", "dialect", start)


def _first_line(op: type[Operation]) -> str:
    text = (vars(op).get("__doc__") or "").strip()
    return text.split("\n")[0]


def _values(chunk: Chunk, offset: int) -> Iterator[Suggestion]:
    """The values that are defined before `offset`, the last one of a name."""
    found: dict[str, SSAValue] = {}
    for name in chunk.names:
        value = chunk.meaning(name)
        if name.defines and name.end < offset and _reaches(chunk, value, offset):
            found[chunk.text[name.start : name.end]] = cast(SSAValue, value)
    for label, value in found.items():
        yield Suggestion(label, "value", str(value.type), offset)


def _reaches(chunk: Chunk, value: object, offset: int) -> bool:
    """Whether the region that `value` is of is around `offset`; one that has not ended yet may be."""
    match value:
        case OpResult(op=op):
            around = op.parent_op()
        case BlockArgument(block=block):
            around = block.parent_op()
        case _:
            return False
    text = None if around is None else chunk.op_texts.get(around)
    return text is None or text.start < offset <= text.end


def _symbols(chunk: Chunk, offset: int) -> Iterator[Suggestion]:
    for text, match in chunk.symbol_definitions():
        yield Suggestion(match[0], "symbol", str(text.op.properties.get("function_type", text.op.name)), offset)


def _op_of_entry(text: str, offset: int) -> type[Operation] | None:
    """The op in whose dictionary of attributes an entry begins at `offset`."""
    depth = 0
    if not _ENTRY.search(text, text.rfind("\n", 0, offset) + 1, offset):
        return None
    for position in range(offset - 1, max(-1, offset - 2000), -1):
        character = text[position]
        if character in "}])":
            depth += 1
        elif character in "[(":
            depth -= 1
        elif character == "{":
            if depth == 0:
                start = text.rfind("\n", 0, position) + 1
                op = next(filter(None, map(op_named, _OP.findall(text, start, position))), None)
                is_dictionary = _DICTIONARY.search(text, start, position) is not None
                return op if op is not None and (is_dictionary or not _has_regions(op)) else None
            depth -= 1
        if depth < 0:
            return None
    return None


def _has_regions(op: type[Operation]) -> bool:
    return issubclass(op, IRDLOperation) and bool(op.get_irdl_definition().regions)
