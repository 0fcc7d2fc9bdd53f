"""Modules as MLIR bytecode of version 4, which MLIR has read since 2023.

In that version properties stand in the dictionary of attributes, which is what ops of any dialect can be written as.
No region is marked as isolated: values are numbered through all regions around them. What values are called is not
written.

Source: MLIR Bytecode Format, section "IR Section".
"""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, LocationAttr, ModuleOp, UnknownLoc, UnregisteredOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...errors import UnsupportedError
from ...nesting import with_deep_stack
from ...runtime.formats import BYTECODE_MAGIC
from .container import SectionNumber, Version
from .ir import Parts
from .tables import Tables, flagged_varint, section, varint, varints

VERSION = Version.ELIDED_LOCATIONS

PRODUCER = b"xdsl-xla"

OP_NAME = "op_name__"
"""The attribute in which xDSL has the name of an op that is not registered."""


def write_bytecode(module: ModuleOp) -> bytes:
    """The module as bytecode, its locations included.

    Raises `UnsupportedError` for a `dense_resource` whose bytes xDSL has not read, and for an op that has an attribute
    and a property of one name.
    """
    return with_deep_stack(lambda: Writer().write(module))


class Writer:
    """Writes one module."""

    def __init__(self) -> None:
        self.tables = Tables()
        self.output = bytearray()
        self.values: dict[SSAValue, int] = {}
        self.blocks: dict[Block, int] = {}
        self.value_count = 0
        """How many values the regions around here define."""

    def write(self, module: ModuleOp) -> bytes:
        self.output += flagged_varint(1, False)
        self.operation(module)
        ir = section(SectionNumber.IR, bytes(self.output))
        return BYTECODE_MAGIC + varint(VERSION) + PRODUCER + b"\0" + self.tables.sections() + ir

    def operation(self, op: Operation) -> None:
        tables, output = self.tables, self.output
        if twice := op.attributes.keys() & op.properties.keys():
            raise UnsupportedError(f"'{op.name}' has '{min(twice)}' as an attribute and as a property", op)
        attributes = {**op.attributes, **op.properties}
        name = op.name
        if isinstance(op, UnregisteredOp):
            name = op.op_name.data
            del attributes[OP_NAME]
        output += varint(tables.op_name(name))
        output.append(_parts(op, attributes))
        output += varint(tables.attribute(op.location))
        if attributes:
            output += varint(tables.attribute(DictionaryAttr(attributes)))
        if op.results:
            output += varints(tables.type(result.type) for result in op.results)
        if op.operands:
            output += varints(self.values[operand] for operand in op.operands)
        if op.successors:
            output += varints(self.blocks[successor] for successor in op.successors)
        if op.regions:
            output += flagged_varint(len(op.regions), False)
        for region in op.regions:
            self.region(region)

    def region(self, region: Region) -> None:
        first = self.value_count
        self._number(region)
        self.output += varint(len(region.blocks))
        if region.blocks:
            self.output += varint(self.value_count - first)
        for block in region.blocks:
            self.output += flagged_varint(sum(1 for _ in block.ops), bool(block.args))
            if block.args:
                self._arguments(block)
            for op in block.ops:
                self.operation(op)
        self.value_count = first

    def _number(self, region: Region) -> None:
        """Number the blocks and the values of a region before it is written: they may be used before."""
        for number, block in enumerate(region.blocks):
            self.blocks[block] = number
            for value in (*block.args, *(result for op in block.ops for result in op.results)):
                self.values[value] = self.value_count
                self.value_count += 1

    def _arguments(self, block: Block) -> None:
        self.output += varint(len(block.args))
        for argument in block.args:
            location: LocationAttr = getattr(argument, "location", UnknownLoc())
            is_known = not isinstance(location, UnknownLoc)
            self.output += flagged_varint(self.tables.type(argument.type), is_known)
            if is_known:
                self.output += varint(self.tables.attribute(location))
        self.output.append(0)  # no orders of uses


def _parts(op: Operation, attributes: dict[str, Attribute]) -> Parts:
    parts = Parts(0)
    for part, present in (
        (Parts.ATTRIBUTES, attributes),
        (Parts.RESULTS, op.results),
        (Parts.OPERANDS, op.operands),
        (Parts.SUCCESSORS, op.successors),
        (Parts.REGIONS, op.regions),
    ):
        if present:
            parts |= part
    return parts
