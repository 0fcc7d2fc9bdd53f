"""Which elements of a buffer an iteration of a loop accesses, from affine maps alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects import affine
from xdsl.dialects.builtin import MemRefType, NoneAttr, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from ...ir.affine import AffineSum, NotLinear, Variable, dimension, from_expr, linearize
from ...ir.loops import AFFINE_LOOPS, extent_of_counter
from ...ir.structured import constant_index

AFFINE_LOADS = (affine.LoadOp, affine.VectorLoadOp)
AFFINE_STORES = (affine.StoreOp, affine.VectorStoreOp)


class Span(NamedTuple):
    """Where the accesses of iteration `n` of a loop lie: elements `stride * n + first` to `stride * n + last`."""

    stride: int
    first: int
    last: int


Known = dict[SSAValue, AffineSum]
"""Indices met so far, in terms of loop counters."""


def _value(operand: SSAValue, known: Known) -> AffineSum:
    """`operand` in terms of loop counters. Raises `NotLinear`."""
    if operand in known:
        return known[operand]
    owner = operand.owner
    if isinstance(owner, affine.ApplyOp):
        (index,) = _results(owner.map.data, owner.mapOperands, known)
    elif (constant := constant_index(operand)) is not None:
        index = AffineSum({}, constant)
    elif isinstance(owner, Block) and isinstance(owner.parent_op(), AFFINE_LOOPS):
        index = dimension(operand)
    else:
        raise NotLinear
    known[operand] = index
    return index


def _results(map: AffineMap, operands: Sequence[SSAValue], known: Known) -> list[AffineSum]:
    """What `map` gives for these operands."""
    values = [_value(operand, known) for operand in operands]
    dims, symbols = values[: map.num_dims], values[map.num_dims :]
    return [from_expr(expr, dims, (), symbols) for expr in map.results]


def span_of(access: Operation, counter: SSAValue, known: Known) -> Span | None:
    """What the load or store `access` touches in an iteration of the loop over `counter`."""
    position = 0 if access.__class__ in AFFINE_LOADS else 1
    type = cast("MemRefType[Attribute]", access.operands[position].type)
    if not isinstance(type.layout, NoneAttr):
        return None
    try:
        indices = _results(cast("affine.LoadOp", access).map.data, access.operands[position + 1 :], known)
    except NotLinear:
        return None
    moved = access.results[0].type if access.results else access.operands[0].type
    lanes = moved.get_shape()[0] if isinstance(moved, VectorType) else 1
    return _span(linearize(indices, type.get_shape()), counter, lanes)


def _span(flat: AffineSum, counter: SSAValue, lanes: int) -> Span | None:
    stride = flat.stride(counter)
    if stride is None:
        return None
    others = flat + dimension(counter) * -stride if stride else flat
    between = others.range(_extent)
    return between and Span(stride, between[0], between[1] + lanes - 1)


def _extent(counter: Variable) -> int | None:
    return extent_of_counter(cast(SSAValue, counter))
