"""Constants and arithmetic of type `index`, one op in front of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

from ..dialects.editing import insert_before, new_op
from ..dialects.shared_attributes import INDEX, index_attribute

NO_WRAP: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])}
"""For sums and products that are places in memory or counters of loops."""


def index_constant(value: int, anchor: Operation) -> SSAValue:
    """`value`, in front of `anchor`."""
    return index_op(arith.ConstantOp, (), anchor, {"value": index_attribute(value)})


def index_op(
    op_type: type[Operation],
    operands: Sequence[SSAValue],
    anchor: Operation,
    properties: Mapping[str, Attribute] = MappingProxyType({}),
) -> SSAValue:
    """The result of a new op in front of `anchor`."""
    op = new_op(op_type, operands, (INDEX,), properties)
    insert_before(op, anchor)
    return op.results[0]
