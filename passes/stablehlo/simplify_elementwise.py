"""Rules of `stablehlo-simplify` for elementwise ops. Exact for every input, as IEEE 754 defines it.

Neutral elements are compared bit for bit: `x + (-0.0)` is `x`, `x + 0.0` is not (it turns -0.0 into
0.0). Only the payload of a NaN may change. Complex numbers are left alone: their products are not
products of parts when infinities are involved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.dense import Number, integer_type, is_unsigned, pack_element
from ...dialects.stablehlo.attributes import ComparisonDirection
from .rewriting import Rewriter, Rules, is_splat, splat_of

Replacement = Sequence[SSAValue] | SSAValue | None


def _tensor(value: SSAValue) -> TensorType[Attribute]:
    return cast(TensorType[Attribute], value.type)


def _is_float(element_type: Attribute) -> bool:
    return isinstance(element_type, AnyFloat)


def _extremes(type: IntegerType) -> tuple[int, int]:
    """The smallest and the largest value of an integer type; `i1` is false and true."""
    width = type.width.data
    if is_unsigned(type) or width == 1:
        return 0, (1 << width) - 1
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


class Neutral(NamedTuple):
    """The constant operand that makes a binary op return the other operand, per kind of element."""

    floats: float | None
    integers: int | str | None
    left: bool = True
    """Whether the constant may be the left operand, too."""


NEUTRAL: dict[type[Operation], Neutral] = {
    stablehlo.AddOp: Neutral(-0.0, 0),
    stablehlo.SubtractOp: Neutral(0.0, 0, left=False),
    stablehlo.MulOp: Neutral(1.0, 1),
    stablehlo.DivOp: Neutral(1.0, 1, left=False),
    stablehlo.PowOp: Neutral(1.0, 1, left=False),
    stablehlo.MaxOp: Neutral(-math.inf, "min"),
    stablehlo.MinOp: Neutral(math.inf, "max"),
    stablehlo.AndOp: Neutral(None, "ones"),
    stablehlo.OrOp: Neutral(None, 0),
    stablehlo.XorOp: Neutral(None, 0),
    stablehlo.ShiftLeftOp: Neutral(None, 0, left=False),
    stablehlo.ShiftRightArithmeticOp: Neutral(None, 0, left=False),
    stablehlo.ShiftRightLogicalOp: Neutral(None, 0, left=False),
}


def _without_infinity(type: Attribute) -> bool:
    """Whether a float type may lack infinities: all but the IEEE-like ones are taken to."""
    return not isinstance(type, Float16Type | BFloat16Type | Float32Type | Float64Type)


def neutral_element(op_type: type[Operation], element_type: Attribute) -> bytes | None:
    """The bytes of the constant that is neutral for `op_type`, if there is one."""
    if (neutral := NEUTRAL.get(op_type)) is None:
        return None
    if _is_float(element_type):
        value: Number | str | None = neutral.floats
        if value is None or (math.isinf(value) and _without_infinity(element_type)):
            return None
    elif (integers := integer_type(element_type)) is not None:
        value = neutral.integers
        if integers.width.data == 1 and op_type not in _ON_BOOLEANS:
            return None
        smallest, largest = _extremes(integers)
        value = {"min": smallest, "max": largest, "ones": -1}.get(cast(str, value), value)
    else:
        return None
    return None if value is None else pack_element(element_type, cast(Number, value))


_ON_BOOLEANS = frozenset(
    (
        stablehlo.MaxOp,
        stablehlo.MinOp,
        stablehlo.AndOp,
        stablehlo.OrOp,
        stablehlo.XorOp,
    )
)


def neutral_operand(op: Operation, rewriter: Rewriter) -> Replacement:
    """`x op neutral` and, where the op commutes, `neutral op x`."""
    lhs, rhs = op.operands
    constant, other = splat_of(rhs), lhs
    if constant is None:
        if not NEUTRAL[type(op)].left:
            return None
        constant, other = splat_of(lhs), rhs
        if constant is None:
            return None
    if constant != neutral_element(type(op), _tensor(op.results[0]).element_type):
        return None
    return other


ABSORBING: dict[type[Operation], int | str] = {
    stablehlo.MulOp: 0,
    stablehlo.AndOp: 0,
    stablehlo.OrOp: "ones",
    stablehlo.MaxOp: "max",
    stablehlo.MinOp: "min",
}


def absorbing_operand(op: Operation, rewriter: Rewriter) -> Replacement:
    """Integers only: `x * 0`, `x & 0`, `x | ~0`, `max(x, largest)`, `min(x, smallest)`."""
    element_type = _tensor(op.results[0]).element_type
    if (integers := integer_type(element_type)) is None:
        return None
    smallest, largest = _extremes(integers)
    value = ABSORBING[type(op)]
    number = {"min": smallest, "max": largest, "ones": -1}.get(cast(str, value), value)
    absorbing = pack_element(element_type, cast(int, number))
    for operand in op.operands:
        if splat_of(operand) == absorbing:
            return operand
    return None


def same_operands(op: Operation, rewriter: Rewriter) -> Replacement:
    """`and`, `or`, `max` and `min` of a value with itself."""
    return op.operands[0] if op.operands[0] is op.operands[1] else None


def difference_of_same(op: Operation, rewriter: Rewriter) -> Replacement:
    """`x - x` and `x ^ x` are 0 for integers; a float may be infinite or NaN."""
    type = _tensor(op.results[0])
    if op.operands[0] is not op.operands[1] or not isinstance(type.element_type, IntegerType):
        return None
    return rewriter.splat(type, 0)


# One-operand ops


def involution(op: Operation, rewriter: Rewriter) -> Replacement:
    """`negate` of `negate`, `not` of `not`."""
    source = op.operands[0].owner
    return cast(Operation, source).operands[0] if type(source) is type(op) else None


def absolute_value(op: stablehlo.AbsOp, rewriter: Rewriter) -> Replacement:
    """`abs` of `abs` and of `negate`."""
    source = op.operands[0].owner
    if type(source) is stablehlo.AbsOp:
        return op.operands[0]
    if type(source) is stablehlo.NegOp:
        return rewriter.emit(stablehlo.AbsOp, (source.operands[0],), op.results[0].type, op.properties)
    return None


# convert

_FLOAT_FORMATS: dict[type[Attribute], tuple[int, int]] = {
    BFloat16Type: (8, 8),
    Float16Type: (5, 11),
    Float32Type: (8, 24),
    Float64Type: (11, 53),
}
"""Bits of the exponent and of the significand, hidden bit included."""


def is_lossless(source: Attribute, target: Attribute) -> bool:
    """Whether every value of the element type `source` is a value of `target`.

    False for complex numbers, for the small float formats and when in doubt.
    """
    if (integers := integer_type(source)) is not None:
        smallest, largest = _extremes(integers)
        if (wider := integer_type(target)) is not None:
            if wider.width.data == 1:
                return integers.width.data == 1
            least, most = _extremes(wider)
            return least <= smallest and largest <= most
        precision = _FLOAT_FORMATS.get(type(target))
        if precision is None:
            return False
        magnitude = max(-smallest, largest).bit_length()
        return magnitude <= precision[1]
    a, b = _FLOAT_FORMATS.get(type(source)), _FLOAT_FORMATS.get(type(target))
    return a is not None and b is not None and a[0] <= b[0] and a[1] <= b[1]


def convert_to_same_type(op: stablehlo.ConvertOp, rewriter: Rewriter) -> Replacement:
    return op.operands[0] if op.operands[0].type == op.results[0].type else None


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


def divide_by_power_of_two(op: stablehlo.DivOp, rewriter: Rewriter) -> Replacement:
    """Multiplication by the reciprocal, where that is exact: both round the same real number."""
    type_ = _tensor(op.results[0])
    element_type = cast(Any, type_.element_type)
    if (element := splat_of(op.operands[1])) is None or type(element_type) not in _FLOAT_FORMATS:
        return None
    (divisor,) = element_type.unpack(element, 1)
    if not math.isfinite(divisor) or abs(math.frexp(divisor)[0]) != 0.5:
        return None
    exponent_bits = _FLOAT_FORMATS[type(element_type)][0]
    smallest_normal = math.ldexp(1.0, 2 - (1 << (exponent_bits - 1)))
    if abs(divisor) < smallest_normal or not smallest_normal <= abs(1.0 / divisor):
        return None
    reciprocal = rewriter.splat(_tensor(op.operands[1]), 1.0 / divisor)
    return rewriter.emit(stablehlo.MulOp, (op.operands[0], reciprocal), type_)


def power_by_constant(op: stablehlo.PowOp, rewriter: Rewriter) -> Replacement:
    """`x ** 2`, `x ** 3` and `x ** -1` of floats as products and quotient: at least as accurate."""
    type_ = _tensor(op.results[0])
    element_type = cast(Any, type_.element_type)
    if not _is_float(element_type) or (element := splat_of(op.operands[1])) is None:
        return None
    (exponent,) = element_type.unpack(element, 1)
    base = op.operands[0]
    if exponent == -1.0:
        return rewriter.emit(stablehlo.DivOp, (rewriter.splat(type_, 1.0), base), type_)
    if exponent not in (2.0, 3.0):
        return None
    square = rewriter.emit(stablehlo.MulOp, (base, base), type_)
    if exponent == 2.0:
        return square
    return rewriter.emit(stablehlo.MulOp, (square, base), type_)


def multiply_by_minus_one(op: stablehlo.MulOp, rewriter: Rewriter) -> Replacement:
    if type(_tensor(op.results[0]).element_type) not in _FLOAT_FORMATS:
        return None
    for constant, other in (op.operands, reversed(op.operands)):
        if is_splat(constant, -1.0):
            return rewriter.emit(stablehlo.NegOp, (other,), op.results[0].type)
    return None


# compare and select


def compare_with_itself(op: stablehlo.CompareOp, rewriter: Rewriter) -> Replacement:
    """Integers only: NaN differs from itself."""
    if op.operands[0] is not op.operands[1]:
        return None
    if not isinstance(_tensor(op.operands[0]).element_type, IntegerType):
        return None
    direction = cast(Any, op.properties["comparison_direction"]).data
    reflexive = (ComparisonDirection.EQ, ComparisonDirection.GE, ComparisonDirection.LE)
    return rewriter.splat(_tensor(op.results[0]), int(direction in reflexive))


def select_known(op: stablehlo.SelectOp, rewriter: Rewriter) -> Replacement:
    """The predicate is constant, or both values are the same."""
    predicate, on_true, on_false = op.operands
    if on_true is on_false:
        return on_true
    if (element := splat_of(predicate)) is None:
        return None
    return on_true if any(element) else on_false


def select_of_booleans(op: stablehlo.SelectOp, rewriter: Rewriter) -> Replacement:
    """`select(p, true, false)` is `p`; `select(p, false, true)` is `not p`."""
    predicate, on_true, on_false = op.operands
    if predicate.type != op.results[0].type:
        return None
    values = splat_of(on_true), splat_of(on_false)
    if None in values or any(values[0] or b"") == any(values[1] or b""):
        return None
    if any(values[0] or b""):
        return predicate
    return rewriter.emit(stablehlo.NotOp, (predicate,), predicate.type)


def select_of_not(op: stablehlo.SelectOp, rewriter: Rewriter) -> Replacement:
    predicate, on_true, on_false = op.operands
    source = predicate.owner
    if type(source) is not stablehlo.NotOp:
        return None
    return rewriter.emit(stablehlo.SelectOp, (source.operands[0], on_false, on_true), op.results[0].type)


RULES: Rules = {
    stablehlo.AddOp: (neutral_operand,),
    stablehlo.SubtractOp: (neutral_operand, difference_of_same),
    stablehlo.MulOp: (neutral_operand, absorbing_operand, multiply_by_minus_one),
    stablehlo.DivOp: (neutral_operand, divide_by_power_of_two),
    stablehlo.PowOp: (neutral_operand, power_by_constant),
    stablehlo.MaxOp: (neutral_operand, absorbing_operand, same_operands),
    stablehlo.MinOp: (neutral_operand, absorbing_operand, same_operands),
    stablehlo.AndOp: (neutral_operand, absorbing_operand, same_operands),
    stablehlo.OrOp: (neutral_operand, absorbing_operand, same_operands),
    stablehlo.XorOp: (neutral_operand, difference_of_same),
    stablehlo.ShiftLeftOp: (neutral_operand,),
    stablehlo.ShiftRightArithmeticOp: (neutral_operand,),
    stablehlo.ShiftRightLogicalOp: (neutral_operand,),
    stablehlo.NegOp: (involution,),
    stablehlo.NotOp: (involution,),
    stablehlo.AbsOp: (absolute_value,),
    stablehlo.ConvertOp: (convert_to_same_type, convert_of_convert),
    stablehlo.CompareOp: (compare_with_itself,),
    stablehlo.SelectOp: (select_known, select_of_booleans, select_of_not),
}
