"""`stablehlo-unroll-loops`: short loops over large tensors become what they repeat.

A `while` that counts from a constant to a constant, in a few steps, and whose body only moves data and computes element
by element, is replaced by that many copies of the body. The copies fuse: what went through memory once per iteration
stays in registers, and what depends on the counter, or on constants the loop rotates, is known. The rounds of JAX's
random numbers are such a loop. How many copies pay is decided in `decisions/loops.py`.

Needs: static shapes. Leaves: all other loops; the counter's arithmetic on constants, for `stablehlo-fold-constants`.

    %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<65536xf32>
    cond { %c = stablehlo.compare LT, %i, %two ... } do {
      %b = stablehlo.multiply %a, %a : tensor<65536xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %b : tensor<i32>, tensor<65536xf32>
    }

becomes

    %b = stablehlo.multiply %x, %x : tensor<65536xf32>
    %j = stablehlo.add %zero, %one : tensor<i32>
    %b_1 = stablehlo.multiply %b, %b : tensor<65536xf32>
    %j_1 = stablehlo.add %j, %one : tensor<i32>
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import add
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...decisions.model import CostModel
from ...dialects import stablehlo
from ...dialects.editing import clone
from ...dialects.element_sizes import element_bytes
from ...dialects.stablehlo.fold_constants import COMPARISONS
from ...ir.pattern_pass import PatternPass
from ...ir.patterns import Pattern, pattern, patterns_of_module
from ...ir.rewriter import Rewriter, rewrite_once
from .simplify_indexing import constant_values
from .stablehlo_align_shapes import ELEMENTWISE

_FUSIBLE: frozenset[type[Operation]] = ELEMENTWISE | {
    stablehlo.BitcastConvertOp,
    stablehlo.BroadcastInDimOp,
    stablehlo.ConstantOp,
    stablehlo.IotaOp,
    stablehlo.ReshapeOp,
    stablehlo.ReverseOp,
    stablehlo.SliceOp,
    stablehlo.TransposeOp,
}
"""Ops that become part of one loop nest with their readers."""


def _scalar(value: SSAValue) -> int | None:
    """The integer of a constant of one element."""
    values = constant_values(value)
    return values[0] if values is not None and len(values) == 1 else None


def _progress(op: stablehlo.WhileOp, value: SSAValue) -> tuple[int, int] | None:
    """What `value`, an operand of the condition, is at first, and what the body adds to it each time: constants."""
    body, start, step = op.body.block, _scalar(value), 0
    assert body.last_op is not None
    if isinstance(value, BlockArgument) and value.block is op.cond.block:
        argument, carried = body.args[value.index], body.last_op.operands[value.index]
        start, step = _scalar(op.operands[value.index]), 0 if carried is argument else None
        if isinstance(sum := carried.owner, stablehlo.AddOp) and argument in sum.operands:
            step = _scalar(sum.rhs if sum.lhs is argument else sum.lhs)
    return None if start is None or step is None else (start, step)


def trip_count(op: stablehlo.WhileOp, model: CostModel) -> int | None:
    """How often the body runs; None where that is not known, or more than `Unrolling.unrolled_trips`."""
    last = op.cond.block.last_op
    assert last is not None
    compare = last.operands[0].owner
    if not isinstance(compare, stablehlo.CompareOp):
        return None
    type = cast(TensorType[Attribute], compare.lhs.type).element_type
    width = cast("IntegerType[int]", type).width.data if isinstance(type, IntegerType) else 0
    if width < 8:
        return None
    lhs, rhs = _progress(op, compare.lhs), _progress(op, compare.rhs)
    if lhs is None or rhs is None:
        return None
    values, steps = zip(lhs, rhs, strict=True)
    holds = COMPARISONS[compare.comparison_direction.data]
    limit = 1 << (width - 1)
    for trips in range(model.loops.unrolled_trips + 1):
        if not all(0 <= value < limit for value in values):
            return None
        if not holds(*values):
            return trips
        values = tuple(map(add, values, steps))
    return None


def _bytes(type: Attribute) -> int:
    tensor = cast(TensorType[Attribute], type)
    return prod(tensor.get_shape()) * element_bytes(tensor.element_type)


@pattern
def unroll(op: stablehlo.WhileOp, rewriter: Rewriter) -> Sequence[SSAValue] | None:
    """Copies of the body, where that pays."""
    trips = trip_count(op, rewriter.model)
    if trips is None:
        return None
    body = op.regions[1].block
    operations = [nested for nested in body.ops if nested is not body.last_op]
    carried_bytes = sum(_bytes(result.type) for result in op.results)
    if any(type(nested) not in _FUSIBLE for nested in operations):
        return None
    if not rewriter.model.loops.worth_unrolling(trips, len(operations), carried_bytes):
        return None
    block = op.parent
    assert block is not None and body.last_op is not None
    carried = list(op.operands)
    for _ in range(trips):
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, carried, strict=True))
        for nested in operations:
            copy = clone(nested, values)
            block.insert_op_before(copy, op)
            values.update(zip(nested.results, copy.results, strict=True))
        carried = [values.get(value, value) for value in body.last_op.operands]
    for result in op.results:
        result.name_hint = None
    return carried


class StablehloUnrollLoopsPass(PatternPass):
    """See the module's docstring."""

    name = "stablehlo-unroll-loops"

    def patterns(self) -> Sequence[Pattern]:
        return patterns_of_module(__name__)

    def rewrite(self, ctx: Context, op: ModuleOp) -> None:
        rewrite_once(op, self.rewrites(ctx))
