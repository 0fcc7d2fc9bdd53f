"""MLIR text to IR with positions.

Every op gets the position of its first token in the file as its location, unless the text names
one itself, and all errors a text can cause come out as `InvalidProgramError` with a location.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NoReturn, TypeVar, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FileLineColLoc,
    IntAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue, TypeAttribute
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ..dialects import locating
from ..dialects.function_syntax import NAMES as DECLARING
from ..dialects.function_syntax import attributes_of_arguments, is_declaration
from ..errors import InvalidProgramError, similar_names
from ..nesting import is_deep, with_deep_stack
from .extensions.installed import problems_in_words
from .fast_parser import FastParser
from .formats import BYTECODE_MAGIC
from .program_context import new_context
from .xdsl_errors import CONSTRUCTION_ERRORS, UNEXPECTED, is_from_xdsl

_EXPECTED = {
    "in block definition": "expected an operation, a block or '}'",
    "Could not parse entire input!": "expected an operation",
}
"""What xDSL's parser says where an operation should stand, and what it means."""

MOST_BITS = (1 << 24) - 1
"""Of an integer type, as in MLIR."""

Parsed = TypeVar("Parsed")

SOURCE_LINE_WIDTH = 100
"""Widest excerpt of the source that an error shows."""


DIALECTS_WITH_LISTS = {"stablehlo", "chlo"}
"""Dialects that wrote lists of numbers as tensors before there were arrays."""


_line_or_column = lru_cache(1 << 12)(IntAttr)


def _file_location(file: StringAttr, line: int, column: int) -> FileLineColLoc:
    """A location, unverified: every op gets one."""
    location = FileLineColLoc.__new__(FileLineColLoc)
    for name, value in (("filename", file), ("line", _line_or_column(line)), ("column", _line_or_column(column))):
        object.__setattr__(location, name, value)
    return location


