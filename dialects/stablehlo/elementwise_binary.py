"""Operations that compute each element of the result from the elements at the same place of two operands."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import ComplexType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Commutative, Pure

from .element_types import (
    BooleanOrIntegerTensor,
    ComplexTensor,
    ElementKind,
    FloatOrComplexTensor,
    IntegerTensor,
    NumberTensor,
    PerAxisTensor,
    PlainFloatTensor,
    Tensor,
)
from .interfaces import FoldableOp
from .quantization import verify_quantized_sum
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
    FormattedOp,
    SameTypes,
    parse_signature,
    print_signature,
)
from .traits import Elementwise, Idempotent

K = ElementKind


Value = SSAValue | Operation


class BinaryOp(SameTypes, FoldableOp, ABC):
    """Two operands and a result of one type."""

    lhs = operand_def(Tensor)
    rhs = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure(), Elementwise())

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
    """The sum; the logical or of i1. Integers wrap around.

    `lhs`, `rhs`, `result`: one type; any shape and elements. Quantised types may differ in scales and zero points, and
    one per axis of the result may be of one operand alone. Specification: `add`.
    """

    name = "stablehlo.add"
    lhs = operand_def(PerAxisTensor)
    rhs = operand_def(PerAxisTensor)
    result = result_def(PerAxisTensor)

    def verify_(self) -> None:
        if not verify_quantized_sum(self, self.lhs, self.rhs, self.result):
            super().verify_()
        elif not compatible_shapes(shape_of(self.lhs), shape_of(self.rhs)) or not compatible_shapes(
            shape_of(self.lhs), shape_of(self.result)
        ):
            violation(self, "C1", f"shapes differ: {show((*self.operand_types, *self.result_types))}")


@irdl_op_definition
class AndOp(LogicalOp):
    """The logical and of i1, bit by bit of integers.

    `lhs`, `rhs`, `result`: one type; any shape; i1 or integer elements. Specification: `and`.
    """

    name = "stablehlo.and"

    traits = traits_def(Idempotent())


@irdl_op_definition
class Atan2Op(BinaryOp):
    """The angle of the point (rhs, lhs) in radians, in [-pi, pi].

    `lhs`, `rhs`, `result`: one type; any shape; float, complex or quantised elements. Specification: `atan2`.
    """

    name = "stablehlo.atan2"
    lhs = operand_def(FloatOrComplexTensor)
    rhs = operand_def(FloatOrComplexTensor)


@irdl_op_definition
class DivOp(NumberBinaryOp):
    """The quotient; of integers rounded towards zero. Division by 0: docs/semantics.md.

    `lhs`, `rhs`, `result`: one type; any shape; integer, float, complex or quantised elements. Specification: `divide`.
    """

    name = "stablehlo.divide"


@irdl_op_definition
class MaxOp(CommutativeBinaryOp):
    """The greater one, NaN if one is; the logical or of i1, lexicographic for complex numbers.

    `lhs`, `rhs`, `result`: one type; any shape and elements. Specification: `maximum`.
    """

    name = "stablehlo.maximum"

    traits = traits_def(Idempotent())


@irdl_op_definition
class MinOp(CommutativeBinaryOp):
    """The smaller one, NaN if one is; the logical and of i1, lexicographic for complex numbers.

    `lhs`, `rhs`, `result`: one type; any shape and elements. Specification: `minimum`.
    """

    name = "stablehlo.minimum"

    traits = traits_def(Idempotent())


@irdl_op_definition
class MulOp(CommutativeBinaryOp):
    """The product; the logical and of i1. Integers wrap around.

    `lhs`, `rhs`, `result`: one type; any shape and elements. Specification: `multiply`.
    """

    name = "stablehlo.multiply"


@irdl_op_definition
class OrOp(LogicalOp):
    """The logical or of i1, bit by bit of integers.

    `lhs`, `rhs`, `result`: one type; any shape; i1 or integer elements. Specification: `or`.
    """

    name = "stablehlo.or"

    traits = traits_def(Idempotent())


@irdl_op_definition
class PowOp(NumberBinaryOp):
    """lhs to the power of rhs; of integers modulo 2^width.

    `lhs`, `rhs`, `result`: one type; any shape; integer, float, complex or quantised elements. Specification: `power`.
    """

    name = "stablehlo.power"


@irdl_op_definition
class RemOp(NumberBinaryOp):
    """`lhs - d * rhs` for the quotient `d` rounded towards zero: it has the sign of lhs.

    `lhs`, `rhs`, `result`: one type; any shape; integer, float, complex or quantised elements. Specification:
    `remainder`.
    """

    name = "stablehlo.remainder"


@irdl_op_definition
class ShiftLeftOp(ShiftOp):
    """lhs shifted left by rhs bits; 0 if these are all of them or negative.

    `lhs`, `rhs`, `result`: one type; any shape; integer elements, signed or not. Specification: `shift_left`.
    """

    name = "stablehlo.shift_left"


@irdl_op_definition
class ShiftRightArithmeticOp(ShiftOp):
    """lhs shifted right by rhs bits, copies of its upper bit moving in.

    `lhs`, `rhs`, `result`: one type; any shape; integer elements, signed or not. Specification:
    `shift_right_arithmetic`.
    """

    name = "stablehlo.shift_right_arithmetic"


@irdl_op_definition
class ShiftRightLogicalOp(ShiftOp):
    """lhs shifted right by rhs bits, zeros moving in; 0 if these are all of them or negative.

    `lhs`, `rhs`, `result`: one type; any shape; integer elements, signed or not. Specification: `shift_right_logical`.
    """

    name = "stablehlo.shift_right_logical"


@irdl_op_definition
class SubtractOp(NumberBinaryOp):
    """The difference; integers wrap around.

    `lhs`, `rhs`, `result`: one type; any shape; integer, float, complex or quantised elements. Specification:
    `subtract`.
    """

    name = "stablehlo.subtract"


@irdl_op_definition
class XorOp(LogicalOp):
    """The logical exclusive or of i1, bit by bit of integers.

    `lhs`, `rhs`, `result`: one type; any shape; i1 or integer elements. Specification: `xor`.
    """

    name = "stablehlo.xor"


@irdl_op_definition
class ComplexOp(FormattedOp, FoldableOp):
    """Complex numbers from real parts `lhs` and imaginary parts `rhs`.

    `lhs`, `rhs`: one type; any shape; elements f32 or f64. `result`: their shape, complex elements. Specification:
    `complex`.
    """

    name = "stablehlo.complex"

    lhs = operand_def(PlainFloatTensor)
    rhs = operand_def(PlainFloatTensor)
    result = result_def(ComplexTensor)

    traits = traits_def(Pure(), Elementwise())

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
