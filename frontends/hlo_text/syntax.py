"""HLO text as a tree: a module of computations, which are lists of instructions.

Shapes and operand names are read at once. Attributes are found but not looked into: `Attribute.cursor` stands at
the value, and whoever knows the opcode reads it. The grammar is that of XLA's own printer and parser
(openxla/xla, `xla/hlo/parser`), long and short form, with and without `%`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .cursor import Cursor
from .literals import find_end
from .shapes import Shape, parse_shape

_SHAPE_START = re.compile(r"\(|[a-z][a-z0-9]*\[")
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
"""What may stand between the header and the computations: where the instructions come from."""


class Attribute(NamedTuple):
    """The value of an attribute is the text from `start` to `end`."""

    start: int
    end: int


class Operand(NamedTuple):
    """The name of another instruction, and where it stands."""

    name: str
    pos: int


@dataclass(eq=False)
class Instruction:
    """`ROOT name = shape opcode(operands), attribute=value, ...`"""

    name: str
    pos: int
    shape: Shape
    opcode: str
    operands: list[Operand]
    attributes: dict[str, Attribute]
    literal: Attribute | None = None
    """What stands in the parentheses of a constant."""
    parameter: int | None = None
    """The number of a parameter."""


@dataclass(eq=False)
class Computation:
    """Instructions in the order of the text, one of them the root."""

    name: str
    pos: int
    instructions: list[Instruction]
    root: Instruction
    parameters: list[Instruction]


@dataclass(eq=False)
class HloModule:
    """A whole text."""

    name: str
    attributes: dict[str, Attribute]
    computations: dict[str, Computation]
    entry: Computation
    cursor: Cursor
    nested: dict[int, Computation] = field(default_factory=dict[int, Computation])
    """Computations that stand in braces at a position instead of having a name."""

    def instruction_count(self) -> int:
        return sum(len(computation.instructions) for computation in self.computations.values())


def parse_module(text: str, filename: str) -> HloModule:
    """Read a module. Raises `InvalidProgramError` with the position."""
    cursor = Cursor(text, filename)
    if cursor.peek_word() != "HloModule":
        cursor.error(f"expected 'HloModule', found {cursor.found()}")
    cursor.word("HloModule")
    name = cursor.name("the name of the module")
    attributes: dict[str, Attribute] = {}
    while cursor.accept(","):
        _parse_attribute(cursor, attributes)
    _skip_tables(cursor)
    computations: dict[str, Computation] = {}
    entry: Computation | None = None
    while cursor.found() != "the end of the text":
        is_entry, computation = _parse_computation(cursor)
        if computation.name in computations:
            cursor.error(f"there are two computations '{computation.name}'", computation.pos)
        computations[computation.name] = computation
        if is_entry:
            if entry is not None:
                cursor.error("there are two entry computations", computation.pos)
            entry = computation
    if not computations:
        cursor.error("expected a computation, found the end of the text")
    if entry is None:
        if len(computations) > 1:
            cursor.error("no computation is marked ENTRY")
        (entry,) = computations.values()
    return HloModule(name, attributes, computations, entry, cursor.copy(0))


def _skip_tables(cursor: Cursor) -> None:
    while cursor.peek_word() in _TABLES:
        cursor.word("a table")
        while cursor.at_integer():
            cursor.integer()
            cursor.skip_value()


def _parse_attribute(cursor: Cursor, attributes: dict[str, Attribute]) -> None:
    name = cursor.attribute_name()
    cursor.skip()
    start = cursor.pos
    cursor.skip_value()
    attributes.setdefault(name, Attribute(start, cursor.pos))


def _parse_computation(cursor: Cursor) -> tuple[bool, Computation]:
    """`ENTRY %name (parameter: shape) -> shape { ... }`; the signature may be missing."""
    is_entry = cursor.peek_word() == "ENTRY"
    if is_entry:
        cursor.word("ENTRY")
    cursor.skip()
    pos = cursor.pos
    name = cursor.name("the name of a computation")
    if cursor.at("("):
        cursor.skip_group()
        cursor.expect("->", "after the parameters of a computation")
        parse_shape(cursor)
    computation = parse_instructions(cursor, name, pos)
    while cursor.accept(","):
        _parse_attribute(cursor, {})
    return is_entry, computation


def parse_instructions(cursor: Cursor, name: str, pos: int) -> Computation:
    """`{ instruction ... }`"""
    cursor.expect("{", "before the instructions of a computation")
    instructions: list[Instruction] = []
    root: Instruction | None = None
    names = set[str]()
    while not cursor.accept("}"):
        is_root = cursor.peek_word() == "ROOT"
        if is_root:
            cursor.word("ROOT")
        instruction = _parse_instruction(cursor)
        if instruction.name in names:
            cursor.error(f"there are two instructions '{instruction.name}' in '{name}'", instruction.pos)
        names.add(instruction.name)
        instructions.append(instruction)
        if is_root:
            if root is not None:
                cursor.error(f"computation '{name}' has two roots", instruction.pos)
            root = instruction
    if not instructions:
        cursor.error(f"computation '{name}' has no instructions", pos)
    return Computation(name, pos, instructions, root or instructions[-1], _parameters(cursor, name, pos, instructions))


def _parameters(cursor: Cursor, name: str, pos: int, instructions: list[Instruction]) -> list[Instruction]:
    """By number."""
    found: dict[int, Instruction] = {}
    for instruction in instructions:
        number = instruction.parameter
        if number is not None:
            if number in found:
                cursor.error(f"computation '{name}' has parameter {number} twice", instruction.pos)
            found[number] = instruction
    missing = [number for number in range(len(found)) if number not in found]
    if missing:
        cursor.error(f"computation '{name}' has {len(found)} parameters, but none of number {missing[0]}", pos)
    return [found[number] for number in range(len(found))]


def _parse_instruction(cursor: Cursor) -> Instruction:
    cursor.skip()
    pos = cursor.pos
    name = cursor.name("an instruction or '}'")
    cursor.expect("=", f"after the name '{name}'")
    cursor.skip()
    if _SHAPE_START.match(cursor.text, cursor.pos) is None:
        cursor.error(f"expected the shape of '{name}', found {cursor.found()}")
    shape = parse_shape(cursor)
    opcode = cursor.word("an opcode")
    instruction = Instruction(name, pos, shape, opcode, [], {})
    cursor.expect("(", f"after the opcode '{opcode}'")
    if opcode == "constant":
        end = find_end(cursor)
        instruction.literal = Attribute(cursor.pos, end)
        cursor.pos = end
    elif opcode == "parameter":
        instruction.parameter = cursor.integer("the number of a parameter")
    elif not cursor.at(")"):
        instruction.operands = list(_parse_operands(cursor))
    cursor.expect(")", f"after the operands of '{name}'")
    while cursor.accept(","):
        _parse_attribute(cursor, instruction.attributes)
    return instruction


def _parse_operands(cursor: Cursor) -> Iterator[Operand]:
    """`%a, %b`, or with their shapes `f32[2]{0} %a, f32[2]{0} %b`."""
    while True:
        cursor.skip()
        if _SHAPE_START.match(cursor.text, cursor.pos):
            parse_shape(cursor)
            cursor.skip()
        pos = cursor.pos
        yield Operand(cursor.name("the name of an operand"), pos)
        if not cursor.accept(","):
            return
