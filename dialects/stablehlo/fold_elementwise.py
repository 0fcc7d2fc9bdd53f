"""Identities of elementwise ops. Exact for every input, as IEEE 754 defines it.

Neutral elements are compared bit for bit: `x + (-0.0)` is `x`, `x + 0.0` is not (it turns -0.0 into 0.0). Only the
payload of a NaN may change. Complex numbers are left alone: their products are not products of parts when infinities
are involved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
)
from xdsl.ir import Attribute, Operation

from ..dense import Number, integer_type, is_unsigned, pack_element
from .attributes import ComparisonDirection
from .element_types import ElementKind, element_kind
from .elementwise_binary import (
    AddOp,
    AndOp,
    ComplexOp,
    DivOp,
    MaxOp,
    MinOp,
    MulOp,
    OrOp,
    PowOp,
    ShiftLeftOp,
    ShiftRightArithmeticOp,
    ShiftRightLogicalOp,
    SubtractOp,
    XorOp,
)
from .elementwise_unary import (
    ConvertOp,
    ImagOp,
    RealOp,
    ReducePrecisionOp,
)
from .fold_rules import Folded, Rule, splat, splat_of
from .selection import CompareOp, SelectOp
from .shapes import element_type_of, tensor_type


def extremes(type: IntegerType) -> tuple[int, int]:
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
    booleans: bool = False
    """Whether `integers` holds for i1 as well."""


NEUTRAL: Mapping[type[Operation], Neutral] = {
    AddOp: Neutral(-0.0, 0, booleans=True),
    SubtractOp: Neutral(0.0, 0, left=False),
    MulOp: Neutral(1.0, 1, booleans=True),
    DivOp: Neutral(1.0, 1, left=False),
    PowOp: Neutral(1.0, 1, left=False),
    MaxOp: Neutral(-math.inf, "min", booleans=True),
    MinOp: Neutral(math.inf, "max", booleans=True),
    AndOp: Neutral(None, "ones", booleans=True),
    OrOp: Neutral(None, 0, booleans=True),
    XorOp: Neutral(None, 0, booleans=True),
    ShiftLeftOp: Neutral(None, 0, left=False),
    ShiftRightArithmeticOp: Neutral(None, 0, left=False),
    ShiftRightLogicalOp: Neutral(None, 0, left=False),
}

ABSORBING: Mapping[type[Operation], int | str] = {
    MulOp: 0,
    AndOp: 0,
    OrOp: "ones",
    MaxOp: "max",
    MinOp: "min",
}
"""The integer operand that is the result whatever the other one is."""


def _number(value: int | str | None, type: IntegerType) -> int | None:
    smallest, largest = extremes(type)
    return {"min": smallest, "max": largest, "ones": -1}.get(value, None) if isinstance(value, str) else value


def _lacks_infinity(type: Attribute) -> bool:
    """Whether a float type may lack infinities: all but the IEEE-like ones are taken to."""
    return not isinstance(type, Float16Type | BFloat16Type | Float32Type | Float64Type)


def neutral_element(op_type: type[Operation], element_type: Attribute) -> bytes | None:
    """The bytes of the constant that is neutral for `op_type` as its right operand, if there is one."""
    if (neutral := NEUTRAL.get(op_type)) is None:
        return None
    value: Number | None = None
    if (integers := integer_type(element_type)) is not None:
        if integers.width.data > 1 or neutral.booleans:
            value = _number(neutral.integers, integers)
    elif isinstance(element_type, AnyFloat):
        value = neutral.floats
        if value is not None and math.isinf(value) and _lacks_infinity(element_type):
            return None
    return None if value is None else pack_element(element_type, value)


def neutral_on_both_sides(op_type: type[Operation], element_type: Attribute) -> bytes | None:
    """The bytes of what a combiner leaves any element as it is with, on either side, if that is known."""
    return neutral_element(op_type, element_type) if op_type in NEUTRAL and NEUTRAL[op_type].left else None


def is_neutral(op_type: type[Operation], element_type: Attribute, element: bytes) -> bool:
    """Whether combining with `element`, on either side, changes nothing but maybe the sign of a zero."""
    if (neutral := NEUTRAL.get(op_type)) is None or not neutral.left:
        return False
    if isinstance(element_type, AnyFloat):
        return element_type.unpack(element, 1)[0] == neutral.floats
    return element == neutral_element(op_type, element_type)


def neutral_operand(op: Operation) -> Folded:
    """`x op neutral` and, where the op commutes, `neutral op x`."""
    lhs, rhs = op.operands
    constant, other = splat_of(rhs), lhs
    if constant is None:
        if not NEUTRAL[type(op)].left or (constant := splat_of(lhs)) is None:
            return None
        other = rhs
    return other if constant == neutral_element(type(op), element_type_of(op.results[0])) else None


def absorbing_operand(op: Operation) -> Folded:
    """Integers only: `x * 0`, `x & 0`, `x | ~0`, `max(x, largest)`, `min(x, smallest)`."""
    element_type = element_type_of(op.results[0])
    if (integers := integer_type(element_type)) is None:
        return None
    number = _number(ABSORBING[type(op)], integers)
    assert number is not None
    absorbing = pack_element(element_type, number)
    return next((operand for operand in op.operands if splat_of(operand) == absorbing), None)


def difference_of_same(op: Operation) -> Folded:
    """`x - x` and `x ^ x` are 0 for integers; a float may be infinite or NaN."""
    type = tensor_type(op.results[0])
    if op.operands[0] is not op.operands[1] or not isinstance(type.element_type, IntegerType):
        return None
    return splat(type, 0)


def involution(op: Operation) -> Folded:
    """`negate` of `negate`, `not` of `not`; quantised numbers are not symmetric."""
    source = op.operands[0].owner
    if element_kind(element_type_of(op.operands[0])) is ElementKind.OTHER:
        return None
    return source.operands[0] if isinstance(source, type(op)) else None


def idempotent(op: Operation) -> Folded:
    """The op of its own result, or of one value twice."""
    if len(op.operands) == 2:
        return op.operands[0] if op.operands[0] is op.operands[1] else None
    return op.operands[0] if isinstance(op.operands[0].owner, type(op)) else None


def part_of_complex(op: RealOp | ImagOp) -> Folded:
    """The part that `complex` was given; the real part of a real number."""
    source = op.operand.owner
    if isinstance(source, ComplexOp):
        return source.lhs if isinstance(op, RealOp) else source.rhs
    return op.operand if isinstance(op, RealOp) else None


def complex_of_parts(op: ComplexOp) -> Folded:
    """`complex(real(z), imag(z))`"""
    real, imag = op.lhs.owner, op.rhs.owner
    if isinstance(real, RealOp) and isinstance(imag, ImagOp) and real.operand is imag.operand:
        return real.operand
    return None


# convert

FLOAT_FORMATS: Mapping[type[Attribute], tuple[int, int]] = {
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
        smallest, largest = extremes(integers)
        if (wider := integer_type(target)) is not None:
            if wider.width.data == 1:
                return integers.width.data == 1
            least, most = extremes(wider)
            return least <= smallest and largest <= most
        precision = FLOAT_FORMATS.get(type(target))
        if precision is None:
            return False
        magnitude = max(-smallest, largest).bit_length()
        return magnitude <= precision[1]
    a, b = FLOAT_FORMATS.get(type(source)), FLOAT_FORMATS.get(type(target))
    return a is not None and b is not None and a[0] <= b[0] and a[1] <= b[1]


def convert_there_and_back(op: ConvertOp) -> Folded:
    """To the type it has, or back from one that kept every value."""
    if op.operand.type == op.result.type:
        return op.operand
    source = op.operand.owner
    if isinstance(source, ConvertOp) and is_lossless(element_type_of(source.operand), element_type_of(op.operand)):
        return source.operand
    return None


def reduce_to_more_bits(op: ReducePrecisionOp) -> Folded:
    """The format has at least the bits of the element type."""
    bits = FLOAT_FORMATS.get(type(element_type_of(op.operand)))
    if bits is None or op.exponent_bits.value.data < bits[0] or op.mantissa_bits.value.data < bits[1] - 1:
        return None
    return op.operand


# compare and select


def compare_with_itself(op: CompareOp) -> Folded:
    """Integers only: NaN differs from itself."""
    if op.lhs is not op.rhs or not isinstance(element_type_of(op.lhs), IntegerType):
        return None
    reflexive = (ComparisonDirection.EQ, ComparisonDirection.GE, ComparisonDirection.LE)
    return splat(tensor_type(op.result), int(op.comparison_direction.data in reflexive))


def select_known(op: SelectOp) -> Folded:
    """The predicate is constant, or both values are the same."""
    if op.on_true is op.on_false:
        return op.on_true
    predicate = splat_of(op.pred)
    if predicate is not None:
        return op.on_true if any(predicate) else op.on_false
    element = splat_of(op.on_true)
    return op.on_true if element is not None and element == splat_of(op.on_false) else None


def select_of_true_and_false(op: SelectOp) -> Folded:
    """`select(p, true, false)` is `p`."""
    on_true, on_false = splat_of(op.on_true), splat_of(op.on_false)
    is_boolean = on_true is not None and on_false is not None and op.pred.type == op.result.type
    return op.pred if is_boolean and any(cast(Any, on_true)) and not any(cast(Any, on_false)) else None


RULES: Mapping[type[Operation], tuple[Rule, ...]] = {
    SubtractOp: (difference_of_same,),
    XorOp: (difference_of_same,),
    RealOp: (part_of_complex,),
    ImagOp: (part_of_complex,),
    ComplexOp: (complex_of_parts,),
    ConvertOp: (convert_there_and_back,),
    ReducePrecisionOp: (reduce_to_more_bits,),
    CompareOp: (compare_with_itself,),
    SelectOp: (select_known, select_of_true_and_false),
}
