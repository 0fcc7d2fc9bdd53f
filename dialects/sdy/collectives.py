"""The ops of the `sdy` dialect that change how a tensor is split: the tensor stays the same as a whole.

    %1 = sdy.all_gather [{"y"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>

Source: openxla/shardy, shardy/dialect/sdy/ir/ops.td.
"""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import (
    irdl_op_definition,
    opt_prop_def,
    prop_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .axis_attributes import AllToAllParamListAttr, AxisRefListAttr, ListOfAxisRefListsAttr, parse_short
from .sharding_attributes import REDUCTIONS, TensorShardingAttr
from .tensor_op import ForwardingOp, parse_key, parse_sharding

Axes = tuple[str, type[AllToAllParamListAttr] | type[AxisRefListAttr] | type[ListOfAxisRefListsAttr]]


class CollectiveOp(ForwardingOp, ABC):
    """The operand, split as `out_sharding` says."""

    AXES: ClassVar[Axes | None] = None
    """The property that says between which devices, and its form."""
    REDUCES: ClassVar[bool] = False

    out_sharding = prop_def(TensorShardingAttr)

    @classmethod
    def parse_before(cls, parser: Parser) -> dict[str, Attribute]:
        properties: dict[str, Attribute] = {}
        if cls.REDUCES:
            for number, word in enumerate(REDUCTIONS):
                if parser.parse_optional_keyword(word):
                    properties["reduction_op"] = IntegerAttr(number, i32)
        if cls.AXES is not None:
            name, attribute = cls.AXES
            parameter: Any = parse_short(parser, attribute, attribute.parse_parameter)
            properties[name] = attribute(parameter)
        return properties

    @classmethod
    def parse_behind(cls, parser: Parser) -> dict[str, Attribute]:
        parse_key(parser, "out_sharding")
        return {"out_sharding": parse_sharding(parser)}

    def print_before(self, printer: Printer) -> None:
        reduction = self.properties.get("reduction_op")
        if isinstance(reduction, IntegerAttr) and reduction.value.data:
            printer.print_string(f" {REDUCTIONS[reduction.value.data]}")
        if self.AXES is not None:
            printer.print_string(" ")
            axes: Any = self.properties[self.AXES[0]]
            axes.print_parameter(printer)

    def print_behind(self, printer: Printer) -> None:
        printer.print_string(" out_sharding=")
        self.out_sharding.print_parameter(printer)

    def verify_(self) -> None:
        super().verify_()
        reduction = self.properties.get("reduction_op")
        if isinstance(reduction, IntegerAttr) and not 0 <= reduction.value.data < len(REDUCTIONS):
            raise VerifyException(f"there is no reduction number {reduction.value.data}")


@irdl_op_definition
class AllGatherOp(CollectiveOp):
    """Each dimension is not split over `gathering_axes` any more, which were its last ones."""

    name = "sdy.all_gather"
    AXES: ClassVar[Axes | None] = ("gathering_axes", ListOfAxisRefListsAttr)

    gathering_axes = prop_def(ListOfAxisRefListsAttr)


@irdl_op_definition
class AllSliceOp(CollectiveOp):
    """Each dimension is split over `slicing_axes` too: each device keeps its part."""

    name = "sdy.all_slice"
    AXES: ClassVar[Axes | None] = ("slicing_axes", ListOfAxisRefListsAttr)

    slicing_axes = prop_def(ListOfAxisRefListsAttr)


@irdl_op_definition
class AllToAllOp(CollectiveOp):
    """Axes that split one dimension split another one: `[{"x"}: 0->1]`."""

    name = "sdy.all_to_all"
    AXES: ClassVar[Axes | None] = ("params", AllToAllParamListAttr)

    params = prop_def(AllToAllParamListAttr)


@irdl_op_definition
class CollectivePermuteOp(CollectiveOp):
    """Each dimension is split into as many parts over other axes: parts go from device to device."""

    name = "sdy.collective_permute"


@irdl_op_definition
class AllReduceOp(CollectiveOp):
    """What the devices have is combined over `reduction_axes`."""

    name = "sdy.all_reduce"
    AXES: ClassVar[Axes | None] = ("reduction_axes", AxisRefListAttr)
    REDUCES: ClassVar[bool] = True

    reduction_axes = prop_def(AxisRefListAttr)
    reduction_op = opt_prop_def(IntegerAttr)


@irdl_op_definition
class ReduceScatterOp(CollectiveOp):
    """What the devices have is combined over `reduce_scatter_axes`, which split the result."""

    name = "sdy.reduce_scatter"
    AXES: ClassVar[Axes | None] = ("reduce_scatter_axes", ListOfAxisRefListsAttr)
    REDUCES: ClassVar[bool] = True

    reduce_scatter_axes = prop_def(ListOfAxisRefListsAttr)
    reduction_op = opt_prop_def(IntegerAttr)


@irdl_op_definition
class ShardedToUnreducedOp(CollectiveOp):
    """What is split over `axes` is a sum over them instead, of parts that are zero elsewhere."""

    name = "sdy.sharded_to_unreduced"
    AXES: ClassVar[Axes | None] = ("axes", ListOfAxisRefListsAttr)

    axes = prop_def(ListOfAxisRefListsAttr)


@irdl_op_definition
class ReplicatedToUnreducedOp(CollectiveOp):
    """What is the same over `axes` is a sum over them instead, of zeros but on the first device."""

    name = "sdy.replicated_to_unreduced"
    AXES: ClassVar[Axes | None] = ("axes", AxisRefListAttr)

    axes = prop_def(AxisRefListAttr)
