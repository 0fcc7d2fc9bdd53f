"""Axes of a mesh and lists of them, as attributes: `"x"`, `"x":(2)4`, `{"x", "y":(1)2}`.

Each holds the plain data of `shardings.py`. Written by themselves they have the opaque form, `#sdy<axis_ref"x">`.

Source: openxla/shardy, shardy/dialect/sdy/ir/attrs.td.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from xdsl.ir import Data, OpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from .shardings import AxisRef

Parsed = TypeVar("Parsed")


def parse_sub_axis(parser: AttrParser) -> tuple[int, int]:
    """`(2)4`: how many parts of the axis are left of each part of this one, and how many parts it has."""
    with parser.in_parens():
        pre_size = parser.parse_integer()
    return pre_size, parser.parse_integer()


def parse_axis(parser: AttrParser) -> AxisRef:
    """`"x"` or `"x":(2)4`."""
    name = parser.parse_str_literal()
    if parser.parse_optional_punctuation(":") is None:
        return AxisRef(name)
    return AxisRef(name, *parse_sub_axis(parser))


def print_axis(printer: Printer, axis: AxisRef) -> None:
    printer.print_string_literal(axis.name)
    if axis.size is not None:
        printer.print_string(f":({axis.pre_size}){axis.size}")


def parse_axes(parser: AttrParser) -> tuple[AxisRef, ...]:
    """`{"x", "y"}`"""
    return parse_list(parser, parser.Delimiter.BRACES, parse_axis)


def print_axes(printer: Printer, axes: Sequence[AxisRef]) -> None:
    with printer.in_braces():
        printer.print_list(axes, lambda axis: print_axis(printer, axis))


def parse_list(
    parser: AttrParser, delimiter: AttrParser.Delimiter, parse: Callable[[AttrParser], Parsed]
) -> tuple[Parsed, ...]:
    return tuple(parser.parse_comma_separated_list(delimiter, lambda: parse(parser)))


def parse_short(parser: AttrParser, attribute: type[Data[Parsed]], parse: Callable[[AttrParser], Parsed]) -> Parsed:
    """The data of an attribute of the class `attribute`. `parse` reads the short form, without the name, in which ops
    print it; the full form, `#sdy.mesh<...>`, and an alias are read, too. Another attribute is an error.
    """
    if parser._current_token.kind is not MLIRTokenKind.HASH_IDENT:
        return parse(parser)
    position = parser.pos
    found = parser.parse_attribute()
    if not isinstance(found, attribute):
        parser.raise_error(f"expected #{attribute.name}", position)
    return cast(Any, found).data


def verify_axis(axis: AxisRef) -> None:
    """What can be said about it without its mesh."""
    if axis.size is None or axis.pre_size is None:
        return
    if axis.pre_size < 1:
        raise VerifyException(f"sub-axis pre-size must be at least 1: {axis}")
    if axis.size <= 1:
        raise VerifyException(f"sub-axis sizes must be greater than 1: {axis}")


class SubAxis(NamedTuple):
    """The part of an axis that `(pre_size)size` is."""

    pre_size: int
    size: int


@irdl_attr_definition
class SubAxisInfoAttr(OpaqueSyntaxAttribute, Data[SubAxis]):
    """`#sdy<sub_axis_info(2)4>`"""

    name = "sdy.sub_axis_info"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> SubAxis:
        return SubAxis(*parse_sub_axis(parser))

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"({self.data.pre_size}){self.data.size}")

    def verify(self) -> None:
        verify_axis(AxisRef("", *self.data))


@irdl_attr_definition
class AxisRefAttr(OpaqueSyntaxAttribute, Data[AxisRef]):
    """`#sdy<axis_ref"x":(2)4>`"""

    name = "sdy.axis_ref"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AxisRef:
        return parse_axis(parser)

    def print_parameter(self, printer: Printer) -> None:
        print_axis(printer, self.data)

    def verify(self) -> None:
        verify_axis(self.data)


@irdl_attr_definition
class AxisRefListAttr(OpaqueSyntaxAttribute, Data[tuple[AxisRef, ...]]):
    """`#sdy<axis_ref_list{"x", "y"}>`"""

    name = "sdy.axis_ref_list"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[AxisRef, ...]:
        return parse_axes(parser)

    def print_parameter(self, printer: Printer) -> None:
        print_axes(printer, self.data)

    def verify(self) -> None:
        for axis in self.data:
            verify_axis(axis)


@irdl_attr_definition
class ListOfAxisRefListsAttr(OpaqueSyntaxAttribute, Data[tuple[tuple[AxisRef, ...], ...]]):
    """`#sdy<list_of_axis_ref_lists[{"x"}, {}]>`: axes for each dimension of a tensor."""

    name = "sdy.list_of_axis_ref_lists"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[tuple[AxisRef, ...], ...]:
        return parse_list(parser, parser.Delimiter.SQUARE, parse_axes)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_square_brackets():
            printer.print_list(self.data, lambda axes: print_axes(printer, axes))

    def verify(self) -> None:
        for axes in self.data:
            for axis in axes:
                verify_axis(axis)


@irdl_attr_definition
class ManualAxesAttr(OpaqueSyntaxAttribute, Data[tuple[str, ...]]):
    """`#sdy<manual_axes{"x", "y"}>`: whole axes, by name."""

    name = "sdy.manual_axes"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[str, ...]:
        return parse_list(parser, parser.Delimiter.BRACES, lambda parser: parser.parse_str_literal())

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_braces():
            printer.print_list(self.data, printer.print_string_literal)


class AllToAllParam(NamedTuple):
    """The axes that move from splitting dimension `source` to splitting `target`."""

    axes: tuple[AxisRef, ...]
    source: int
    target: int


def _parse_all_to_all(parser: AttrParser) -> AllToAllParam:
    axes = parse_axes(parser)
    parser.parse_punctuation(":")
    source = parser.parse_integer()
    parser.parse_punctuation("->")
    return AllToAllParam(axes, source, parser.parse_integer())


def _print_all_to_all(printer: Printer, parameter: AllToAllParam) -> None:
    print_axes(printer, parameter.axes)
    printer.print_string(f": {parameter.source}->{parameter.target}")


@irdl_attr_definition
class AllToAllParamAttr(OpaqueSyntaxAttribute, Data[AllToAllParam]):
    """`#sdy<all_to_all_param{"x"}: 0->1>`"""

    name = "sdy.all_to_all_param"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> AllToAllParam:
        return _parse_all_to_all(parser)

    def print_parameter(self, printer: Printer) -> None:
        _print_all_to_all(printer, self.data)


@irdl_attr_definition
class AllToAllParamListAttr(OpaqueSyntaxAttribute, Data[tuple[AllToAllParam, ...]]):
    """`#sdy<all_to_all_param_list[{"x"}: 0->1]>`"""

    name = "sdy.all_to_all_param_list"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[AllToAllParam, ...]:
        return parse_list(parser, parser.Delimiter.SQUARE, _parse_all_to_all)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_square_brackets():
            printer.print_list(self.data, lambda parameter: _print_all_to_all(printer, parameter))
