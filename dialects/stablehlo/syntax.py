"""The text form of most operations, from a description of a line.

`%lhs, %rhs, key = value, ... {attributes} : types` covers all but a dozen operations: an op class derives
from `FormattedOp`, lists the `key = value` part in `FIELDS` and picks how types are written by a mixin.
Parsing is one pass without backtracking.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i1, i64
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from ..editing import new_op

Op = TypeVar("Op", bound=IRDLOperation)


def i64_array(values: Sequence[int] | DenseArrayBase) -> DenseArrayBase:
    """`array<i64: ...>`"""
    if isinstance(values, DenseArrayBase):
        return values
    return DenseArrayBase.from_list(i64, values)


def bool_attr(value: bool | IntegerAttr) -> IntegerAttr:
    """`true` or `false`: an i1."""
    return value if isinstance(value, IntegerAttr) else IntegerAttr(int(value), i1)


_INT_LIST = re.compile(r"\[((?:-?[0-9]+(?:, -?[0-9]+)*)?)\]")


def int_list(parser: AttrParser) -> list[int]:
    """`[1, -2]`"""
    state = parser._parser_state
    match = _INT_LIST.match(state.lexer.input.content, state.current_token.span.start)
    if match is not None:
        parser._resume_from(match.end())
        return [int(number) for number in match[1].split(",")] if match[1] else []
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False))


class Field(ABC):
    """A `keyword = value` and the properties it stands for."""

    def __init__(self, keyword: str, *props: str, optional: bool = False):
        self.keyword = keyword
        self.props = props
        self.optional = optional

    def parse_optional(self, parser: Parser, properties: dict[str, Attribute]) -> bool:
        """Parse the field if its keyword comes next; add its properties and say whether it was there."""
        if parser.parse_optional_keyword(self.keyword) is None:
            return False
        parser.parse_punctuation("=")
        self.parse_value(parser, properties)
        return True

    @abstractmethod
    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        """Parse what comes after `=`."""

    def text(self, properties: Mapping[str, Attribute]) -> str | None:
        """The printed field, or nothing if it is optional and absent."""
        if self.optional and self.props[0] not in properties:
            return None
        return f"{self.keyword} = {self.value_text(properties)}"

    @abstractmethod
    def value_text(self, properties: Mapping[str, Attribute]) -> str: ...


class I64Array(Field):
    """`dims = [0, 1]`"""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.props[0]] = DenseArrayBase.from_list(i64, int_list(parser))

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        value = properties[self.props[0]]
        assert isinstance(value, DenseArrayBase)
        return f"[{', '.join(map(str, value.get_values()))}]"


class I64(Field):
    """`dim = 0`"""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.props[0]] = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        value = properties[self.props[0]]
        assert isinstance(value, IntegerAttr)
        return str(value.value.data)


class Bool(Field):
    """`lower = true`"""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.props[0]] = bool_attr(parser.parse_boolean())

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        value = properties[self.props[0]]
        assert isinstance(value, IntegerAttr)
        return "true" if value.value.data else "false"


class String(Field):
    """`config = "ab,bc->ac"`"""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.props[0]] = StringAttr(parser.parse_str_literal())

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        return str(properties[self.props[0]])


class Enum(Field):
    """`type = FFT`"""

    def __init__(self, keyword: str, prop: str, attr: type[EnumAttribute[Any]]):
        super().__init__(keyword, prop)
        self.attr = attr

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        properties[self.props[0]] = self.attr(parser.parse_str_enum(self.attr.enum_type))

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        value = properties[self.props[0]]
        return cast(EnumAttribute[StrEnum], value).data


def parse_attr_dict(
    parser: Parser,
    op_type: type[IRDLOperation],
    properties: dict[str, Attribute],
    keyword: bool = False,
) -> dict[str, Attribute]:
    """Parse `{...}` if present; entries that are properties go to `properties`, the others are returned."""
    if keyword and parser.parse_optional_keyword("attributes") is None:
        return {}
    attributes = parser.parse_optional_attr_dict()
    if attributes:
        defined = op_type.get_irdl_definition().properties
        for name in [name for name in attributes if name in defined]:
            if name in properties:
                parser.raise_error(f"'{name}' is given twice")
            properties[name] = attributes.pop(name)
    return attributes


def print_attr_dict(printer: Printer, op: IRDLOperation, elided: Iterable[str] = (), keyword: bool = False) -> None:
    """Print properties (but `elided` ones and defaults) and attributes as `{...}`, sorted by name."""
    entries: Mapping[str, Attribute] = op.attributes
    if op.properties:
        defined = op.get_irdl_definition().properties
        shown = {
            name: value
            for name, value in op.properties.items()
            if name not in elided and value != defined[name].default_value
        }
        entries = shown | op.attributes
    if entries:
        printer.print_op_attributes(dict(sorted(entries.items())), print_keyword=keyword)


Types: TypeAlias = tuple[Sequence[Attribute], Sequence[Attribute]]
"""Those of the operands and those of the results."""


def parse_functional_types(parser: Parser, arity: int) -> Types:
    """`: (operand types) -> result types`"""
    parser.parse_punctuation(":")
    return parse_signature(parser)


def parse_tail(
    parser: Parser,
    op_type: type[Op],
    operands: Sequence[UnresolvedOperand],
    position: int,
    properties: dict[str, Attribute],
    parse_types: Callable[[Parser, int], Types] = parse_functional_types,
) -> Op:
    """`{attributes} : types`, and the op: its operands, which begin at `position`, and some properties are parsed."""
    attributes = parse_attr_dict(parser, op_type, properties)
    operand_types, result_types = parse_types(parser, len(operands))
    return new_op(
        op_type,
        operands=parser.resolve_operands(operands, operand_types, position),
        result_types=result_types,
        properties=properties,
        attributes=attributes,
    )


def print_tail(printer: Printer, op: IRDLOperation, elided: Iterable[str] = ()) -> None:
    """`{attributes} : (operand types) -> result types` without the properties `elided`."""
    print_attr_dict(printer, op, elided)
    print_signature(printer, op)


class FormattedOp(IRDLOperation, ABC):
    """An operation written `%operands, key = value, ... {attributes} : types`."""

    FIELDS: ClassVar[tuple[Field, ...]] = ()

    @classmethod
    @abstractmethod
    def parse_types(cls, parser: Parser, arity: int) -> Types:
        """Parse the types after `:`; return those of the operands and those of the results."""

    @abstractmethod
    def print_types(self, printer: Printer) -> None: ...

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands: list[UnresolvedOperand] = []
        expects_item = True
        while (operand := parser.parse_optional_unresolved_operand()) is not None:
            operands.append(operand)
            if parser.parse_optional_punctuation(",") is None:
                expects_item = False
                break
        if operands and expects_item:
            # Upstream prints the comma after an empty list of operands too.
            parser.parse_optional_punctuation(",")
        properties: dict[str, Attribute] = {}
        for field in cls.FIELDS:
            if expects_item and field.parse_optional(parser, properties):
                expects_item = parser.parse_optional_punctuation(",") is not None
            elif not field.optional:
                parser.raise_error(f"expected `{field.keyword} =` in {cls.name}")
        if expects_item and (operands or properties):
            parser.raise_error(f"unexpected `,` in {cls.name}")
        return parse_tail(parser, cls, operands, position, properties, cls.parse_types)

    def print(self, printer: Printer) -> None:
        separator = " "
        for operand in self.operands:
            printer.print_string(separator)
            printer.print_ssa_value(operand)
            separator = ", "
        for field in self.FIELDS:
            text = field.text(self.properties)
            if text is not None:
                printer.print_string(separator + text)
                separator = ", "
        print_attr_dict(printer, self, [prop for field in self.FIELDS for prop in field.props])
        self.print_types(printer)


class FunctionalTypes(FormattedOp, ABC):
    """`: (operand types) -> result types`"""

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> Types:
        return parse_functional_types(parser, arity)

    def print_types(self, printer: Printer) -> None:
        print_signature(printer, self)


class SameTypes(FormattedOp, ABC):
    """`: type` where all operands and the one result have that type, else the functional form."""

    @classmethod
    def may_have_type_alone(cls) -> bool:
        """Whether the type may be all that stands behind the operands."""
        return all(field.optional for field in cls.FIELDS)

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> Types:
        parser.parse_punctuation(":")
        if parser.parse_optional_punctuation("(") is not None:
            return parse_signature(parser, opened=True)
        type = parser.parse_type()
        return (type,) * arity, (type,)

    def print_types(self, printer: Printer) -> None:
        result = self.results[0].type
        if all(operand.type == result for operand in self.operands):
            printer.print_string(" : ")
            printer.print_attribute(result)
        else:
            print_signature(printer, self)


class ResultType(FormattedOp, ABC):
    """`: type` of the one result of an operation without operands."""

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> Types:
        parser.parse_punctuation(":")
        return (), (parser.parse_type(),)

    def print_types(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)


def parse_signature(parser: Parser, opened: bool = False) -> Types:
    """`(operand types) -> result types`; with `opened`, the first parenthesis is behind."""
    if not opened:
        type = parser.parse_function_type()
        return type.inputs.data, type.outputs.data
    inputs = _parse_types_to_parenthesis(parser)
    parser.parse_punctuation("->")
    if parser.parse_optional_punctuation("(") is None:
        return inputs, (parser.parse_type(),)
    return inputs, _parse_types_to_parenthesis(parser)


def _parse_types_to_parenthesis(parser: Parser) -> Sequence[Attribute]:
    if parser.parse_optional_punctuation(")") is not None:
        return ()
    types = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    parser.parse_punctuation(")")
    return types


def parse_operands(parser: Parser) -> list[UnresolvedOperand]:
    """`%a, %b`, or nothing."""
    operands: list[UnresolvedOperand] = []
    while (operand := parser.parse_optional_unresolved_operand()) is not None:
        operands.append(operand)
        if parser.parse_optional_punctuation(",") is None:
            break
    return operands


def parse_type_list(parser: Parser) -> list[Attribute]:
    """`type, type`, at least one."""
    types: list[Attribute] = [parser.parse_type()]
    while parser.parse_optional_punctuation(",") is not None:
        types.append(parser.parse_type())
    return types


def print_operand_list(printer: Printer, op: IRDLOperation) -> None:
    """` %a, %b`"""
    separator = " "
    for operand in op.operands:
        printer.print_string(separator)
        printer.print_ssa_value(operand)
        separator = ", "


def print_signature(printer: Printer, op: IRDLOperation) -> None:
    """` : (operand types) -> result types`"""
    printer.print_string(" : ")
    printer.print_function_type(op.operand_types, op.result_types)
