"""Elementwise ops on constants, evaluated with Python's numbers.

Splats are evaluated on one element, whatever their shape, other constants up to `SMALL_ELEMENTS`. Everything that may
differ between implementations is left alone: transcendental functions, results that are not finite, division by zero,
conversions out of range. Arithmetic of f16, bf16 and f32 in double precision, rounded once more, is correctly rounded:
double precision has more than twice as many bits as they have (Figueroa, "When is double rounding innocuous?", 1995).
The pass `stablehlo-fold-constants` folds more: it asks the reference interpreter.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, IntegerType
from xdsl.ir import Attribute, Operation

from ...decisions.folding import SMALL_ELEMENTS
from ..dense import integer_type, pack_element, splat_attribute, splat_bytes
from .attributes import ComparisonDirection, ComparisonType
from .elementwise_binary import (
    AddOp,
    AndOp,
    DivOp,
    MaxOp,
    MinOp,
    MulOp,
    OrOp,
    RemOp,
    ShiftLeftOp,
    ShiftRightArithmeticOp,
    ShiftRightLogicalOp,
    SubtractOp,
    XorOp,
)
from .elementwise_unary import (
    AbsOp,
    CeilOp,
    ClzOp,
    ConvertOp,
    FloorOp,
    IsFiniteOp,
    NegOp,
    NotOp,
    PopulationCountOp,
    RoundNearestEvenOp,
    RoundOp,
    SignOp,
    SqrtOp,
)
from .fold_elementwise import FLOAT_FORMATS, extremes
from .fold_rules import constant_of
from .selection import ClampOp, CompareOp, SelectOp
from .shapes import element_type_of, shape_of, tensor_type

Number = int | float
Result = Number | None
"""None where the result is left to the implementation."""

Function = Callable[[Any], Result] | Callable[[Any, Any], Result] | Callable[[Any, Any, Any], Result]
"""Of one element per operand."""


def _quotient(a: int, b: int) -> int | None:
    return None if b == 0 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a: int, b: int) -> int | None:
    return None if b == 0 else int(math.copysign(1, a)) * (abs(a) % abs(b))


def _sign(a: Number) -> Number:
    """Of a float it keeps the sign of zero."""
    return (a > 0) - (a < 0) if isinstance(a, int) else math.copysign(1.0, a) if a else a


def _round_afz(a: float) -> float:
    whole = math.floor(abs(a))
    return math.copysign(whole + (abs(a) - whole >= 0.5), a)


def _maximum(a: float, b: float) -> float:
    """The greater one; 0.0 is greater than -0.0."""
    return max(a, b, key=lambda value: (value, math.copysign(1.0, value)))


def _minimum(a: float, b: float) -> float:
    return min(a, b, key=lambda value: (value, math.copysign(1.0, value)))


FLOATS: Mapping[type[Operation], Function] = {
    AbsOp: abs,
    AddOp: operator.add,
    CeilOp: lambda a: math.copysign(math.ceil(a), a),
    DivOp: lambda a, b: a / b if b else None,
    FloorOp: lambda a: math.copysign(math.floor(a), a),
    IsFiniteOp: lambda a: 1,
    MaxOp: _maximum,
    MinOp: _minimum,
    MulOp: operator.mul,
    NegOp: operator.neg,
    RoundNearestEvenOp: lambda a: math.copysign(round(a), a),
    RoundOp: _round_afz,
    SignOp: _sign,
    SqrtOp: lambda a: math.sqrt(a) if a >= 0 else None,
    SubtractOp: operator.sub,
}
"""On finite numbers."""

INTEGERS: Mapping[type[Operation], Function] = {
    AbsOp: abs,
    AddOp: operator.add,
    AndOp: int.__and__,
    DivOp: _quotient,
    MaxOp: max,
    MinOp: min,
    MulOp: operator.mul,
    NegOp: operator.neg,
    NotOp: int.__invert__,
    OrOp: int.__or__,
    RemOp: _remainder,
    SignOp: _sign,
    SubtractOp: operator.sub,
    XorOp: int.__xor__,
}
"""On integers of any width; the result wraps around."""

BOOLEANS: Mapping[type[Operation], Function] = {
    **{op_type: int.__and__ for op_type in (AndOp, MulOp, MinOp)},
    **{op_type: int.__or__ for op_type in (OrOp, AddOp, MaxOp)},
    NotOp: lambda a: 1 - a,
    XorOp: int.__xor__,
}
"""On 0 and 1."""

COMPARISONS: Mapping[ComparisonDirection, Function] = {
    ComparisonDirection.EQ: operator.eq,
    ComparisonDirection.NE: operator.ne,
    ComparisonDirection.GE: operator.ge,
    ComparisonDirection.GT: operator.gt,
    ComparisonDirection.LE: operator.le,
    ComparisonDirection.LT: operator.lt,
}


def _bit_function(op: Operation, type: IntegerType) -> Function | None:
    """Functions of the bits of an integer, which depend on the width."""
    width = type.width.data
    mask = (1 << width) - 1

    def shift(function: Callable[[int, int], int]) -> Function:
        return lambda a, b: function(a, b & mask)

    if isinstance(op, ShiftLeftOp):
        return shift(lambda a, b: a << b if b < width else 0)
    if isinstance(op, ShiftRightLogicalOp):
        return shift(lambda a, b: (a & mask) >> b)
    if isinstance(op, ShiftRightArithmeticOp):
        return shift(lambda a, b: _signed(a & mask, width) >> b)
    if isinstance(op, PopulationCountOp):
        return lambda a: (a & mask).bit_count()
    if isinstance(op, ClzOp):
        return lambda a: width - (a & mask).bit_length()
    return None


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) else bits


def _conversion(source: Attribute, target: Attribute) -> Function | None:
    if (integers := integer_type(target)) is not None:
        if integers.width.data == 1:
            return lambda a: int(a != 0)
        if integer_type(source) is not None:
            return lambda a: a
        smallest, largest = extremes(integers)
        return lambda a: value if smallest <= (value := math.trunc(a)) <= largest else None
    if integer_type(source) is not None:
        return lambda a: float(a) if abs(a) <= 2**53 else None
    return lambda a: a


def _function(op: Operation) -> Function | None:
    """What `op` does to one element of each operand."""
    if isinstance(op, SelectOp):
        return lambda predicate, on_true, on_false: on_true if predicate else on_false
    element_type = element_type_of(op.operands[0])
    if isinstance(op, ConvertOp):
        return _conversion(element_type, element_type_of(op.result))
    is_float = integer_type(element_type) is None
    if isinstance(op, CompareOp):
        if op.compare_type is not None and op.compare_type.data in (
            ComparisonType.TOTALORDER,
            ComparisonType.WEAKORDER,
        ):
            return None
        return COMPARISONS[op.comparison_direction.data]
    if isinstance(op, ClampOp):
        least, most = (_minimum, _maximum) if is_float else (min, max)
        return lambda low, a, high: least(most(a, low), high)
    if is_float:
        return FLOATS.get(type(op))
    integers = cast(IntegerType, element_type)
    if integers.width.data == 1:
        return BOOLEANS.get(type(op))
    return INTEGERS.get(type(op)) or _bit_function(op, integers)


def _is_supported(element_type: Attribute) -> bool:
    return type(element_type) in FLOAT_FORMATS or integer_type(element_type) is not None


def _elements(constant: DenseIntOrFPElementsAttr, is_splat: bool, count: int) -> Sequence[Any]:
    """`count` elements, or one of a splat; those of i1 are 0 and 1."""
    element_type = _element_type(constant)
    element = splat_bytes(constant)
    data = constant.data.data if element is None else element
    values: Sequence[Any] = cast(Any, element_type).unpack(data, len(data) // cast(Any, element_type).compile_time_size)
    integers = integer_type(element_type)
    if integers is not None and integers.width.data == 1:
        values = [value & 1 for value in values]
    return values if is_splat or element is None else list(values) * count


def _element_type(constant: DenseIntOrFPElementsAttr) -> Attribute:
    return cast(Any, constant).type.element_type


def _pack(element_type: Attribute, value: Number) -> bytes | None:
    """The bytes of one element; integers wrap around, None of what is not finite in a float type."""
    if integer_type(element_type) is not None:
        return pack_element(element_type, value)
    try:
        data = pack_element(element_type, value)
    except OverflowError:
        return None
    (rounded,) = cast(Any, element_type).unpack(data, 1)
    return data if math.isfinite(rounded) else None


def evaluate(op: Operation) -> DenseIntOrFPElementsAttr | None:
    """The constant that an elementwise op on constants gives."""
    constants = [constant for value in op.operands if (constant := constant_of(value)) is not None]
    if not constants or len(constants) != len(op.operands) or len(op.results) != 1:
        return None
    type = tensor_type(op.results[0])
    element_types = (type.element_type, *map(_element_type, constants))
    if not type.has_static_shape() or not all(map(_is_supported, element_types)):
        return None
    if (function := _function(op)) is None:
        return None
    is_splat = all(splat_bytes(constant) is not None for constant in constants)
    count = 1 if is_splat else math.prod(shape_of(op.results[0]))
    if count > SMALL_ELEMENTS or 0 in shape_of(op.results[0]):
        return None
    results: list[bytes] = []
    for elements in zip(*(_elements(constant, is_splat, count) for constant in constants), strict=True):
        if not all(map(math.isfinite, elements)):
            return None
        value = cast(Callable[..., Result], function)(*elements)
        if value is None:
            return None
        if (data := _pack(type.element_type, value)) is None:
            return None
        results.append(data)
    if is_splat:
        return splat_attribute(type, results[0])
    return DenseIntOrFPElementsAttr(cast(Any, type), BytesAttr(b"".join(results)))
