"""A parse that remembers where things stand: names of values and blocks, ops, and what they mean.

The parser is that of the compiler; it takes no line for one that it has seen before, so that every name goes through
the methods that are overridden here. What was read in front of an error stays known.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.parser import UnresolvedOperand
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from ...nesting import is_deep, with_deep_stack
from ...runtime.mlir_text import LocatingParser

Type = TypeVar("Type", bound=Attribute)

_HEADER = re.compile(r'(?:%[^=(){}"]*=\s*)?"?([\w.$-]+)"?')
"""What an op begins with: its results, and its name."""

_GAP = re.compile(r"(?:\s|//[^\n]*)*\Z")


@dataclass(frozen=True)
class Name:
    """A name of a value or block in the text, from `start` up to `end`."""

    start: int
    end: int
    meaning: SSAValue | Block
    defines: bool


@dataclass(frozen=True)
class OpText:
    """An op in the text; its own name, without results, is from `name_start` up to `name_end`."""

    op: Operation
    start: int
    name_start: int
    name_end: int
    end: int


@dataclass(frozen=True)
class Problem:
    """What is wrong with the text from `start` up to `end`."""

    start: int
    end: int
    message: str


@dataclass
class Recording:
    """What a parse has found. `ops` are in the order of their ends: those inside of others come first."""

    names: list[Name] = field(default_factory=list[Name])
    ops: list[OpText] = field(default_factory=list[OpText])
    module: ModuleOp | None = None
    problem: Problem | None = None
    undefined: list[Problem] = field(default_factory=list[Problem])
    """Values that nothing defines. Then there was no other problem up to the end of the text."""
    defined: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What stood for values that were used in front of their definitions, and these."""

    def value(self, value: SSAValue | Block) -> SSAValue | Block:
        """`value`, or what it stood for."""
        return self.defined.get(value, value) if isinstance(value, SSAValue) else value


def _no_line(text: str, position: int) -> None:
    """No line is one seen before."""


class RecordingParser(LocatingParser):
    """The parser of programs, for a `Recording`."""

    match_line = staticmethod(_no_line)

    def __init__(self, context: Context, text: str, name: str, recording: Recording) -> None:
        super().__init__(context, text, name)
        self._recording = recording

    def _note(self, span: Span, meaning: SSAValue | Block, *, defines: bool) -> None:
        self._recording.names.append(Name(span.start, span.end, meaning, defines))

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        for index, value in self.forward_ssa_references.get(name, {}).items():
            if index < len(values):
                self._recording.defined[value] = values[index]
        super()._register_ssa_definition(name, values, span)
        for value in values:
            self._note(span, value, defines=True)

    def resolve_operand(self, operand: UnresolvedOperand, type: Type) -> SSAValue[Type]:
        value = super().resolve_operand(operand, type)
        self._note(operand.span, value, defines=False)
        return value

    def _parse_optional_operand_without_type(self) -> SSAValue | None:
        span = self._current_token.span
        value = super()._parse_optional_operand_without_type()
        if value is not None:
            self._note(span, value, defines=False)
        return value

    def _parse_block(self) -> Block:
        span = self._current_token.span
        block = super()._parse_block()
        self._note(span, block, defines=True)
        return block

    def parse_optional_successor(self) -> Block | None:
        span = self._current_token.span
        block = super().parse_optional_successor()
        if block is not None:
            self._note(span, block, defines=False)
        return block

    def parse_operation(self) -> Operation:
        start = self.pos
        op = super().parse_operation()
        text: Any = self.lexer.input.content
        header = _HEADER.match(text, start)
        name = (start, start) if header is None else header.span(1)
        self._recording.ops.append(OpText(op, start, *name, self._end_before(text, start)))
        return op

    def _raise_undefined_value(self) -> None:
        """Of values, not of one: only the end of the text says that nothing defines them."""
        for name, references in self.forward_ssa_references.items():
            for value in references.values():
                for user in dict.fromkeys(use.operation for use in value.uses):
                    if (span := self._span_of_use(name, user)) is not None:
                        problem = Problem(*span, f"value %{name} is used but not defined")
                        self._recording.undefined.append(problem)
        super()._raise_undefined_value()

    def _end_before(self, text: str, start: int) -> int:
        """The end of what was read last: the next token is known already, and blanks and comments stand before it."""
        end = self.pos
        while end > start:
            stripped = len(text[start:end].rstrip()) + start
            line = text.rfind("\n", start, stripped) + 1
            comment = _comment_start(text[max(line, start) : stripped])
            if comment is None:
                return stripped
            end = max(line, start) + comment
        return end


def _comment_start(line: str) -> int | None:
    """Where the comment of a line begins; two slashes in quotes are none."""
    quoted = False
    for index, character in enumerate(line):
        if character == '"' and (index == 0 or line[index - 1] != "\\"):
            quoted = not quoted
        elif not quoted and line.startswith("//", index):
            return index
    return None


def record(text: str, filename: str, context: Context) -> Recording:
    """Parse `text`, in whatever state it is. Raises nothing that a text could cause."""
    recording = Recording()

    def parse() -> None:
        parser = None
        try:
            parser = RecordingParser(context, text, filename, recording)
            recording.module = parser.parse_module()
        except ParseError as error:
            span = error.span
            recording.problem = Problem(span.start, max(span.end, span.start + 1), " ".join(error.msg.split()))
        except RecursionError:
            if parser is None or not is_deep():
                raise
            recording.problem = Problem(parser.pos, parser.pos + 1, "brackets nest too deeply here")

    with_deep_stack(parse)
    return recording
