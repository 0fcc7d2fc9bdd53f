"""HLO text as a tree: a module of computations, which are lists of instructions.

Shapes and operand names are read at once. Attributes are found but not looked into: `Attribute.cursor` stands at
the value, and whoever knows the opcode reads it. The grammar is that of XLA's own printer and parser
(openxla/xla, `xla/hlo/parser`), long and short form, with and without `%`. What people write by hand may leave out
more: the header, the shape of an instruction, and the names of instructions that stand where they are used, as in
`add(x, multiply(y, z))`. A single instruction is a program whose parameters are its operands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ...dialects.limits import MOST_NESTED
from .cursor import Cursor
from .device_groups import MESH, device_groups
from .literals import find_end
from .shapes import ArrayShape, Shape, TupleShape, UnknownShape, parse_shape

MAX_OPERAND_DEPTH = MOST_NESTED
"""How deep instructions may stand in the place of operands."""

_SHAPE_START = re.compile(r"\(|[a-z][a-z0-9]*\[|b\((?=[a-z][a-z0-9]*\[)")
_COMPUTATION_START = re.compile(r"ENTRY\b|%?[A-Za-z_][\w.-]*\s*[({]", re.ASCII)
_INSTRUCTION_START = re.compile(r"%?[A-Za-z_][\w.-]*\s*=(?!=)|[a-z][a-z0-9]*\[|\(", re.ASCII)
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
"""What may stand between the header and the computations: where the instructions come from."""


class Attribute(NamedTuple):
    """The value of an attribute is the text from `start` to `end`."""

    start: int
    end: int


class Operand(NamedTuple):
    """The name of another instruction, where it stands, and the shape in front of it, if there is one."""

    name: str
    pos: int
    shape: Shape | None = None


@dataclass(eq=False)
class Instruction:
    """`ROOT name = shape opcode(operands), attribute=value, ...`; a shape that is left out is known once the
    instruction has become ops."""

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
    name = "module"
    attributes: dict[str, Attribute] = {}
    if cursor.peek_word() == "HloModule":
        cursor.word("HloModule")
        name = cursor.name("the name of the module")
        cursor.accept(":")
        while cursor.accept(","):
            _parse_attribute(cursor, attributes)
        _skip_tables(cursor)
    elif _INSTRUCTION_START.match(text, cursor.pos):
        entry = _parse_single_instruction(cursor)
        return HloModule(name, attributes, {entry.name: entry}, entry, cursor.copy(0))
    elif not _COMPUTATION_START.match(text, cursor.pos):
        cursor.error(f"expected 'HloModule', found {cursor.found()}")
    computations: dict[str, Computation] = {}
    entry: Computation | None = None
    while cursor.found() != "the end of the text":
        if cursor.peek_word() == "HloModule":
            cursor.error("a second module: xla-opt --split-input-file takes files of several")
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
        entry = list(computations.values())[-1]
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
    if name == "replica_groups" and cursor.at(MESH):
        device_groups(cursor)
    else:
        cursor.skip_value()
    if name == "literal" and cursor.text[start] != "(":
        # The literal of a custom call: a shape, and the value after a blank.
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
    result: Shape | None = None
    if cursor.at("("):
        cursor.skip_group()
        cursor.expect("->", "after the parameters of a computation")
        result = parse_shape(cursor)
    computation = parse_instructions(cursor, name, pos)
    root = computation.root
    if result is not None and not compatible(result, root.shape):
        cursor.error(f"the result of '{name}' is not of the shape of its root '{root.name}'", root.pos)
    while cursor.accept(","):
        _parse_attribute(cursor, {})
    return is_entry, computation


def compatible(shape: Shape, other: Shape) -> bool:
    """Whether the shapes have the same arrays in them, whatever their layouts and whether sizes are bounds."""
    match shape, other:
        case ArrayShape(), ArrayShape():
            return shape.element == other.element and shape.dims == other.dims
        case TupleShape(), TupleShape():
            pairs = zip(shape.elements, other.elements, strict=False)
            return len(shape.elements) == len(other.elements) and all(compatible(a, b) for a, b in pairs)
        case UnknownShape(), _:
            return True
        case _, UnknownShape():
            return True
        case _:
            return type(shape) is type(other)


def parse_instructions(cursor: Cursor, name: str, pos: int) -> Computation:
    """`{ instruction ... }`"""
    cursor.expect("{", "before the instructions of a computation")
    instructions = _Instructions(name)
    root: Instruction | None = None
    while not cursor.accept("}"):
        is_root = cursor.peek_word() == "ROOT"
        if is_root:
            cursor.word("ROOT")
        instruction = _parse_instruction(cursor, instructions)
        if is_root:
            if root is not None:
                cursor.error(f"computation '{name}' has two roots", instruction.pos)
            root = instruction
    if not instructions.list:
        cursor.error(f"computation '{name}' has no instructions", pos)
    return _computation(cursor, name, pos, instructions.list, root)


def _computation(
    cursor: Cursor, name: str, pos: int, instructions: list[Instruction], root: Instruction | None
) -> Computation:
    return Computation(name, pos, instructions, root or instructions[-1], _parameters(cursor, name, pos, instructions))


class _Instructions:
    """Those of a computation, while it is read."""

    def __init__(self, computation: str) -> None:
        self.computation = computation
        self.list: list[Instruction] = []
        self.names = set[str]()
        self.depth = 0

    def fresh(self, base: str) -> str:
        """A name for an instruction without one, which no other has."""
        return f"{base}.anonymous.{len(self.list)}"

    def add(self, cursor: Cursor, instruction: Instruction) -> Instruction:
        if instruction.name in self.names:
            cursor.error(f"there are two instructions '{instruction.name}' in '{self.computation}'", instruction.pos)
        self.names.add(instruction.name)
        self.list.append(instruction)
        return instruction


class _SingleInstruction(_Instructions):
    """Those around an instruction that is a whole text: each name it has not seen is a parameter."""

    def __init__(self) -> None:
        super().__init__("main")
        self.parameters = 0

    def parameter(self, name: str, pos: int, shape: Shape) -> Instruction:
        instruction = Instruction(name, pos, shape, "parameter", [], {}, parameter=self.parameters)
        self.parameters += 1
        return instruction


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


def _parse_instruction(cursor: Cursor, instructions: _Instructions) -> Instruction:
    """`name = shape opcode(operands), attributes`"""
    cursor.skip()
    pos = cursor.pos
    name = cursor.name("an instruction or '}'")
    cursor.expect("=", f"after the name '{name}'")
    return _parse_right_side(cursor, instructions, name, pos)


def _parse_right_side(cursor: Cursor, instructions: _Instructions, name: str, pos: int) -> Instruction:
    """`shape opcode(operands), attributes`"""
    cursor.skip()
    shape: Shape = UnknownShape()
    if _SHAPE_START.match(cursor.text, cursor.pos):
        shape = parse_shape(cursor)
    instruction = Instruction(name, pos, shape, cursor.word("an opcode"), [], {})
    _parse_arguments(cursor, instructions, instruction)
    while cursor.accept(","):
        _parse_attribute(cursor, instruction.attributes)
    return instructions.add(cursor, instruction)


def _parse_arguments(cursor: Cursor, instructions: _Instructions, instruction: Instruction) -> None:
    """What stands in the parentheses."""
    opcode = instruction.opcode
    cursor.expect("(", f"after the opcode '{opcode}'")
    if opcode in ("constant", "parameter") and isinstance(instruction.shape, UnknownShape):
        cursor.error(f"the shape of a {opcode} may not be left out", instruction.pos)
    if opcode == "constant":
        end = find_end(cursor)
        instruction.literal = Attribute(cursor.pos, end)
        cursor.pos = end
    elif opcode == "parameter":
        instruction.parameter = cursor.integer("the number of a parameter")
    elif not cursor.at(")"):
        instruction.operands = list(_parse_operands(cursor, instructions))
    cursor.expect(")", f"after the operands of '{instruction.name}'")


def _parse_operands(cursor: Cursor, instructions: _Instructions) -> Iterator[Operand]:
    """`%a, %b`, or with their shapes `f32[2]{0} %a, f32[2]{0} %b`, or instructions without a name and attributes,
    `f32[2] parameter(0), add(a, b)`."""
    while True:
        cursor.skip()
        pos = cursor.pos
        shape: Shape | None = None
        if _SHAPE_START.match(cursor.text, pos):
            shape = parse_shape(cursor)
            cursor.skip()
        if shape is not None and isinstance(instructions, _SingleInstruction) and cursor.found() in ("','", "')'"):
            name = instructions.add(cursor, instructions.parameter(instructions.fresh("operand"), pos, shape)).name
        else:
            pos = cursor.pos
            name = cursor.name("the name of an operand")
            if cursor.at("("):
                name = _parse_nested(cursor, instructions, name, shape, pos).name
                shape = None
            elif isinstance(instructions, _SingleInstruction) and name not in instructions.names:
                if shape is None:
                    cursor.error(f"the shape of operand '{name}' of a single instruction may not be left out", pos)
                instructions.add(cursor, instructions.parameter(name, pos, shape))
        yield Operand(name, pos, shape)
        if not cursor.accept(","):
            return


def _parse_nested(
    cursor: Cursor, instructions: _Instructions, opcode: str, shape: Shape | None, pos: int
) -> Instruction:
    """The rest of an instruction that stands in the place of an operand."""
    if instructions.depth == MAX_OPERAND_DEPTH:
        cursor.error(f"operands nest deeper than {MAX_OPERAND_DEPTH}", pos)
    instruction = Instruction("", pos, UnknownShape() if shape is None else shape, opcode, [], {})
    instructions.depth += 1
    _parse_arguments(cursor, instructions, instruction)
    instructions.depth -= 1
    instruction.name = instructions.fresh(opcode)
    return instructions.add(cursor, instruction)


def _parse_single_instruction(cursor: Cursor) -> Computation:
    """A text that is one instruction, with or without a name: the root of a computation of its operands."""
    pos = cursor.pos
    instructions = _SingleInstruction()
    if _SHAPE_START.match(cursor.text, pos):
        root = _parse_right_side(cursor, instructions, "root", pos)
    else:
        root = _parse_instruction(cursor, instructions)
    if cursor.found() != "the end of the text":
        cursor.error(f"expected the end of a text that is a single instruction, found {cursor.found()}")
    return _computation(cursor, instructions.computation, pos, instructions.list, root)
