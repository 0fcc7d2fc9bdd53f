"""What the nests of a function share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from typing_extensions import TypeIs
from xdsl.dialects import arith, complex, func
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, ComplexType, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects.editing import append, insert_before, new_op
from ...ir.affine import AffineSum
from ...ir.affine_builder import AffineBuilder, flat_view


@dataclass
class FunctionState:
    """What the nests of one function share.

    `entry`: its entry block; `scratch`: where memory of the thread at work is allocated; `threads`: how many there may
    be; `constants` by value; `flat_views`: one-dimensional views by memref; `known`: scalars in memory whose value is
    at hand, valid at the place of insertion; `virtual`: buffers of one element that live in `known` only.
    """

    entry: Block
    scratch: AffineBuilder
    model: CostModel
    threads: int
    constants: dict[object, SSAValue] = field(default_factory=dict[object, SSAValue])
    flat_views: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    known: dict[tuple[SSAValue, AffineSum], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, AffineSum], SSAValue]
    )
    virtual: set[SSAValue] = field(default_factory=set[SSAValue])

    @staticmethod
    def of(function: func.FuncOp, model: CostModel, threads: int) -> FunctionState:
        """What there is before the first nest."""
        entry = function.body.block
        state = FunctionState(entry, AffineBuilder(entry, entry.first_op), model, threads)
        for op in entry.ops:
            if type(op) is arith.ConstantOp or type(op) is complex.ConstantOp:
                state.constants.setdefault(constant_key(op.value), op.results[0])
        return state

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        """A constant at the top of the function."""
        key = constant_key(value)
        found = self.constants.get(key)
        if found is None:
            op = constant_op(value, type)
            insert_first(self.entry, op)
            found = self.constants[key] = op.results[0]
        return found

    def zero(self, type: Attribute) -> SSAValue:
        """A value for what was never written."""
        if _is_complex(type):
            return self.constant(ArrayAttr([FloatAttr(0.0, type.element_type)] * 2), type)
        zero = FloatAttr(0.0, type) if isinstance(type, AnyFloat) else IntegerAttr(0, type)  # pyright: ignore
        return self.constant(zero, type)

    def flat_view(self, value: SSAValue) -> SSAValue:
        """The dense memref `value` as one dimension, next to its definition."""
        found = self.flat_views.get(value)
        if found is None:
            op = flat_view(value)
            if op is None:
                return value
            owner = value.owner
            if isinstance(owner, Block):
                insert_first(owner, op)
            else:
                assert owner.parent is not None
                owner.parent.insert_op_after(op, owner)
            found = self.flat_views[value] = op.results[0]
        return found

    def forget(self, root: SSAValue) -> None:
        """The contents of `root` have changed."""
        for key in [key for key in self.known if key[0] is root]:
            del self.known[key]


def _is_complex(type: Attribute) -> TypeIs[ComplexType[AnyFloat]]:
    return isinstance(type, ComplexType)


def constant_op(value: Attribute, type: Attribute) -> Operation:
    """The constant, not inserted anywhere yet."""
    op_type = complex.ConstantOp if _is_complex(type) else arith.ConstantOp
    return new_op(op_type, properties={"value": value}, result_types=[type])


def constant_key(value: Attribute) -> object:
    """What tells constants apart: equality of float attributes does not tell 0.0 from -0.0."""
    if isinstance(value, FloatAttr):
        number = cast("FloatAttr[AnyFloat]", value)
        return number.type, number.value.data.hex()
    if isinstance(value, ArrayAttr):
        return tuple(constant_key(part) for part in cast("ArrayAttr[Attribute]", value).data)
    return value


def insert_first(block: Block, op: Operation) -> None:
    """`op` as the first of `block`."""
    if block.first_op is None:
        append(block, op)
    else:
        insert_before(op, block.first_op)