class LocatingParser(FastParser):
    """xDSL's parser, recording where each op begins. `line_offset` counts the lines before `text`
    in the file.
    """

    def __init__(self, ctx: Context, text: str, name: str, line_offset: int = 0) -> None:
        super().__init__(ctx, text, name)
        self._file = StringAttr(name)
        self.line_offset = line_offset
        self._early_uses: list[tuple[str, SSAValue, Operation]] = []
        """What uses a value in front of its definition: the value's name, the value, the op."""
        self._line_starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._line_starts.append(position + 1)
            position = text.find("\n", position + 1)

    allow_empty = False
    """Whether a text without ops is a module without ops, as it is for MLIR."""

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            module = self._parse_module(allow_implicit_module)
        except ParseError as error:
            if self._current_token.kind is MLIRTokenKind.EOF:
                self._raise_undefined_value()
            message = " ".join(error.msg.split())
            wanted = _EXPECTED.get(message, message)
            if error.span.start >= len(self.lexer.input.content) and "EOF" not in message:
                wanted += ", found the end of the text"
            raise ParseError(error.span, wanted) from error
        for name, value, user in self._early_uses:
            if is_out_of_reach(value, user):
                self._raise_at_use(name, user, "not defined where it is used")
                self.raise_error(f"value %{name} is not defined where it is used")
        return module

    def _parse_module(self, allow_implicit_module: bool) -> ModuleOp:
        try:
            self._define_location_aliases()
            return self._parse_top_level(allow_implicit_module)
        except CONSTRUCTION_ERRORS as error:  # in an alias outside of any op
            self._raise_construction_error(error, self.pos)
        except UNEXPECTED as error:
            if not is_from_xdsl(error):
                raise
            self.raise_error(f"xDSL's parser gives up: {type(error).__name__} {error}".strip(), self.pos)

    def _parse_top_level(self, allow_implicit_module: bool) -> ModuleOp:
        ops: list[Operation] = []
        while self._current_token.kind is not MLIRTokenKind.EOF:
            if self._current_token.kind in (MLIRTokenKind.HASH_IDENT, MLIRTokenKind.EXCLAMATION_IDENT):
                self._parse_alias_def()
            elif self._current_token.kind is MLIRTokenKind.FILE_METADATA_BEGIN:
                self._parse_file_metadata_dictionary()
            elif (op := self.parse_optional_operation()) is not None:
                ops.append(op)
            else:
                self.raise_error("Could not parse entire input!")
        if self.forward_ssa_references:
            self.raise_error("values used but not defined")
        if len(ops) == 1 and isinstance(ops[0], ModuleOp):
            return ops[0]
        if not allow_implicit_module:
            self.raise_error(f"source must contain one builtin.module, found {len(ops)} other ops", 0)
        if not ops and not self.allow_empty:
            self.raise_error("Could not parse entire input!")
        return ModuleOp(ops)

    def _parse_external_resources(self) -> None:
        """They are for tools, and no part of the program (`xla-opt --run-reproducer` reads them)."""
        depth = 0
        while self._current_token.kind is not MLIRTokenKind.EOF:
            kind = self._current_token.kind
            depth += (kind is MLIRTokenKind.L_BRACE) - (kind is MLIRTokenKind.R_BRACE)
            self._consume_token()
            if depth == 0:
                return

    def _raise_construction_error(self, error: Exception, position: int) -> NoReturn:
        if isinstance(error, MemoryError):
            self.raise_error("too large for the memory", position)
        self.raise_error(str(error), position)

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        start = self.pos
        type: TypeAttribute | None = super()._parse_optional_integer_or_float_type()
        if type.__class__ is IntegerType and cast(IntegerType, type).width.data > MOST_BITS:
            self.raise_error(f"integers have at most {MOST_BITS} bits", start)
        return type

    def _parse_block(self) -> Block:
        """A block once; xDSL's parser does not notice the second one of a label that was used before the first."""
        name = self._current_token.text[1:]
        was_used_first = name in self.blocks and self.blocks[name][1] is None
        if was_used_first and name not in self.forward_block_references:
            self.raise_error(f"re-declaration of block '{name}'")
        return super()._parse_block()

    def _get_op_by_name(self, name: str) -> type[Operation]:
        op_type = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if op_type is not None:
            return op_type
        end = self._current_token.span.start
        start = self.lexer.input.content.rfind(name, 0, end)
        hint = similar_names(name, self.ctx._loaded_ops) + problems_in_words()
        self.raise_error(f"operation {name} is not registered{hint}", start, start + len(name))

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        for index, value in self.forward_ssa_references.get(name, {}).items():
            if index < len(values):
                self._early_uses += [(name, values[index], use.operation) for use in value.uses]
        super()._register_ssa_definition(name, values, span)

    def _raise_undefined_value(self) -> None:
        """Say where a value is used that the whole text does not define; xDSL says which, at the end of the text."""
        for name, references in self.forward_ssa_references.items():
            for value in references.values():
                if value.first_use is not None:
                    self._raise_at_use(name, value.first_use.operation, "used but not defined")

    def _raise_at_use(self, name: str, user: Operation, problem: str) -> None:
        """Raise an error at `%name` in the text of `user`; nothing, if that says itself where it is from."""
        if (span := self._span_of_use(name, user)) is not None:
            self.raise_error(f"value %{name} is {problem}", *span)

    def _span_of_use(self, name: str, user: Operation) -> tuple[int, int] | None:
        location = user.location
        if not isinstance(location, FileLineColLoc) or location.filename != self._file:
            return None
        start = self._line_starts[location.line.data - self.line_offset - 1] + location.column.data - 1
        use = re.compile(rf"%{re.escape(name)}(?![\w$.-])").search(self.lexer.input.content, start)
        return None if use is None else use.span()

    def parse_operation(self) -> Operation:
        start = self.pos
        try:
            op = super().parse_operation()
        except CONSTRUCTION_ERRORS as error:
            self._raise_construction_error(error, start)
        except UNEXPECTED as error:
            if not is_from_xdsl(error):
                raise
            self.raise_error(f"xDSL's parser of this op gives up: {type(error).__name__} {error}".strip(), start)
        if isinstance(op.location, UnknownLoc):
            line = bisect_right(self._line_starts, start)
            column = start - self._line_starts[line - 1] + 1
            op.location = _file_location(self._file, line + self.line_offset, column)
        elif locating.is_on:
            line = bisect_right(self._line_starts, start)
            column = start - self._line_starts[line - 1] + 1
            op.location = locating.in_text(op.location, _file_location(self._file, line + self.line_offset, column))
        if op.name in DECLARING:
            self._complete(op, start)
        for name, value in op.properties.items():
            if isinstance(value, DenseIntOrFPElementsAttr) and op.dialect_name() in DIALECTS_WITH_LISTS:
                op.properties[name] = _as_present_list(op, name, cast(DenseIntOrFPElementsAttr, value))
        return op

    def _complete(self, function: Operation, start: int) -> None:
        """Read the attributes of arguments of a declaration once more, which xDSL's parser drops."""
        text, end = self.lexer.input.content, self.pos
        if is_declaration(function) and "{" in text[start:end] and text[start] != '"':
            self._resume_from(start)
            attributes = attributes_of_arguments(self)
            self._resume_from(end)
            if attributes is not None:
                function.properties["arg_attrs"] = attributes


