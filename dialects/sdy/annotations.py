"""The ops of the `sdy` dialect that say how values are to be spread, and do nothing to them.

    sdy.mesh @mesh = <["x"=2]>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<4x4xf32>

Source: openxla/shardy, shardy/dialect/sdy/ir/ops.td.
"""

from __future__ import annotations

from abc import ABC
from typing import Self

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, StringAttr, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from ..dense_syntax import parse_dense, print_dense
from ..editing import new_op
from .axis_attributes import parse_short
from .mesh_attributes import MeshAttr, parse_mesh
from .sharding_attributes import TensorShardingAttr
from .tensor_op import ForwardingOp, TensorOp, parse_key, parse_sharding


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
        mesh = MeshAttr(parse_short(parser, MeshAttr, parse_mesh))
        attributes = parser.parse_optional_attr_dict()
        return new_op(cls, properties={"sym_name": name, "mesh": mesh}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" = ")
        self.mesh.print_parameter(printer)
        printer.print_op_attributes(self.attributes)


class ShardingOp(ForwardingOp, ABC):
    """Its operand, with a sharding `<@mesh, [{"x"}, {}]>` behind it."""

    sharding = prop_def(TensorShardingAttr)

    @classmethod
    def parse_behind(cls, parser: Parser) -> dict[str, Attribute]:
        return {"sharding": parse_sharding(parser)}

    def print_behind(self, printer: Printer) -> None:
        printer.print_string(" ")
        self.sharding.print_parameter(printer)


@irdl_op_definition
class ShardingConstraintOp(ShardingOp):
    """Its operand, which is to be spread over a mesh as `sharding` says; any ranked tensor."""

    name = "sdy.sharding_constraint"


@irdl_op_definition
class ReshardOp(ShardingOp):
    """Its operand, spread over a mesh in another way from here on; any ranked tensor."""

    name = "sdy.reshard"


@irdl_op_definition
class ShardingGroupOp(TensorOp):
    """Puts a tensor into a group that is spread alike: `sdy.sharding_group %0 group_id = 1 : tensor<4xf32>`."""

    name = "sdy.sharding_group"

    group_id = prop_def(IntegerAttr)

    @classmethod
    def parse_behind(cls, parser: Parser) -> dict[str, Attribute]:
        parse_key(parser, "group_id")
        return {"group_id": IntegerAttr(parser.parse_integer(), i64)}

    def print_behind(self, printer: Printer) -> None:
        printer.print_string(f" group_id={self.group_id.value.data}")


DIRECTIONS = ("NONE", "FORWARD", "BACKWARD", "BOTH")


@irdl_op_definition
class PropagationBarrierOp(ForwardingOp):
    """Its operand; shardings pass in the allowed direction only: `allowed_direction=FORWARD`, `BACKWARD` or `NONE`."""

    name = "sdy.propagation_barrier"

    allowed_direction = prop_def(IntegerAttr)

    @property
    def direction(self) -> str:
        """Its name."""
        return DIRECTIONS[self.allowed_direction.value.data]

    @classmethod
    def parse_behind(cls, parser: Parser) -> dict[str, Attribute]:
        parse_key(parser, "allowed_direction")
        position = parser.pos
        word = parser.parse_identifier("a direction")
        if word not in DIRECTIONS:
            parser.raise_error(f"expected one of {', '.join(DIRECTIONS)}, got {word}", position)
        return {"allowed_direction": IntegerAttr(DIRECTIONS.index(word), i32)}

    def print_behind(self, printer: Printer) -> None:
        printer.print_string(f" allowed_direction={self.direction}")

    def verify_(self) -> None:
        number = self.allowed_direction.value.data
        if not 0 <= number < len(DIRECTIONS):
            raise VerifyException(f"there is no direction number {number}")
        if self.direction == "BOTH":
            raise VerifyException("cannot specify `BOTH` as the direction: the op would be redundant")
        super().verify_()


@irdl_op_definition
class DataFlowEdgeOp(ForwardingOp):
    """Its operand, which stands for all values that an op such as a loop passes from one to the other and that are to
    be split alike; `sharding`, where there is one, is theirs. Propagation puts it into programs and takes it away.
    """

    name = "sdy.data_flow_edge"

    sharding = opt_prop_def(TensorShardingAttr)

    @classmethod
    def parse_behind(cls, parser: Parser) -> dict[str, Attribute]:
        if not parser.parse_optional_keyword("sharding"):
            return {}
        parser.parse_punctuation("=")
        return {"sharding": parse_sharding(parser)}

    def print_behind(self, printer: Printer) -> None:
        if self.sharding is not None:
            printer.print_string(" sharding=")
            self.sharding.print_parameter(printer)


@irdl_op_definition
class FuncDataFlowEdgeOp(ForwardingOp):
    """Its operand, an argument of a function or a result of a call, which stands for the values that calls pass."""

    name = "sdy.func_data_flow_edge"


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A tensor known at compile time, split in its own way at each use: `sdy.constant dense<1.0> : tensor<4xf32>`"""

    name = "sdy.constant"

    value = prop_def(DenseIntOrFPElementsAttr)
    output = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        value = parse_dense(parser)
        return new_op(cls, result_types=[value.type], properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        print_dense(printer, self.value)

    def verify_(self) -> None:
        if self.value.type != self.output.type:
            raise VerifyException(f"value of type {self.value.type} for result of type {self.output.type}")
