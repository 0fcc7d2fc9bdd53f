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
    name = "stablehlo.abs"
    operand = operand_def(SignedFloatOrComplexTensor)


@irdl_op_definition
class CbrtOp(FloatOrComplexUnaryOp):
    name = "stablehlo.cbrt"


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    name = "stablehlo.ceil"


@irdl_op_definition
class ClzOp(IntegerUnaryOp):
    name = "stablehlo.count_leading_zeros"


@irdl_op_definition
class CosineOp(FloatOrComplexUnaryOp):
    name = "stablehlo.cosine"


@irdl_op_definition
class ExpOp(FloatOrComplexUnaryOp):
    name = "stablehlo.exponential"


@irdl_op_definition
class Expm1Op(FloatOrComplexUnaryOp):
    name = "stablehlo.exponential_minus_one"


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    name = "stablehlo.floor"


@irdl_op_definition
class ImagOp(RealPartUnaryOp):
    """The imaginary part; zero for a real operand."""

    name = "stablehlo.imag"
    operand = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class LogOp(FloatOrComplexUnaryOp):
    name = "stablehlo.log"


@irdl_op_definition
class Log1pOp(FloatOrComplexUnaryOp):
    name = "stablehlo.log_plus_one"


@irdl_op_definition
class LogisticOp(FloatOrComplexUnaryOp):
    name = "stablehlo.logistic"


@irdl_op_definition
class NegOp(UnaryOp):
    name = "stablehlo.negate"
    operand = operand_def(NumberTensor)


@irdl_op_definition
class NotOp(UnaryOp):
    name = "stablehlo.not"
    operand = operand_def(BooleanOrIntegerTensor)


@irdl_op_definition
class PopulationCountOp(IntegerUnaryOp):
    name = "stablehlo.popcnt"


@irdl_op_definition
class RealOp(RealPartUnaryOp):
    name = "stablehlo.real"
    operand = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """Rounds to the nearest integer, ties away from zero."""

    name = "stablehlo.round_nearest_afz"


@irdl_op_definition
class RoundNearestEvenOp(FloatUnaryOp):
    name = "stablehlo.round_nearest_even"


@irdl_op_definition
class RsqrtOp(FloatOrComplexUnaryOp):
    name = "stablehlo.rsqrt"


@irdl_op_definition
class SignOp(UnaryOp):
    name = "stablehlo.sign"
    operand = operand_def(SignedFloatOrComplexTensor)


@irdl_op_definition
class SineOp(FloatOrComplexUnaryOp):
    name = "stablehlo.sine"


@irdl_op_definition
class SqrtOp(FloatOrComplexUnaryOp):
    name = "stablehlo.sqrt"


@irdl_op_definition
class TanOp(FloatOrComplexUnaryOp):
    name = "stablehlo.tan"


@irdl_op_definition
class TanhOp(FloatOrComplexUnaryOp):
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
    name = "stablehlo.and"


@irdl_op_definition
class Atan2Op(BinaryOp):
    name = "stablehlo.atan2"
    lhs = operand_def(FloatOrComplexTensor)
    rhs = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class DivOp(NumberBinaryOp):
    name = "stablehlo.divide"


@irdl_op_definition
class MaxOp(CommutativeBinaryOp):
    name = "stablehlo.maximum"


@irdl_op_definition
class MinOp(CommutativeBinaryOp):
    name = "stablehlo.minimum"


@irdl_op_definition
class MulOp(CommutativeBinaryOp):
    """The product; logical and for i1."""

    name = "stablehlo.multiply"


@irdl_op_definition
class OrOp(LogicalOp):
    name = "stablehlo.or"


@irdl_op_definition
class PowOp(NumberBinaryOp):
    name = "stablehlo.power"


@irdl_op_definition
class RemOp(NumberBinaryOp):
    """The remainder with the sign of the dividend."""

    name = "stablehlo.remainder"


@irdl_op_definition
class ShiftLeftOp(ShiftOp):
    name = "stablehlo.shift_left"


@irdl_op_definition
class ShiftRightArithmeticOp(ShiftOp):
    name = "stablehlo.shift_right_arithmetic"


@irdl_op_definition
class ShiftRightLogicalOp(ShiftOp):
    name = "stablehlo.shift_right_logical"


@irdl_op_definition
class SubtractOp(NumberBinaryOp):
    name = "stablehlo.subtract"


@irdl_op_definition
class XorOp(LogicalOp):
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
