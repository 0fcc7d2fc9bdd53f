"""Patterns of `stablehlo-simplify` for elementwise ops, besides the dialect's identities. Exact for every input."""

from __future__ import annotations

import math
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo.fold_elementwise import FLOAT_FORMATS, is_lossless
from ...dialects.stablehlo.fold_rules import is_splat, splat_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from .rewriting import splat


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    return cast(TensorType[Attribute], value.type)


@pattern
def absolute_value(op: stablehlo.AbsOp, rewriter: Rewriter) -> Replacement:
    """`abs` of `negate`."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.NegOp:
        return None
    return rewriter.emit(stablehlo.AbsOp, (source.operands[0],), op.results[0].type, op.properties)


@pattern
def convert_of_convert(op: stablehlo.ConvertOp, rewriter: Rewriter) -> Replacement:
    """The first conversion keeps every value, so the second may start from its operand."""
    source = op.operands[0].owner
    if type(source) is not stablehlo.ConvertOp:
        return None
    operand = source.operands[0]
    if not is_lossless(_tensor(operand).element_type, _tensor(op.operands[0]).element_type):
        return None
    return rewriter.emit(stablehlo.ConvertOp, (operand,), op.results[0].type)


# divide and power


@pattern
def divide_by_power_of_two(op: stablehlo.DivOp, rewriter: Rewriter) -> Replacement:
    """Multiplication by the reciprocal, where that is exact: both round the same real number."""
    type_ = _tensor(op.results[0])
    element_type = cast(Any, type_.element_type)
    if (element := splat_of(op.operands[1])) is None or type(element_type) not in FLOAT_FORMATS:
        return None
    (divisor,) = element_type.unpack(element, 1)
    if not math.isfinite(divisor) or abs(math.frexp(divisor)[0]) != 0.5:
        return None
    exponent_bits = FLOAT_FORMATS[type(element_type)][0]
    smallest_normal = math.ldexp(1.0, 2 - (1 << (exponent_bits - 1)))
    if abs(divisor) < smallest_normal or not smallest_normal <= abs(1.0 / divisor):
        return None
    reciprocal = splat(rewriter, _tensor(op.operands[1]), 1.0 / divisor)
    return rewriter.emit(stablehlo.MulOp, (op.operands[0], reciprocal), type_)


@pattern
def power_by_constant(op: stablehlo.PowOp, rewriter: Rewriter) -> Replacement:
    """`x ** 2`, `x ** 3` and `x ** -1` of floats as products and quotient: at least as accurate."""
    type_ = _tensor(op.results[0])
    element_type = cast(Any, type_.element_type)
    if not isinstance(element_type, AnyFloat) or (element := splat_of(op.operands[1])) is None:
        return None
    (exponent,) = element_type.unpack(element, 1)
    base = op.operands[0]
    if exponent == -1.0:
        return rewriter.emit(stablehlo.DivOp, (splat(rewriter, type_, 1.0), base), type_)
    if exponent not in (2.0, 3.0):
        return None
    square = rewriter.emit(stablehlo.MulOp, (base, base), type_)
    if exponent == 2.0:
        return square
    return rewriter.emit(stablehlo.MulOp, (square, base), type_)


@pattern
def multiply_by_minus_one(op: stablehlo.MulOp, rewriter: Rewriter) -> Replacement:
    if type(_tensor(op.results[0]).element_type) not in FLOAT_FORMATS:
        return None
    for constant, other in (op.operands, reversed(op.operands)):
        if is_splat(constant, -1.0):
            return rewriter.emit(stablehlo.NegOp, (other,), op.results[0].type)
    return None


# select


@pattern
def select_of_false_and_true(op: stablehlo.SelectOp, rewriter: Rewriter) -> Replacement:
    """`select(p, false, true)` is `not p`."""
    predicate, on_true, on_false = op.operands
    values = splat_of(on_true), splat_of(on_false)
    if predicate.type != op.results[0].type or values[0] is None or values[1] is None:
        return None
    if any(values[0]) or not any(values[1]):
        return None
    return rewriter.emit(stablehlo.NotOp, (predicate,), predicate.type)


@pattern
def select_of_not(op: stablehlo.SelectOp, rewriter: Rewriter) -> Replacement:
    predicate, on_true, on_false = op.operands
    source = predicate.owner
    if type(source) is not stablehlo.NotOp:
        return None
    return rewriter.emit(stablehlo.SelectOp, (source.operands[0], on_false, on_true), op.results[0].type)