def _as_present_list(op: Operation, name: str, value: DenseIntOrFPElementsAttr) -> Attribute:
    """The property `name` of `op`: lists of numbers may be tensors, as they were before there were arrays."""
    from ..dialects.stablehlo.property_types import array_of

    assert isinstance(op, IRDLOperation)
    definition = op.get_irdl_definition().properties.get(name)
    return value if definition is None else array_of(definition.constr, value)


def is_out_of_reach(value: SSAValue, user: Operation) -> bool:
    """Whether `user`, in front of the definition of `value` in the text, may not use it: it is in the same block, or
    not in the region. Blocks of a region may stand in any order.
    """
    block = value.owner.parent if isinstance(value.owner, Operation) else value.owner
    ancestor: Operation | None = user
    while ancestor is not None:
        if ancestor.parent is block:
            return isinstance(value.owner, Operation)
        if block is not None and ancestor.parent_region() is block.parent:
            return False
        ancestor = ancestor.parent_op()
    return True


def parse_fragment(
    text: str, name: str, parse: Callable[[FastParser], Parsed], context: Context | None = None
) -> Parsed:
    """What `parse` makes of a text that is no op: an attribute or a type. Raises ParseError only."""
    parser = FastParser(context or new_context(), text, name)
    try:
        return parse(parser)
    except CONSTRUCTION_ERRORS as error:
        parser.raise_error(str(error), 0)
    except UNEXPECTED as error:
        if not is_from_xdsl(error):
            raise
        parser.raise_error(f"{type(error).__name__} {error}".strip(), 0)


def _parse_error(error: ParseError, line_offset: int) -> InvalidProgramError:
    """`error` with the source line and a caret in its message."""
    span = error.span
    file, line, column = span.get_location()
    source = span.input.content
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    line_start = span.input.get_start_of_line(span.start)
    excerpt_start = max(line_start, span.start - SOURCE_LINE_WIDTH // 2)
    line_end = span.input.get_end_of_line(span.start)
    excerpt = text[excerpt_start : min(line_end, excerpt_start + SOURCE_LINE_WIDTH)]
    caret = " " * (span.start - excerpt_start) + "^" * max(1, min(len(span), len(excerpt)))
    message = " ".join(error.msg.split())
    if excerpt.strip():
        message = f"{message}\n  {excerpt}\n  {caret}"
    return InvalidProgramError(message, location=f"{file}:{line + line_offset}:{column}")


def parse_module(
    text: str | bytes,
    filename: str = "<text>",
    context: Context | None = None,
    *,
    line_offset: int = 0,
    implicit_module: bool = True,
    allow_empty: bool = False,
    fill_elided: bool = False,
) -> ModuleOp:
    """Parse `text` without verifying it; raises `InvalidProgramError`. With `allow_empty` it may have no ops, with
    `fill_elided` constants whose values it leaves out get some."""
    if isinstance(text, bytes):
        if text.startswith(BYTECODE_MAGIC):
            raise InvalidProgramError(f"{filename}: is MLIR bytecode; only the textual form is read")
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidProgramError(f"{filename}: not UTF-8 text: {error}") from None
    source = text
    return with_deep_stack(
        lambda: _parse(
            source, filename, context or new_context(), line_offset, implicit_module, allow_empty, fill_elided
        )
    )


def _parse(
    text: str,
    filename: str,
    context: Context,
    line_offset: int,
    implicit_module: bool,
    allow_empty: bool,
    fill_elided: bool,
) -> ModuleOp:
    parser = None
    try:
        parser = LocatingParser(context, text, filename, line_offset)
        parser.allow_empty = allow_empty
        if fill_elided:
            from .elided import made_up_constant  # it imports NumPy, which no pass driver needs

            parser.made_up = made_up_constant
        return parser.parse_module(implicit_module)
    except ParseError as error:
        raise _parse_error(error, line_offset) from error
    except RecursionError:
        if parser is None or not is_deep():
            raise
    place = Span(parser.pos, parser.pos + 1, parser.lexer.input)
    raise _parse_error(ParseError(place, "brackets nest too deeply here"), line_offset)
