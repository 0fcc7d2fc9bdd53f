"""The ops of Shardy's `sdy` dialect that JAX leaves in programs: how values are spread over the devices of a mesh.

    sdy.mesh @mesh = <["x"=2]>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>

On one process none of them does anything: `stablehlo-erase-sharding` takes them away, the reference interpreter passes
operands on. Attributes of the dialect are kept as their text.

Source: openxla/shardy, shardy/dialect/sdy/ir/ops.td.
"""

from __future__ import annotations

import sys
from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnregisteredAttr, i64
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    attr_def,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SymbolOpInterface

from ..editing import new_op
from ..registration import ops_of


def _parse_text_attribute(parser: Parser, name: str) -> Attribute:
    """The parameters `<...>` of the attribute `#sdy.NAME`, kept as text."""
    full_name = f"sdy.{name}"
    body = parser._parse_dialect_symbol_body()  # pyright: ignore[reportPrivateUsage]
    return UnregisteredAttr.with_name_and_type(full_name, False)(full_name, False, False, body)


def _print_text_attribute(printer: Printer, attribute: Attribute) -> None:
    if isinstance(attribute, UnregisteredAttr):
        printer.print_string(f"<{attribute.value.data}>")
    else:
        printer.print_attribute(attribute)


@irdl_op_definition
class MeshOp(IRDLOperation):
    """Declares a mesh of devices: `sdy.mesh @mesh = <["x"=2, "y"=4]>`; no operands, no results."""

    name = "sdy.mesh"

    sym_name = prop_def(StringAttr)
    mesh = prop_def(AnyAttr())

    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        parser.parse_punctuation("=")
        mesh = _parse_text_attribute(parser, "mesh")
        attributes = parser.parse_optional_attr_dict()
        return new_op(cls, properties={"sym_name": name, "mesh": mesh}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" = ")
        _print_text_attribute(printer, self.mesh)
        printer.print_op_attributes(self.attributes)


class ShardingOp(IRDLOperation, ABC):
    """One operand and one result of its type, between them a sharding `<@mesh, [{"x"}, {}]>`."""

    ATTRIBUTE: ClassVar[str] = "sharding"

    input = operand_def()
    sharding = prop_def(AnyAttr())
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        sharding = _parse_text_attribute(parser, "sharding")
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return new_op(
            cls,
            operands=[parser.resolve_operand(operand, type)],
            result_types=[type],
            properties={"sharding": sharding},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.input)
        printer.print_string(" ")
        _print_text_attribute(printer, self.sharding)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ShardingConstraintOp(ShardingOp):
    """Its operand, which is to be spread over a mesh as `sharding` says; any ranked tensor."""

    name = "sdy.sharding_constraint"


@irdl_op_definition
class ReshardOp(ShardingOp):
    """Its operand, spread over a mesh in another way from here on; any ranked tensor."""

    name = "sdy.reshard"


@irdl_op_definition
class ShardingGroupOp(IRDLOperation):
    """Puts a tensor into a group that is spread alike: `sdy.sharding_group %0 group_id = 1 : tensor<4xf32>`."""

    name = "sdy.sharding_group"

    input = operand_def()
    group_id = prop_def(IntegerAttr)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("group_id")
        parser.parse_punctuation("=")
        group = IntegerAttr(parser.parse_integer(), i64)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        return new_op(
            cls, operands=[parser.resolve_operand(operand, type)], properties={"group_id": group}, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_operand(self.input)
        printer.print_string(f" group_id={self.group_id.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.input.type)


@irdl_op_definition
class PropagationBarrierOp(IRDLOperation):
    """Its operand; shardings pass it in the allowed direction only."""

    name = "sdy.propagation_barrier"

    input = operand_def()
    allowed_direction = attr_def(AnyAttr())
    result = result_def()

    traits = traits_def(Pure())


SDY = Dialect("sdy", [*ops_of(sys.modules[__name__])], [])


def forwarded(op: IRDLOperation) -> Sequence[SSAValue] | None:
    """The values the results of an op of this dialect are; None for an op of another one."""
    if isinstance(op, MeshOp | ShardingGroupOp):
        return ()
    if isinstance(op, ShardingOp | PropagationBarrierOp):
        return (op.input,)
    return None
