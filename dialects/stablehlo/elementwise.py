"""Operations that compute each element of the result from the elements at the same place of the operands."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ComplexType, IntegerAttr, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, Pure

from .attributes import (
    ResultAccuracyAttr,
)
from .element_types import (
    BooleanOrIntegerTensor,
    BooleanTensor,
    ComplexTensor,
    ElementKind,
    FloatOrComplexTensor,
    FloatTensor,
    IntegerTensor,
    NumberTensor,
    SignedFloatOrComplexTensor,
    Tensor,
)
from .interfaces import FoldableOp
from .property_types import I32Property
from .shapes import (
    compatible_shapes,
    compatible_types,
    element_type_of,
    is_complex,
    is_tensor,
    real_type,
    shape_of,
    show,
    violation,
    with_element_type,
)
from .syntax import (
    Field,
    FormattedOp,
    FunctionalTypes,
    SameTypes,
    parse_signature,
    print_signature,
)

K = ElementKind
Value = SSAValue | Operation


class UnaryOp(SameTypes, FoldableOp, ABC):
    """One operand; the result has its shape and, unless an op says otherwise, its type."""

    operand = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, operand: Value, result_type: Attribute | None = None):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand], result_types=[result_type or self.infer_result_type(operand.type)])

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        return operand_type

    def verify_(self) -> None:
        expected = self.infer_result_type(self.operands[0].type)
        if not compatible_types(expected, self.results[0].type):
            violation(self, "C1", f"expected result type {expected}, got {self.results[0].type}")


class AccurateUnaryOp(UnaryOp, ABC):
    """A unary operation that may be asked for an accuracy."""

    result_accuracy = opt_prop_def(
        ResultAccuracyAttr,
        default_value=ResultAccuracyAttr.of(),
    )


class FloatOrComplexUnaryOp(AccurateUnaryOp, ABC):
    operand = operand_def(FloatOrComplexTensor)


class FloatUnaryOp(UnaryOp, ABC):
    operand = operand_def(FloatTensor)


class IntegerUnaryOp(UnaryOp, ABC):
    operand = operand_def(IntegerTensor)


class RealPartUnaryOp(UnaryOp, ABC):
    """A unary operation that gives the real type of a complex operand."""

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        if is_tensor(operand_type) and is_complex(operand_type.element_type):
            return with_element_type(operand_type, real_type(operand_type.element_type))
        return operand_type


@irdl_op_definition
class AbsOp(RealPartUnaryOp):
    """The absolute value; the real modulus of a complex operand, the result wraps around for the smallest integer."""

    name = "stablehlo.abs"
    operand = operand_def(SignedFloatOrComplexTensor)


@irdl_op_definition
class CbrtOp(FloatOrComplexUnaryOp):
    """The real cube root."""

    name = "stablehlo.cbrt"


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """Rounds towards positive infinity."""

    name = "stablehlo.ceil"


@irdl_op_definition
class ClzOp(IntegerUnaryOp):
    """The number of zero bits above the highest one."""

    name = "stablehlo.count_leading_zeros"


@irdl_op_definition
class CosineOp(FloatOrComplexUnaryOp):
    """The cosine of an angle in radians."""

    name = "stablehlo.cosine"


@irdl_op_definition
class ExpOp(FloatOrComplexUnaryOp):
    """`e` to the power of the operand."""

    name = "stablehlo.exponential"


@irdl_op_definition
class Expm1Op(FloatOrComplexUnaryOp):
    """`e` to the power of the operand, minus 1, accurate near 0."""

    name = "stablehlo.exponential_minus_one"


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """Rounds towards negative infinity."""

    name = "stablehlo.floor"


@irdl_op_definition
class ImagOp(RealPartUnaryOp):
    """The imaginary part; zero for a real operand."""

    name = "stablehlo.imag"
    operand = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class LogOp(FloatOrComplexUnaryOp):
    """The natural logarithm."""

    name = "stablehlo.log"


@irdl_op_definition
class Log1pOp(FloatOrComplexUnaryOp):
    """The natural logarithm of the operand plus 1, accurate near 0."""

    name = "stablehlo.log_plus_one"


@irdl_op_definition
class LogisticOp(FloatOrComplexUnaryOp):
    """`1 / (1 + exp(-x))`"""

    name = "stablehlo.logistic"


@irdl_op_definition
class NegOp(UnaryOp):
    """The operand with the other sign; integers wrap around."""

    name = "stablehlo.negate"
    operand = operand_def(NumberTensor)


@irdl_op_definition
class NotOp(UnaryOp):
    """The logical not of i1, every bit inverted of integers."""

    name = "stablehlo.not"
    operand = operand_def(BooleanOrIntegerTensor)


@irdl_op_definition
class PopulationCountOp(IntegerUnaryOp):
    """The number of bits that are one."""

    name = "stablehlo.popcnt"


@irdl_op_definition
class RealOp(RealPartUnaryOp):
    """The real part; a real operand itself."""

    name = "stablehlo.real"
    operand = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """Rounds to the nearest integer, ties away from zero."""

    name = "stablehlo.round_nearest_afz"


@irdl_op_definition
class RoundNearestEvenOp(FloatUnaryOp):
    """Rounds to the nearest integer, ties to the even one."""

    name = "stablehlo.round_nearest_even"


@irdl_op_definition
class RsqrtOp(FloatOrComplexUnaryOp):
    """The reciprocal of the square root."""

    name = "stablehlo.rsqrt"


@irdl_op_definition
class SignOp(UnaryOp):
    """-1, 0 or 1 (zeros and NaNs stay as they are); `z / abs(z)` of a complex operand."""

    name = "stablehlo.sign"
    operand = operand_def(SignedFloatOrComplexTensor)


@irdl_op_definition
class SineOp(FloatOrComplexUnaryOp):
    """The sine of an angle in radians."""

    name = "stablehlo.sine"


@irdl_op_definition
class SqrtOp(FloatOrComplexUnaryOp):
    """The square root."""

    name = "stablehlo.sqrt"


@irdl_op_definition
class TanOp(FloatOrComplexUnaryOp):
    """The tangent of an angle in radians."""

    name = "stablehlo.tan"


@irdl_op_definition
class TanhOp(FloatOrComplexUnaryOp):
    """The hyperbolic tangent."""

    name = "stablehlo.tanh"


@irdl_op_definition
class ConvertOp(UnaryOp):
    """Converts between any two element types; `result_type` may be a tensor type or the element type."""

    name = "stablehlo.convert"

    def __init__(self, operand: Value, result_type: Attribute):
        operand = SSAValue.get(operand)
        if not is_tensor(result_type):
            result_type = with_element_type(operand.type, result_type)
        super().__init__(operand, result_type)

    def verify_(self) -> None:
        operand, result = shape_of(self.operands[0]), shape_of(self.results[0])
        if not compatible_shapes(operand, result):
            violation(self, "C1", f"operand and result differ in shape: {operand} and {result}")


@irdl_op_definition
class IsFiniteOp(FunctionalTypes, FoldableOp):
    """Whether an element is neither infinite nor NaN, as i1."""

    name = "stablehlo.is_finite"

    x = operand_def(FloatTensor)
    y = result_def(BooleanTensor)

    traits = traits_def(Pure())

    def __init__(self, x: Value, result_type: Attribute | None = None):
        x = SSAValue.get(x)
        super().__init__(operands=[x], result_types=[result_type or with_element_type(x.type, i1)])

    def verify_(self) -> None:
        operand, result = shape_of(self.operands[0]), shape_of(self.results[0])
        if not compatible_shapes(operand, result):
            violation(self, "C1", f"operand and result differ in shape: {operand} and {result}")


class BinaryOp(SameTypes, FoldableOp, ABC):
    """Two operands and a result of one type."""

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure())

    def __init__(self, lhs: Value, rhs: Value, result_type: Attribute | None = None):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[lhs, rhs], result_types=[result_type or lhs.type])

    def verify_(self) -> None:
        lhs, rhs = self.operands[0].type, self.operands[1].type
        result = self.results[0].type
        if not (compatible_types(lhs, rhs) and compatible_types(lhs, result)):
            violation(
                self,
                "C1",
                f"expected operands and result of one type, got {show((lhs, rhs))} -> {result}",
            )


class CommutativeBinaryOp(BinaryOp, ABC):
    traits = traits_def(Commutative())


class LogicalOp(CommutativeBinaryOp, ABC):
    lhs = operand_def(BooleanOrIntegerTensor)
    rhs = operand_def(BooleanOrIntegerTensor)


class NumberBinaryOp(BinaryOp, ABC):
    lhs = operand_def(NumberTensor)
    rhs = operand_def(NumberTensor)


class ShiftOp(BinaryOp, ABC):
    lhs = operand_def(IntegerTensor)
    rhs = operand_def(IntegerTensor)


@irdl_op_definition
class AddOp(CommutativeBinaryOp):
    """The sum; logical or for i1."""

    name = "stablehlo.add"


@irdl_op_definition
class AndOp(LogicalOp):
    """The logical and of i1, bit by bit of integers."""

    name = "stablehlo.and"


@irdl_op_definition
class Atan2Op(BinaryOp):
    """The angle of the point (rhs, lhs) in radians, in [-pi, pi]."""

    name = "stablehlo.atan2"
    lhs = operand_def(FloatOrComplexTensor)
    rhs = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class DivOp(NumberBinaryOp):
    """The quotient; of integers rounded towards zero."""

    name = "stablehlo.divide"


@irdl_op_definition
class MaxOp(CommutativeBinaryOp):
    """The greater one, NaN if one is; the logical or of i1, lexicographic for complex numbers."""

    name = "stablehlo.maximum"


@irdl_op_definition
class MinOp(CommutativeBinaryOp):
    """The smaller one, NaN if one is; the logical and of i1, lexicographic for complex numbers."""

    name = "stablehlo.minimum"


@irdl_op_definition
class MulOp(CommutativeBinaryOp):
    """The product; logical and for i1."""

    name = "stablehlo.multiply"


@irdl_op_definition
class OrOp(LogicalOp):
    """The logical or of i1, bit by bit of integers."""

    name = "stablehlo.or"


@irdl_op_definition
class PowOp(NumberBinaryOp):
    """lhs to the power of rhs."""

    name = "stablehlo.power"


@irdl_op_definition
class RemOp(NumberBinaryOp):
    """The remainder with the sign of the dividend."""

    name = "stablehlo.remainder"


@irdl_op_definition
class ShiftLeftOp(ShiftOp):
    """lhs shifted left by rhs bits; 0 if these are all of them."""

    name = "stablehlo.shift_left"


@irdl_op_definition
class ShiftRightArithmeticOp(ShiftOp):
    """lhs shifted right by rhs bits, copies of its sign moving in."""

    name = "stablehlo.shift_right_arithmetic"


@irdl_op_definition
class ShiftRightLogicalOp(ShiftOp):
    """lhs shifted right by rhs bits, zeros moving in."""

    name = "stablehlo.shift_right_logical"


@irdl_op_definition
class SubtractOp(NumberBinaryOp):
    """The difference; integers wrap around."""

    name = "stablehlo.subtract"


@irdl_op_definition
class XorOp(LogicalOp):
    """The logical exclusive or of i1, bit by bit of integers."""

    name = "stablehlo.xor"


class BitFormat(Field):
    """`format = e5m10`: the bits of exponent and mantissa in one word."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        word = parser.parse_identifier()
        match = re.fullmatch(r"e(\d+)m(\d+)", word)
        if match is None:
            parser.raise_error(f"expected exponent and mantissa bits as e#m#, got {word}")
        for prop, bits in zip(self.props, match.groups(), strict=True):
            properties[prop] = IntegerAttr(int(bits), i32)

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        exponent, mantissa = (properties[prop] for prop in self.props)
        assert isinstance(exponent, IntegerAttr) and isinstance(mantissa, IntegerAttr)
        return f"e{exponent.value.data}m{mantissa.value.data}"


