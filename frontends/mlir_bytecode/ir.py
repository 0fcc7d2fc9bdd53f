"""The operations of an MLIR bytecode file as xDSL's.

Source: MLIR Bytecode Format, section "IR Section".
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FunctionType,
    LocationAttr,
    ModuleOp,
    NameLoc,
    NoneAttr,
    NoneType,
    StringAttr,
    UnknownLoc,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import AttrSizedSegments, IRDLOperation
from xdsl.parser.core import ForwardDeclaredValue

from ...dialects.limits import MOST_NESTED
from ...errors import UnsupportedError
from ...runtime.mlir_text import is_out_of_reach
from .container import Container, SectionNumber, Version
from .native_properties import read_native
from .sdy_encodings import read_properties
from .stream import Stream
from .vhlo_ops import Attributes, ConversionError, as_property, attribute_names, convert

MAX_DEPTH = MOST_NESTED
"""Of regions in regions."""

VHLO = "vhlo."

CAST = "builtin.unrealized_conversion_cast"
"""Between types of VHLO and those of other dialects, where a program has both."""


class Parts(IntFlag):
    """What follows in the encoding of an op."""

    ATTRIBUTES = 1
    RESULTS = 2
    OPERANDS = 4
    SUCCESSORS = 8
    REGIONS = 16
    USE_LIST_ORDERS = 32
    PROPERTIES = 64


class Reader:
    """Builds the module of one file. Values are numbered from the beginning of the innermost isolated region."""

    def __init__(self, container: Container, context: Context) -> None:
        self.container = container
        self.context = context
        self.values: dict[int, SSAValue] = {}
        self.value_count = 0
        """How many values the regions around here announce."""
        self.next_value: list[int] = []
        self.forward: dict[int, ForwardDeclaredValue[Attribute]] = {}
        """Values that are used before the op that defines them, by their numbers."""
        self.early_uses: list[tuple[int, SSAValue, Operation]] = []
        self.depth = 0

    def read(self) -> ModuleOp:
        stream = self.container.ir
        count, _ = stream.flagged_varint()
        if count != 1:
            raise stream.error(f"{count} operations at the top level, expected a module")
        module = self.operation(stream, [], False)
        if not isinstance(module, ModuleOp):
            raise stream.error(f"'{module and module.name}' at the top level, expected a module")
        for index, value, user in self.early_uses:
            if is_out_of_reach(value, user):
                raise stream.error(f"value number {index} is not defined where '{user.name}' uses it")
        return module

    # Operations

    def operation(self, stream: Stream, blocks: list[Block], in_function: bool) -> Operation | None:
        """The op that comes next; None for one that is its operands."""
        container = self.container
        name = container.op_name(stream)
        parts = Parts(stream.byte() & 0x7F)
        location = container.attribute(stream)
        attributes: Attributes = {}
        if Parts.ATTRIBUTES in parts:
            attributes = self._dictionary(stream)
        if Parts.PROPERTIES in parts:
            properties = container.properties_of(stream)
            attributes |= {} if name == CAST else self._properties(name, properties)
        result_types = stream.list(lambda: container.type(stream)) if Parts.RESULTS in parts else []
        operands = stream.list(lambda: self._value(stream)) if Parts.OPERANDS in parts else []
        successors = stream.list(lambda: self._block(stream, blocks)) if Parts.SUCCESSORS in parts else []
        if Parts.USE_LIST_ORDERS in parts:
            _skip_use_list_orders(stream, len(result_types))
        regions: list[Region] = []
        if Parts.REGIONS in parts:
            regions = self._regions(stream, name == f"{VHLO}func_v1")
        if _is_identity(name, operands, result_types):
            self._define(stream, operands[: len(result_types)])
            return None
        op = self._build(stream, name, attributes, operands, result_types, regions, successors, in_function)
        op.location = location if isinstance(location, LocationAttr) else UnknownLoc()
        self._define(stream, op.results)
        return op

    def _dictionary(self, stream: Stream) -> Attributes:
        found = self.container.attribute(stream)
        if not isinstance(found, DictionaryAttr):
            raise stream.error(f"expected a dictionary of attributes, got {found}")
        return dict(found.data)

    def _properties(self, name: str, stream: Stream) -> Attributes:
        shardy = read_properties(name, self.container, stream)
        if shardy is not None:
            found = shardy
        elif name.startswith(VHLO):
            names = attribute_names(name.removeprefix(VHLO))
            found = {key: self.container.attribute(stream) for key in names}
        else:
            op_class = self.context.get_optional_op(name)
            if op_class is None or not issubclass(op_class, IRDLOperation) or issubclass(op_class, UnregisteredOp):
                raise UnsupportedError(
                    f"'{name}': no such op, so the form of its properties is not known; bytecode of version 4 says"
                    " what they are (mlir-opt --emit-bytecode-version=4)",
                    location=f"{stream.name}: byte {stream.position}",
                )
            found = read_native(op_class, self.container, stream)
        if stream.left:
            raise stream.error(f"'{name}' has more properties than are known")
        return found

    def _build(
        self,
        stream: Stream,
        name: str,
        attributes: Attributes,
        operands: list[SSAValue],
        result_types: list[Attribute],
        regions: list[Region],
        successors: list[Block],
        in_function: bool,
    ) -> Operation:
        if name.startswith(VHLO):
            try:
                name, attributes = convert(name.removeprefix(VHLO), attributes, in_function)
            except ConversionError as error:
                raise stream.error(str(error)) from None
        op_class = self.context.get_optional_op(name)
        if op_class is not None and issubclass(op_class, UnregisteredOp):
            return op_class.create(
                operands=operands,
                result_types=result_types,
                attributes=attributes,
                regions=regions,
                successors=successors,
            )
        if op_class is None or not issubclass(op_class, IRDLOperation):
            raise UnsupportedError(f"'{name}': no such op", location=f"{stream.name}: byte {stream.position}")
        definition = op_class.get_irdl_definition()
        declared = definition.properties
        try:
            properties = {
                key: as_property(declared[key].constr, value) for key, value in attributes.items() if key in declared
            }
        except ConversionError as error:
            raise stream.error(f"'{name}': {error}") from None
        sizes = {
            option.attribute_name
            for option in definition.options
            if isinstance(option, AttrSizedSegments) and option.as_property
        }
        properties |= {key: attributes[key] for key in attributes.keys() & sizes}
        discardable = {key: value for key, value in attributes.items() if key not in properties}
        _check_function(stream, name, properties, regions)
        return op_class.create(
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=discardable,
            regions=regions,
            successors=successors,
        )

    # Values

    def _value(self, stream: Stream) -> SSAValue:
        index = stream.varint()
        if (value := self.values.get(index)) is not None:
            return value
        if index >= self.value_count:
            raise stream.error(f"value number {index} of {self.value_count}")
        return self.forward.setdefault(index, ForwardDeclaredValue(NoneType()))

    def _block(self, stream: Stream, blocks: list[Block]) -> Block:
        index = stream.varint()
        if index >= len(blocks):
            raise stream.error(f"block number {index} of {len(blocks)}")
        return blocks[index]

    def _define(self, stream: Stream, values: Sequence[SSAValue]) -> None:
        if not values:
            return
        start = self.next_value[-1] if self.next_value else 0
        if start + len(values) > self.value_count:
            raise stream.error("a region defines more values than it announces")
        for index, value in enumerate(values, start):
            self.values[index] = value
            if (declared := self.forward.pop(index, None)) is not None:
                self.early_uses += [(index, value, use.operation) for use in declared.uses]
                declared.replace_all_uses_with(value)
        self.next_value[-1] = start + len(values)

    # Regions

    def _regions(self, stream: Stream, is_function: bool) -> list[Region]:
        count, isolated = stream.flagged_varint()
        if count > max(stream.left, 1):
            raise stream.error(f"{count} regions in {stream.left} bytes")
        if self.depth >= MAX_DEPTH:
            raise stream.error(f"more than {MAX_DEPTH} regions in one another")
        self.depth += 1
        outer = (self.values, self.value_count, self.next_value, self.forward)
        if isolated:
            self.values, self.value_count, self.next_value, self.forward = {}, 0, [], {}
            if self.container.version >= Version.ISOLATED_SECTIONS:
                number, stream = stream.section()
                if number != SectionNumber.IR:
                    raise stream.error(f"section {number} in place of a region")
        regions = [self._region(stream, is_function) for _ in range(count)]
        self.values, self.value_count, self.next_value, self.forward = outer
        self.depth -= 1
        return regions

    def _region(self, stream: Stream, is_function: bool) -> Region:
        block_count = stream.count()
        if not block_count:
            return Region()
        value_count = stream.varint()
        if value_count > stream.left:
            raise stream.error(f"a region of {value_count} values in {stream.left} bytes")
        first = self.value_count
        self.value_count += value_count
        self.next_value.append(first)
        blocks = [Block() for _ in range(block_count)]
        for block in blocks:
            op_count, has_arguments = stream.flagged_varint()
            if has_arguments:
                self._arguments(stream, block)
            if op_count > stream.left:
                raise stream.error(f"a block of {op_count} operations in {stream.left} bytes")
            for _ in range(op_count):
                if op := self.operation(stream, blocks, is_function):
                    block.add_op(op)
        for index in range(first, self.next_value.pop()):
            del self.values[index]
        for index in self.forward:
            if index >= first:
                raise stream.error(f"value number {index} is used and not defined")
        self.value_count = first
        return Region(blocks)

    def _arguments(self, stream: Stream, block: Block) -> None:
        for _ in range(stream.count()):
            has_location = True
            if self.container.version >= Version.ELIDED_LOCATIONS:
                index, has_location = stream.flagged_varint()
            else:
                index = stream.varint()
            argument = block.insert_arg(self.container.type_at(stream, index), len(block.args))
            if has_location:
                self._name(argument, self.container.attribute(stream))
        if self.container.version >= Version.USE_LIST_ORDERS and stream.byte():
            _skip_use_list_orders(stream, len(block.args))
        self._define(stream, block.args)

    def _name(self, argument: SSAValue, location: Attribute) -> None:
        """JAX calls arguments by their names in the locations."""
        if isinstance(location, NameLoc) and isinstance(location.location, NoneAttr):
            name = location.desc.data
            if SSAValue.is_valid_name(name):
                argument.name_hint = name


def _is_identity(name: str, operands: list[SSAValue], result_types: list[Attribute]) -> bool:
    """Whether an op is its operands: a cast between two forms of one type."""
    return name == CAST and [operand.type for operand in operands] == result_types


def _skip_use_list_orders(stream: Stream, value_count: int) -> None:
    """The order of the uses of each value means nothing here."""
    several = value_count > 1
    for _ in range(stream.count() if several else 1):
        if several:
            stream.varint()
        count, _ = stream.flagged_varint()
        if count > stream.left:
            raise stream.error(f"an order of {count} uses in {stream.left} bytes")
        for _ in range(count):
            stream.varint()


def _check_function(stream: Stream, name: str, properties: Attributes, regions: list[Region]) -> None:
    """What xDSL's verifier of functions takes for granted."""
    if name != "func.func":
        return
    if not isinstance(properties.get("sym_name"), StringAttr):
        raise stream.error("a function without a name")
    if not isinstance(properties.get("function_type"), FunctionType):
        raise stream.error("a function without a function type")
    if len(regions) != 1:
        raise stream.error(f"a function with {len(regions)} regions")
