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
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...reference.arrays import shape_and_dtype
from .arithmetic import compare_float, compare_int, select
from .attributes import (
    counts_along,
    element_of,
    identity,
    ints,
    is_float,
    is_integer,
    is_unsigned,
    iterators_reducing,
    projection,
    scalar_number,
    shape_of,
    signless,
)
from .builder import Lowered, Lowering, Splat
from .scalars import accumulator

Array = NDArray[Any]
_SELECTING = (stablehlo.CompareOp, stablehlo.SelectOp, stablehlo.ReturnOp)
_LOGICAL = (stablehlo.AndOp, stablehlo.OrOp, stablehlo.NotOp, stablehlo.XorOp)


def lower_arg_reduction(ctx: Lowering, op: stablehlo.ReduceOp) -> Sequence[Lowered] | None:
    """The results, of which the first has no reader; None if `op` is no such reduction along the last dimension."""
    shape = shape_of(op.inputs[0]) if op.inputs else ()
    rank = len(shape)
    if (
        not shape
        or len(op.inputs) != 2
        or 0 in shape
        or ints(op.dimensions) != (rank - 1,)
        or op.results[0].first_use is not None
    ):
        return None
    element, index = (element_of(value) for value in op.inputs)
    if not counts_along(op.inputs[1], rank - 1):
        return None
    if not (is_integer(element) or is_float(element)) or (
        accumulator(element) != element and element_bits(element) < 16
    ):
        return None
    if [element_of(result) for result in op.results] != [element, index]:
        return None
    inits = [ctx.lowered(value) for value in op.init_values]
    greatest = _finds(op)
    if greatest is None or not all(isinstance(init, Splat) for init in inits):
        return None
    worst, first = (scalar_number(init.value) for init in inits if isinstance(init, Splat))
    start = _worst(element, greatest)
    if _bits(worst, element) != _bits(start, element) or first != 0:
        return None
    return _ArgReduction(ctx, op, greatest).lower(start)


class _ArgReduction:
    """One reduction along the last dimension."""

    def __init__(self, ctx: Lowering, op: stablehlo.ReduceOp, greatest: bool):
        self.ctx, self.greatest = ctx, greatest
        self.operand = ctx.tensor(op.inputs[0])
        self.element, self.index = (element_of(value) for value in op.inputs)
        self.type = signless(op.results[1].type)
        self.shape = shape_of(op.inputs[0])
        self.wide = accumulator(signless(self.element))

    def lower(self, start: float) -> Sequence[Lowered]:
        ctx, rank = self.ctx, len(self.shape)
        kept = projection(rank, tuple(range(rank - 1)))
        kinds = iterators_reducing(rank, frozenset((rank - 1,)))
        index = signless(self.index)
        extremes = ctx.fill(ctx.constant(self.wide, start), TensorType(self.wide, self.shape[:-1]))
        (extremes,) = ctx.generic([(self.operand, identity(rank))], [(extremes, kept)], kinds, self._better)
        last = (1 << (element_bits(self.index) - (not is_unsigned(self.index)))) - 1
        indices = ctx.fill(ctx.constant(index, last), TensorType(index, self.shape[:-1]))

        def first(args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            value, extreme, least = args
            value = self._widened(value)
            if is_float(self.element):
                found = compare_float(ctx, "oeq", value, extreme)
                is_nan = compare_float(ctx, "uno", value, value)
                found = ctx.scalar(arith.OrIOp, (found, is_nan), i1)
            else:
                found = compare_int(ctx, "eq", value, extreme)
            here = ctx.scalar(arith.IndexCastOp, (ctx.loop_index(rank - 1),), index)
            candidate = select(ctx, found, here, ctx.constant(index, last))
            least_op = arith.MinUIOp if is_unsigned(self.index) else arith.MinSIOp
            return (ctx.scalar(least_op, (least, candidate), index),)

        inputs = [(self.operand, identity(rank)), (extremes, kept)]
        (indices,) = ctx.generic(inputs, [(indices, kept)], kinds, first)
        unread = ctx.empty(TensorType(signless(self.element), self.shape[:-1]))
        return unread, indices

    def _widened(self, value: SSAValue) -> SSAValue:
        return value if value.type == self.wide else self.ctx.scalar(arith.ExtFOp, (value,), self.wide)

    def _better(self, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
        if is_float(self.element):
            op: type[Operation] = arith.MaximumfOp if self.greatest else arith.MinimumfOp
        elif is_unsigned(self.element) or element_bits(self.element) == 1:
            op = arith.MaxUIOp if self.greatest else arith.MinUIOp
        else:
            op = arith.MaxSIOp if self.greatest else arith.MinSIOp
        return (self.ctx.scalar(op, (args[1], self._widened(args[0])), self.wide),)


def _worst(element: Attribute, greatest: bool) -> float:
    """The value of `element` that every other one is better than, or as good as."""
    if is_float(element):
        return float("-inf") if greatest else float("inf")
    bits = element_bits(element)
    if is_unsigned(element) or bits == 1:
        return 0 if greatest else (1 << bits) - 1
    return -(1 << (bits - 1)) if greatest else (1 << (bits - 1)) - 1


def _bits(value: Any, element: Attribute) -> float:
    """`value`, an integer without its sign."""
    number = value.real
    return number if is_float(element) else int(number) & ((1 << element_bits(element)) - 1)


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
