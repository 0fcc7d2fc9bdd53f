"""Reductions to the index of the greatest or least element, in two that vectorise: to that element, then to the first
index where it stands.

A reduction of pairs of element and index is one chain of dependent selections. A recognised body only compares and
selects, and for two elements in this order, whatever they are, it keeps the index of the first one unless the second is
greater (less); the first NaN comes before everything:

    for i: m = max(m, x[i])
    for i: k = min(k, x[i] == m or x[i] != x[i] ? i : greatest integer)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import SSAValue

from ...dialects import stablehlo
from ...dialects.dense import pack_element
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.fold_elementwise import neutral_element
from ...dialects.stablehlo.shapes import shape_of
from ...reference.arrays import shape_and_dtype
from .arithmetic import MAXIMUM, MINIMUM
from .attributes import (
    Kind,
    accumulator,
    element_of,
    identity,
    is_float,
    is_unsigned,
    kind_of,
    leading,
    signless,
)
from .builder import Lowered, Lowering, Scalars, Splat
from .indices import counts_along

Array = NDArray[Any]
_SELECTING = (stablehlo.CompareOp, stablehlo.SelectOp, stablehlo.ReturnOp)
_LOGICAL = (stablehlo.AndOp, stablehlo.OrOp, stablehlo.NotOp, stablehlo.XorOp)


def lower_arg_reduction(ctx: Lowering, op: stablehlo.ReduceOp) -> Sequence[Lowered] | None:
    """The results, of which the first has no reader; None if `op` is no such reduction along the last dimension."""
    if len(op.inputs) != 2 or op.results[0].first_use is not None:
        return None
    rank, shape = len(shape_of(op.inputs[0])), shape_of(op.inputs[0])
    if 0 in shape or op.dimensions.get_values() != (rank - 1,) or not counts_along(op.inputs[1], rank - 1):
        return None
    element, index = (element_of(value) for value in op.inputs)
    if kind_of(element) in (Kind.COMPLEX, Kind.OTHER) or (
        accumulator(element) != element and element_bits(element) < 16
    ):
        return None
    worst, first = (ctx.lowered(value) for value in op.init_values)
    greatest = _finds(op) if [element_of(result) for result in op.results] == [element, index] else None
    if greatest is None or not isinstance(worst, Splat) or not isinstance(first, Splat):
        return None
    neutral = neutral_element(stablehlo.MaxOp if greatest else stablehlo.MinOp, element)
    if pack_element(element, worst.number) != neutral or first.number != 0:
        return None
    return _lower(ctx, op, greatest, worst.number)


def _lower(ctx: Lowering, op: stablehlo.ReduceOp, greatest: bool, start: complex) -> Sequence[Lowered]:
    shape, rank = shape_of(op.inputs[0]), len(shape_of(op.inputs[0]))
    element, index = (element_of(value) for value in op.inputs)
    operand = (ctx.tensor(op.inputs[0]), identity(rank))
    wide = accumulator(element)
    kept = leading(rank, rank - 1)

    def better(args: Scalars) -> Scalars:
        value, extreme = (arg.read_as(type) for arg, type in zip(args, (element, wide), strict=True))
        value = value.resized(wide) if is_float(element) else value
        return (extreme.combine(MAXIMUM if greatest else MINIMUM, value),)

    extremes = ctx.fill(start, TensorType(signless(wide), shape[:-1]))
    (extremes,) = ctx.generic([operand], [extremes], kept, better)
    last = (1 << (element_bits(index) - (not is_unsigned(index)))) - 1
    indices = ctx.fill(last, TensorType(signless(index), shape[:-1]))

    def first(args: Scalars) -> Scalars:
        value, extreme, least = args
        if is_float(element):
            value = value.resized(wide)
            found = value.compare("oeq", extreme) | value.compare("uno", value)
        else:
            found = value.compare("eq", extreme)
        here = ctx.loop_index(rank - 1).apply(arith.IndexCastOp, to=index)
        return (least.read_as(index).combine(MINIMUM, found.select(here, last)),)

    (indices,) = ctx.generic([operand, (extremes, kept)], [indices], kept, first)
    unread = ctx.empty(TensorType(signless(element), shape[:-1]))
    return unread, indices


def _finds(op: stablehlo.ReduceOp) -> bool | None:
    """Whether the body of `op` finds the index of the greatest element (else of the least); None if of neither.

    What a body does that only compares depends on how its arguments are ordered, and these cases are few.
    """
    known: set[SSAValue] = {*op.body.block.args}
    for inner in op.body.block.ops:
        is_logical = isinstance(inner, _LOGICAL) and element_of(inner.results[0]) == i1
        if not (isinstance(inner, _SELECTING) or is_logical) or any(operand not in known for operand in inner.operands):
            return None
        known.update(inner.results)
    from ...reference.interpreter import Interpreter

    dtypes = [shape_and_dtype(value.type)[1] for value in op.inputs]
    left, right = (each.astype(dtypes[0]) for each in _pairs(is_float(element_of(op.inputs[0]))))
    earlier, later = np.zeros(left.shape, dtypes[1]), np.ones(left.shape, dtypes[1])
    (_, found) = Interpreter().run_elementwise(op.body, (left, earlier, right, later))
    for greatest in (True, False):
        with np.errstate(invalid="ignore"):
            is_better = right > left if greatest else right < left
        wanted = (left == left) & (is_better | (right != right))
        if np.array_equal(found, wanted.astype(dtypes[1])):
            return greatest
    return None


@cache
def _pairs(with_special_values: bool) -> tuple[Array, Array]:
    """All pairs of numbers that compare in different ways."""
    numbers = [0.0, 1.0]
    if with_special_values:
        numbers += [-0.0, -1.0, np.inf, -np.inf, np.nan, -np.nan]
    left, right = np.meshgrid(np.array(numbers), np.array(numbers))
    return left.ravel(), right.ravel()
