"""The ops of the `sdy` dialect on one tensor: `sdy.reshard %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>`."""

from __future__ import annotations

from abc import ABC
from typing import Self

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..editing import new_op
from .axis_attributes import parse_short
from .sharding_attributes import TensorShardingAttr


class TensorOp(IRDLOperation, ABC):
    """One operand, and results of its type. Properties stand in front of the operand or behind it."""

    tensor = operand_def()

    @classmethod
    def parse_before(cls, parser: Parser) -> dict[str, Attribute]:
        """The properties in front of the operand."""
        return {}

    @classmethod
    def parse_behind(cls, parser: Parser) -> dict[str, Attribute]:
        """Those behind it."""
        return {}

    def print_before(self, printer: Printer) -> None:
        """Prints those in front of it."""

    def print_behind(self, printer: Printer) -> None:
        """Those behind it."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties = cls.parse_before(parser)
        operand = parser.parse_unresolved_operand()
        properties |= cls.parse_behind(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        results = [type] * len(cls.get_irdl_definition().results)
        return new_op(cls, [parser.resolve_operand(operand, type)], results, properties, attributes)

    def print(self, printer: Printer) -> None:
        self.print_before(printer)
        printer.print_string(" ")
        printer.print_operand(self.tensor)
        self.print_behind(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.tensor.type)


class ForwardingOp(TensorOp, ABC):
    """One result, which as a whole is the operand."""

    result = result_def()

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if self.tensor.type != self.result.type:
            raise VerifyException(f"operand of type {self.tensor.type}, result of type {self.result.type}")


def parse_key(parser: Parser, name: str) -> None:
    """`name=`"""
    parser.parse_keyword(name)
    parser.parse_punctuation("=")


def parse_sharding(parser: Parser) -> TensorShardingAttr:
    """`<@mesh, [{"x"}, {}]>`"""
    return TensorShardingAttr(parse_short(parser, TensorShardingAttr, TensorShardingAttr.parse_parameter))