@irdl_op_definition
class ReducePrecisionOp(SameTypes, FoldableOp):
    """Rounds to a format of fewer exponent and mantissa bits and back."""

    name = "stablehlo.reduce_precision"

    operand = operand_def(FloatTensor)
    output = result_def(FloatTensor)
    exponent_bits = prop_def(I32Property)
    mantissa_bits = prop_def(I32Property)

    traits = traits_def(Pure())

    FIELDS: ClassVar = (BitFormat("format", "exponent_bits", "mantissa_bits"),)

    def __init__(self, operand: Value, exponent_bits: int, mantissa_bits: int):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[operand.type],
            properties={
                "exponent_bits": IntegerAttr(exponent_bits, i32),
                "mantissa_bits": IntegerAttr(mantissa_bits, i32),
            },
        )

    def verify_(self) -> None:
        operand, output = self.operand.type, self.output.type
        if not compatible_types(operand, output):
            violation(self, "C1", f"expected result type {operand}, got {output}")
        if self.exponent_bits.value.data < 1:
            violation(self, "C2", f"exponent_bits must be at least 1, got {self.exponent_bits.value.data}")
        if self.mantissa_bits.value.data < 0:
            violation(
                self,
                "C3",
                f"mantissa_bits must not be negative, got {self.mantissa_bits.value.data}",
            )


