"""Functions of one or two tensors of the same type, place by place."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    Pure,
)

from ..stablehlo.element_types import (
    BooleanTensor,
    ComplexTensor,
    FloatOrComplexTensor,
    FloatTensor,
    IntegerTensor,
    NumberTensor,
    Tensor,
)
from ..stablehlo.shapes import (
    compatible_types,
    show,
    violation,
    with_element_type,
)
from ..stablehlo.syntax import (
    FormattedOp,
)

Value = SSAValue | Operation


class ArrowTypes(FormattedOp, ABC):
    """`: operand types -> result type`, without parentheses."""

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        operands = [parser.parse_type()]
        while parser.parse_optional_punctuation(",") is not None:
            operands.append(parser.parse_type())
        parser.parse_punctuation("->")
        return operands, (parser.parse_type(),)

    def print_types(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.results[0].type)


class UnaryOp(ArrowTypes, ABC):
    """One operand and a result of the same type."""

    operand = operand_def(FloatOrComplexTensor)
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
            violation(self, "type", f"expected result type {expected}, got {self.results[0].type}")


class FloatUnaryOp(UnaryOp, ABC):
    operand = operand_def(FloatTensor)


class FloatPredicateOp(UnaryOp, ABC):
    """One float operand and a result of i1 of the same shape."""

    operand = operand_def(FloatTensor)
    result = result_def(BooleanTensor)

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        return with_element_type(operand_type, i1)


@irdl_op_definition
class AcosOp(UnaryOp):
    name = "chlo.acos"


@irdl_op_definition
class AcoshOp(UnaryOp):
    name = "chlo.acosh"


@irdl_op_definition
class AsinAcosKernelOp(UnaryOp):
    """The part that the complex arc sine and arc cosine share."""

    name = "chlo._asin_acos_kernel"
    operand = operand_def(ComplexTensor)


@irdl_op_definition
class AsinOp(UnaryOp):
    name = "chlo.asin"


@irdl_op_definition
class AsinhOp(UnaryOp):
    name = "chlo.asinh"


@irdl_op_definition
class AtanOp(UnaryOp):
    name = "chlo.atan"


@irdl_op_definition
class AtanhOp(UnaryOp):
    name = "chlo.atanh"


@irdl_op_definition
class BesselI1eOp(FloatUnaryOp):
    """The exponentially scaled modified Bessel function of order 1."""

    name = "chlo.bessel_i1e"


@irdl_op_definition
class ConjOp(UnaryOp):
    name = "chlo.conj"
    operand = operand_def(NumberTensor)


@irdl_op_definition
class CoshOp(UnaryOp):
    name = "chlo.cosh"


@irdl_op_definition
class DigammaOp(FloatUnaryOp):
    name = "chlo.digamma"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    name = "chlo.erf"


@irdl_op_definition
class ErfInvOp(FloatUnaryOp):
    name = "chlo.erf_inv"


@irdl_op_definition
class ErfcOp(FloatUnaryOp):
    name = "chlo.erfc"


@irdl_op_definition
class IsInfOp(FloatPredicateOp):
    name = "chlo.is_inf"


@irdl_op_definition
class IsNegInfOp(FloatPredicateOp):
    name = "chlo.is_neg_inf"


@irdl_op_definition
class IsPosInfOp(FloatPredicateOp):
    name = "chlo.is_pos_inf"


@irdl_op_definition
class LgammaOp(FloatUnaryOp):
    name = "chlo.lgamma"


@irdl_op_definition
class SinhOp(UnaryOp):
    name = "chlo.sinh"


@irdl_op_definition
class SquareOp(UnaryOp):
    name = "chlo.square"
    operand = operand_def(Tensor)


@irdl_op_definition
class TanOp(UnaryOp):
    name = "chlo.tan"


class BinaryOp(ArrowTypes, ABC):
    """Two operands and a result of one type."""

    traits = traits_def(Pure())

    def __init__(self, lhs: Value, rhs: Value):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        lhs, rhs, result = self.operands[0].type, self.operands[1].type, self.results[0].type
        if not (compatible_types(lhs, rhs) and compatible_types(lhs, result)):
            violation(self, "type", f"expected one type, got {show((lhs, rhs))} -> {result}")


@irdl_op_definition
class MulhiOp(BinaryOp):
    """The upper half of the bits of the product."""

    name = "chlo.mulhi"
    lhs = operand_def(IntegerTensor)
    rhs = operand_def(IntegerTensor)
    result = result_def(IntegerTensor)


@irdl_op_definition
class NextAfterOp(BinaryOp):
    """The next number after `x` in the direction of `y`."""

    name = "chlo.next_after"
    x = operand_def(FloatTensor)
    y = operand_def(FloatTensor)
    result = result_def(FloatTensor)


@irdl_op_definition
class PolygammaOp(BinaryOp):
    name = "chlo.polygamma"
    n = operand_def(FloatTensor)
    x = operand_def(FloatTensor)
    result = result_def(FloatTensor)


@irdl_op_definition
class ZetaOp(BinaryOp):
    name = "chlo.zeta"
    x = operand_def(FloatTensor)
    q = operand_def(FloatTensor)
    result = result_def(FloatTensor)
