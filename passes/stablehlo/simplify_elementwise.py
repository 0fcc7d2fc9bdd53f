"""Patterns of `stablehlo-simplify` for elementwise ops, besides the dialect's identities. Exact for every input."""

from __future__ import annotations

import math
from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat

from ...dialects import stablehlo
from ...dialects.stablehlo.fold_elementwise import FLOAT_FORMATS, is_lossless
from ...dialects.stablehlo.fold_rules import is_splat, splat_of
from ...dialects.stablehlo.shapes import element_type_of
from ...ir.patterns import Replacement, pattern
from ...ir.rewriter import Rewriter
from ...ir.tensor_builder import tensor


@pattern
def absolute_value(op: stablehlo.AbsOp, source: stablehlo.NegOp, rewriter: Rewriter) -> Replacement:
    """`abs` of `negate`."""
    return rewriter.emit(stablehlo.AbsOp, (source.operands[0],), op.results[0].type, op.properties)


@pattern
def convert_of_convert(op: stablehlo.ConvertOp, source: stablehlo.ConvertOp, rewriter: Rewriter) -> Replacement:
    """The first conversion keeps every value, so the second may start from its operand."""
    (operand,) = source.operands
    if not is_lossless(element_type_of(operand), element_type_of(op.operands[0])):
        return None
    return rewriter.emit(stablehlo.ConvertOp, (operand,), op.results[0].type)


# divide and power


@pattern
def divide_by_power_of_two(op: stablehlo.DivOp, rewriter: Rewriter) -> Replacement:
    """Multiplication by the reciprocal, where that is exact: both round the same real number."""
    element_type = cast(Any, element_type_of(op.results[0]))
    if (element := splat_of(op.operands[1])) is None or type(element_type) not in FLOAT_FORMATS:
        return None
    (divisor,) = element_type.unpack(element, 1)
    if not math.isfinite(divisor) or abs(math.frexp(divisor)[0]) != 0.5:
        return None
    exponent_bits = FLOAT_FORMATS[type(element_type)][0]
    smallest_normal = math.ldexp(1.0, 2 - (1 << (exponent_bits - 1)))
    if abs(divisor) < smallest_normal or not smallest_normal <= abs(1.0 / divisor):
        return None
    return (tensor(op.operands[0], rewriter) * (1.0 / divisor)).value


@pattern
def power_by_constant(op: stablehlo.PowOp, rewriter: Rewriter) -> Replacement:
    """`x ** 2`, `x ** 3` and `x ** -1` of floats as products and quotient: at least as accurate."""
    element_type = cast(Any, element_type_of(op.results[0]))
    if not isinstance(element_type, AnyFloat) or (element := splat_of(op.operands[1])) is None:
        return None
    (exponent,) = element_type.unpack(element, 1)
    x = tensor(op.operands[0], rewriter)
    if exponent == -1.0:
        return (1.0 / x).value
    if exponent not in (2.0, 3.0):
        return None
    square = x * x
    return (square if exponent == 2.0 else square * x).value


@pattern
def multiply_by_minus_one(op: stablehlo.MulOp, rewriter: Rewriter) -> Replacement:
    if type(element_type_of(op.results[0])) not in FLOAT_FORMATS:
        return None
    lhs, rhs = op.operands
    if not is_splat(rhs, -1.0) and not is_splat(lhs, -1.0):
        return None
    return rewriter.emit(stablehlo.NegOp, (lhs if is_splat(rhs, -1.0) else rhs,), op.results[0].type)


# select


@pattern
def select_of_false_and_true(op: stablehlo.SelectOp, rewriter: Rewriter) -> Replacement:
    """`select(p, false, true)` is `not p`."""
    predicate, on_true, on_false = op.operands
    values = splat_of(on_true), splat_of(on_false)
    if predicate.type != op.results[0].type or values[0] is None or values[1] is None:
        return None
    return None if any(values[0]) or not any(values[1]) else (~tensor(predicate, rewriter)).value


@pattern
def select_of_not(op: stablehlo.SelectOp, source: stablehlo.NotOp, rewriter: Rewriter) -> Replacement:
    _, on_true, on_false = op.operands
    return rewriter.emit(stablehlo.SelectOp, (source.operands[0], on_false, on_true), op.results[0].type)