@irdl_op_definition
class ComplexOp(FormattedOp, FoldableOp):
    """A complex tensor from real and imaginary parts."""

    name = "stablehlo.complex"

    lhs = operand_def(FloatTensor)
    rhs = operand_def(FloatTensor)
    result = result_def(ComplexTensor)

    traits = traits_def(Pure())

    def __init__(self, lhs: Value, rhs: Value):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[lhs, rhs], result_types=[self.infer_result_type(lhs.type)])

    @staticmethod
    def infer_result_type(part: Attribute) -> Attribute:
        assert is_tensor(part)
        return with_element_type(part, ComplexType(part.element_type))  # pyright: ignore[reportArgumentType]

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        if parser.parse_optional_punctuation("(") is not None:
            return parse_signature(parser, opened=True)
        result = parser.parse_type()
        if not is_tensor(result) or not is_complex(result.element_type):
            parser.raise_error(f"expected a tensor of complex type, got {result}")
        part = with_element_type(result, result.element_type.element_type)
        return (part, part), (result,)

    def print_types(self, printer: Printer) -> None:
        result = self.results[0].type
        if all(self.infer_result_type(part.type) == result for part in self.operands):
            printer.print_string(" : ")
            printer.print_attribute(result)
        else:
            print_signature(printer, self)

    def verify_(self) -> None:
        lhs, rhs, result = self.lhs.type, self.rhs.type, self.result.type
        if not compatible_types(lhs, rhs):
            violation(self, "C1", f"expected operands of one type, got {show((lhs, rhs))}")
        if not compatible_shapes(shape_of(self.lhs), shape_of(self.result)):
            violation(self, "C2", f"operands of type {lhs} for result of type {result}")
        if real_type(element_type_of(self.result)) != element_type_of(self.lhs):
            violation(self, "C3", f"operands of type {lhs} for result of type {result}")
