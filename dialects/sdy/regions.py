"""The ops of the `sdy` dialect that have a region.

    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
        (%a: tensor<4xf32>) {
      sdy.return %a : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>

Source: openxla/shardy, shardy/dialect/sdy/ir/{ops.td,parsers.cc}.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Self, TypeVar

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..editing import new_op
from .axis_attributes import ManualAxesAttr, parse_short
from .sharding_attributes import TensorShardingPerValueAttr, parse_shardings, print_shardings
from .tensor_op import parse_key


@irdl_op_definition
class ReturnOp(IRDLOperation):
    """Ends the region of an op of this dialect: `sdy.return %0, %1 : tensor<4xf32>, tensor<i32>`."""

    name = "sdy.return"

    results_ = var_operand_def()

    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        position = parser.pos
        unresolved = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        if unresolved is None:
            return new_op(cls, attributes=attributes)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands = parser.resolve_operands(unresolved, types, position)
        return new_op(cls, operands=operands, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_operand)
            printer.print_string(" : ")
            printer.print_list(self.operand_types, printer.print_attribute)


@irdl_op_definition
class ManualComputationOp(IRDLOperation):
    """Runs its region on each device, on the parts of its operands there; its results are joined of parts.

    Operands and results are whole tensors. `in_shardings` and `out_shardings` say how they are split; the arguments of
    the region, and what it returns, are the parts over `manual_axes`. Over other axes the region is a global program
    still.
    """

    name = "sdy.manual_computation"

    tensors = var_operand_def()
    in_shardings = prop_def(TensorShardingPerValueAttr)
    out_shardings = prop_def(TensorShardingPerValueAttr)
    manual_axes = prop_def(ManualAxesAttr)
    results_ = var_result_def()
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        properties: dict[str, Attribute] = {}
        for name in ("in_shardings", "out_shardings"):
            parse_key(parser, name)
            properties[name] = _shardings(parser)
        parse_key(parser, "manual_axes")
        axes = parse_short(parser, ManualAxesAttr, ManualAxesAttr.parse_parameter)
        properties["manual_axes"] = ManualAxesAttr(axes)
        return _parse_body(cls, parser, operands, properties)

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.operands, printer.print_operand)
        for name, shardings in (("in_shardings", self.in_shardings), ("out_shardings", self.out_shardings)):
            printer.print_string(f" {name}=")
            print_shardings(printer, shardings.data)
        printer.print_string(" manual_axes=")
        self.manual_axes.print_parameter(printer)
        _print_body(printer, self, self.body)

    def verify_(self) -> None:
        _verify_terminator(self, self.body)


@irdl_op_definition
class NamedComputationOp(IRDLOperation):
    """A part of a program with a name, which computes what its region does: `sdy.named_computation<"f">(%0) (%a) {}`"""

    name = "sdy.named_computation"

    computation_name = prop_def(StringAttr, prop_name="name")
    tensors = var_operand_def()
    in_shardings = opt_prop_def(TensorShardingPerValueAttr)
    out_shardings = opt_prop_def(TensorShardingPerValueAttr)
    results_ = var_result_def()
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        with parser.in_angle_brackets():
            properties: dict[str, Attribute] = {"name": StringAttr(parser.parse_str_literal())}
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        for name in ("in_shardings", "out_shardings"):
            if parser.parse_optional_keyword(name):
                parser.parse_punctuation("=")
                properties[name] = _shardings(parser)
        return _parse_body(cls, parser, operands, properties)

    def print(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.computation_name.data)
        with printer.in_parens():
            printer.print_list(self.operands, printer.print_operand)
        for name, shardings in (("in_shardings", self.in_shardings), ("out_shardings", self.out_shardings)):
            if shardings is not None:
                printer.print_string(f" {name}=")
                print_shardings(printer, shardings.data)
        _print_body(printer, self, self.body)

    def verify_(self) -> None:
        inner = [argument.type for argument in self.body.block.args]
        if inner != list(self.operand_types):
            raise VerifyException(f"operands of types {_list(self.operand_types)} for a region of {_list(inner)}")
        returned = _verify_terminator(self, self.body).operand_types
        if list(returned) != list(self.result_types):
            raise VerifyException(f"results of types {_list(self.result_types)}, the region returns {_list(returned)}")


RegionOp = TypeVar("RegionOp", ManualComputationOp, NamedComputationOp)


def _list(types: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"


def _verify_terminator(op: Operation, region: Region) -> Operation:
    """The `sdy.return` at the end of the region."""
    last = region.block.last_op
    if not isinstance(last, ReturnOp):
        raise VerifyException("expected sdy.return at the end of the region")
    return last


def _parse_argument(parser: Parser) -> Parser.Argument:
    argument = parser.parse_argument()
    assert isinstance(argument, parser.Argument)
    location = parser.parse_optional_location()
    return parser.Argument(argument.name, argument.type, location)


def _shardings(parser: Parser) -> TensorShardingPerValueAttr:
    return TensorShardingPerValueAttr(parse_short(parser, TensorShardingPerValueAttr, parse_shardings))


def _parse_body(
    cls: type[RegionOp], parser: Parser, operands: Sequence[UnresolvedOperand], properties: dict[str, Attribute]
) -> RegionOp:
    """`(%a: type) {...} {attributes} : (types) -> types`"""
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse_argument(parser))
    region = _parse_isolated(parser, arguments)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_function_type()
    resolved = parser.resolve_operands(operands, type.inputs.data, position)
    return new_op(cls, resolved, type.outputs.data, properties, attributes, regions=[region])


def _parse_isolated(parser: Parser, arguments: Sequence[Parser.Argument]) -> Region:
    """A region that sees no values from outside, whose names it may use again. It may end without `sdy.return`."""
    outside, references = parser.ssa_values, parser.forward_ssa_references
    parser.ssa_values, parser.forward_ssa_references = {}, defaultdict(dict)
    region = parser.parse_region(arguments)
    if parser.forward_ssa_references:
        parser.raise_error(f"value %{next(iter(parser.forward_ssa_references))} is not defined in the region")
    parser.ssa_values, parser.forward_ssa_references = outside, references
    last = region.blocks.last
    if last is not None and not isinstance(last.last_op, ReturnOp):
        last.add_op(ReturnOp.create())
    return region


def _print_body(printer: Printer, op: ManualComputationOp | NamedComputationOp, region: Region) -> None:
    printer.print_string(" ")
    with printer.in_parens():
        printer.print_list(region.block.args, printer.print_block_argument)
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False, print_empty_block=False)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(FunctionType.from_lists(op.operand_types, op.result_types))
