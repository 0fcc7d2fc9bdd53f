"""Where loops go and what the nests of a function share; loops around finished bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from typing import cast

from typing_extensions import TypeIs
from xdsl.dialects import affine, arith, complex, func, memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseIntElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from ...decisions.model import CostModel
from ...dialects import locating
from ...dialects.editing import append, insert_before, new_op
from ...dialects.shared_attributes import i32_array, i64_attribute, index_attribute, memref_type
from ...ir.affine import AffineSum

STEP_ONE = index_attribute(1)


@dataclass
class Cursor:
    """A place to insert operations: before `anchor`, or at the end of `block`."""

    block: Block
    anchor: Operation | None = None

    def add(self, op: Operation) -> None:
        if locating.is_on:
            locating.mark(op)
        if self.anchor is None:
            append(self.block, op)
        else:
            insert_before(op, self.anchor)


@dataclass
class FunctionState:
    """What the nests of one function share.

    `entry`: its entry block; `scratch`: where memory of the thread at work is allocated; `threads`: how many there may
    be; `constants` by value; `flat_views`: one-dimensional views by memref; `known`: scalars in memory whose value is
    at hand, valid at the place of insertion; `virtual`: buffers of one element that live in `known` only.
    """

    entry: Block
    scratch: Cursor
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
        state = FunctionState(entry, Cursor(entry, entry.first_op), model, threads)
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
            type = cast(MemRefType, value.type)
            shape = type.get_shape()
            if len(shape) == 1:
                return value
            op = new_op(
                memref.CollapseShapeOp,
                operands=[value],
                properties={"reassociation": _one_group(len(shape))},
                result_types=[memref_type(type.element_type, prod(shape))],
            )
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


# Loops


@cache
def _bounds(*values: int) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(0, 0, tuple(map(AffineConstantExpr, values))))


@cache
def _one_group(rank: int) -> Attribute:
    """The reassociation of `rank` dimensions into one."""
    return ArrayAttr([ArrayAttr([i64_attribute(d) for d in range(rank)])])


@cache
def _ones(count: int) -> Attribute:
    return DenseIntElementsAttr.from_list(TensorType(i32, [count]), [1] * count)


def _for(
    lower: AffineMapAttr, upper: AffineMapAttr, bounds: Sequence[SSAValue], inits: Sequence[SSAValue], body: Block
) -> affine.ForOp:
    return new_op(
        affine.ForOp,
        operands=[*bounds, *bounds, *inits],
        result_types=[value.type for value in inits],
        properties={
            "lowerBoundMap": lower,
            "upperBoundMap": upper,
            "step": STEP_ONE,
            "operandSegmentSizes": i32_array(len(bounds), len(bounds), len(inits)),
        },
        regions=[Region(body)],
    )


def for_loop(extent: int, body: Block, inits: Sequence[SSAValue] = ()) -> affine.ForOp:
    """`affine.for 0 to extent` around a finished `body`."""
    return _for(_bounds(0), _bounds(extent), (), inits, body)


def block_loop(counter: SSAValue, size: int, extent: int, body: Block, inits: Sequence[SSAValue] = ()) -> affine.ForOp:
    """`affine.for 0 to min(size, extent - %counter * size)` around a finished `body`."""
    ends = (AffineConstantExpr(size), AffineDimExpr(0) * -size + extent)
    lower, upper = (AffineMapAttr(AffineMap(1, 0, bounds)) for bounds in ((AffineConstantExpr(0),), ends))
    return _for(lower, upper, (counter,), inits, body)


def parallel_loop(extents: Sequence[int], body: Block) -> affine.ParallelOp:
    """`affine.parallel (...) = (0, ...) to extents` around a finished `body`."""
    count = len(extents)
    return new_op(
        affine.ParallelOp,
        properties={
            "reductions": ArrayAttr[Attribute]([]),
            "lowerBoundsMap": _bounds(*[0] * count),
            "lowerBoundsGroups": _ones(count),
            "upperBoundsMap": _bounds(*extents),
            "upperBoundsGroups": _ones(count),
            "steps": ArrayAttr([i64_attribute(1)] * count),
        },
        regions=[Region(body)],
    )
