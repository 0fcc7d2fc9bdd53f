"""The ops of the `sdy` dialect that say how values are to be spread, and do nothing to them.

    sdy.mesh @mesh = <["x"=2]>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>

Source: openxla/shardy, shardy/dialect/sdy/ir/ops.td.
"""

from __future__ import annotations

from abc import ABC
from typing import Self

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
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
from .mesh_attributes import MeshAttr, parse_mesh
from .sharding_attributes import TensorShardingAttr


@irdl_op_definition
class MeshOp(IRDLOperation):
    """Declares a mesh of devices: `sdy.mesh @mesh = <["x"=2, "y"=4]>`; no operands, no results."""

    name = "sdy.mesh"

    sym_name = prop_def(StringAttr)
    mesh = prop_def(MeshAttr)

    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        parser.parse_punctuation("=")
        mesh = MeshAttr(parse_mesh(parser))
        attributes = parser.parse_optional_attr_dict()
        return new_op(cls, properties={"sym_name": name, "mesh": mesh}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" = ")
        self.mesh.print_parameter(printer)
        printer.print_op_attributes(self.attributes)


class ShardingOp(IRDLOperation, ABC):
    """One operand and one result of its type, between them a sharding `<@mesh, [{"x"}, {}]>`."""

    input = operand_def()
    sharding = prop_def(TensorShardingAttr)
    result = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operand = parser.parse_unresolved_operand()
        sharding = TensorShardingAttr(TensorShardingAttr.parse_parameter(parser))
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
        self.sharding.print_parameter(printer)
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
