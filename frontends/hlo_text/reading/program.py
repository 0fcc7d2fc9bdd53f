"""What the reading of one module shares: its computations, the functions made of them, and limits.

Computations become functions (`call`, the called computations of a custom call), regions (of a reduction, a loop)
or, for a fusion that is used once, part of the caller. Limits keep a text from growing beyond measure: how deep
computations may nest, and how many ops may be made of how many instructions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import NoReturn

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ....dialects.limits import MOST_NESTED, MOST_PROCESSES
from ....errors import InvalidProgramError, UnsupportedError
from .. import attribute_values
from ..cursor import Cursor, unescape
from ..shapes import Shape, leaves, to_type
from ..syntax import Attribute as AttributeText
from ..syntax import Computation, HloModule, Instruction, parse_instructions
from .device_count import count_by_shapes

MAX_DEPTH = MOST_NESTED
"""How deep computations may nest."""

MAX_GROWTH = 16
"""How many ops may be made of an instruction, on average, as computations used several times are copied."""

ENTRY_NAME = "main"

_OP_NAME = re.compile(r'op_name="([^"\\]*+(?:\\.[^"\\]*+)*+)"')


class Program:
    """The state of one reading."""

    def __init__(self, hlo: HloModule, filename: str, fill_elided: bool = False) -> None:
        self.hlo = hlo
        self.fill_elided = fill_elided
        self.module = ModuleOp([])
        self.functions: dict[str, FuncOp] = {}
        self.symbols = {ENTRY_NAME}
        self._next_numbers = Counter[str]()
        self.stack: list[Computation] = []
        self.budget = MAX_GROWTH * (hlo.instruction_count() + 100)
        self.fusion_uses = self._count_fusions()
        self._file = StringAttr(filename)
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", hlo.cursor.text))]
        self._types: dict[Shape, Attribute] = {}
        self.replicas = max(self._count("replica_count"), count_by_shapes(hlo))
        if self.replicas > MOST_PROCESSES:
            self.error(f"collectives of {self.replicas} devices; there are at most {MOST_PROCESSES}", hlo.entry.pos)
        self.partitions = self._count("num_partitions")

    def _count(self, name: str) -> int:
        attribute = self.hlo.attributes.get(name)
        if attribute is None:
            return 1
        count = self.cursor(attribute).integer()
        if count > MOST_PROCESSES:
            self.error(f"{name} is at most {MOST_PROCESSES}", attribute.start)
        if count < 0:
            self.error(f"{name}: expected a number of processes, got {count}", attribute.start)
        return max(1, count)

    def _count_fusions(self) -> Counter[str]:
        uses = Counter[str]()
        for computation in self.hlo.computations.values():
            for instruction in computation.instructions:
                if instruction.opcode == "fusion" and (calls := instruction.attributes.get("calls")):
                    uses[self.hlo.cursor.text[calls.start : calls.end].lstrip("%")] += 1
        return uses

    def cursor(self, attribute: AttributeText) -> Cursor:
        """A cursor at the value of an attribute."""
        return self.hlo.cursor.copy(attribute.start)

    def error(self, message: str, pos: int) -> NoReturn:
        """Raise `InvalidProgramError` at a position."""
        self.hlo.cursor.error(message, pos)

    def unsupported(self, message: str, pos: int) -> NoReturn:
        """Raise `UnsupportedError` at a position."""
        try:
            self.error(message, pos)
        except InvalidProgramError as error:
            raise UnsupportedError(error.message, location=error.location) from None

    def location(self, instruction: Instruction) -> LocationAttr:
        """Where the instruction stands; around that its `op_name`, if it has one."""
        line = bisect_right(self._line_starts, instruction.pos)
        column = instruction.pos - self._line_starts[line - 1] + 1
        location: LocationAttr = FileLineColLoc(self._file, IntAttr(line), IntAttr(column))
        metadata = instruction.attributes.get("metadata")
        if metadata is not None:
            name = _OP_NAME.search(self.hlo.cursor.text, metadata.start, metadata.end)
            if name is not None and name[1]:
                return NameLoc(StringAttr(unescape(name[1])), location)
        return location

    def types(self, shape: Shape, pos: int) -> list[Attribute]:
        """The types of the leaves of a shape."""
        return [self._type(leaf, pos) for leaf in leaves(shape)]

    def _type(self, shape: Shape, pos: int) -> Attribute:
        type = self._types.get(shape)
        if type is None:
            try:
                type = self._types[shape] = to_type(shape)
            except UnsupportedError as error:
                self.unsupported(error.message, pos)
            except InvalidProgramError as error:
                self.error(error.message, pos)
        return type

    def spend(self, pos: int) -> None:
        """Count an op; an error once there are too many."""
        self.budget -= 1
        if self.budget < 0:
            self.error(
                "computations used several times are copied, and the copies would be more than"
                f" {MAX_GROWTH} times the size of the text",
                pos,
            )

    def computation(self, name: str, pos: int) -> Computation:
        """The computation of that name."""
        computation = self.hlo.computations.get(name)
        if computation is None:
            self.error(f"there is no computation '{name}'", pos)
        return computation

    def computation_at(self, cursor: Cursor) -> Computation:
        """The computation that a cursor finds: a name, or instructions in braces."""
        cursor.skip()
        start = cursor.pos
        if not cursor.at("{"):
            return self.computation(cursor.name("the name of a computation"), start)
        nested = self.hlo.nested.get(start)
        if nested is None:
            nested = parse_instructions(cursor, f"nested{len(self.hlo.nested)}", start)
            self.hlo.nested[start] = nested
        else:
            cursor.skip_group()
        return nested

    def computations_at(self, cursor: Cursor) -> list[Computation]:
        """`{%a, %b}`, or the computations themselves, each in braces."""
        return attribute_values.listed(cursor, self.computation_at)

    def enter(self, computation: Computation, pos: int) -> None:
        """Begin with the instructions of a computation, named at `pos`."""
        if computation in self.stack:
            self.error(f"computation '{computation.name}' calls itself", pos)
        if len(self.stack) == MAX_DEPTH:
            self.error(f"computations nest deeper than {MAX_DEPTH}", pos)
        self.stack.append(computation)

    def leave(self) -> None:
        """The last computation is complete."""
        self.stack.pop()

    def symbol(self, name: str) -> str:
        """A symbol no other function has, much like `name`."""
        symbol = base = re.sub(r"\W", "_", name)
        while symbol in self.symbols:
            self._next_numbers[base] += 1
            symbol = f"{base}_{self._next_numbers[base]}"
        self.symbols.add(symbol)
        return symbol


def input_types(program: Program, computation: Computation) -> list[Attribute]:
    """The types of the parameters of a computation, tuples taken apart."""
    return [type for parameter in computation.parameters for type in program.types(parameter.shape, parameter.pos)]


def output_types(program: Program, computation: Computation) -> list[Attribute]:
    """The types of the result of a computation, tuples taken apart."""
    return program.types(computation.root.shape, computation.root.pos)
