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
    IntegerTensor,
    NumberTensor,
    PlainFloatOrComplexTensor,
    PlainFloatTensor,
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
from ..stablehlo.traits import Elementwise

Value = SSAValue | Operation


class ArrowTypes(FormattedOp, ABC):
    """`: operand types -> result type`, without parentheses; `: type`, as mhlo has it, where all are one type."""

    @classmethod
    def parse_types(cls, parser: Parser, arity: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
        parser.parse_punctuation(":")
        operands = [parser.parse_type()]
        while parser.parse_optional_punctuation(",") is not None:
            operands.append(parser.parse_type())
        if len(operands) == 1 and parser.parse_optional_punctuation("->") is None:
            return operands * arity, operands
        if len(operands) > 1:
            parser.parse_punctuation("->")
        return operands, (parser.parse_type(),)

    def print_types(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.results[0].type)


class UnaryOp(ArrowTypes, ABC):
    """One operand and a result of the same type."""

    operand = operand_def(PlainFloatOrComplexTensor)
    result = result_def(Tensor)

    traits = traits_def(Pure(), Elementwise())

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
    operand = operand_def(PlainFloatTensor)


class FloatPredicateOp(UnaryOp, ABC):
    """One float operand and a result of i1 of the same shape."""

    operand = operand_def(PlainFloatTensor)
    result = result_def(BooleanTensor)

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        return with_element_type(operand_type, i1)


@irdl_op_definition
class AcosOp(UnaryOp):
    """The arc cosine in radians, in [0, pi]; NaN outside of [-1, 1]. Of a complex number the principal value.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.acos"


@irdl_op_definition
class AcoshOp(UnaryOp):
    """The inverse hyperbolic cosine, not negative; NaN below 1. Of a complex number the principal value.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.acosh"


@irdl_op_definition
class AsinAcosKernelOp(UnaryOp):
    """The part that the complex arc sine and arc cosine share (Hull, Fairgrieve and Tang, 1997).

    `operand`, `result`: one type; any shape; complex elements. Upstream: ChloOps.td.
    """

    name = "chlo._asin_acos_kernel"
    operand = operand_def(ComplexTensor)


@irdl_op_definition
class AsinOp(UnaryOp):
    """The arc sine in radians, in [-pi/2, pi/2]; NaN outside of [-1, 1]. Of a complex number the principal value.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.asin"


@irdl_op_definition
class AsinhOp(UnaryOp):
    """The inverse hyperbolic sine; of a complex number the principal value.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.asinh"


@irdl_op_definition
class AtanOp(UnaryOp):
    """The arc tangent in radians, in [-pi/2, pi/2]; of a complex number the principal value.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.atan"


@irdl_op_definition
class AtanhOp(UnaryOp):
    """The inverse hyperbolic tangent; NaN outside of [-1, 1]. Of a complex number the principal value.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.atanh"


@irdl_op_definition
class BesselI1eOp(FloatUnaryOp):
    """`exp(-abs(x)) I1(x)`: the exponentially scaled modified Bessel function of the first kind of order 1.

    `operand`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.bessel_i1e"


@irdl_op_definition
class ConjOp(UnaryOp):
    """The complex conjugate; a real number is its own.

    `operand`, `result`: one type; any shape; integer, float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.conj"
    operand = operand_def(NumberTensor)


@irdl_op_definition
class CoshOp(UnaryOp):
    """The hyperbolic cosine, `(exp(x) + exp(-x)) / 2`, infinite only where the result is.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.cosh"


@irdl_op_definition
class DigammaOp(FloatUnaryOp):
    """The derivative of the logarithm of the gamma function; NaN at 0 and the negative integers.

    `operand`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.digamma"


@irdl_op_definition
class ErfOp(FloatUnaryOp):
    """The error function, `2 / sqrt(pi)` times the integral of `exp(-t^2)` from 0 to x.

    `operand`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.erf"


@irdl_op_definition
class ErfInvOp(FloatUnaryOp):
    """The inverse of the error function: infinite at -1 and 1, NaN outside of them.

    `operand`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.erf_inv"


@irdl_op_definition
class ErfcOp(FloatUnaryOp):
    """The complementary error function, `1 - erf(x)`, accurate where that is small.

    `operand`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.erfc"


@irdl_op_definition
class IsInfOp(FloatPredicateOp):
    """Whether an element is positive or negative infinity.

    `operand`: any shape; float elements. `result`: its shape, elements i1. Upstream: ChloOps.td.
    """

    name = "chlo.is_inf"


@irdl_op_definition
class IsNegInfOp(FloatPredicateOp):
    """Whether an element is negative infinity.

    `operand`: any shape; float elements. `result`: its shape, elements i1. Upstream: ChloOps.td.
    """

    name = "chlo.is_neg_inf"


@irdl_op_definition
class IsPosInfOp(FloatPredicateOp):
    """Whether an element is positive infinity.

    `operand`: any shape; float elements. `result`: its shape, elements i1. Upstream: ChloOps.td.
    """

    name = "chlo.is_pos_inf"


@irdl_op_definition
class LgammaOp(FloatUnaryOp):
    """The logarithm of the absolute value of the gamma function; infinite at 0 and the negative integers.

    `operand`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.lgamma"


@irdl_op_definition
class SinhOp(UnaryOp):
    """The hyperbolic sine, `(exp(x) - exp(-x)) / 2`, accurate near 0, infinite only where the result is.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.sinh"


@irdl_op_definition
class SquareOp(UnaryOp):
    """The operand times itself; of a complex number without overflow on the way where it can be.

    `operand`, `result`: one type; any shape and elements. Upstream: ChloOps.td.
    """

    name = "chlo.square"
    operand = operand_def(Tensor)


@irdl_op_definition
class TanOp(UnaryOp):
    """The tangent of an angle in radians.

    `operand`, `result`: one type; any shape; float or complex elements. Upstream: ChloOps.td.
    """

    name = "chlo.tan"


class BinaryOp(ArrowTypes, ABC):
    """Two operands and a result of one type."""

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, lhs: Value, rhs: Value):
        lhs = SSAValue.get(lhs)
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        lhs, rhs, result = self.operands[0].type, self.operands[1].type, self.results[0].type
        if not (compatible_types(lhs, rhs) and compatible_types(lhs, result)):
            violation(self, "type", f"expected one type, got {show((lhs, rhs))} -> {result}")


@irdl_op_definition
class MulhiOp(BinaryOp):
    """The upper half of the bits of the product of twice the width.

    `lhs`, `rhs`, `result`: one type; any shape; integer elements, signed or not. Upstream: ChloOps.td.
    """

    name = "chlo.mulhi"
    lhs = operand_def(IntegerTensor)
    rhs = operand_def(IntegerTensor)
    result = result_def(IntegerTensor)


@irdl_op_definition
class NextAfterOp(BinaryOp):
    """The next number after `x` of its type in the direction of `y`; `y` if they are equal, NaN if one is.

    `x`, `y`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.next_after"
    x = operand_def(PlainFloatTensor)
    y = operand_def(PlainFloatTensor)
    result = result_def(PlainFloatTensor)


@irdl_op_definition
class PolygammaOp(BinaryOp):
    """The derivative of order `n` of `digamma`; NaN if `n` is no natural number.

    `n`, `x`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.polygamma"
    n = operand_def(PlainFloatTensor)
    x = operand_def(PlainFloatTensor)
    result = result_def(PlainFloatTensor)


@irdl_op_definition
class ZetaOp(BinaryOp):
    """The Hurwitz zeta function, the sum of `1 / (k + q)^x` over `k` from 0.

    `x`, `q`, `result`: one type; any shape; float elements. Upstream: ChloOps.td.
    """

    name = "chlo.zeta"
    x = operand_def(PlainFloatTensor)
    q = operand_def(PlainFloatTensor)
    result = result_def(PlainFloatTensor)
